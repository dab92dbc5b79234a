import {
  NODE_BOOLEAN,
  NODE_CONSTANT,
  NODE_TERM,
  REWRITE_AUTO,
  REWRITE_CONSTANT,
  REWRITE_CONSTANT_BOOLEAN,
  REWRITE_TOP,
  REWRITE_TOP_CONSTANT,
  SHOULD,
} from '../../abi/plan';
import { ERR_CLAUSES, ERR_PLAN, OK } from '../../abi/status';
import { f32Next, u8Next, u16Next } from '../../plan/planReader';
import { BOOLEAN_NO_COORD, MAX_CLAUSES, Query } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { Search } from '../context';
import { matcherNext } from '../decodeMatcher';
import { Decoding } from '../decoding';
import { addChild, collect, make, termNode, unwrapped } from '../rewriting';

// The terms that a pattern matches.

export function decodeMultiTerm(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  node.boost = f32Next();
  node.rewrite = u8Next();
  if (node.rewrite > REWRITE_TOP_CONSTANT) fail(ERR_PLAN);
  node.size = <u32>u16Next();
  matcherNext(node);
}

/** Whether only the terms of the highest boost are taken. */
export function isTop(query: Query): bool {
  return query.rewrite == REWRITE_TOP || query.rewrite == REWRITE_TOP_CONSTANT;
}

/** Where it doesn't score its terms stay a set. */
export function expandMultiTerm(search: Search, query: Query, scoring: bool): Query {
  return scoring || isTop(query) ? expandTerms(search, query) : query;
}

function expandTerms(search: Search, query: Query): Query {
  if (query.rewrite == REWRITE_AUTO || query.rewrite == REWRITE_CONSTANT) {
    const constant = make(NODE_CONSTANT, query.boost, 1);
    addChild(constant, query, 0);
    return constant;
  }
  const top = isTop(query);
  const limit = top ? min(query.size, MAX_CLAUSES) : MAX_CLAUSES;
  const list = collect(search, query, limit, top);
  if (list === null) return query;
  if (list.overflow && !top) {
    fail(ERR_CLAUSES);
    return query;
  }
  const outer: f32 = query.rewrite == REWRITE_CONSTANT_BOOLEAN ? 1 : query.boost;
  const node = make(NODE_BOOLEAN, 1, list.count);
  node.flags = BOOLEAN_NO_COORD;
  for (let i: u32 = 0; i < list.count && requestStatus == OK; i++) {
    const term = list.term(i);
    const boost = outer * term.boost;
    if (query.rewrite == REWRITE_TOP_CONSTANT) {
      const constant = make(NODE_CONSTANT, boost, 1);
      addChild(constant, termNode(NODE_TERM, query.field, 1, term), 0);
      addChild(node, constant, SHOULD);
    } else {
      addChild(node, termNode(NODE_TERM, query.field, boost, term), SHOULD);
    }
  }
  if (query.rewrite == REWRITE_CONSTANT_BOOLEAN) {
    // It weighs even where there is no such term.
    const constant = make(NODE_CONSTANT, query.boost, 1);
    addChild(constant, list.count ? node : query, 0);
    return constant;
  }
  return unwrapped(node);
}

/** Whether no segment of the shard has a term of the query. */
export function hasNoTerms(search: Search, query: Query): bool {
  const terms = collect(search, query, 1, false);
  return terms !== null && !terms.count;
}
