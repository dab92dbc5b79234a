import {
  MATCHER_FIELD,
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
  NODE_SPAN_MASK,
  NODE_SPAN_TERM,
  NODE_TERM,
  NODE_TERMS,
  REWRITE_TOP_CONSTANT,
} from '../abi/plan';
import { ERR_LIMIT, ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { programNext } from '../expression/program';
import { requestAlloc } from '../memory/arena';
import { columnPayload } from './columnSet';
import { ANY, childrenNext, fuzzyLikeNext, wrappedNext } from './decodeChildren';
import { joinNext, nestedNext, partsNext } from './decodeJoins';
import {
  blendedNext,
  commonNext,
  likeNext,
  matcherNext,
  positionsNext,
  prefixNext,
  rangeNext,
} from './decodeParts';
import { boostingNext, functionsNext } from './decodeScores';
import { spanNext } from './decodeSpans';
import { Decoding } from './decoding';
import { keptInAll } from './filterCache';
import {
  at,
  bytesLeft,
  bytesNext,
  f32Next,
  termBytesNext,
  termsNext,
  u8Next,
  u16Next,
  u32Next,
} from '../plan/planReader';
import { BOOLEAN_NO_COORD, Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';

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
  if (requestStatus != OK) return null;
  if (kind == NODE_KEPT) return keptNext(d, depth, scoring);
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
      childrenNext(d, node, <u32>u16Next(), depth, scoring, true, ANY);
      break;
    }
    case NODE_CONSTANT:
      node.boost = f32Next();
      wrappedNext(d, node, depth, false, scoring);
      break;
    case NODE_FILTERED:
      node.boost = f32Next();
      wrappedNext(d, node, depth, true, scoring);
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
      childrenNext(d, node, <u32>u16Next(), depth, scoring, false, ANY);
      if (scoring && node.tieBreaker != 0 && node.childCount > 2) d.plan.tested = true;
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
      boostingNext(d, node, depth, scoring);
      break;
    case NODE_FUNCTION:
      functionsNext(d, node, depth, scoring);
      break;
    case NODE_NESTED:
      nestedNext(d, node, depth, scoring);
      break;
    case NODE_PARTS:
      partsNext(d, node, depth);
      break;
    case NODE_JOIN:
      joinNext(d, node, depth);
      break;
    case NODE_LIMIT:
      node.size = u32Next();
      wrappedNext(d, node, depth, false, scoring);
      d.plan.joins = true;
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
      fuzzyLikeNext(d, node, depth);
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
      if (kind >= NODE_SPAN_TERM && kind <= NODE_SPAN_MASK) spanNext(d, node, depth, scoring);
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
  return requestStatus == OK ? node : null;
}
