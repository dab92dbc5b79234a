import { SPAN_FIRST, SPAN_NEAR_UNORDERED, SPAN_NOT, SPAN_OR, SPAN_TERM, Spans } from './spans';

// All spans of a node in one document, of those that its children have there, in the order in which Lucene 4.10's span queries bring
// them up.

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
export function makeSpans(spans: Spans, i: u32): bool {
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
