import { BOOST_MIN, SCORE_OCCURRENCES } from '../abi/functions';
import {
  CHILD_AVERAGE,
  CHILD_NONE,
  JOIN_TOTAL,
  MATCHER_FIELD,
  MUST,
  MUST_NOT,
  NODE_ALL,
  NODE_BLENDED,
  NODE_BOOLEAN,
  NODE_BOOSTING,
  NODE_COMMON,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_EXISTS,
  NODE_EXPRESSION,
  NODE_FILTERED,
  NODE_FUNCTION,
  NODE_FUZZY_LIKE_THIS,
  NODE_GEO_BOX,
  NODE_GEO_DISTANCE,
  NODE_GEO_POLYGON,
  NODE_JOIN,
  NODE_KEPT,
  NODE_KEYS,
  NODE_LIMIT,
  NODE_MORE_LIKE_THIS,
  NODE_MULTI_TERM,
  NODE_NESTED,
  NODE_NONE,
  NODE_PARTS,
  NODE_PHRASE,
  NODE_PHRASE_PREFIX,
  NODE_PREFIX,
  NODE_RANGE,
  NODE_SPAN_FIRST,
  NODE_SPAN_MASK,
  NODE_SPAN_MULTI,
  NODE_SPAN_NEAR,
  NODE_SPAN_NOT,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
  NODE_TERM,
  NODE_TERMS,
  REWRITE_TOP_CONSTANT,
  SHOULD,
} from '../abi/plan';
import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { setPointer } from '../memory/pointers';
import { requestAlloc } from '../memory/arena';
import { ScoreFunction } from '../score/functions';
import {
  blendedNext,
  commonNext,
  functionNext,
  likeNext,
  matcherNext,
  positionsNext,
  prefixNext,
  rangeNext,
  startFunctions,
} from './decodeParts';
import {
  at,
  bytesLeft,
  bytesNext,
  f32Next,
  fail,
  noteJoin,
  pointers,
  readStatus,
  structNext,
  termBytesNext,
  termsNext,
  u16Next,
  u32Next,
  u8Next,
} from './planReader';
import {
  BOOLEAN_BOOSTING,
  FUNCTION_ALONE,
  FUNCTION_MIN_SCORE,
  BOOLEAN_NO_COORD,
  JOIN_SCORED,
  Query,
} from './query';
import { programNext } from '../expression/program';
import { Shard } from '../segment/shards';
import { keptInAll } from './filterCache';
import { columnPayload } from './columnSet';

// Reads the nodes of a plan (README.md) into a tree of Query nodes in the request arena.

const MAX_DEPTH: u32 = 64;
const MAX_NODES: u32 = 16384;

let nodes: u32 = 0;

/** Whether a function score of the nodes read has a minimum score: scores decide about matches. */
export let planScored: bool = false;
/** Whether anything goes by which documents the filters around let through: such a one where scores count for nothing else, or a sum. */
export let planTested: bool = false;
/** Whether there are joins or limits among them, which are worked out before all else. */
export let planJoins: bool = false;

/** Before the first node of a plan. */
export function startNodes(searched: Shard): void {
  nodes = 0;
  shard = searched;
  looksUp = true;
  planScored = false;
  planTested = false;
  planJoins = false;
  startFunctions();
}

let shard: Shard = changetype<Shard>(0);
/** Whether filters of which all is kept need not be read. */
let looksUp: bool = true;

/** All nodes that come are read. */
export function readFilters(): void {
  looksUp = false;
}

/** What is kept of a filter in place of it, if that is so in every segment; else the filter. */
function keptNext(depth: u32, scoring: bool): Query | null {
  const length = u32Next();
  const key = at;
  if (scoring || <usize>length > bytesLeft() || !length || load<u8>(key) == NODE_KEPT) {
    fail(ERR_PLAN);
    return null;
  }
  const n = shard.segmentCount;
  if (looksUp && n) {
    const entries = requestAlloc(n << 2);
    const known = entries && keptInAll(shard.segments, n, key, length, entries);
    const node = known ? Query.make(NODE_KEPT) : null;
    if (node !== null) {
      node.parts = entries;
      node.start = key;
      node.end = bytesNext(length) + length;
      return node;
    }
  }
  const filter = nodeNext(depth, false);
  if (at != key + length) fail(ERR_PLAN);
  return readStatus == OK ? filter : null;
}

