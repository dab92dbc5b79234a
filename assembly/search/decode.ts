import { requestAlloc } from '../memory/arena';
import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../status';
import {
  MUST_NOT,
  NODE_ALL,
  NODE_BOOLEAN,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_EXISTS,
  NODE_FILTERED,
  NODE_KEYS,
  NODE_NONE,
  NODE_PHRASE,
  NODE_PREFIX,
  NODE_RANGE,
  NODE_TERM,
  NODE_TERMS,
  Query,
  QueryTerm,
} from './query';
import { clearSort, decodeSort, sortBytes } from './sortKeys';

// Reads a plan (README.md) into a tree of Query nodes in the request arena. Every length is checked against
// the end of the plan before it is used; the tree refers to term bytes in place.

const MAGIC: u32 = 0x4e4c5052;
const VERSION: u8 = 1;
const MAX_DEPTH: u32 = 64;
const MAX_NODES: u32 = 16384;

export const PLAN_POST_FILTER: u8 = 1;
export const PLAN_IN_ORDER: u8 = 2;
export const PLAN_EXHAUSTIVE: u8 = 4;
export const PLAN_SORT: u8 = 8;

let at: usize = 0;
let end: usize = 0;
let status: i32 = OK;
let nodes: u32 = 0;

/** What `decodePlan` leaves. */
export let planFlags: u8 = 0;
export let planHits: u32 = 0;
export let planRoot: Query | null = null;
export let planPostFilter: Query | null = null;

function fail(code: i32): void {
  if (status == OK) status = code;
  at = end;
}

function has(bytes: usize): bool {
  if (status == OK && end - at >= bytes) return true;
  fail(ERR_PLAN);
  return false;
}

function u8Next(): u8 {
  if (!has(1)) return 0;
  const v = load<u8>(at);
  at += 1;
  return v;
}

function u16Next(): u16 {
  if (!has(2)) return 0;
  const v = load<u16>(at);
  at += 2;
  return v;
}

function u32Next(): u32 {
  if (!has(4)) return 0;
  const v = load<u32>(at);
  at += 4;
  return v;
}

/** A boost or a tie breaker: any finite number. */
function f32Next(): f32 {
  const v = reinterpret<f32>(u32Next());
  if (!isFinite<f32>(v)) fail(ERR_PLAN);
  return v;
}

/** Room for `n` pointers of things that take at least `least` bytes each in what is left of the plan. */
function pointers(n: u32, least: usize): usize {
  if (status != OK) return 0;
  if (<u64>n * <u64>least > <u64>(end - at)) {
    fail(ERR_PLAN);
    return 0;
  }
  const ptr = requestAlloc(n * <u32>sizeof<usize>());
  if (!ptr) fail(ERR_MEMORY);
  return ptr;
}

function termNext(position: u32): QueryTerm | null {
  const length = <u32>u16Next();
  if (!has(length)) return null;
  const ptr = requestAlloc(offsetof<QueryTerm>());
  if (!ptr) {
    fail(ERR_MEMORY);
    return null;
  }
  memory.fill(ptr, 0, offsetof<QueryTerm>());
  const term = changetype<QueryTerm>(ptr);
  term.ptr = at;
  term.length = length;
  term.position = position;
  at += length;
  return term;
}

function termsNext(node: Query, n: u32): void {
  node.terms = pointers(n, 2);
  for (let i: u32 = 0; i < n && status == OK; i++) {
    const term = termNext(0);
    if (status == OK) store<usize>(node.terms + <usize>i * sizeof<usize>(), changetype<usize>(term));
  }
  node.termCount = n;
}

function phraseNext(node: Query): void {
  node.slop = u32Next();
  const positions = <u32>u16Next();
  // A first pass counts the terms, so that they lie in one array.
  const start = at;
  let total: u32 = 0;
  for (let i: u32 = 0; i < positions && status == OK; i++) {
    u32Next();
    const alternatives = <u32>u16Next();
    if (alternatives == 0) fail(ERR_PLAN);
    total += alternatives;
    for (let j: u32 = 0; j < alternatives && status == OK; j++) {
      const length = <usize>u16Next();
      if (has(length)) at += length;
    }
  }
  if (status != OK) return;
  if (positions == 0) fail(ERR_PLAN);
  if (total > MAX_NODES) fail(ERR_LIMIT);
  if (status != OK) return;
  at = start;
  node.terms = pointers(total, 2);
  node.termCount = total;
  let n: usize = 0;
  for (let i: u32 = 0; i < positions && status == OK; i++) {
    const position = u32Next();
    const alternatives = <u32>u16Next();
    if (alternatives > 1) node.stacked++;
    for (let j: u32 = 0; j < alternatives && status == OK; j++) {
      const term = termNext(position);
      if (status != OK) return;
      store<usize>(node.terms + n * sizeof<usize>(), changetype<usize>(term));
      n++;
    }
  }
}

