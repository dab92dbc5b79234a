import { hashLong } from '../analysis/hash';
import { windowBytes } from '../docset/matcher';
import { heapAlloc, heapAllocZeroed } from '../memory/heap';
import { isNested } from '../nesting';
import {
  addFilter,
  dropFilter,
  FILTER_LINKS,
  FILTER_SERIAL,
  filterBytes,
  firstFilter,
  hasFilterRoom,
  headOf,
  nextFilter,
  oldestFilter,
  touchFilter,
} from '../segment/filterList';
import { Segment } from '../segment/segment';
import { isSame } from '../terms/bytes';
import { exhausted } from '../workLimit';
import { Query } from '../plan/query';

// What filters match, kept per segment and found again by their bytes in the plan. Segments are immutable, so an entry never goes
// stale; it goes with its segment, or where others need the room and it has not been used for longest.
//
//     links (segment/filterList.ts) | u32 bytes of the key | u32 documents | u32 last search
//     u32 bytes of the bitset, 0: none, windowBytes(docCount) | u32 field, u32 offset of the postings: of a term | u32 unused
//     bitset | key: the filter's bytes in the plan
//
// A term in few documents has no bitset, nor has a filter without any.

const KEY_BYTES: usize = FILTER_LINKS;
const DOCUMENTS: usize = FILTER_LINKS + 4;
const SEARCH: usize = FILTER_LINKS + 8;
const SET_BYTES: usize = FILTER_LINKS + 12;
const FIELD: usize = FILTER_LINKS + 16;
const POSTINGS: usize = FILTER_LINKS + 20;
const HEADER: u32 = 64;
/** In place of a field: the filter is no term. */
const NO_FIELD: u32 = 0xffffffff;
/** All cached filters of an instance take no more than this. */
const MAX_BYTES: u32 = 32 << 20;

/** What is kept of a filter, by its address. */
export class Kept {
  /** How many documents it has, deleted ones included. */
  @inline static documents(entry: usize): u32 {
    return load<u32>(entry, DOCUMENTS);
  }
  /** Its number, which no other filter of the instance has or had. */
  @inline static serial(entry: usize): u32 {
    return load<u32>(entry, FILTER_SERIAL);
  }
  /** Its bitset; 0: it is a term in few documents. */
  @inline static bits(entry: usize): usize {
    return load<u32>(entry, SET_BYTES) ? entry + HEADER : 0;
  }
  /** Whether it is a term, with postings. */
  @inline static isTerm(entry: usize): bool {
    return load<u32>(entry, FIELD) != NO_FIELD;
  }
  @inline static field(entry: usize): u32 {
    return load<u32>(entry, FIELD);
  }
  /** Offset of its postings in those of the field. */
  @inline static postings(entry: usize): u32 {
    return load<u32>(entry, POSTINGS);
  }
}

// Globals: the cache outlives searches, and is told which of them runs.

/** How many searches there were. */
let searches: u32 = 0;
/** Number of this one, and of the first one that is being carried out, which is another where this one is nested: what they use stays. */
let search: u32 = 0;
let oldestRunning: u32 = 0;

/** Starts a search. */
export function startFilters(): void {
  search = ++searches;
  if (!isNested()) oldestRunning = search;
}

/** Sets kept so far, by which each has a number of its own. */
let serials: u32 = 0;

function headIn(seg: Segment): usize {
  return changetype<usize>(seg) + offsetof<Segment>('filters');
}

/** Drops the entry that has not been used for longest; false where there is none but those of searches that are being carried out. */
function evict(): bool {
  if (!oldestFilter || load<u32>(oldestFilter, SEARCH) >= oldestRunning) return false;
  const seg = changetype<Segment>(headOf(oldestFilter) - offsetof<Segment>('filters'));
  ++seg.filterEvictions;
  dropFilter(oldestFilter);
  return true;
}

/** The hash that a filter of these bytes has in a segment. */
function hashIn(seg: Segment, keyHash: u32): u32 {
  return (keyHash ^ <u32>changetype<usize>(seg)) * 0x9e3779b1;
}

