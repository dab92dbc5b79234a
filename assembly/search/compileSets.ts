import {
  NODE_ALL,
  NODE_BOOLEAN,
  NODE_CONSTANT,
  NODE_DISMAX,
  NODE_EXISTS,
  NODE_EXPRESSION,
  NODE_FILTERED,
  NODE_FUNCTION,
  NODE_GEO_DISTANCE,
  NODE_KEPT,
  NODE_KEYS,
  NODE_MULTI_TERM,
  NODE_NESTED,
  NODE_NONE,
  NODE_PHRASE,
  NODE_PREFIX,
  NODE_RANGE,
  NODE_SPAN_MASK,
  NODE_SPAN_TERM,
  NODE_TERM,
  NODE_TERMS,
} from '../abi/plan';
import { OK } from '../abi/status';
import { bitsOf, MATCH_SET, Matcher } from '../docset/matcher';
import { count, sizeInBytes } from '../memory/bitset';
import { requestStatus } from '../requestStatus';
import { FieldEntry, findField } from '../segment/segment';
import { compileList, compileTerm } from './compileTerms';
import { constantDepth, filterDepth, noRoom, ordinal, segment } from './compiling';
import { isRepeated, Kept, keepSet, keepTerm, keptOf, tellTerm } from './filterCache';
import { FUNCTION_ALONE, Query } from '../plan/query';
import { makeTermSet, termSetCount } from './termSet';

// Filters compiled to sets of the segment, and what of them is kept for the next search (filterCache.ts).

/** Terms in more than this part of the documents are kept as bitsets when they filter; rarer ones are as fast from their list. */
const KEPT_SHARE: u32 = 512;

/** The matcher of a set of `documents` documents; null where it has none or there is no room. */
function setMatcher(bits: usize, documents: u32, serial: u32): Matcher | null {
  if (!documents) return null;
  const m = Matcher.make(MATCH_SET);
  if (m === null) return noRoom();
  m.bits = bits;
  m.cost = documents;
  m.exact = true;
  m.serial = serial;
  return m;
}

/** The matcher of what is kept of a filter; null where it has no documents or there is no room. */
export function keptMatcher(entry: usize): Matcher | null {
  const documents = Kept.documents(entry);
  if (!documents) return null;
  const bits = Kept.bits(entry);
  if (!bits) return compileList(Kept.field(entry), Kept.postings(entry), documents);
  const m = setMatcher(bits, documents, Kept.serial(entry));
  if (m === null || !Kept.isTerm(entry)) return m;
  // Its list may lead a conjunction.
  const field = findField(segment, Kept.field(entry));
  m.list = FieldEntry.postings(segment, field) + Kept.postings(entry);
  m.listFlags = <u8>FieldEntry.flags(field);
  return m;
}

/**
 * Whether a set is kept the first time it is met: that of a filter which is asked for as it stands. Ranges, which may go by the time
 * of the search, patterns and points are kept when they are met again.
 */
function keepsAtOnce(query: Query): bool {
  const kind = query.kind;
  return kind == NODE_TERMS || kind == NODE_PREFIX || kind == NODE_EXISTS || kind == NODE_ALL;
}

/** The set that a query is given by. What a query was expanded to stands nowhere in the plan, and isn't kept. */
export function compileSet(query: Query): Matcher | null {
  if ((!filterDepth && !constantDepth) || query.kind == NODE_KEYS || !query.end) {
    const made = makeTermSet(segment, query);
    return made ? setMatcher(made, termSetCount, 0) : noRoom();
  }
  const known = keptOf(segment, query);
  if (known) return keptMatcher(known);
  const keeps = (filterDepth != 0 && keepsAtOnce(query)) || isRepeated(segment, query);
  const bits = makeTermSet(segment, query);
  if (!bits) return noRoom();
  const entry = keeps ? keepSet(segment, query, bits, termSetCount) : 0;
  return entry ? keptMatcher(entry) : setMatcher(bits, termSetCount, 0);
}

/** A term that filters: a set if it is frequent, else its list. */
export function compileTermFilter(query: Query): Matcher | null {
  const known = keptOf(segment, query);
  if (known) return keptMatcher(known);
  const term = query.term(0);
  const df = term.dfIn(ordinal);
  if (df <= segment.docCount / KEPT_SHARE) {
    if (isRepeated(segment, query)) keepTerm(segment, query, df, term.postingsIn(ordinal));
    return compileTerm(query, false);
  }
  const bits = makeTermSet(segment, query);
  if (!bits) return noRoom();
  const entry = keepSet(segment, query, bits, termSetCount);
  if (!entry) return compileTerm(query, false);
  tellTerm(entry, query.field, term.postingsIn(ordinal));
  return keptMatcher(entry);
}

/** Keeps what `m`, compiled from the query, matches; the matcher of it, or `m` where there is no room. */
export function keepMatches(query: Query, m: Matcher | null): Matcher | null {
  if (m === null) {
    keepSet(segment, query, 0, 0);
    return null;
  }
  const bits = bitsOf(m, segment.docCount);
  if (!bits || requestStatus != OK) return noRoom();
  const entry = keepSet(segment, query, bits, count(bits, sizeInBytes(segment.docCount)));
  return entry ? keptMatcher(entry) : m;
}

/** Whether a filter is one that is kept as a set when it comes again. */
export function keepsWhole(query: Query): bool {
  const kind = query.kind;
  return (
    (filterDepth != 0 || constantDepth != 0) &&
    query.end != 0 &&
    (kind == NODE_BOOLEAN ||
      kind == NODE_PHRASE ||
      kind == NODE_DISMAX ||
      kind == NODE_FILTERED ||
      kind == NODE_NESTED ||
      isSpan(kind)) &&
    isOfSegment(query)
  );
}

/** Whether a filter depends on nothing but the segment. What was expanded, and stands nowhere in the plan, goes by the shard. */
function isOfSegment(query: Query): bool {
  if (!query.end) return false;
  const kind = query.kind;
  switch (kind) {
    case NODE_NONE:
    case NODE_ALL:
    case NODE_TERM:
    case NODE_TERMS:
    case NODE_PREFIX:
    case NODE_RANGE:
    case NODE_EXISTS:
    case NODE_PHRASE:
    case NODE_MULTI_TERM:
    case NODE_KEPT:
      return true;
    case NODE_BOOLEAN:
    case NODE_CONSTANT:
    case NODE_DISMAX:
    case NODE_FILTERED:
    case NODE_NESTED:
      return areOfSegment(query);
    case NODE_FUNCTION:
      // Scores go by the shard.
      return !(query.flags & FUNCTION_ALONE) && areOfSegment(query);
    default:
      if (isSpan(kind)) return areOfSegment(query);
      return kind >= NODE_GEO_DISTANCE && kind <= NODE_EXPRESSION;
  }
}

/** Whether all children of a query do. */
function areOfSegment(query: Query): bool {
  for (let i: u32 = 0; i < query.childCount; i++) if (!isOfSegment(query.child(i))) return false;
  return true;
}

function isSpan(kind: u32): bool {
  return kind >= NODE_SPAN_TERM && kind <= NODE_SPAN_MASK;
}
