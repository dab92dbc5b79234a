import { CHILD_NONE, JOIN_NONE } from '../abi/plan';
import { OK } from '../abi/status';
import { BlockJoin, firstPart } from '../docset/blockJoin';
import {
  bitsOf,
  fill,
  MATCH_CONSTANT,
  MATCH_JOIN,
  MATCH_NESTED,
  MATCH_SET,
  Matcher,
  windowBytes,
} from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { Bitset } from '../memory/bitset';
import { setPointer } from '../memory/pointers';
import { NO_NUMBER, parentOrdinals } from '../segment/parentOrdinals';
import { docOfKey } from '../segment/segment';
import { Compiling, noRoom, pointers } from './compiling';
import { Joined, Query } from '../plan/query';
import { requestStatus } from '../requestStatus';

// Compiles what goes from documents to others: to the roots of nested ones and back, from parents to children and back; and limits.

/** The documents that a filter of nested ones matches, as a bitset of the segment; 0 where there are none, or without room. */
function parentSet(c: Compiling, query: Query): usize {
  const m = c.filter(query);
  if (m === null) return 0;
  const bits = bitsOf(m, c.segment.docCount);
  if (!bits) noRoom();
  return bits;
}

/** Documents that nested ones are parts of. */
export function compileNested(c: Compiling, query: Query, scoring: bool): Matcher | null {
  if (!c.segment.parents) return null;
  const child = c.nested(query.child(0), scoring && query.scoreMode != JOIN_NONE);
  if (child === null) return null;
  const m = Matcher.make(MATCH_NESTED);
  const array = pointers(1);
  const at = requestAlloc(offsetof<BlockJoin>());
  if (m === null || !array || !at) return noRoom();
  memory.fill(at, 0, offsetof<BlockJoin>());
  const join = changetype<BlockJoin>(at);
  join.mode = query.scoreMode;
  join.roots = c.segment.parents;
  join.docCount = c.segment.docCount;
  join.parents = query.childCount > 1 ? parentSet(c, query.child(1)) : c.segment.parents;
  if (!join.parents) return null;
  setPointer(array, 0, changetype<usize>(child));
  m.optional = array;
  m.optionalCount = 1;
  m.join = join;
  m.cost = child.cost;
  return m;
}

/** The nested documents of some blocks, or of nested documents in them. */
export function compileParts(c: Compiling, query: Query): Matcher | null {
  const roots = c.segment.parents;
  if (!roots) return null;
  let parents = roots;
  if (query.childCount) {
    const found = parentSet(c, query.child(0));
    if (requestStatus != OK) return null;
    if (found) parents = found;
  }
  const bits = requestAlloc(windowBytes(c.segment.docCount));
  const m = Matcher.make(MATCH_SET);
  if (!bits || m === null) return noRoom();
  memory.fill(bits, 0, windowBytes(c.segment.docCount));
  for (let i: usize = 0; i < <usize>query.termCount; i++) {
    const doc = docOfKey(c.segment, load<u64>(query.lower + (i << 3)));
    if (doc < 0) continue;
    const first = firstPart(roots, parents, <u32>doc);
    for (let part = first; part < <u32>doc; part++) Bitset.set(bits, part);
    m.cost += <u32>doc - first;
  }
  m.bits = bits;
  return m.cost ? m : null;
}

/** The documents that a join has joined to. */
export function compileJoin(c: Compiling, query: Query, scoring: bool): Matcher | null {
  const joined = changetype<Joined>(query.joined);
  const numbers = parentOrdinals(c.segment, query.outer);
  if (!query.joined || !joined.found || !numbers) return null;
  const bits = requestAlloc(windowBytes(c.segment.docCount));
  const m = Matcher.make(MATCH_SET);
  if (!bits || m === null) return noRoom();
  memory.fill(bits, 0, windowBytes(c.segment.docCount));
  for (let doc: u32 = 0; doc < c.segment.docCount; doc++) {
    const number = load<u32>(numbers + ((<usize>doc) << 2));
    if (number == NO_NUMBER || !Bitset.get(joined.marks, number)) continue;
    Bitset.set(bits, doc);
    m.cost++;
  }
  if (!m.cost) return null;
  m.bits = bits;
  if (!scoring) return m;
  if (query.scoreMode != CHILD_NONE) {
    m.kind = MATCH_JOIN;
    m.numbers = numbers;
    m.scores = joined.scores;
    return m;
  }
  const constant = Matcher.make(MATCH_CONSTANT);
  const array = pointers(1);
  if (constant === null || !array) return noRoom();
  setPointer(array, 0, changetype<usize>(m));
  constant.optional = array;
  constant.optionalCount = 1;
  constant.value = query.value;
  constant.cost = m.cost;
  return constant;
}

/** The documents of a limit's node, up to the limit. */
export function compileLimit(c: Compiling, query: Query): Matcher | null {
  let docBase: u32 = 0;
  for (let s: u32 = 0; s < c.ordinal; s++) docBase += c.search.shard.segment(s).docCount;
  if (query.bound <= docBase) return null;
  const child = c.child(query.child(0), false, false);
  if (child === null) return null;
  const m = Matcher.make(MATCH_SET);
  const bytes = windowBytes(c.segment.docCount);
  const bits = requestAlloc(bytes);
  if (m === null || !bits) return noRoom();
  memory.fill(bits, 0, bytes);
  m.cost = min(query.bound - docBase, c.segment.docCount);
  fill(child, 0, m.cost, bits);
  m.bits = bits;
  return m;
}
