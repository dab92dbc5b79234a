import { MUST_NOT, NODE_KEPT } from '../abi/plan';
import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { requestAlloc } from '../memory/arena';
import { setPointer } from '../memory/pointers';
import { at, bytesLeft, bytesNext, pointers, u32Next, u8Next } from '../plan/planReader';
import { Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { Decoding } from './decoding';
import { keptInAll } from './filterCache';
import { KINDS, kindOf, SET, SPAN } from './kind';

// Reads the nodes of a plan (README.md) into a tree of Query nodes in the request arena.

const MAX_DEPTH: u32 = 64;
const MAX_NODES: u32 = 16384;

/** What is kept of a filter in place of it, if that is so in every segment; else the filter. */
function keptNext(d: Decoding, depth: u32, scoring: bool): Query | null {
  const length = u32Next();
  const key = at;
  if (scoring || <usize>length > bytesLeft() || !length || load<u8>(key) == NODE_KEPT) {
    fail(ERR_PLAN);
    return null;
  }
  const n = d.shard.segmentCount;
  if (!d.readsFilters && n) {
    const entries = requestAlloc(n << 2);
    const known = entries && keptInAll(d.shard.segments, n, key, length, entries);
    const node = known ? Query.make(NODE_KEPT) : null;
    if (node !== null) {
      node.parts = entries;
      node.start = key;
      node.end = bytesNext(length) + length;
      return node;
    }
  }
  const filter = nodeNext(d, depth, false);
  if (at != key + length) fail(ERR_PLAN);
  return requestStatus == OK ? filter : null;
}

/** The next node; null where it is none. */
export function nodeNext(d: Decoding, depth: u32, scoring: bool): Query | null {
  const start = at;
  const kind = u8Next();
  if (kind == NODE_KEPT) return keptNext(d, depth, scoring);
  if (kind >= KINDS) fail(ERR_PLAN);
  if (requestStatus != OK) return null;
  if (depth > MAX_DEPTH || ++d.nodes > MAX_NODES) {
    fail(ERR_LIMIT);
    return null;
  }
  const made = Query.make(kind);
  if (made === null) {
    fail(ERR_MEMORY);
    return null;
  }
  const node = made;
  node.start = start;
  const known = kindOf(kind);
  if (!known.decode || (scoring && known.traits & SET)) fail(ERR_PLAN);
  else call_indirect<void>(known.decode, d, node, depth, scoring);
  node.end = at;
  return requestStatus == OK ? node : null;
}

/** Which children a node's children may be. */
export const ANY: u8 = 0;
export const SPANS: u8 = 1;

export function childrenNext(
  d: Decoding,
  node: Query,
  n: u32,
  depth: u32,
  scoring: bool,
  occurs: bool,
  which: u8,
): void {
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    let occur: u8 = 0;
    if (occurs) {
      occur = u8Next();
      if (occur > MUST_NOT) fail(ERR_PLAN);
    }
    const child = nodeNext(d, depth + 1, scoring && occur != MUST_NOT);
    if (requestStatus != OK) return;
    if (which == SPANS && !(kindOf(child!.kind).traits & SPAN)) fail(ERR_PLAN);
    child!.occur = occur;
    setPointer(node.children, i, changetype<usize>(child));
  }
}

/** Child 0 the query, child 1 the filter where there is one. */
export function wrappedNext(d: Decoding, node: Query, depth: u32, query: bool, scoring: bool): void {
  const n: u32 = query ? 2 : 1;
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const child = nodeNext(d, depth + 1, query && i == 0 && scoring);
    if (requestStatus == OK) setPointer(node.children, i, changetype<usize>(child));
  }
}
