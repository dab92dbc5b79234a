import { requestAlloc, requestMark, requestRelease } from '../memory/arena';
import { SCRATCH } from '../memory/lifetimes';
import { heapAlloc } from '../memory/heap';
import { decodeDocs, enter, PostingsCursor } from '../postings/cursor';
import { compareBytes } from '../terms/bytes';
import {
  Dictionary,
  foundDf,
  foundPostings,
  lookupTerm,
  TERM_BUFFER_BYTES,
  TermCursor,
} from '../terms/dictionary';
import {
  countFielddata,
  dropParentOrdinals,
  FieldEntry,
  findField,
  mayHaveFielddata,
  openDictionary,
  Segment,
} from './segment';
import { Shard } from './shards';

/**
 * Parent ordinals: numbers for the uids by which parents and children are tied together. Parents have theirs as a term of one field,
 * children that of their parent as a term of another; equal terms have equal numbers, in all segments that searches see and in
 * both fields. Numbers are dense and mean nothing else. A shard has one such pair of fields at a time, and a plan names no other.
 *
 * They are given when they are first asked for, to the segments that have none yet, and stay as long as the segment:
 *
 *     block    | u32 next block | u32 own bytes | u32 field | u32 unused | u32 number of each document, NO_NUMBER without a term
 *
 * A few new terms are looked up in the dictionaries that have numbers; many make it cheaper to merge all dictionaries anew.
 */

export const NO_NUMBER: u32 = 0xffffffff;
/** No field's number. */
const NO_FIELD: u32 = 0xffff;
const HEADER: u32 = 16;
/** What looking a term up costs, in steps of a merge. */
const LOOKUP_COST: u64 = 8;
/** So many numbers may be given to terms that are gone before all are given anew. */
const SPARE_NUMBERS: u64 = 1024;

/** One field of one segment. */
@unmanaged
class Source {
  seg: Segment;
  dict: Dictionary;
  terms: TermCursor;
  /** Address of its postings, and their flags. */
  postings: usize;
  flags: u8;
  termCount: u32;
  /** Address of the numbers by document; 0 where there are none yet. */
  numbers: usize;
  /** They are being given: only documents whose term was met have one. */
  fresh: bool;
}

let sources: usize = 0;
let sourceCount: u32 = 0;
let cursor: PostingsCursor = changetype<PostingsCursor>(0);

function sourceAt(i: u32): Source {
  return changetype<Source>(load<usize>(sources + ((<usize>i) << 2)));
}

/** Address of the numbers of a segment's documents by a field, u32 each; 0 where no document has a term in it. */
export function parentOrdinals(seg: Segment, field: u32): usize {
  for (let block = seg.parentOrdinals; block; block = <usize>load<u32>(block))
    if (load<u32>(block, 8) == field) return block + HEADER;
  return 0;
}

/** Room for the numbers of a source; false without memory. */
function makeNumbers(source: Source, field: u32): bool {
  const seg = source.seg;
  const bytes = HEADER + (seg.docCount << 2);
  if (!mayHaveFielddata(bytes, field)) return false;
  const block = seg.docCount < 0x3fff0000 ? heapAlloc(bytes) : 0;
  if (!block) return false;
  store<u32>(block, <u32>seg.parentOrdinals);
  store<u32>(block, bytes, 4);
  store<u32>(block, field, 8);
  memory.fill(block + HEADER, 0xff, (<usize>seg.docCount) << 2);
  seg.parentOrdinals = block;
  countFielddata(bytes);
  source.numbers = block + HEADER;
  source.fresh = true;
  return true;
}

/** Adds a field of a segment to the sources; false without memory. */
function addSource(seg: Segment, entry: usize, field: u32): bool {
  const at = requestAlloc(offsetof<Source>());
  const dict = requestAlloc(offsetof<Dictionary>());
  const terms = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (!at || !dict || !terms || !buffer) return false;
  const source = changetype<Source>(at);
  source.seg = seg;
  source.dict = changetype<Dictionary>(dict);
  source.terms = changetype<TermCursor>(terms);
  openDictionary(seg, entry, source.dict);
  TermCursor.init(source.terms, source.dict, buffer);
  source.postings = FieldEntry.postings(seg, entry);
  source.flags = <u8>FieldEntry.flags(entry);
  source.termCount = FieldEntry.terms(entry);
  source.numbers = parentOrdinals(seg, field);
  source.fresh = false;
  store<usize>(sources + ((<usize>sourceCount) << 2), at);
  sourceCount++;
  return source.numbers != 0 || makeNumbers(source, field);
}