/** Which children a node's children may be. */
const ANY: u8 = 0;
const SPANS: u8 = 1;

function childrenNext(node: Query, n: u32, depth: u32, scoring: bool, occurs: bool, which: u8): void {
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && readStatus == OK; i++) {
    let occur: u8 = 0;
    if (occurs) {
      occur = u8Next();
      if (occur > MUST_NOT) fail(ERR_PLAN);
    }
    const child = nodeNext(depth + 1, scoring && occur != MUST_NOT);
    if (readStatus != OK) return;
    if (which == SPANS && !isSpan(child!)) fail(ERR_PLAN);
    child!.occur = occur;
    setPointer(node.children, i, changetype<usize>(child));
  }
}

function isSpan(node: Query): bool {
  return node.kind >= NODE_SPAN_TERM && node.kind <= NODE_SPAN_MASK;
}

/** Child 0 the query, child 1 the filter where there is one. */
function wrappedNext(node: Query, depth: u32, query: bool, scoring: bool): void {
  const n: u32 = query ? 2 : 1;
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && readStatus == OK; i++) {
    const child = nodeNext(depth + 1, query && i == 0 && scoring);
    if (readStatus == OK) setPointer(node.children, i, changetype<usize>(child));
  }
}

/** A boosting query is a boolean whose clauses that match decide on the factor; the plan gives the negative part no boost. */
function boostingNext(node: Query, depth: u32, scoring: bool): void {
  node.tieBreaker = f32Next();
  childrenNext(node, 2, depth, scoring, false, ANY);
  if (readStatus != OK) return;
  node.kind = NODE_BOOLEAN;
  node.flags = BOOLEAN_BOOSTING;
  node.child(0).occur = MUST;
  node.child(1).occur = SHOULD;
}

function functionsNext(node: Query, depth: u32, scoring: bool): void {
  node.boost = f32Next();
  node.flags = u8Next();
  node.scoreMode = u8Next();
  node.boostMode = u8Next();
  if (node.scoreMode > SCORE_OCCURRENCES || node.boostMode > BOOST_MIN) fail(ERR_PLAN);
  if (node.flags > 7) fail(ERR_PLAN);
  if (node.flags & FUNCTION_MIN_SCORE) {
    if (scoring) planScored = true;
    else {
      node.flags |= FUNCTION_ALONE;
      planTested = true;
    }
  }
  node.maxBoost = f32Next();
  node.minScore = f32Next();
  childrenNext(node, 1, depth, scoring, false, ANY);
  const n = <u32>u16Next();
  node.parts = pointers(n, 6);
  node.partCount = n;
  for (let i: u32 = 0; i < n && readStatus == OK; i++) {
    const made = structNext(offsetof<ScoreFunction>());
    if (!made) return;
    const f = changetype<ScoreFunction>(made);
    setPointer(node.parts, i, made);
    const flags = u8Next();
    f.hasWeight = (flags & 2) != 0;
    f.weight = f32Next();
    functionNext(f);
    if (flags & 1) {
      const filter = nodeNext(depth + 1, false);
      if (readStatus == OK) f.filterQuery = changetype<usize>(filter);
    }
  }
}

/** Child 0 the query of the nested documents, child 1 the filter of those that are joined to where it is not all others. */
function nestedNext(node: Query, depth: u32, scoring: bool): void {
  node.scoreMode = u8Next();
  node.flags = u8Next();
  if (node.scoreMode > JOIN_TOTAL || node.flags > 1) fail(ERR_PLAN);
  node.boost = f32Next();
  const n: u32 = 1 + <u32>node.flags;
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && readStatus == OK; i++) {
    const child = nodeNext(depth + 1, scoring && i == 0);
    if (readStatus == OK) setPointer(node.children, i, changetype<usize>(child));
  }
}

