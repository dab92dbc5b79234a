import { MUST, NODE_BOOLEAN, NODE_DISMAX, NODE_TERM, SHOULD } from '../../abi/plan';
import { ERR_MEMORY, OK } from '../../abi/status';
import { requestAlloc } from '../../memory/arena';
import { f32Next, pointers, termNext, u16Next, u8Next } from '../../plan/planReader';
import { BOOLEAN_NO_COORD, Query } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { FIELD_FREQS, FieldEntry, findField } from '../../segment/segment';
import { Search } from '../context';
import { Decoding } from '../decoding';
import { frequencySum } from '../frequencies';
import { addChild, make, termNode, unwrapped } from '../rewriting';
import { findTerm } from '../statistics';
import { isFrequent, rareDecide } from '../termMinimums';

// Terms in several fields, weighed as if these were one.

const BLENDED_DISMAX: u8 = 1;
const BLENDED_CUTOFF: u8 = 2;

export function decodeBlended(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.boost = f32Next();
  node.flags = u8Next();
  node.tieBreaker = f32Next();
  node.cutoff = f32Next();
  const n = <u32>u16Next();
  node.terms = pointers(n, 8);
  node.termCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const field = u16Next();
    const boost = f32Next();
    const term = termNext(0);
    if (requestStatus != OK) return;
    term!.field = field;
    term!.boost = boost;
    store<usize>(node.terms + <usize>i * sizeof<usize>(), changetype<usize>(term));
  }
}

/**
 * How many documents the terms of a blend may be in: no more than the shard has, and no more than the field with the fewest words
 * has words. Fields without frequencies bound nothing.
 */
function documentsOfBlend(search: Search, query: Query): u32 {
  let fewest = <f64>search.maxDoc;
  for (let i: u32 = 0; i < query.termCount; i++) {
    const field = query.term(i).field;
    let holders: f64 = 0;
    for (let s: u32 = 0; s < search.shard.segmentCount; s++) {
      const entry = findField(search.shard.segment(s), field);
      if (!entry) continue;
      if (!(FieldEntry.flags(entry) & FIELD_FREQS)) return search.maxDoc;
      holders += <f64>FieldEntry.docs(entry);
    }
    // Each of these has a word at least: only then is it worth counting them.
    if (holders >= fewest) continue;
    let words: f64 = 0;
    for (let s: u32 = 0; s < search.shard.segmentCount; s++) {
      const seg = search.shard.segment(s);
      const entry = findField(seg, field);
      const own: f64 = entry ? frequencySum(seg, entry) : 0;
      if (own < 0) fail(ERR_MEMORY);
      words += own;
    }
    fewest = min(fewest, words);
  }
  return <u32>fewest;
}

/** Gives the terms of a blend one document frequency, growing a little from the most frequent to the rarest. */
function blend(search: Search, query: Query): void {
  const n = query.termCount;
  if (n <= 1) return;
  let most: u32 = 0;
  for (let i: u32 = 0; i < n; i++) most = max(most, query.term(i).df);
  if (!most) return;
  const order = requestAlloc(n << 2);
  if (!order) {
    fail(ERR_MEMORY);
    return;
  }
  // Descending by frequency, equal ones in the order of the query.
  for (let i: u32 = 0; i < n; i++) {
    let k = i;
    while (k > 0 && query.term(load<u32>(order + ((<usize>(k - 1)) << 2))).df < query.term(i).df) {
      store<u32>(order + ((<usize>k) << 2), load<u32>(order + ((<usize>(k - 1)) << 2)));
      k--;
    }
    store<u32>(order + ((<usize>k) << 2), i);
  }
  const documents = documentsOfBlend(search, query);
  let df = min(documents, most);
  let previous = query.term(load<u32>(order)).df;
  for (let k: u32 = 0; k < n; k++) {
    const term = query.term(load<u32>(order + ((<usize>k) << 2)));
    if (!term.df) break;
    if (previous > term.df) df++;
    previous = term.df;
    term.df = min(documents, df);
  }
}

export function expandBlended(search: Search, query: Query, _scoring: bool): Query {
  const n = query.termCount;
  const dfs = requestAlloc(n << 2);
  if (!dfs) {
    fail(ERR_MEMORY);
    return query;
  }
  for (let i: u32 = 0; i < n; i++) {
    const term = query.term(i);
    if (!findTerm(search.shard, term.field, term)) {
      fail(ERR_MEMORY);
      return query;
    }
    store<u32>(dfs + ((<usize>i) << 2), term.df);
  }
  blend(search, query);
  const dismax = (query.flags & BLENDED_DISMAX) != 0;
  if (query.flags & BLENDED_CUTOFF) {
    const low = make(NODE_BOOLEAN, 1, n);
    const high = make(NODE_BOOLEAN, 1, n);
    for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
      const term = query.term(i);
      const node = termNode(NODE_TERM, term.field, term.boost, term);
      if (isFrequent(search, query.cutoff, load<u32>(dfs + ((<usize>i) << 2)))) addChild(high, node, SHOULD);
      else addChild(low, node, SHOULD);
    }
    if (requestStatus != OK) return query;
    if (!low.childCount) for (let i: u32 = 0; i < high.childCount; i++) high.child(i).occur = MUST;
    return rareDecide(low, high, query.boost);
  }
  const node = make(dismax ? NODE_DISMAX : NODE_BOOLEAN, query.boost, n);
  node.tieBreaker = query.tieBreaker;
  if (!dismax) node.flags = BOOLEAN_NO_COORD;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const term = query.term(i);
    addChild(node, termNode(NODE_TERM, term.field, term.boost, term), SHOULD);
  }
  return unwrapped(node);
}