/** The number that a source gives to the first document of a list. */
function numberOf(source: Source, df: u32, offset: u32): u32 {
  cursor.start(source.postings + offset, df, source.flags, 0, 0, 0);
  decodeDocs(cursor);
  const doc = load<u32>(cursor.docs);
  return doc < source.seg.docCount ? load<u32>(source.numbers + ((<usize>doc) << 2)) : NO_NUMBER;
}

/** Gives a number to all documents of a list. */
function put(source: Source, df: u32, offset: u32, number: u32): void {
  cursor.start(source.postings + offset, df, source.flags, 0, 0, 0);
  const numbers = source.numbers;
  const docCount = source.seg.docCount;
  for (let block: u32 = 0; block < cursor.blocks; block++) {
    if (block) enter(cursor, block);
    decodeDocs(cursor);
    let p = cursor.docs;
    for (const end = p + ((<usize>cursor.count) << 2); p < end; p += 4) {
      const doc = load<u32>(p);
      // Only damaged postings name other documents.
      if (doc < docCount) store<u32>(numbers + ((<usize>doc) << 2), number);
    }
  }
}

/** Gives a fresh source the numbers of another's terms: each term of the smaller dictionary is looked up in the larger. */
function takeOver(fresh: Source, known: Source): void {
  const fewer = fresh.termCount <= known.termCount;
  const few = fewer ? fresh : known;
  const many = fewer ? known : fresh;
  few.terms.rewind();
  while (few.terms.next()) {
    const df = few.terms.df;
    const offset = few.terms.postingsOffset;
    if (fewer && numberOf(fresh, df, offset) != NO_NUMBER) continue;
    if (!lookupTerm(many.dict, few.terms.termPtr, few.terms.termLength)) continue;
    if (fewer) {
      const number = numberOf(known, foundDf, foundPostings);
      if (number != NO_NUMBER) put(fresh, df, offset, number);
    } else {
      const number = numberOf(known, df, offset);
      if (number != NO_NUMBER) put(fresh, foundDf, foundPostings, number);
    }
  }
}

/** Gives numbers to the fresh sources, one after the other. */
function extend(shard: Shard): void {
  for (let i: u32 = 0; i < sourceCount; i++) {
    const fresh = sourceAt(i);
    if (!fresh.fresh) continue;
    for (let j: u32 = 0; j < sourceCount; j++) if (!sourceAt(j).fresh) takeOver(fresh, sourceAt(j));
    fresh.terms.rewind();
    while (fresh.terms.next()) {
      const df = fresh.terms.df;
      const offset = fresh.terms.postingsOffset;
      if (numberOf(fresh, df, offset) == NO_NUMBER) put(fresh, df, offset, shard.familyCount++);
    }
    fresh.fresh = false;
  }
}

/** A heap of sources by their current terms, the least on top: array of pointers. */
let heap: usize = 0;
let heapSize: u32 = 0;

function inHeap(i: u32): Source {
  return changetype<Source>(load<usize>(heap + ((<usize>i) << 2)));
}

function setHeap(i: u32, source: Source): void {
  store<usize>(heap + ((<usize>i) << 2), changetype<usize>(source));
}

function order(a: Source, b: Source): i32 {
  return compareBytes(a.terms.termPtr, a.terms.termLength, b.terms.termPtr, b.terms.termLength);
}

function push(source: Source): void {
  let i = heapSize++;
  while (i > 0) {
    const above = (i - 1) >> 1;
    if (order(inHeap(above), source) <= 0) break;
    setHeap(i, inHeap(above));
    i = above;
  }
  setHeap(i, source);
}

function pop(): Source {
  const least = inHeap(0);
  const source = inHeap(--heapSize);
  let i: u32 = 0;
  for (let child: u32 = 1; child < heapSize; child = 2 * i + 1) {
    if (child + 1 < heapSize && order(inHeap(child + 1), inHeap(child)) < 0) child++;
    if (order(source, inHeap(child)) <= 0) break;
    setHeap(i, inHeap(child));
    i = child;
  }
  if (heapSize) setHeap(i, source);
  return least;
}

