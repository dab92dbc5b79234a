import { BOOST_MIN, SCORE_OCCURRENCES } from '../abi/functions';
import { MUST, NODE_BOOLEAN, SHOULD } from '../abi/plan';
import { ERR_PLAN, OK } from '../abi/status';
import { setPointer } from '../memory/pointers';
import { ScoreFunction } from '../docset/functions';
import { ANY, childrenNext } from './decodeChildren';
import { nodeNext } from './decodeNodes';
import { functionNext } from './decodeParts';
import { f32Next, pointers, structNext, u8Next, u16Next } from '../plan/planReader';
import { BOOLEAN_BOOSTING, FUNCTION_ALONE, FUNCTION_MIN_SCORE, Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { Decoding } from './decoding';

// Nodes of a plan that change the scores of others.

/** A boosting query is a boolean whose clauses that match decide on the factor; the plan gives the negative part no boost. */
export function boostingNext(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.tieBreaker = f32Next();
  childrenNext(d, node, 2, depth, scoring, false, ANY);
  if (requestStatus != OK) return;
  node.kind = NODE_BOOLEAN;
  node.flags = BOOLEAN_BOOSTING;
  node.child(0).occur = MUST;
  node.child(1).occur = SHOULD;
}

export function functionsNext(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.boost = f32Next();
  node.flags = u8Next();
  node.scoreMode = u8Next();
  node.boostMode = u8Next();
  if (node.scoreMode > SCORE_OCCURRENCES || node.boostMode > BOOST_MIN) fail(ERR_PLAN);
  if (node.flags > 7) fail(ERR_PLAN);
  if (node.flags & FUNCTION_MIN_SCORE) {
    if (scoring) d.swapScored(true);
    else {
      node.flags |= FUNCTION_ALONE;
      d.plan.tested = true;
    }
  }
  node.maxBoost = f32Next();
  node.minScore = f32Next();
  childrenNext(d, node, 1, depth, scoring, false, ANY);
  const n = <u32>u16Next();
  node.parts = pointers(n, 6);
  node.partCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const made = structNext(offsetof<ScoreFunction>());
    if (!made) return;
    const f = changetype<ScoreFunction>(made);
    setPointer(node.parts, i, made);
    const flags = u8Next();
    f.hasWeight = (flags & 2) != 0;
    f.weight = f32Next();
    functionNext(d, f);
    if (flags & 1) {
      const filter = nodeNext(d, depth + 1, false);
      if (requestStatus == OK) f.filterQuery = changetype<usize>(filter);
    }
  }
}
