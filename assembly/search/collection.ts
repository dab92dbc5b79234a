import { heapAlloc } from '../memory/heap';
import { requestAlloc } from '../memory/arena';
import { decodeFreqs, enter, PostingsCursor } from '../postings/cursor';
import {
  FIELD_ENTRY_BYTES,
  FIELD_FREQS,
  FieldEntry,
  findField,
  openDictionary,
  Segment,
} from '../segment/segment';
import { Shard } from '../segment/shards';
import { Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import { QueryTerm } from './query';

// How often the terms of a shard occur. -1 stands for what a field without frequencies doesn't know, -2 for no room.

export const UNKNOWN_FREQUENCY: f64 = -1;
export const NO_ROOM: f64 = -2;

const dictionary = changetype<Dictionary>(memory.data(offsetof<Dictionary>(), 16));

/** The sum of the frequencies in a list. */
function listSum(cursor: PostingsCursor): f64 {
  let sum: f64 = 0;
  for (let block: u32 = 0; block < cursor.blocks; block++) {
    if (block) enter(cursor, block);
    decodeFreqs(cursor);
    for (let i: usize = 0; i < <usize>cursor.count; i++) sum += <f64>load<u32>(cursor.freqs + (i << 2));
  }
  return sum;
}

/** The sum of all frequencies in a field of a segment, kept for later; -2 without room. */
function fieldSum(seg: Segment, entry: usize): f64 {
  const n = seg.fieldCount;
  if (!seg.frequencySums) {
    seg.frequencySums = heapAlloc(n << 3);
    if (!seg.frequencySums) return NO_ROOM;
    for (let i: usize = 0; i < <usize>n; i++) store<f64>(seg.frequencySums + (i << 3), -1);
  }
  const slot = seg.frequencySums + (((entry - seg.fieldTable) / FIELD_ENTRY_BYTES) << 3);
  const known = load<f64>(slot);
  if (known >= 0) return known;
  const cursor = PostingsCursor.make();
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (cursor === null || !at || !buffer) return NO_ROOM;
  const terms = changetype<TermCursor>(at);
  memory.fill(at, 0, offsetof<TermCursor>());
  openDictionary(seg, entry, dictionary);
  TermCursor.init(terms, dictionary, buffer);
  let sum: f64 = 0;
  while (terms.next()) {
    const postings = FieldEntry.postings(seg, entry) + terms.postingsOffset;
    cursor.start(postings, terms.df, <u8>FieldEntry.flags(entry), 0, 0, 0);
    sum += listSum(cursor);
  }
  store<f64>(slot, sum);
  return sum;
}

/** How many terms all documents of a shard have in a field, each as often as it occurs. */
export function fieldFrequency(shard: Shard, field: u32): f64 {
  let sum: f64 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const entry = findField(seg, field);
    if (!entry) continue;
    if (!(FieldEntry.flags(entry) & FIELD_FREQS)) return UNKNOWN_FREQUENCY;
    const own = fieldSum(seg, entry);
    if (own < 0) return own;
    sum += own;
  }
  return sum;
}

/** How often a term that has been looked up occurs in a shard. */
export function termFrequency(shard: Shard, field: u32, term: QueryTerm): f64 {
  const cursor = PostingsCursor.make();
  if (cursor === null) return NO_ROOM;
  let sum: f64 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const entry = findField(seg, field);
    if (!entry || !term.dfIn(s)) continue;
    const flags = FieldEntry.flags(entry);
    if (!(flags & FIELD_FREQS)) return UNKNOWN_FREQUENCY;
    cursor.start(FieldEntry.postings(seg, entry) + term.postingsIn(s), term.dfIn(s), <u8>flags, 0, 0, 0);
    sum += listSum(cursor);
  }
  return sum;
}