/** Gives numbers to all sources anew: their dictionaries are merged. `equal` has room for as many pointers as there are sources. */
function renumber(shard: Shard, equal: usize): void {
  shard.familyCount = 0;
  heapSize = 0;
  for (let i: u32 = 0; i < sourceCount; i++) {
    const source = sourceAt(i);
    source.terms.rewind();
    if (source.terms.next()) push(source);
  }
  while (heapSize) {
    const number = shard.familyCount++;
    const first = pop();
    store<usize>(equal, changetype<usize>(first));
    let n: u32 = 1;
    while (heapSize && order(inHeap(0), first) == 0) {
      store<usize>(equal + ((<usize>n) << 2), changetype<usize>(pop()));
      n++;
    }
    for (let i: u32 = 0; i < n; i++) {
      const source = changetype<Source>(load<usize>(equal + ((<usize>i) << 2)));
      put(source, source.terms.df, source.terms.postingsOffset, number);
      if (source.terms.next()) push(source);
    }
  }
}

/** Whether looking up the terms of the fresh sources in all others takes longer than merging. */
function isMergeCheaper(all: u64): bool {
  let cost: u64 = 0;
  for (let i: u32 = 0; i < sourceCount; i++) {
    const fresh = sourceAt(i);
    if (!fresh.fresh) continue;
    for (let j: u32 = 0; j < sourceCount; j++) cost += min(fresh.termCount, sourceAt(j).termCount);
  }
  return cost * LOOKUP_COST > all;
}

/** Two fields as one number, in any order. Only that of `NO_FIELD` twice is 0. */
export function fieldPair(own: u32, parent: u32): u32 {
  return ~((min(own, parent) << 16) | max(own, parent));
}

/** Whether one of two fields is none that documents can have: then nothing is tied together. */
export function isUntied(own: u32, parent: u32): bool {
  return own == NO_FIELD || parent == NO_FIELD;
}

/** Forgets all numbers where they were given by the terms of other fields. */
function forgetOthers(shard: Shard, own: u32, parent: u32): void {
  const fields = fieldPair(own, parent);
  if (shard.familyFields == fields) return;
  for (let s: u32 = 0; s < shard.segmentCount; s++) dropParentOrdinals(shard.segment(s));
  shard.familyCount = 0;
  shard.familyFields = fields;
}

function fieldOf(own: u32, parent: u32, i: u32): u32 {
  return i == 0 ? own : parent;
}

/** Makes `sources` of all that there are; the number of their terms, or -1 without memory. */
function findSources(shard: Shard, own: u32, parent: u32): i64 {
  sources = requestAlloc(shard.segmentCount << 3);
  sourceCount = 0;
  if (!sources) return -1;
  let all: i64 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    for (let f: u32 = 0; f < 2; f++) {
      const field = fieldOf(own, parent, f);
      const entry = findField(seg, field);
      if (!entry || (f && own == parent)) continue;
      if (!addSource(seg, entry, field)) return -1;
      all += FieldEntry.terms(entry);
    }
  }
  return all;
}

/** Whether a segment that searches see has no numbers yet. */
function isBehind(shard: Shard, own: u32, parent: u32): bool {
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    for (let f: u32 = 0; f < 2; f++) {
      const field = fieldOf(own, parent, f);
      if (findField(seg, field) && !parentOrdinals(seg, field)) return true;
    }
  }
  return false;
}

/**
 * Gives numbers where they are missing; false without memory: then there are none. All are below `shard.familyCount`. A search asks for
 * one pair of fields only: those of another are forgotten.
 */
export function assignParentOrdinals(shard: Shard, own: u32, parent: u32): bool {
  if (isUntied(own, parent)) return true;
  forgetOthers(shard, own, parent);
  if (!isBehind(shard, own, parent)) return true;
  const mark = requestMark(SCRATCH);
  const all = findSources(shard, own, parent);
  const equal: usize = all < 0 ? 0 : requestAlloc(sourceCount << 2);
  heap = all < 0 ? 0 : requestAlloc(sourceCount << 2);
  const made = PostingsCursor.make();
  const ready = equal != 0 && heap != 0 && made !== null;
  if (ready) {
    cursor = made!;
    if (<u64>shard.familyCount > 2 * <u64>all + SPARE_NUMBERS || isMergeCheaper(<u64>all))
      renumber(shard, equal);
    else extend(shard);
  } else {
    for (let s: u32 = 0; s < shard.segmentCount; s++) dropParentOrdinals(shard.segment(s));
  }
  requestRelease(mark);
  return ready;
}