function childrenNext(node: Query, n: u32, depth: u32, scoring: bool, occurs: bool): void {
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && status == OK; i++) {
    let occur: u8 = 0;
    if (occurs) {
      occur = u8Next();
      if (occur > MUST_NOT) fail(ERR_PLAN);
    }
    const child = nodeNext(depth + 1, scoring && occur != MUST_NOT);
    if (status != OK) return;
    child!.occur = occur;
    store<usize>(node.children + <usize>i * sizeof<usize>(), changetype<usize>(child));
  }
}

/** Child 0 the query, child 1 the filter where there is one. */
function wrappedNext(node: Query, depth: u32, query: bool, scoring: bool): void {
  const n: u32 = query ? 2 : 1;
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && status == OK; i++) {
    const child = nodeNext(depth + 1, query && i == 0 && scoring);
    if (status != OK) return;
    store<usize>(node.children + <usize>i * sizeof<usize>(), changetype<usize>(child));
  }
}

function nodeNext(depth: u32, scoring: bool): Query | null {
  const start = at;
  const kind = u8Next();
  if (status != OK) return null;
  if (depth > MAX_DEPTH || ++nodes > MAX_NODES) {
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
  switch (kind) {
    case NODE_NONE:
      break;
    case NODE_ALL:
      node.boost = f32Next();
      break;
    case NODE_TERM: {
      node.field = u16Next();
      node.boost = f32Next();
      termsNext(node, 1);
      break;
    }
    case NODE_BOOLEAN: {
      node.flags = u8Next();
      node.boost = f32Next();
      node.minimumShouldMatch = <u32>u16Next();
      childrenNext(node, <u32>u16Next(), depth, scoring, true);
      break;
    }
    case NODE_CONSTANT:
      node.boost = f32Next();
      wrappedNext(node, depth, false, scoring);
      break;
    case NODE_FILTERED:
      node.boost = f32Next();
      wrappedNext(node, depth, true, scoring);
      break;
    case NODE_PHRASE:
      node.field = u16Next();
      node.boost = f32Next();
      phraseNext(node);
      break;
    case NODE_TERMS:
      node.field = u16Next();
      termsNext(node, u32Next());
      break;
    case NODE_PREFIX:
      node.field = u16Next();
      node.lowerLength = <u32>u16Next();
      node.lower = at;
      if (has(node.lowerLength)) at += node.lowerLength;
      break;
    case NODE_RANGE:
      node.field = u16Next();
      node.flags = u8Next();
      node.lowerLength = <u32>u16Next();
      node.lower = at;
      if (has(node.lowerLength)) at += node.lowerLength;
      node.upperLength = <u32>u16Next();
      node.upper = at;
      if (has(node.upperLength)) at += node.upperLength;
      break;
    case NODE_DISMAX:
      node.boost = f32Next();
      node.tieBreaker = f32Next();
      childrenNext(node, <u32>u16Next(), depth, scoring, false);
      break;
    case NODE_KEYS: {
      node.termCount = u32Next();
      node.lower = at;
      const bytes = (<u64>node.termCount) << 3;
      if (bytes > <u64>(end - at)) fail(ERR_PLAN);
      else at += <usize>bytes;
      break;
    }
    case NODE_EXISTS:
      node.field = u16Next();
      break;
    default:
      fail(ERR_PLAN);
  }
  // Sets have no score of their own.
  if (scoring && (kind == NODE_TERMS || kind == NODE_PREFIX || kind == NODE_RANGE || kind >= NODE_KEYS))
    fail(ERR_PLAN);
  node.end = at;
  return status == OK ? node : null;
}

/** Decodes the plan at `ptr`; the outcome is in `planRoot` and its neighbours. */
export function decodePlan(ptr: usize, length: u32): i32 {
  at = ptr;
  end = ptr + length;
  status = OK;
  nodes = 0;
  planRoot = null;
  planPostFilter = null;
  if (u32Next() != MAGIC || u8Next() != VERSION) fail(ERR_PLAN);
  planFlags = u8Next();
  if (planFlags > 15 || u16Next() != 0) fail(ERR_PLAN);
  planHits = u32Next();
  planRoot = nodeNext(1, true);
  if (status == OK && planFlags & PLAN_POST_FILTER) planPostFilter = nodeNext(1, false);
  clearSort();
  if (status == OK && planFlags & PLAN_SORT) {
    const sorted = decodeSort(at, end);
    if (sorted == OK) at += sortBytes;
    else fail(sorted);
  }
  if (status == OK && at != end) fail(ERR_PLAN);
  return status;
}
