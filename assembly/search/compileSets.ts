import { fill, MATCH_SET, Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { count } from '../memory/bitset';
import { compileBoolean } from './compileBoolean';
import { compileTerm } from './compileTerms';
import { constantDepth, filterDepth, noRoom, ordinal, segment } from './compiling';
import {
  cachedIfRepeated,
  cachedSet,
  filterCount,
  filterSerial,
  isRepeated,
  keepSet,
  knownSet,
} from './filterCache';
import {
  NODE_ALL,
  NODE_BOOLEAN,
  NODE_EXISTS,
  NODE_GEO_DISTANCE,
  NODE_GEO_POLYGON,
  NODE_KEYS,
  NODE_MULTI_TERM,
  NODE_PREFIX,
  NODE_RANGE,
  NODE_TERM,
  NODE_TERMS,
  Query,
} from './query';
import { makeTermSet, termSetCount } from './termSet';

// Compiles what is a set of documents and nothing else, which may be kept for the next search (filterCache.ts).

/** Terms in more than this part of the documents are kept as bitsets when they filter; rarer ones are as fast from their list. */
const KEPT_SHARE: u32 = 512;

/** Whether a term is frequent enough to be kept as a set. */
export function isFrequent(query: Query): bool {
  return query.term(0).dfIn(ordinal) > segment.docCount / KEPT_SHARE;
}

/**
 * Whether a set is kept the first time it is met: that of a filter which is asked for as it stands. Ranges, which may go by the time
 * of the search, patterns, points and what only scores are kept when they are met again.
 */
function keepsAtOnce(query: Query): bool {
  const kind = query.kind;
  return (
    filterDepth > 0 &&
    (kind == NODE_TERM ||
      kind == NODE_TERMS ||
      kind == NODE_PREFIX ||
      kind == NODE_EXISTS ||
      kind == NODE_ALL)
  );
}

export function compileSet(query: Query): Matcher | null {
  const keep = (filterDepth > 0 || constantDepth > 0) && query.kind != NODE_KEYS && query.end != 0;
  let bits: usize;
  if (!keep) bits = makeTermSet(segment, query);
  else bits = keepsAtOnce(query) ? cachedSet(segment, query) : cachedIfRepeated(segment, query);
  if (!bits) return noRoom();
  return setMatcher(bits, keep ? filterCount : termSetCount, keep ? filterSerial : 0);
}

/** The matcher of a set of `count` documents; null where it has none or there is no room. */
function setMatcher(bits: usize, count: u32, serial: u32): Matcher | null {
  if (!count) return null;
  const m = Matcher.make(MATCH_SET);
  if (m === null) return noRoom();
  m.bits = bits;
  m.cost = count;
  m.exact = true;
  m.serial = serial;
  return m;
}

/** Whether a filter depends on nothing but the postings and columns of the segment. */
export function isSetLike(query: Query): bool {
  switch (query.kind) {
    case NODE_TERM:
    case NODE_TERMS:
    case NODE_PREFIX:
    case NODE_RANGE:
    case NODE_EXISTS:
    case NODE_MULTI_TERM:
    case NODE_ALL:
      return true;
    case NODE_BOOLEAN: {
      for (let i: u32 = 0; i < query.childCount; i++) if (!isSetLike(query.child(i))) return false;
      return true;
    }
    default:
      return query.kind >= NODE_GEO_DISTANCE && query.kind <= NODE_GEO_POLYGON;
  }
}

/** A boolean of filters: where it comes again it is kept as one set. */
export function compileBooleanSet(query: Query): Matcher | null {
  let bits = knownSet(segment, query);
  if (!bits) {
    const repeated = isRepeated(segment, query);
    const m = compileBoolean(query, false, false);
    if (m === null || !repeated) return m;
    const bytes = windowBytes(segment.docCount);
    bits = requestAlloc(bytes);
    if (!bits) return noRoom();
    memory.fill(bits, 0, bytes);
    fill(m, 0, segment.docCount, bits);
    bits = keepSet(segment, query, bits, count(bits, bytes));
  }
  return setMatcher(bits, filterCount, filterSerial);
}

/** A term kept as a set, with its list, which may lead a conjunction. */
export function compileTermSet(query: Query): Matcher | null {
  const set = compileSet(query);
  const list = compileTerm(query, false);
  if (set === null || list === null) return null;
  set.cursor = list.cursor;
  return set;
}
