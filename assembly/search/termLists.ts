import { MATCH_SIMILARITY, MATCH_TERM, Matcher } from '../docset/matcher';
import { setPointer } from '../memory/pointers';
import { Query, QueryTerm } from '../plan/query';
import { PostingsCursor } from '../postings/cursor';
import { FieldEntry, findField } from '../segment/segment';
import { Compiling } from './compiling';
import { noRoom, pointerArray } from './matcherArrays';

// The postings of terms, opened for a segment.

/** The postings of a term in a field of the segment; null without room. */
export function openTerm(
  c: Compiling,
  term: QueryTerm,
  entry: usize,
  value: f32,
  scoring: bool,
): PostingsCursor | null {
  const cursor = PostingsCursor.make();
  if (cursor === null) {
    noRoom();
    return null;
  }
  cursor.start(
    FieldEntry.postings(c.segment, entry) + term.postingsIn(c.ordinal),
    term.dfIn(c.ordinal),
    <u8>FieldEntry.flags(entry),
    scoring ? FieldEntry.norms(c.segment, entry) : 0,
    FieldEntry.positions(c.segment, entry),
    value,
  );
  return cursor;
}

export function termMatcher(cursor: PostingsCursor | null): Matcher | null {
  const m = Matcher.make(MATCH_TERM);
  if (m === null || cursor === null) return noRoom();
  m.cursor = cursor;
  m.cost = cursor.df;
  return m;
}

/** A term, phrase or span that another similarity than the default scores. */
export function similarityMatcher(
  c: Compiling,
  query: Query,
  inner: Matcher | null,
  field: u32,
): Matcher | null {
  if (inner === null) return null;
  const m = Matcher.make(MATCH_SIMILARITY);
  const array = pointerArray(1);
  if (m === null || !array) return noRoom();
  const entry = findField(c.segment, field);
  setPointer(array, 0, changetype<usize>(inner));
  m.optional = array;
  m.optionalCount = 1;
  m.cost = inner.cost;
  m.value = query.value;
  m.lengths = query.lengths;
  m.models = query.models;
  m.modelCount = query.modelCount;
  m.norms = entry ? FieldEntry.norms(c.segment, entry) : 0;
  return m;
}