/** What is kept of a filter of these bytes, of that hash; 0 if nothing is. */
function find(seg: Segment, key: usize, length: u32, keyHash: u32): usize {
  if (!seg.filters) return 0;
  for (let entry = firstFilter(headIn(seg), hashIn(seg, keyHash)); entry; entry = nextFilter(entry)) {
    if (load<u32>(entry, KEY_BYTES) != length) continue;
    if (!isSame(entry + HEADER + load<u32>(entry, SET_BYTES), key, length)) continue;
    store<u32>(entry, search, SEARCH);
    touchFilter(entry);
    return entry;
  }
  return 0;
}

function keyBytes(query: Query): u32 {
  return <u32>(query.end - query.start);
}

/** What is kept of a query of the plan; 0 if nothing is. */
export function keptOf(seg: Segment, query: Query): usize {
  if (!seg.filters) return 0;
  const length = keyBytes(query);
  return find(seg, query.start, length, hashLong(query.start, length));
}

/** The same in each of `count` segments, by the bytes of the query, into `entries`; false where one of them has nothing. */
export function keptInAll(segments: usize, count: u32, key: usize, length: u32, entries: usize): bool {
  if (!oldestFilter) return false;
  const hash = hashLong(key, length);
  for (let i: usize = 0; i < (<usize>count) << 2; i += 4) {
    const entry = find(changetype<Segment>(load<usize>(segments + i)), key, length, hash);
    if (!entry) return false;
    store<usize>(entries + i, entry);
  }
  return true;
}

/** An entry with room for `setBytes`, the key in it; 0 where there is no room, or the search has been given up half-way. */
function makeEntry(seg: Segment, query: Query, setBytes: u32, documents: u32): usize {
  const length = keyBytes(query);
  const bytes = HEADER + setBytes + length;
  if (bytes > MAX_BYTES >> 2 || exhausted) return 0;
  while (filterBytes + bytes > MAX_BYTES || !hasFilterRoom()) if (!evict()) return 0;
  const entry = heapAlloc(bytes);
  if (!entry) return 0;
  store<u32>(entry, length, KEY_BYTES);
  store<u32>(entry, documents, DOCUMENTS);
  store<u32>(entry, ++serials, FILTER_SERIAL);
  store<u32>(entry, search, SEARCH);
  store<u32>(entry, setBytes, SET_BYTES);
  store<u32>(entry, NO_FIELD, FIELD);
  memory.copy(entry + HEADER + setBytes, query.start, length);
  addFilter(headIn(seg), entry, bytes, hashIn(seg, hashLong(query.start, length)));
  return entry;
}

/** Keeps the set that was made of a query, with its number of documents; 0 where there is no room. */
export function keepSet(seg: Segment, query: Query, made: usize, documents: u32): usize {
  const set = documents ? windowBytes(seg.docCount) : 0;
  const entry = makeEntry(seg, query, set, documents);
  if (entry) memory.copy(entry + HEADER, made, set);
  return entry;
}

/** Keeps where the postings of a term are, of which there are a few or none. */
export function keepTerm(seg: Segment, query: Query, documents: u32, postings: u32): void {
  const entry = makeEntry(seg, query, 0, documents);
  if (entry) tellTerm(entry, query.field, postings);
}

/** Notes that a filter is a term with these postings. */
export function tellTerm(entry: usize, field: u32, postings: u32): void {
  store<u32>(entry, field, FIELD);
  store<u32>(entry, postings, POSTINGS);
}

/** Queries that were met last, by the hash of their bytes and their segment: u32 each, at a place that the hash gives. */
const MET: u32 = 1 << 12;
const met: usize = heapAllocZeroed(MET << 2);

/** Whether the query was met on the segment not long ago. */
export function isRepeated(seg: Segment, query: Query): bool {
  if (!met) return false;
  const hash = hashIn(seg, hashLong(query.start, keyBytes(query)));
  const at = met + ((<usize>(hash >> 8) & (MET - 1)) << 2);
  if (load<u32>(at) == hash) return true;
  store<u32>(at, hash);
  return false;
}
