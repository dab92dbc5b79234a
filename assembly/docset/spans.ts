import { normTable } from '../codec/norm';
import { requestAlloc } from '../memory/arena';
import { contains, currentFreq } from '../postings/cursor';
import { loadPositions, PositionsCursor } from '../postings/positions';

// Spans: places of a document from a first position to one behind the last, found by terms and put together by nearness,
// alternatives, exclusion and position. All spans of a node in one document are made at once, as two lists, in the order in which
// Lucene 4.10's span queries bring them up.

export const SPAN_TERM: u8 = 0;
export const SPAN_NEAR_ORDERED: u8 = 1;
export const SPAN_NEAR_UNORDERED: u8 = 2;
export const SPAN_OR: u8 = 3;
export const SPAN_NOT: u8 = 4;
export const SPAN_FIRST: u8 = 5;

@unmanaged
export class Spans {
  kind: u8;
  /** Array of Spans pointers; of an exclusion the second may be missing. */
  children: usize;
  childCount: u32;
  term: PositionsCursor;
  slop: i32;
  /** Of an exclusion: how far before and behind; of a first span: where it must end, in `post`. */
  pre: i32;
  post: i32;
  /** The document whose spans are in the lists, plus one. */
  made: u32;
  /** i32 first positions and positions behind the last; `ends` is 0 where these are the next ones. */
  starts: usize;
  ends: usize;
  count: u32;
  capacity: u32;
  /** Where a walk through the lists stands. */
  next: u32;

  @inline child(i: u32): Spans {
    return changetype<Spans>(load<usize>(this.children + <usize>i * sizeof<usize>()));
  }
  @inline start(i: u32): i32 {
    return load<i32>(this.starts + ((<usize>i) << 2));
  }
  @inline end(i: u32): i32 {
    const at = (<usize>i) << 2;
    return this.ends ? load<i32>(this.ends + at) : load<i32>(this.starts + at) + 1;
  }

  add(start: i32, end: i32): void {
    if (this.count == this.capacity) {
      const capacity = max<u32>(16, this.capacity << 1);
      const starts = requestAlloc(capacity << 2);
      const ends = requestAlloc(capacity << 2);
      if (!starts || !ends) {
        spanMemoryFailed = true;
        return;
      }
      memory.copy(starts, this.starts, (<usize>this.count) << 2);
      memory.copy(ends, this.ends, (<usize>this.count) << 2);
      this.starts = starts;
      this.ends = ends;
      this.capacity = capacity;
    }
    store<i32>(this.starts + ((<usize>this.count) << 2), start);
    store<i32>(this.ends + ((<usize>this.count) << 2), end);
    this.count++;
  }
}

/** Documents whose frequencies are kept: those of a block are counted one after the other, and then scored. */
const RECENT: u32 = 256;

/** The outermost spans of a query, which score. */
@unmanaged
export class SpanScore {
  spans: Spans;
  value: f32;
  norms: usize;
  /** Of the document that `spanMatches` was asked for last: the sum over all spans of 1 / (length + 1). */
  freq: f32;
  /** The spans are single words: no positions are needed to count them. */
  private words: bool;
  /** Documents asked for lately (plus one) with their frequencies, u32 and f32 at 8 × the lowest bits of the document. */
  private recent: usize;

  /** null where the arena has no room. */
  static make(spans: Spans, value: f32, norms: usize): SpanScore | null {
    const at = requestAlloc(offsetof<SpanScore>());
    const recent = requestAlloc(RECENT << 3);
    if (!at || !recent) return null;
    memory.fill(at, 0, offsetof<SpanScore>());
    memory.fill(recent, 0, RECENT << 3);
    const score = changetype<SpanScore>(at);
    score.spans = spans;
    score.value = value;
    score.norms = norms;
    score.words = areWords(spans);
    score.recent = recent;
    return score;
  }

  /** Whether `doc` has been asked for lately. */
  @inline knows(doc: u32): bool {
    return load<u32>(this.recent + ((<usize>(doc & (RECENT - 1))) << 3)) == doc + 1;
  }

