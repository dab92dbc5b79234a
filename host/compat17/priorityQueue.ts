/** Lucene's PriorityQueue, for the order in which it gives back what is equal. */

/** The `most` largest, largest first, as 1.7 takes them from a queue into which all are put one by one. */
export function largestOf<T>(list: readonly T[], most: number, lessThan: (a: T, b: T) => boolean): T[] {
  const heap: T[] = [];
  for (const each of list) {
    if (heap.length < most) {
      heap.push(each);
      siftUp(heap, lessThan);
    } else if (most > 0 && !lessThan(each, heap[0]!)) {
      heap[0] = each;
      siftDown(heap, lessThan);
    }
  }
  const out: T[] = [];
  while (heap.length > 0) {
    out.push(heap[0]!);
    const last = heap.pop()!;
    if (heap.length === 0) break;
    heap[0] = last;
    siftDown(heap, lessThan);
  }
  return out.reverse();
}

function siftUp<T>(heap: T[], lessThan: (a: T, b: T) => boolean): void {
  let i = heap.length - 1;
  const held = heap[i]!;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!lessThan(held, heap[parent]!)) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = held;
}

function siftDown<T>(heap: T[], lessThan: (a: T, b: T) => boolean): void {
  let i = 0;
  const held = heap[0]!;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && lessThan(heap[child + 1]!, heap[child]!)) child++;
    if (!lessThan(heap[child]!, held)) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = held;
}