/** Child 0, if there is one, is the filter of what the parts are parts of where that is nested too. */
function partsNext(node: Query, depth: u32): void {
  node.termCount = u32Next();
  node.lower = bytesNext(<usize>min<u64>((<u64>node.termCount) << 3, u32.MAX_VALUE));
  node.flags = u8Next();
  if (node.flags > 1) fail(ERR_PLAN);
  if (node.flags) wrappedNext(node, depth, false, false);
}

/** Child 0 is the inner query, a search of its own. */
function joinNext(node: Query, depth: u32): void {
  node.boost = f32Next();
  node.scoreMode = u8Next();
  node.field = u16Next();
  node.outer = u16Next();
  noteJoin(node.field, node.outer);
  node.pre = u32Next();
  node.post = u32Next();
  node.size = u32Next();
  node.slop = u32Next();
  if (node.scoreMode > CHILD_AVERAGE || (node.size && node.scoreMode == CHILD_NONE)) fail(ERR_PLAN);
  const scored = planScored;
  planScored = false;
  childrenNext(node, 1, depth, true, false, ANY);
  if (planScored) node.flags = JOIN_SCORED;
  planScored = scored;
  planJoins = true;
}

/** Words, each as a term and as the multi-term query of its variants. */
function fuzzyLikeNext(node: Query, depth: u32): void {
  node.size = <u32>u16Next();
  node.flags = u8Next();
  node.slop = <u32>u16Next();
  node.cutoff = f32Next();
  if (!(node.cutoff >= 0 && node.cutoff < 1)) fail(ERR_PLAN);
  childrenNext(node, (<u32>u16Next()) << 1, depth, false, false, ANY);
  for (let i: u32 = 0; i < node.childCount && readStatus == OK; i += 2) {
    if (node.child(i).kind != NODE_TERM || node.child(i + 1).kind != NODE_MULTI_TERM) fail(ERR_PLAN);
  }
}

function spanNext(node: Query, depth: u32, scoring: bool): void {
  if (node.kind == NODE_SPAN_TERM || node.kind == NODE_SPAN_MASK) node.field = u16Next();
  node.boost = f32Next();
  switch (node.kind) {
    case NODE_SPAN_TERM:
      termsNext(node, 1);
      return;
    case NODE_SPAN_NEAR:
      node.slop = u32Next();
      node.flags = u8Next();
      childrenNext(node, <u32>u16Next(), depth, scoring, false, SPANS);
      if (!node.childCount) fail(ERR_PLAN);
      return;
    case NODE_SPAN_OR:
      childrenNext(node, <u32>u16Next(), depth, scoring, false, SPANS);
      return;
    case NODE_SPAN_NOT:
      node.pre = u32Next();
      node.post = u32Next();
      childrenNext(node, 2, depth, scoring, false, SPANS);
      return;
    case NODE_SPAN_FIRST:
      node.post = u32Next();
      childrenNext(node, 1, depth, scoring, false, SPANS);
      return;
    case NODE_SPAN_MULTI:
      childrenNext(node, 1, depth, scoring, false, ANY);
      if (readStatus == OK && node.child(0).kind != NODE_MULTI_TERM) fail(ERR_PLAN);
      return;
    default:
      childrenNext(node, 1, depth, scoring, false, SPANS);
  }
}

