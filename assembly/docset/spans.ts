import { requestAlloc } from '../memory/arena';
import { contains } from '../postings/cursor';
import { PositionRows } from '../postings/positionRows';
import { countPositions, failPositionMemory, PositionsCursor, readPositions } from '../postings/positions';
import { addFreqs } from '../postings/scores';

// Spans: places of a document from a first position to one behind the last, found by terms and put together by nearness,
// alternatives, exclusion and position. The positions of all terms are read in up to 128 documents at a time; then, document by
// document, all spans of a node are made at once, as two lists, in the order in which Lucene 4.10's span queries bring them up.

export const SPAN_TERM: u8 = 0;
export const SPAN_NEAR_ORDERED: u8 = 1;
export const SPAN_NEAR_UNORDERED: u8 = 2;
export const SPAN_OR: u8 = 3;
export const SPAN_NOT: u8 = 4;
export const SPAN_FIRST: u8 = 5;

@unmanaged
export class Spans {
  kind: u8;
  /** They are single words, of any number of terms: no positions are needed to count them. */
  words: bool;
  /** All children are terms. */
  flat: bool;
  /** Terms of other fields than that of the scores are among them. */
  masked: bool;
  /** Array of Spans pointers; of an exclusion the second may be missing. */
  children: usize;
  childCount: u32;
  /** About how many documents have any. */
  cost: u32;
  /** The children by ascending cost. */
  byCost: usize;
  term: PositionsCursor;
  /** Positions of the term in the documents at hand. */
  rows: PositionRows;
  /** Of alternatives and exclusions: 128 × u32, indices of documents that a child is looked for in. */
  indices: usize;
  slop: i32;
  /** Of an exclusion: how far before and behind; of a first span: where it must end, in `post`. */
  pre: i32;
  post: i32;
  /** i32 first positions and positions behind the last; `ends` is 0 where these are the next ones. */
  starts: usize;
  ends: usize;
  count: u32;
  /** The lists that `add` fills. */
  ownStarts: usize;
  ownEnds: usize;
  capacity: u32;
  /** Where a walk through the lists stands. */
  next: u32;

  @inline child(i: u32): Spans {
    return changetype<Spans>(load<usize>(this.children + <usize>i * sizeof<usize>()));
  }
  @inline cheap(i: u32): Spans {
    return changetype<Spans>(load<usize>(this.byCost + <usize>i * sizeof<usize>()));
  }
  @inline start(i: u32): i32 {
    return load<i32>(this.starts + ((<usize>i) << 2));
  }
  @inline end(i: u32): i32 {
    const at = (<usize>i) << 2;
    return this.ends ? load<i32>(this.ends + at) : load<i32>(this.starts + at) + 1;
  }

  /** Starts with no spans, to add some. */
  @inline clear(): void {
    this.starts = this.ownStarts;
    this.ends = this.ownEnds;
    this.count = 0;
  }

  /** Takes the first `count` spans of another node. */
  @inline take(from: Spans, count: u32): void {
    this.starts = from.starts;
    this.ends = from.ends;
    this.count = count;
  }

  add(start: i32, end: i32): void {
    if (this.count == this.capacity && !this.grow()) return;
    store<i32>(this.starts + ((<usize>this.count) << 2), start);
    store<i32>(this.ends + ((<usize>this.count) << 2), end);
    this.count++;
  }

  private grow(): bool {
    const capacity = max<u32>(64, this.capacity << 1);
    const starts = requestAlloc(capacity << 2);
    const ends = requestAlloc(capacity << 2);
    if (!starts || !ends) {
      failPositionMemory();
      return false;
    }
    memory.copy(starts, this.starts, (<usize>this.count) << 2);
    memory.copy(ends, this.ends, (<usize>this.count) << 2);
    this.starts = starts;
    this.ends = ends;
    this.ownStarts = starts;
    this.ownEnds = ends;
    this.capacity = capacity;
    return true;
  }
}

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

/** Whether a span comes before another. */
function ordered(start: i32, end: i32, otherStart: i32, otherEnd: i32): bool {
  return start == otherStart ? end < otherEnd : start < otherStart;
}

/** Each child's span after the one of the child before it, as close together as can be from the last one back. */
function makeOrdered(spans: Spans): void {
  const n = spans.childCount;
  for (let i: u32 = 0; i < n; i++) spans.child(i).next = 0;
  let more = true;
  while (more) {
    for (let i: u32 = 1; i < n; i++) {
      const before = spans.child(i - 1);
      const child = spans.child(i);
      while (
        !ordered(
          before.start(before.next),
          before.end(before.next),
          child.start(child.next),
          child.end(child.next),
        )
      ) {
        if (++child.next >= child.count) return;
      }
    }
    const last = spans.child(n - 1);
    let start = last.start(last.next);
    const end = last.end(last.next);
    let lastStart = start;
    let lastEnd = end;
    let slop: i32 = 0;
    for (let i = <i32>n - 2; i >= 0; i--) {
      const child = spans.child(<u32>i);
      let childStart = child.start(child.next);
      let childEnd = child.end(child.next);
      while (true) {
        if (++child.next >= child.count) {
          more = false;
          break;
        }
        const nextStart = child.start(child.next);
        const nextEnd = child.end(child.next);
        if (!ordered(nextStart, nextEnd, lastStart, lastEnd)) break;
        childStart = nextStart;
        childEnd = nextEnd;
      }
      if (start > childEnd) slop += start - childEnd;
      start = childStart;
      lastStart = childStart;
      lastEnd = childEnd;
    }
    if (slop <= spans.slop) spans.add(start, end);
    // A single child has nobody before it to be advanced.
    if (n == 1 && ++last.next >= last.count) return;
  }
}