  /** Whether `doc` has spans. */
  matches(doc: u32): bool {
    const known = this.recent + ((<usize>(doc & (RECENT - 1))) << 3);
    if (!this.knows(doc)) {
      let freq: f32 = 0;
      // A word is a span of length 1.
      if (this.words) freq = <f32>occurrences(this.spans, doc) * 0.5;
      else if (makeSpans(this.spans, doc)) freq = sumOf(this.spans);
      store<u32>(known, doc + 1);
      store<f32>(known, freq, 4);
    }
    this.freq = load<f32>(known, 4);
    return this.freq > 0;
  }
}

/** Whether all spans are single words. */
function areWords(spans: Spans): bool {
  if (spans.kind != SPAN_OR) return spans.kind == SPAN_TERM;
  for (let i: u32 = 0; i < spans.childCount; i++) if (!areWords(spans.child(i))) return false;
  return true;
}

/** How many single words there are in a document. */
function occurrences(spans: Spans, doc: u32): u32 {
  if (spans.kind == SPAN_TERM) {
    const postings = spans.term.postings;
    return contains(postings, doc) ? currentFreq(postings) : 0;
  }
  let n: u32 = 0;
  for (let i: u32 = 0; i < spans.childCount; i++) n += occurrences(spans.child(i), doc);
  return n;
}

/** Set when a search ran out of arena; the search then ends with ERR_MEMORY. */
export let spanMemoryFailed: bool = false;

export function resetSpanMemory(): void {
  spanMemoryFailed = false;
}

/** Whether a span comes before another. */
function ordered(start: i32, end: i32, otherStart: i32, otherEnd: i32): bool {
  return start == otherStart ? end < otherEnd : start < otherStart;
}

function makeTerm(spans: Spans, doc: u32): void {
  const positions = spans.term;
  if (!contains(positions.postings, doc)) return;
  if (!loadPositions(positions)) {
    spanMemoryFailed = true;
    return;
  }
  spans.starts = positions.positions;
  spans.count = positions.count;
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
  const exclude = spans.childCount > 1 ? spans.child(1) : include;
  const n: u32 = spans.childCount > 1 ? exclude.count : 0;
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
  for (let i: u32 = 0; i < child.count; i++) {
    if (child.start(i) >= spans.post) return;
    if (child.end(i) <= spans.post) spans.add(child.start(i), child.end(i));
  }
}

/** Makes the spans of a document; whether there are any. */
function makeSpans(spans: Spans, doc: u32): bool {
  if (spans.made == doc + 1) return spans.count > 0;
  spans.made = doc + 1;
  spans.count = 0;
  if (spans.kind == SPAN_TERM) {
    makeTerm(spans, doc);
    return spans.count > 0;
  }
  const near = spans.kind == SPAN_NEAR_ORDERED || spans.kind == SPAN_NEAR_UNORDERED;
  for (let i: u32 = 0; i < spans.childCount; i++) {
    const any = makeSpans(spans.child(i), doc);
    if (!any && (near || (!i && spans.kind != SPAN_OR))) return false;
  }
  switch (spans.kind) {
    case SPAN_NEAR_ORDERED:
      makeOrdered(spans);
      break;
    case SPAN_NEAR_UNORDERED:
      makeUnordered(spans);
      break;
    case SPAN_OR:
      makeOr(spans);
      break;
    case SPAN_NOT:
      makeNot(spans);
      break;
    default:
      makeFirst(spans);
  }
  return spans.count > 0;
}

/** The sum over all spans of 1 / (length + 1): what stands for a frequency. */
function sumOf(spans: Spans): f32 {
  let freq: f32 = 0;
  for (let i: u32 = 0; i < spans.count; i++) freq += <f32>1 / <f32>(spans.end(i) - spans.start(i) + 1);
  return freq;
}

/** Score of a document that matches. */
export function spanScore(score: SpanScore, doc: u32): f32 {
  const raw = f32.sqrt(score.freq) * score.value;
  if (!score.norms) return raw;
  return raw * load<f32>(normTable() + ((<usize>load<u8>(score.norms + doc)) << 2));
}
