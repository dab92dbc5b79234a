import { count } from '../memory/bitset';
import { requestAlloc } from '../memory/arena';
import { fillBits } from '../postings/bits';
import { PostingsCursor } from '../postings/cursor';
import { NODE_EXISTS, NODE_KEYS, NODE_TERM, NODE_TERMS, Query } from './query';
import { FieldEntry, Segment, docOfKey, findField, openDictionary } from '../segment/segment';
import { Dictionary, foundDf, foundPostings, lookupTerm } from '../terms/dictionary';
import { TermWalk } from './termWalk';
import { windowBytes } from '../docset/matcher';

// Sets of documents that are given by many terms (a list, a matcher, a whole field) or by keys: a bitset over the
// segment, filled from the postings of each term.

let segment: Segment = changetype<Segment>(0);
let entry: usize = 0;
let cursor: PostingsCursor = changetype<PostingsCursor>(0);
let bits: usize = 0;

/** Adds the documents of one term. */
function addPostings(df: u32, offset: u32): void {
  const flags = <u8>FieldEntry.flags(entry);
  cursor.start(FieldEntry.postings(segment, entry) + offset, df, flags, 0, 0, 0);
  fillBits(cursor, 0, segment.docCount, bits);
}

function addTerms(query: Query, dict: Dictionary): void {
  for (let i: u32 = 0; i < query.termCount; i++) {
    const term = query.term(i);
    if (lookupTerm(dict, term.ptr, term.length)) addPostings(foundDf, foundPostings);
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

/** Documents in the set made last. */
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
  } else {
    entry = findField(seg, query.field);
    if (entry) {
      const dictAt = requestAlloc(offsetof<Dictionary>());
      const made = PostingsCursor.make();
      if (!dictAt || made === null) return 0;
      cursor = made;
      const dict = changetype<Dictionary>(dictAt);
      openDictionary(seg, entry, dict);
      if (query.kind == NODE_TERMS || query.kind == NODE_TERM) {
        addTerms(query, dict);
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