/** The same of two terms. */
function makeOrderedPair(spans: Spans): void {
  const first = spans.child(0);
  const second = spans.child(1);
  let a = first.starts;
  let b = second.starts;
  const aEnd = a + ((<usize>first.count) << 2);
  const bEnd = b + ((<usize>second.count) << 2);
  const slop = <i64>spans.slop;
  while (a < aEnd) {
    const start = load<i32>(a);
    while (load<i32>(b) <= start) {
      b += 4;
      if (b == bEnd) return;
    }
    const end = load<i32>(b);
    a += 4;
    while (a < aEnd && load<i32>(a) < end) a += 4;
    const last = load<i32>(a - 4);
    if (<i64>end - <i64>last - 1 <= slop) spans.add(last, end + 1);
  }
}

/** Spans of all children, in any order, that leave no more than `slop` positions between them. */
function makeUnordered(spans: Spans): void {
  const n = spans.childCount;
  let length: i32 = 0;
  let last: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const child = spans.child(i);
    child.next = 0;
    length += child.end(0) - child.start(0);
    if (child.end(0) > spans.child(last).end(0)) last = i;
  }
  while (true) {
    let first: u32 = 0;
    for (let i: u32 = 1; i < n; i++) {
      const child = spans.child(i);
      const least = spans.child(first);
      if (
        ordered(
          child.start(child.next),
          child.end(child.next),
          least.start(least.next),
          least.end(least.next),
        )
      )
        first = i;
    }
    const child = spans.child(first);
    const furthest = spans.child(last);
    const end = furthest.end(furthest.next);
    const start = child.start(child.next);
    if (end - start - length <= spans.slop) spans.add(start, end);
    length -= child.end(child.next) - start;
    if (++child.next >= child.count) return;
    length += child.end(child.next) - child.start(child.next);
    if (child.end(child.next) > furthest.end(furthest.next)) last = first;
  }
}

/** The spans of all children, each list in its order. */
function makeOr(spans: Spans): void {
  const n = spans.childCount;
  for (let i: u32 = 0; i < n; i++) spans.child(i).next = 0;
  while (true) {
    let first: i32 = -1;
    for (let i: u32 = 0; i < n; i++) {
      const child = spans.child(i);
      if (child.next >= child.count) continue;
      if (first >= 0) {
        const least = spans.child(<u32>first);
        if (
          !ordered(
            child.start(child.next),
            child.end(child.next),
            least.start(least.next),
            least.end(least.next),
          )
        )
          continue;
      }
      first = <i32>i;
    }
    if (first < 0) return;
    const child = spans.child(<u32>first);
    spans.add(child.start(child.next), child.end(child.next));
    child.next++;
  }
}

/** Spans of the first child that none of the second overlaps, with a margin. */
function makeNot(spans: Spans): void {
  const include = spans.child(0);
  const exclude = spans.child(1);
  const n = exclude.count;
  let e: u32 = 0;
  for (let i: u32 = 0; i < include.count; i++) {
    const start = include.start(i);
    const end = include.end(i);
    while (e < n && <i64>exclude.end(e) <= <i64>start - <i64>spans.pre) e++;
    if (e >= n || <i64>end + <i64>spans.post <= <i64>exclude.start(e)) spans.add(start, end);
  }
}

function makeFirst(spans: Spans): void {
  const child = spans.child(0);
  if (!child.ends) {
    let n: u32 = 0;
    while (n < child.count && child.start(n) < spans.post) n++;
    spans.take(child, n);
    return;
  }
  spans.clear();
  for (let i: u32 = 0; i < child.count; i++) {
    if (child.start(i) >= spans.post) return;
    if (child.end(i) <= spans.post) spans.add(child.start(i), child.end(i));
  }
}

/** Makes the spans in document `i` of those read; whether there are any. */
function makeSpans(spans: Spans, i: u32): bool {
  switch (spans.kind) {
    case SPAN_TERM:
      spans.starts = spans.rows.at(i);
      spans.count = spans.rows.count(i);
      break;
    case SPAN_OR:
      for (let k: u32 = 0; k < spans.childCount; k++) makeSpans(spans.child(k), i);
      spans.clear();
      makeOr(spans);
      break;
    case SPAN_NOT: {
      spans.count = 0;
      const include = spans.child(0);
      if (!makeSpans(include, i)) break;
      if (spans.childCount > 1 && makeSpans(spans.child(1), i)) {
        spans.clear();
        makeNot(spans);
      } else {
        spans.take(include, include.count);
      }
      break;
    }
    case SPAN_FIRST:
      spans.count = 0;
      if (makeSpans(spans.child(0), i)) makeFirst(spans);
      break;
    default:
      spans.clear();
      for (let k: u32 = 0; k < spans.childCount; k++) if (!makeSpans(spans.cheap(k), i)) return false;
      if (spans.kind == SPAN_NEAR_UNORDERED) makeUnordered(spans);
      else if (spans.flat && spans.childCount == 2) makeOrderedPair(spans);
      else makeOrdered(spans);
  }
  return spans.count > 0;
}

/** The sum over all spans of 1 / (length + 1): what stands for a frequency. */
function sumOf(spans: Spans): f32 {
  // All of them words: sums of halves are exact.
  if (!spans.ends) return <f32>spans.count * 0.5;
  let freq: f32 = 0;
  for (let i: u32 = 0; i < spans.count; i++) freq += <f32>1 / <f32>(spans.end(i) - spans.start(i) + 1);
  return freq;
}
