import { JOIN_NONE, JOIN_TOTAL } from '../../abi/plan';
import { ERR_PLAN, OK } from '../../abi/status';
import { BlockJoin, firstPart, setBefore } from '../../docset/blockJoin';
import { bitsOf, MATCH_NESTED, MATCH_SET, Matcher, windowBytes } from '../../docset/matcher';
import { requestAlloc } from '../../memory/arena';
import { Bitset } from '../../memory/bitset';
import { setPointer } from '../../memory/pointers';
import { bytesNext, f32Next, pointers, u8Next, u32Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { fail, requestStatus } from '../../requestStatus';
import { docOfKey } from '../../segment/segment';
import { Compiling } from '../compiling';
import { nodeNext, wrappedNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { Explanation } from '../explanation';
import { noRoom, pointerArray } from '../matcherArrays';

// From nested documents to those that they are parts of, and back.

/** Child 0 the query of the nested documents, child 1 the filter of those that are joined to where it is not all others. */
export function decodeNested(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.scoreMode = u8Next();
  node.flags = u8Next();
  if (node.scoreMode > JOIN_TOTAL || node.flags > 1) fail(ERR_PLAN);
  node.boost = f32Next();
  const n: u32 = 1 + <u32>node.flags;
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const child = nodeNext(d, depth + 1, scoring && i == 0);
    if (requestStatus == OK) setPointer(node.children, i, changetype<usize>(child));
  }
}

/** Child 0, if there is one, is the filter of what the parts are parts of where that is nested too. */
export function decodeParts(d: Decoding, node: Query, depth: u32, _scoring: bool): void {
  node.termCount = u32Next();
  node.lower = bytesNext(<usize>min<u64>((<u64>node.termCount) << 3, u32.MAX_VALUE));
  node.flags = u8Next();
  if (node.flags > 1) fail(ERR_PLAN);
  if (node.flags) wrappedNext(d, node, depth, false, false);
}

/** The documents that a filter of nested ones matches, as a bitset of the segment; 0 where there are none, or without room. */
function parentSet(c: Compiling, query: Query): usize {
  const m = c.filter(query);
  if (m === null) return 0;
  const bits = bitsOf(m, c.segment.docCount);
  if (!bits) noRoom();
  return bits;
}

/** Documents that nested ones are parts of. */
export function compileNested(c: Compiling, query: Query, scoring: bool, _bulk: bool): Matcher | null {
  if (!c.segment.parents) return null;
  const child = c.nested(query.child(0), scoring && query.scoreMode != JOIN_NONE);
  if (child === null) return null;
  const m = Matcher.make(MATCH_NESTED);
  const array = pointerArray(1);
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

export function explainNested(e: Explanation, query: Query, scoring: bool): void {
  if (!e.head(query, scoring, query.flags, false)) return;
  const m = e.matcher;
  const before = m === null ? -1 : setBefore(m.join.parents, e.document);
  e.u32(e.docBase + <u32>(before + 1));
  e.u32(e.docBase + e.document);
}

/** The nested documents of some blocks, or of nested documents in them. */
export function compileParts(c: Compiling, query: Query, _scoring: bool, _bulk: bool): Matcher | null {
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
