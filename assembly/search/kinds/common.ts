import { MUST, MUST_NOT, NODE_BOOLEAN, NODE_TERM, SHOULD } from '../../abi/plan';
import { ERR_MEMORY, ERR_PLAN, OK } from '../../abi/status';
import { f32Next, termsNext, u16Next, u8Next } from '../../plan/planReader';
import { BOOLEAN_NO_COORD, Query } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { Search } from '../context';
import { Decoding } from '../decoding';
import { addChild, make, termNode } from '../rewriting';
import { findTerm } from '../statistics';
import { isFrequent, minimumsNext, rareDecide } from '../termMinimums';

// Common terms: those that are rare decide which documents match.

export function decodeCommon(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  node.boost = f32Next();
  node.cutoff = f32Next();
  node.lowOccur = u8Next();
  node.highOccur = u8Next();
  if (node.lowOccur >= MUST_NOT || node.highOccur >= MUST_NOT) fail(ERR_PLAN);
  node.flags = u8Next();
  termsNext(node, <u32>u16Next());
  node.minimums = minimumsNext(node.termCount);
  minimumsNext(node.termCount);
}

export function expandCommon(search: Search, query: Query, _scoring: bool): Query {
  const n = query.termCount;
  if (!n) return make(NODE_BOOLEAN, 1, 0);
  for (let i: u32 = 0; i < n; i++) {
    if (!findTerm(search.shard, query.field, query.term(i))) {
      fail(ERR_MEMORY);
      return query;
    }
  }
  if (n == 1) return termNode(NODE_TERM, query.field, query.boost, query.term(0));
  const low = make(NODE_BOOLEAN, 1, n);
  const high = make(NODE_BOOLEAN, 1, n);
  low.flags = query.flags & BOOLEAN_NO_COORD;
  high.flags = query.flags & BOOLEAN_NO_COORD;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const term = query.term(i);
    const node = termNode(NODE_TERM, query.field, 1, term);
    // A term that is nowhere counts as rare.
    if (term.df && isFrequent(search, query.cutoff, term.df)) addChild(high, node, query.highOccur);
    else addChild(low, node, query.lowOccur);
  }
  if (requestStatus != OK) return query;
  if (query.lowOccur == SHOULD && low.childCount)
    low.minimumShouldMatch = <u32>load<u16>(query.minimums + ((<usize>low.childCount) << 1));
  if (query.highOccur == SHOULD && high.childCount)
    high.minimumShouldMatch = <u32>load<u16>(query.minimums + ((<usize>(n + 1 + high.childCount)) << 1));
  if (!low.childCount && !high.minimumShouldMatch && query.highOccur != MUST) {
    for (let i: u32 = 0; i < n; i++) high.child(i).occur = MUST;
  }
  return rareDecide(low, high, query.boost);
}
