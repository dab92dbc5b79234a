import { windowBytes } from '../docset/matcher';
import { requestAlloc, requestAllocZeroed } from '../memory/arena';
import { count } from '../memory/bitset';
import { Query } from '../plan/query';
import { fillBits } from '../postings/bits';
import { PostingsCursor } from '../postings/cursor';
import { FieldEntry, findField, openDictionary, Segment } from '../segment/segment';
import { Dictionary, foundDf, foundPostings, lookupTerm } from '../terms/dictionary';
import { spend } from '../workLimit';
import { kindOf } from './kind';
import { TermWalk } from './termWalk';

// Sets of documents that are given by many terms (a list, a matcher, a whole field), by values or by keys: a bitset over the segment. How
// it is filled is in the file of the kind of node.

/** Adds the documents of a node to a set; false where there is no room. */
export type Fill = (set: TermSet, query: Query) => bool;

/** A set that is being made. Lives in the request arena. */
@unmanaged
export class TermSet {
  segment: Segment;
  /** Bitset of `windowBytes(docCount)` bytes. */
  bits: usize;
  /** Its documents, once it is made. */
  count: u32;
  /** The field that is open, 0 where the segment has none; its terms, its postings, and a list of one of them. */
  entry: usize;
  flags: u8;
  dict: Dictionary;
  postings: usize;
  cursor: PostingsCursor;
  /** Of a range: the ordinal of its first term, and that after its last (kinds/range.ts). */
  firstOrdinal: u32;
  endOrdinal: u32;

  /** The documents of a segment that a node matches; null without room. */
  static make(seg: Segment, query: Query): TermSet | null {
    const at = requestAllocZeroed(offsetof<TermSet>());
    const bytes = windowBytes(seg.docCount);
    const bits = requestAlloc(bytes);
    if (!at || !bits) return null;
    memory.fill(bits, 0, bytes);
    const set = changetype<TermSet>(at);
    set.segment = seg;
    set.bits = bits;
    if (!call_indirect<bool>(kindOf(query.kind).fill, set, query)) return null;
    set.count = count(bits, bytes);
    return set;
  }

  /** Opens a field of the segment, if it has that; false without room. */
  openField(field: u32): bool {
    this.entry = findField(this.segment, field);
    if (!this.entry) return true;
    const dict = requestAlloc(offsetof<Dictionary>());
    const cursor = PostingsCursor.make();
    if (!dict || cursor === null) return false;
    this.dict = changetype<Dictionary>(dict);
    this.cursor = cursor;
    this.flags = <u8>FieldEntry.flags(this.entry);
    this.postings = FieldEntry.postings(this.segment, this.entry);
    openDictionary(this.segment, this.entry, this.dict);
    return true;
  }

  /** Adds the documents of one term of the open field. */
  addPostings(df: u32, offset: u32): void {
    if (!spend(8 + (df >> 2))) return;
    const cursor = this.cursor;
    cursor.start(this.postings + offset, df, this.flags, 0, 0, 0);
    fillBits(cursor, 0, this.segment.docCount, this.bits);
  }

  /** The same of a term by its bytes. */
  addTerm(ptr: usize, length: u32): void {
    if (lookupTerm(this.dict, ptr, length)) this.addPostings(foundDf, foundPostings);
  }

  /** Adds the documents of all terms that a node's matcher accepts; false without room. */
  addMatching(query: Query): bool {
    const walk = TermWalk.make(query);
    if (walk === null) return false;
    walk.start(this.dict);
    while (walk.next()) this.addPostings(walk.terms.df, walk.terms.postingsOffset);
    return true;
  }
}

/** Of what is given by a matcher. */
export function fillMatching(set: TermSet, query: Query): bool {
  return set.openField(query.field) && (!set.entry || set.addMatching(query));
}
