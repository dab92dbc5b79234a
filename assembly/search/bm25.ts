import { normTable } from '../codec/norm';
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

import { planSimilarities, planSimilarityCount } from './decode';

// What BM25 needs of a field: its parameters, and by norm byte how long a document is beside the average.

/** A similarity of the plan: u16 field, f32 k1, f32 b. */
const SIMILARITY_BYTES: u32 = 10;

/** Address of the similarity of a field that BM25 scores; 0 for the others. */
export function bm25Of(field: u32): usize {
  for (let i: u32 = 0; i < planSimilarityCount; i++) {
    const at = planSimilarities + <usize>(i * SIMILARITY_BYTES);
    if (<u32>load<u16>(at) == field) return at;
  }
  return 0;
}

/** Stands for the default similarity of the index. */
const DEFAULT_FIELD: u32 = 0xffff;

/** Whether BM25 is the default: then there is no coord, and no norm of queries. */
export function isBm25Default(): bool {
  return bm25Of(DEFAULT_FIELD) != 0;
}

/** k1 of a similarity. */
export function k1Of(similarity: usize): f32 {
  return load<f32>(similarity, 2);
}

/** The idf of BM25. */
export function bm25Idf(df: u32, maxDoc: u32): f32 {
  const n = <f64>maxDoc;
  return <f32>Math.log(1 + (n - <f64>df + 0.5) / (<f64>df + 0.5));
}

const dictionary = changetype<Dictionary>(memory.data(offsetof<Dictionary>(), 16));

/** The sum of all frequencies in a field of a segment, kept for later; -1 without room. */
function frequencySum(seg: Segment, entry: usize): f64 {
  const n = seg.fieldCount;
  if (!seg.frequencySums) {
    seg.frequencySums = heapAlloc(n << 3);
    if (!seg.frequencySums) return -1;
    for (let i: usize = 0; i < <usize>n; i++) store<f64>(seg.frequencySums + (i << 3), -1);
  }
  const slot = seg.frequencySums + (((entry - seg.fieldTable) / FIELD_ENTRY_BYTES) << 3);
  const known = load<f64>(slot);
  if (known >= 0) return known;
  const cursor = PostingsCursor.make();
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (cursor === null || !at || !buffer) return -1;
  const terms = changetype<TermCursor>(at);
  memory.fill(at, 0, offsetof<TermCursor>());
  openDictionary(seg, entry, dictionary);
  TermCursor.init(terms, dictionary, buffer);
  let sum: f64 = 0;
  while (terms.next()) {
    const postings = FieldEntry.postings(seg, entry) + terms.postingsOffset;
    cursor.start(postings, terms.df, <u8>FieldEntry.flags(entry), 0, 0, 0);
    for (let block: u32 = 0; block < cursor.blocks; block++) {
      if (block) enter(cursor, block);
      decodeFreqs(cursor);
      for (let i: usize = 0; i < <usize>cursor.count; i++) sum += <f64>load<u32>(cursor.freqs + (i << 2));
    }
  }
  store<f64>(slot, sum);
  return sum;
}

/**
 * By norm byte, what is added to a frequency: 256 f32 in the arena, then k1 (for a field without norms), b and the
 * average length. 0 without room.
 */
export function bm25Lengths(shard: Shard, field: u32, maxDoc: u32, similarity: usize): usize {
  let sum: f64 = 0;
  let freqs = true;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const entry = findField(seg, field);
    if (!entry) continue;
    if (!(FieldEntry.flags(entry) & FIELD_FREQS)) freqs = false;
    const own = frequencySum(seg, entry);
    if (own < 0) return 0;
    sum += own;
  }
  const average: f32 = sum > 0 && freqs ? <f32>(sum / <f64>maxDoc) : 1;
  const out = requestAlloc(259 << 2);
  if (!out) return 0;
  const k1 = k1Of(similarity);
  const b = load<f32>(similarity, 6);
  for (let i: usize = 0; i < 256; i++) {
    const norm = load<f32>(normTable() + (i << 2));
    const length = <f32>1 / (norm * norm);
    store<f32>(out + (i << 2), k1 * (<f32>1 - b + (b * length) / average));
  }
  store<f32>(out + 1024, k1);
  store<f32>(out + 1028, b);
  store<f32>(out + 1032, average);
  return out;
}
