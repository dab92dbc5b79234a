import { heapAlloc } from '../memory/heap';
import {
  addFilter,
  dropFilter,
  FILTER_LINKS,
  filterBytes,
  headOf,
  oldestFilter,
  touchFilter,
} from '../segment/filterList';
import { Segment } from '../segment/segment';
import { commonPrefix } from '../terms/bytes';
import { windowBytes } from '../docset/matcher';
import { hashBytes } from '../analysis/hash';
import { exhausted } from './budget';
import { Query } from './query';
import { makeTermSet, termSetCount } from './termSet';

// Filters kept as bitsets per segment and found again by their bytes in the plan. Segments are immutable, so an entry never goes stale;
// it goes with its segment, or where others need the room and it has not been used for longest.
//
//     links (segment/filterList.ts) | u32 hash | u32 bytes of the key | u32 documents | u32 serial | u32 last search | 8 bytes unused
//     bitset, windowBytes(docCount)  | key: the filter's bytes in the plan

const HASH: usize = FILTER_LINKS;
const KEY_BYTES: usize = FILTER_LINKS + 4;
const DOCUMENTS: usize = FILTER_LINKS + 8;
const SERIAL: usize = FILTER_LINKS + 12;
const SEARCH: usize = FILTER_LINKS + 16;
const HEADER: u32 = 48;
/** All cached filters of an instance take no more than this. */
const MAX_BYTES: u32 = 32 << 20;

/** Number of the search: what it uses stays. */
let search: u32 = 0;

/** Starts a search. */
export function startFilters(): void {
  search++;
}

/** Documents in the filter found or made last. */
export let filterCount: u32 = 0;
/** Its number, which no other filter of the instance has or had; 0 if it isn't kept. */
export let filterSerial: u32 = 0;

let serials: u32 = 0;

function find(seg: Segment, key: usize, length: u32, hash: u32): usize {
  for (let entry = seg.filters; entry; entry = <usize>load<u32>(entry)) {
    if (load<u32>(entry, HASH) != hash || load<u32>(entry, KEY_BYTES) != length) continue;
    if (commonPrefix(entry + HEADER + windowBytes(seg.docCount), key, length) == length) return entry;
  }
  return 0;
}

/** Drops the entry that has not been used for longest; false where there is none but those of this search. */
function evict(): bool {
  if (!oldestFilter || load<u32>(oldestFilter, SEARCH) == search) return false;
  const seg = changetype<Segment>(headOf(oldestFilter) - offsetof<Segment>('filters'));
  ++seg.filterEvictions;
  dropFilter(oldestFilter);
  return true;
}

/** The set of a query that is in the cache; 0 if it isn't. */
export function knownSet(seg: Segment, query: Query): usize {
  const length = <u32>(query.end - query.start);
  const entry = find(seg, query.start, length, hashBytes(query.start, length));
  if (!entry) return 0;
  store<u32>(entry, search, SEARCH);
  touchFilter(entry);
  filterCount = load<u32>(entry, DOCUMENTS);
  filterSerial = load<u32>(entry, SERIAL);
  return entry + HEADER;
}

/** Keeps the set that was made of a query, with its number of documents, where there is room; the set, kept or as it was. */
export function keepSet(seg: Segment, query: Query, made: usize, count: u32): usize {
  filterCount = count;
  filterSerial = 0;
  const length = <u32>(query.end - query.start);
  const set = windowBytes(seg.docCount);
  const bytes = HEADER + set + length;
  // What was given up half-way is not kept.
  if (bytes > MAX_BYTES >> 2 || exhausted) return made;
  while (filterBytes + bytes > MAX_BYTES) if (!evict()) return made;
  const entry = heapAlloc(bytes);
  if (!entry) return made;
  store<u32>(entry, hashBytes(query.start, length), HASH);
  store<u32>(entry, length, KEY_BYTES);
  store<u32>(entry, count, DOCUMENTS);
  store<u32>(entry, ++serials, SERIAL);
  store<u32>(entry, search, SEARCH);
  filterSerial = serials;
  memory.copy(entry + HEADER, made, set);
  memory.copy(entry + HEADER + set, query.start, length);
  addFilter(changetype<usize>(seg) + offsetof<Segment>('filters'), entry, bytes);
  return entry + HEADER;
}

/** The bitset of a set-like query on a segment, from the cache or made and cached; 0 where the arena has no room. */
export function cachedSet(seg: Segment, query: Query): usize {
  const known = knownSet(seg, query);
  if (known) return known;
  const made = makeTermSet(seg, query);
  return made ? keepSet(seg, query, made, termSetCount) : 0;
}

/** The same, kept only where the query was met before. */
export function cachedIfRepeated(seg: Segment, query: Query): usize {
  const known = knownSet(seg, query);
  if (known) return known;
  const repeated = isRepeated(seg, query);
  const made = makeTermSet(seg, query);
  if (made && repeated) return keepSet(seg, query, made, termSetCount);
  filterCount = termSetCount;
  filterSerial = 0;
  return made;
}

/** Queries that were met last, by the hash of their bytes and their segment: a ring. */
const MET: u32 = 256;
const met: usize = memory.data(1024, 16);
let nextMet: u32 = 0;

/** Whether the query was met on the segment not long ago. */
export function isRepeated(seg: Segment, query: Query): bool {
  const hash = hashBytes(query.start, <u32>(query.end - query.start)) ^ (seg.id * 0x9e3779b1);
  for (let i: u32 = 0; i < MET; i++) if (load<u32>(met + ((<usize>i) << 2)) == hash) return true;
  store<u32>(met + ((<usize>nextMet) << 2), hash);
  nextMet = (nextMet + 1) % MET;
  return false;
}
