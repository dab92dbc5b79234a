import { OK } from '../abi/status';
import { bitsOf, MATCH_SET, Matcher } from '../docset/matcher';
import { count, sizeInBytes } from '../memory/bitset';
import { Query } from '../plan/query';
import { PostingsCursor } from '../postings/cursor';
import { requestStatus } from '../requestStatus';
import { FieldEntry, findField, Segment } from '../segment/segment';
import { Kept, keepSet } from './filterCache';
import { KEPT_WHOLE, kindOf, OF_SEGMENT } from './kind';
import { noRoom } from './matcherArrays';
import { termMatcher } from './termLists';

// What is kept of filters for the next search (filterCache.ts), as matchers.

/** The matcher of a set of `documents` documents; null where it has none or there is no room. */
export function setMatcher(bits: usize, documents: u32, serial: u32): Matcher | null {
  if (!documents) return null;
  const m = Matcher.make(MATCH_SET);
  if (m === null) return noRoom();
  m.bits = bits;
  m.cost = documents;
  m.exact = true;
  m.serial = serial;
  return m;
}

/** The documents of a list at an offset of a field's postings, which score nothing. */
function listMatcher(segment: Segment, field: u32, postings: u32, df: u32): Matcher | null {
  const entry = findField(segment, field);
  const cursor = PostingsCursor.make();
  if (cursor === null) return noRoom();
  cursor.start(FieldEntry.postings(segment, entry) + postings, df, <u8>FieldEntry.flags(entry), 0, 0, 0);
  return termMatcher(cursor);
}

/** The matcher of what is kept of a filter; null where it has no documents or there is no room. */
export function keptMatcher(segment: Segment, entry: usize): Matcher | null {
  const documents = Kept.documents(entry);
  if (!documents) return null;
  const bits = Kept.bits(entry);
  if (!bits) return listMatcher(segment, Kept.field(entry), Kept.postings(entry), documents);
  const m = setMatcher(bits, documents, Kept.serial(entry));
  if (m === null || !Kept.isTerm(entry)) return m;
  // Its list may lead a conjunction.
  const field = findField(segment, Kept.field(entry));
  m.list = FieldEntry.postings(segment, field) + Kept.postings(entry);
  m.listFlags = <u8>FieldEntry.flags(field);
  return m;
}

/** Keeps what `m`, compiled from the query, matches; the matcher of it, or `m` where there is no room. */
export function keepMatches(segment: Segment, query: Query, m: Matcher | null): Matcher | null {
  if (m === null) {
    keepSet(segment, query, 0, 0);
    return null;
  }
  const bits = bitsOf(m, segment.docCount);
  if (!bits || requestStatus != OK) return noRoom();
  const entry = keepSet(segment, query, bits, count(bits, sizeInBytes(segment.docCount)));
  return entry ? keptMatcher(segment, entry) : m;
}

/** Whether a query is one that is kept as a set when it filters again. */
export function keepsWhole(query: Query): bool {
  return query.end != 0 && (kindOf(query.kind).traits & KEPT_WHOLE) != 0 && isOfSegment(query);
}

/** Whether a filter depends on nothing but the segment. What was expanded, and stands nowhere in the plan, goes by the shard. */
function isOfSegment(query: Query): bool {
  if (!query.end || query.goesByScores || !(kindOf(query.kind).traits & OF_SEGMENT)) return false;
  for (let i: u32 = 0; i < query.childCount; i++) if (!isOfSegment(query.child(i))) return false;
  return true;
}
