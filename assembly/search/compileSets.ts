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
import { FieldEntry, findField } from '../segment/segment';
import { compileList, compileTerm } from './compileTerms';
import { Compiling, noRoom } from './compiling';
import { isRepeated, Kept, keepSet, keepTerm, keptOf, tellTerm } from './filterCache';
import { FUNCTION_ALONE, Query } from '../plan/query';
import { requestStatus } from '../requestStatus';
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
export function keptMatcher(c: Compiling, entry: usize): Matcher | null {
  const documents = Kept.documents(entry);
  if (!documents) return null;
  const bits = Kept.bits(entry);
  if (!bits) return compileList(c, Kept.field(entry), Kept.postings(entry), documents);
  const m = setMatcher(bits, documents, Kept.serial(entry));
  if (m === null || !Kept.isTerm(entry)) return m;
  // Its list may lead a conjunction.
  const field = findField(c.segment, Kept.field(entry));
  m.list = FieldEntry.postings(c.segment, field) + Kept.postings(entry);
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
export function compileSet(c: Compiling, query: Query): Matcher | null {
  if ((!c.filterDepth && !c.constantDepth) || query.kind == NODE_KEYS || !query.end) {
    const made = makeTermSet(c.segment, query);
    return made ? setMatcher(made, termSetCount, 0) : noRoom();
  }
  const known = keptOf(c.segment, query);
  if (known) return keptMatcher(c, known);
  const keeps = (c.filterDepth != 0 && keepsAtOnce(query)) || isRepeated(c.segment, query);
  const bits = makeTermSet(c.segment, query);
  if (!bits) return noRoom();
  const entry = keeps ? keepSet(c.segment, query, bits, termSetCount) : 0;
  return entry ? keptMatcher(c, entry) : setMatcher(bits, termSetCount, 0);
}

/** A term that filters: a set if it is frequent, else its list. */
export function compileTermFilter(c: Compiling, query: Query): Matcher | null {
  const known = keptOf(c.segment, query);
  if (known) return keptMatcher(c, known);
  const term = query.term(0);
  const df = term.dfIn(c.ordinal);
  if (df <= c.segment.docCount / KEPT_SHARE) {
    if (isRepeated(c.segment, query)) keepTerm(c.segment, query, df, term.postingsIn(c.ordinal));
    return compileTerm(c, query, false);
  }
  const bits = makeTermSet(c.segment, query);
  if (!bits) return noRoom();
  const entry = keepSet(c.segment, query, bits, termSetCount);
  if (!entry) return compileTerm(c, query, false);
  tellTerm(entry, query.field, term.postingsIn(c.ordinal));
  return keptMatcher(c, entry);
}

/** Keeps what `m`, compiled from the query, matches; the matcher of it, or `m` where there is no room. */
export function keepMatches(c: Compiling, query: Query, m: Matcher | null): Matcher | null {
  if (m === null) {
    keepSet(c.segment, query, 0, 0);
    return null;
  }
  const bits = bitsOf(m, c.segment.docCount);
  if (!bits || requestStatus != OK) return noRoom();
  const entry = keepSet(c.segment, query, bits, count(bits, sizeInBytes(c.segment.docCount)));
  return entry ? keptMatcher(c, entry) : m;
}

/** Whether a filter is one that is kept as a set when it comes again. */
export function keepsWhole(c: Compiling, query: Query): bool {
  const kind = query.kind;
  return (
    (c.filterDepth != 0 || c.constantDepth != 0) &&
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
