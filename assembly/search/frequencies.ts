import { exhausted, spend } from '../workLimit';
import { heapAlloc } from '../memory/heap';
import { requestAlloc } from '../memory/arena';
import { decodeFreqs, enter, PostingsCursor } from '../postings/cursor';
import { FIELD_ENTRY_BYTES, FieldEntry, openDictionary, Segment } from '../segment/segment';
import { Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';

// How often terms occur: of one term, and of all terms of a field together. Deleted documents count until a merge drops them.

const dictionary = changetype<Dictionary>(memory.data(offsetof<Dictionary>(), 16));

/** Occurrences of a term in a segment, 1 a document where the field has no frequencies. */
export function listFrequency(
  cursor: PostingsCursor,
  seg: Segment,
  entry: usize,
  df: u32,
  postings: u32,
): f64 {
  cursor.start(FieldEntry.postings(seg, entry) + postings, df, <u8>FieldEntry.flags(entry), 0, 0, 0);
  let sum: f64 = 0;
  for (let block: u32 = 0; block < cursor.blocks; block++) {
    if (block) enter(cursor, block);
    decodeFreqs(cursor);
    for (let i: usize = 0; i < <usize>cursor.count; i++) sum += <f64>load<u32>(cursor.freqs + (i << 2));
  }
  return sum;
}

/** Where the sums of a field of a segment are kept: f64 occurrences, f64 postings; 0 without room. */
function sums(seg: Segment, entry: usize): usize {
  const n = seg.fieldCount;
  if (!seg.frequencySums) {
    seg.frequencySums = heapAlloc(n << 4);
    if (!seg.frequencySums) return 0;
    for (let i: usize = 0; i < <usize>n; i++) store<f64>(seg.frequencySums + (i << 4), -1);
  }
  const slot = seg.frequencySums + (((entry - seg.fieldTable) / FIELD_ENTRY_BYTES) << 4);
  if (load<f64>(slot) >= 0) return slot;
  const cursor = PostingsCursor.make();
  const at = requestAlloc(offsetof<TermCursor>());
  const buffer = requestAlloc(TERM_BUFFER_BYTES);
  if (cursor === null || !at || !buffer) return 0;
  const terms = changetype<TermCursor>(at);
  memory.fill(at, 0, offsetof<TermCursor>());
  openDictionary(seg, entry, dictionary);
  TermCursor.init(terms, dictionary, buffer);
  let occurrences: f64 = 0;
  let postings: f64 = 0;
  while (terms.next() && spend(4 + (terms.df >> 3))) {
    occurrences += listFrequency(cursor, seg, entry, terms.df, terms.postingsOffset);
    postings += <f64>terms.df;
  }
  // What isn't whole is not kept.
  const sums = exhausted ? requestAlloc(16) : slot;
  if (!sums) return 0;
  store<f64>(sums, occurrences);
  store<f64>(sums, postings, 8);
  return sums;
}

/** The sum of all frequencies in a field of a segment, worked out once; -1 without room. */
export function frequencySum(seg: Segment, entry: usize): f64 {
  const slot = sums(seg, entry);
  return slot ? load<f64>(slot) : -1;
}

/** The sum of the document frequencies of its terms; -1 without room. */
export function postingsSum(seg: Segment, entry: usize): f64 {
  const slot = sums(seg, entry);
  return slot ? load<f64>(slot, 8) : -1;
}
