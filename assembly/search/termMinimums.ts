import { MUST, NODE_BOOLEAN, SHOULD } from '../abi/plan';
import { bytesNext } from '../plan/planReader';
import { BOOLEAN_NO_COORD, Query } from '../plan/query';
import { Search } from './context';
import { addChild, make, unwrapped } from './rewriting';

// Rare and frequent terms: minimums by number of clauses, which terms are frequent, and one query of both.

/** (n + 1) × u16. */
export function minimumsNext(n: u32): usize {
  return bytesNext((<usize>n + 1) << 1);
}

export function isFrequent(search: Search, cutoff: f32, df: u32): bool {
  return (cutoff >= 1 && <f32>df > cutoff) || <i32>df > <i32>ceil<f64>(<f64>(cutoff * <f32>search.maxDoc));
}

/** The rare terms decide which documents match, the frequent ones add to their scores; where there are none of one sort, the others alone. */
export function rareDecide(rare: Query, frequent: Query, boost: f32): Query {
  if (!rare.childCount || !frequent.childCount) {
    const alone = rare.childCount ? rare : frequent;
    alone.boost = boost;
    return unwrapped(alone);
  }
  const both = make(NODE_BOOLEAN, boost, 2);
  both.flags = BOOLEAN_NO_COORD;
  addChild(both, unwrapped(frequent), SHOULD);
  addChild(both, unwrapped(rare), MUST);
  return both;
}
