import { COLUMN_GEO, COLUMN_ORDINAL } from '../abi/columns';
import {
  NODE_EXISTS,
  NODE_EXPRESSION,
  NODE_GEO_DISTANCE,
  NODE_GEO_POLYGON,
  NODE_KEYS,
  NODE_RANGE,
  NODE_TERM,
  NODE_TERMS,
  RANGE_LOWER,
  RANGE_LOWER_INCLUDED,
  RANGE_UPPER,
  RANGE_UPPER_INCLUDED,
} from '../abi/plan';
import { OK } from '../abi/status';
import { windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { count } from '../memory/bitset';
import { fillBits } from '../postings/bits';
import { PostingsCursor } from '../postings/cursor';
import { requestStatus } from '../requestStatus';
import { columnKindOf, openImageColumn } from '../segment/fielddata';
import { docOfKey, FieldEntry, findField, openDictionary, Segment } from '../segment/segment';
import { compareBytes } from '../terms/bytes';
import {
  Dictionary,
  foundDf,
  foundPostings,
  lookupTerm,
  TERM_BUFFER_BYTES,
  TermCursor,
} from '../terms/dictionary';
import { spend } from '../workLimit';
import { addByColumn, addByExpression, addValues } from './columnSet';
import { Query } from '../plan/query';
import { TermWalk } from './termWalk';

// Sets of documents that are given by many terms (a list, a matcher, a whole field) or by keys: a bitset over the
// segment, filled from the postings of each term.

// Globals: the set that is being made, which every term of it is added to.

let segment: Segment = changetype<Segment>(0);
let entry: usize = 0;
let cursor: PostingsCursor = changetype<PostingsCursor>(0);
let bits: usize = 0;

/** Adds the documents of one term. */
function addPostings(df: u32, offset: u32): void {
  const flags = <u8>FieldEntry.flags(entry);
  if (!spend(8 + (df >> 2))) return;
  cursor.start(FieldEntry.postings(segment, entry) + offset, df, flags, 0, 0, 0);
  fillBits(cursor, 0, segment.docCount, bits);
}

/** Adds the documents of the terms that a plan lists: u16 length, bytes. */
function addTerms(query: Query, dict: Dictionary): void {
  let at = query.lower;
  for (let i: u32 = 0; i < query.termCount && spend(16); i++) {
    const length = <u32>load<u16>(at);
    if (lookupTerm(dict, at + 2, length)) addPostings(foundDf, foundPostings);
    at += 2 + <usize>length;
  }
}

/** Adds the documents whose norm is not 0, if these are all that have the field; false if not. */
function addByNorms(): bool {
  const norms = FieldEntry.norms(segment, entry);
  if (!norms) return false;
  const n = segment.docCount;
  let found: u32 = 0;
  for (let doc: u32 = 0; doc < n; doc++) {
    if (!load<u8>(norms + doc)) continue;
    found++;
    const at = bits + ((doc >> 6) << 3);
    store<u64>(at, load<u64>(at) | ((<u64>1) << (<u64>(doc & 63))));
  }
  return found == FieldEntry.docs(entry);
}

function addKeys(query: Query): void {
  for (let i: u32 = 0; i < query.termCount; i++) {
    const doc = docOfKey(segment, load<u64>(query.lower + ((<usize>i) << 3)));
    if (doc < 0) continue;
    const at = bits + ((<usize>doc >> 6) << 3);
    store<u64>(at, load<u64>(at) | ((<u64>1) << (<u64>(doc & 63))));
  }
}

/** With so many documents to a term of a range the lists of the terms are read, with fewer the column. */
const DOCUMENTS_PER_TERM: u32 = 32;

/** Ordinals of a range's terms: the first, and the one after the last. What `isWide` finds besides. */
let rangeFirst: u32 = 0;
let rangeEnd: u32 = 0;

/** Number of the terms below a bound, or up to it. */
function ordinalOf(terms: TermCursor, ptr: usize, length: u32, after: bool): u32 {
  if (!terms.seekCeil(ptr, length)) return terms.dict.termCount;
  const equal = compareBytes(terms.termPtr, terms.termLength, ptr, length) == 0;
  return after && equal ? terms.ordinal : terms.ordinal - 1;
}

/** Finds the ordinals of a range; whether so many terms are in it that their lists take longer than the column. */
function isWide(query: Query, dict: Dictionary): bool {
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (!at || !buffer) return false;
  const terms = changetype<TermCursor>(at);
  TermCursor.init(terms, dict, buffer);
  rangeFirst = 0;
  rangeEnd = dict.termCount;
  const flags = query.flags;
  if (flags & RANGE_LOWER)
    rangeFirst = ordinalOf(terms, query.lower, query.lowerLength, !(flags & RANGE_LOWER_INCLUDED));
  if (flags & RANGE_UPPER)
    rangeEnd = ordinalOf(terms, query.upper, query.upperLength, (flags & RANGE_UPPER_INCLUDED) != 0);
  if (rangeEnd <= rangeFirst) return false;
  return <u64>(rangeEnd - rangeFirst) * DOCUMENTS_PER_TERM > <u64>segment.docCount;
}

/** The value of a bound that is a term of a number, moved by `step`; `fallback` without bound. */
function boundOf(ptr: usize, step: i64, given: bool, fallback: i64): i64 {
  if (!given) return fallback;
  const value = <i64>(bswap(load<u64>(ptr)) ^ 0x8000000000000000);
  return value + step;
}

/** Adds the documents in the range that `isWide` has found by their values; false without room. */
function addByValues(query: Query): bool {
  const column = openImageColumn(segment, query.field);
  if (requestStatus != OK || column === null) return false;
  if (column.kind == COLUMN_ORDINAL) return addValues(column, rangeFirst, <i64>rangeEnd - 1, bits);
  const flags = query.flags;
  const lower = (flags & RANGE_LOWER) != 0;
  const upper = (flags & RANGE_UPPER) != 0;
  return addValues(
    column,
    boundOf(query.lower, flags & RANGE_LOWER_INCLUDED ? 0 : 1, lower, i64.MIN_VALUE),
    boundOf(query.upper, flags & RANGE_UPPER_INCLUDED ? 0 : -1, upper, i64.MAX_VALUE),
    bits,
  );
}

/** Whether the bounds of a range are such as the field's column can be compared with. */
function hasComparable(seg: Segment, query: Query): bool {
  const kind = columnKindOf(seg, query.field);
  if (kind == 0 || kind == COLUMN_GEO) return false;
  if (kind == COLUMN_ORDINAL) return true;
  return (
    (!(query.flags & RANGE_LOWER) || query.lowerLength == 8) &&
    (!(query.flags & RANGE_UPPER) || query.upperLength == 8)
  );
}

/** Documents in the set made last: a second value of `makeTermSet`. */
export let termSetCount: u32 = 0;

/**
 * The documents of `seg` that the set-like `query` matches, as a bitset in the arena of `windowBytes(docCount)` bytes, with
 * their number in `termSetCount`. 0 where the arena has no room.
 */
export function makeTermSet(seg: Segment, query: Query): usize {
  const bytes = windowBytes(seg.docCount);
  bits = requestAlloc(bytes);
  if (!bits) return 0;
  memory.fill(bits, 0, bytes);
  segment = seg;
  if (query.kind == NODE_KEYS) {
    addKeys(query);
  } else if (query.kind == NODE_EXPRESSION) {
    if (!addByExpression(seg, query, bits)) return 0;
  } else if (query.kind >= NODE_GEO_DISTANCE && query.kind <= NODE_GEO_POLYGON) {
    if (!addByColumn(seg, query, bits)) return 0;
  } else {
    entry = findField(seg, query.field);
    if (entry) {
      const dictAt = requestAlloc(offsetof<Dictionary>());
      const made = PostingsCursor.make();
      if (!dictAt || made === null) return 0;
      cursor = made;
      const dict = changetype<Dictionary>(dictAt);
      openDictionary(seg, entry, dict);
      if (query.kind == NODE_TERMS) {
        addTerms(query, dict);
      } else if (query.kind == NODE_TERM) {
        const term = query.term(0);
        if (lookupTerm(dict, term.ptr, term.length)) addPostings(foundDf, foundPostings);
      } else if (query.kind == NODE_RANGE && hasComparable(seg, query) && isWide(query, dict)) {
        if (!addByValues(query)) return 0;
      } else if (query.kind != NODE_EXISTS || !addByNorms()) {
        const walk = TermWalk.make(query);
        if (walk === null) return 0;
        walk.start(dict);
        while (walk.next()) addPostings(walk.terms.df, walk.terms.postingsOffset);
      }
    }
  }
  termSetCount = count(bits, bytes);
  return bits;
}