/** The next node; null where it is none. */
export function nodeNext(depth: u32, scoring: bool): Query | null {
  const start = at;
  const kind = u8Next();
  if (readStatus != OK) return null;
  if (kind == NODE_KEPT) return keptNext(depth, scoring);
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
      if (node.flags > BOOLEAN_NO_COORD) fail(ERR_PLAN);
      node.boost = f32Next();
      node.minimumShouldMatch = <u32>u16Next();
      childrenNext(node, <u32>u16Next(), depth, scoring, true, ANY);
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
      node.slop = u32Next();
      positionsNext(node);
      break;
    case NODE_TERMS:
      node.field = u16Next();
      // Read only where their set isn't in the cache.
      node.termCount = u32Next();
      node.lower = termBytesNext(node.termCount);
      break;
    case NODE_PREFIX:
      node.field = u16Next();
      prefixNext(node);
      break;
    case NODE_RANGE:
      node.field = u16Next();
      rangeNext(node);
      break;
    case NODE_DISMAX:
      node.boost = f32Next();
      node.tieBreaker = f32Next();
      childrenNext(node, <u32>u16Next(), depth, scoring, false, ANY);
      if (scoring && node.tieBreaker != 0 && node.childCount > 2) planTested = true;
      break;
    case NODE_KEYS:
      node.termCount = u32Next();
      node.lower = bytesNext(<usize>min<u64>((<u64>node.termCount) << 3, u32.MAX_VALUE));
      break;
    case NODE_EXISTS:
      node.field = u16Next();
      node.matcher = MATCHER_FIELD;
      break;
    case NODE_MULTI_TERM:
      node.field = u16Next();
      node.boost = f32Next();
      node.rewrite = u8Next();
      if (node.rewrite > REWRITE_TOP_CONSTANT) fail(ERR_PLAN);
      node.size = <u32>u16Next();
      matcherNext(node);
      break;
    case NODE_PHRASE_PREFIX:
      node.field = u16Next();
      node.boost = f32Next();
      node.slop = u32Next();
      // The most terms of the last position.
      node.codePoints = u32Next();
      positionsNext(node);
      break;
    case NODE_BOOSTING:
      boostingNext(node, depth, scoring);
      break;
    case NODE_FUNCTION:
      functionsNext(node, depth, scoring);
      break;
    case NODE_NESTED:
      nestedNext(node, depth, scoring);
      break;
    case NODE_PARTS:
      partsNext(node, depth);
      break;
    case NODE_JOIN:
      joinNext(node, depth);
      break;
    case NODE_LIMIT:
      node.size = u32Next();
      wrappedNext(node, depth, false, scoring);
      planJoins = true;
      break;
    case NODE_COMMON:
      node.field = u16Next();
      node.boost = f32Next();
      commonNext(node);
      break;
    case NODE_BLENDED:
      node.boost = f32Next();
      blendedNext(node);
      break;
    case NODE_MORE_LIKE_THIS:
      node.boost = f32Next();
      likeNext(node);
      break;
    case NODE_FUZZY_LIKE_THIS:
      node.boost = f32Next();
      fuzzyLikeNext(node, depth);
      break;
    case NODE_EXPRESSION:
      node.lower = programNext();
      break;
    case NODE_GEO_DISTANCE:
    case NODE_GEO_BOX:
    case NODE_GEO_POLYGON: {
      node.field = u16Next();
      const bytes = columnPayload(kind, at, bytesLeft());
      if (!bytes) fail(ERR_PLAN);
      node.lower = bytesNext(bytes);
      break;
    }
    default:
      if (kind >= NODE_SPAN_TERM && kind <= NODE_SPAN_MASK) spanNext(node, depth, scoring);
      else fail(ERR_PLAN);
  }
  // Sets have no score of their own.
  if (
    scoring &&
    (kind == NODE_TERMS ||
      kind == NODE_PREFIX ||
      kind == NODE_RANGE ||
      kind == NODE_KEYS ||
      kind == NODE_EXISTS ||
      kind == NODE_LIMIT ||
      kind == NODE_PARTS ||
      (kind >= NODE_GEO_DISTANCE && kind <= NODE_EXPRESSION))
  )
    fail(ERR_PLAN);
  node.end = at;
  return readStatus == OK ? node : null;
}
