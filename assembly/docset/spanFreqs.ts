import { contains } from '../postings/cursor';
import { countPositions, readPositions } from '../postings/positions';
import { addFreqs } from '../postings/scores';
import { makeSpans } from './spanLists';
import { SPAN_FIRST, SPAN_NOT, SPAN_OR, SPAN_TERM, Spans } from './spans';

// How often spans occur in up to 128 documents at a time: the positions of their terms are read list by list, and what one rules out
// is not read of the next; then the spans of each document are made. Of single words frequencies are enough.

/** Indices of the documents that are left, u32 each. */
const alive: usize = memory.data(512, 16);

/** Whether `doc` has the words that spans there must have. */
function mayHave(spans: Spans, doc: u32): bool {
  switch (spans.kind) {
    case SPAN_TERM:
      return contains(spans.term.postings, doc);
    case SPAN_OR:
      for (let i: u32 = 0; i < spans.childCount; i++) if (mayHave(spans.child(i), doc)) return true;
      return false;
    case SPAN_NOT:
    case SPAN_FIRST:
      return mayHave(spans.child(0), doc);
    default:
      for (let i: u32 = 0; i < spans.childCount; i++) if (!mayHave(spans.cheap(i), doc)) return false;
      return true;
  }
}

/** Adds the number of single words in each document to the u32 at `counts`. */
function countWords(spans: Spans, docs: usize, n: usize, counts: usize): void {
  if (spans.kind != SPAN_TERM) {
    for (let i: u32 = 0; i < spans.childCount; i++) countWords(spans.child(i), docs, n, counts);
    return;
  }
  addFreqs(spans.term.postings, docs, n, counts);
}

/**
 * Reads the positions of all terms in the documents that `left` names (postings/positions.ts), and keeps in it those that have
 * the words that spans must have.
 */
function read(spans: Spans, docs: usize, left: usize, n: usize): usize {
  switch (spans.kind) {
    case SPAN_TERM:
      spans.rows.clear();
      return readPositions(spans.term, docs, left, n, spans.rows);
    case SPAN_OR: {
      for (let i: u32 = 0; i < spans.childCount; i++) {
        memory.copy(spans.indices, left, n << 2);
        read(spans.child(i), docs, spans.indices, n);
      }
      return n;
    }
    case SPAN_NOT: {
      const kept = read(spans.child(0), docs, left, n);
      memory.copy(spans.indices, left, kept << 2);
      if (spans.childCount > 1) read(spans.child(1), docs, spans.indices, kept);
      return kept;
    }
    case SPAN_FIRST:
      return read(spans.child(0), docs, left, n);
    default: {
      let kept = n;
      for (let i: u32 = 0; i < spans.childCount; i++) kept = read(spans.cheap(i), docs, left, kept);
      return kept;
    }
  }
}

/**
 * Works out the frequency (f32 each: the sum over all spans of 1 / (length + 1), 0 where there are none) in each of up to 128
 * documents. Where they are not known to have the words, those that lack one are ruled out first.
 */
export function spanFreqs(spans: Spans, docs: usize, n: usize, sifted: bool, freqs: usize): void {
  memory.fill(freqs, 0, n << 2);
  if (spans.words) {
    wordFreqs(spans, docs, n, freqs);
    return;
  }
  if (spans.kind == SPAN_FIRST && spans.child(0).kind == SPAN_TERM) {
    const word = spans.child(0);
    countPositions(word.term, docs, n, spans.post, word.rows, 0.5, freqs);
    return;
  }
  let left: usize = 0;
  for (let i: u32 = 0; i < <u32>n; i++) {
    store<u32>(alive + (left << 2), i);
    left += usize(sifted || mayHave(spans, load<u32>(docs + ((<usize>i) << 2))));
  }
  if (spans.kind == SPAN_NOT && spans.child(0).words) {
    left = keepExcluded(spans, docs, n, left, freqs);
    left = read(spans.child(0), docs, alive, left);
  } else {
    left = read(spans, docs, alive, left);
  }
  for (let k: usize = 0; k < left << 2; k += 4) {
    const i = load<u32>(alive + k);
    store<f32>(freqs + ((<usize>i) << 2), makeSpans(spans, i) ? sumOf(spans) : 0);
  }
}

/** Frequencies of words, which are spans of length 1, where `freqs` is 0. */
function wordFreqs(spans: Spans, docs: usize, n: usize, freqs: usize): void {
  countWords(spans, docs, n, freqs);
  for (let i: usize = 0; i < n << 2; i += 4) store<f32>(freqs + i, <f32>load<u32>(freqs + i) * 0.5);
}

/**
 * Where words are included, all of them are but in documents that have what is excluded: these are kept in `alive`, the frequencies in
 * the others are known.
 */
function keepExcluded(spans: Spans, docs: usize, n: usize, left: usize, freqs: usize): usize {
  wordFreqs(spans.child(0), docs, n, freqs);
  return spans.childCount > 1 ? read(spans.child(1), docs, alive, left) : 0;
}

/** The sum over all spans of 1 / (length + 1): what stands for a frequency. */
function sumOf(spans: Spans): f32 {
  // All of them words: sums of halves are exact.
  if (!spans.ends) return <f32>spans.count * 0.5;
  let freq: f32 = 0;
  for (let i: u32 = 0; i < spans.count; i++) freq += <f32>1 / <f32>(spans.end(i) - spans.start(i) + 1);
  return freq;
}
