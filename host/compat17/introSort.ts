/**
 * Lucene's IntroSorter (4.10): quicksort with insertion sort below and heap sort where it goes too deep. It isn't stable; 1.7 shows
 * what is equal in the order in which this leaves it.
 */

/** Fewer are sorted by insertion. */
const THRESHOLD = 20;

/** Sorts a list in place. */
export function introSort<T>(list: T[], compare: (a: T, b: T) => number): void {
  new IntroSorter(list, compare).sort();
}

class IntroSorter<T> {
  readonly #list: T[];
  readonly #compare: (a: T, b: T) => number;

  constructor(list: T[], compare: (a: T, b: T) => number) {
    this.#list = list;
    this.#compare = compare;
  }

  sort(): void {
    const n = this.#list.length;
    if (n > 1) this.#quicksort(0, n, 32 - Math.clz32(n - 1));
  }

  #order(i: number, j: number): number {
    return this.#compare(this.#list[i]!, this.#list[j]!);
  }

  #swap(i: number, j: number): void {
    const held = this.#list[i]!;
    this.#list[i] = this.#list[j]!;
    this.#list[j] = held;
  }

  #quicksort(from: number, to: number, depth: number): void {
    if (to - from < THRESHOLD) {
      this.#insertionSort(from, to);
      return;
    }
    if (depth <= 0) {
      this.#heapSort(from, to);
      return;
    }
    const mid = (from + to) >>> 1;
    if (this.#order(from, mid) > 0) this.#swap(from, mid);
    if (this.#order(mid, to - 1) > 0) {
      this.#swap(mid, to - 1);
      if (this.#order(from, mid) > 0) this.#swap(from, mid);
    }
    let left = from + 1;
    let right = to - 2;
    const pivot = this.#list[mid]!;
    for (;;) {
      while (this.#compare(pivot, this.#list[right]!) < 0) right--;
      while (left < right && this.#compare(pivot, this.#list[left]!) >= 0) left++;
      if (left >= right) break;
      this.#swap(left, right);
      right--;
    }
    this.#quicksort(from, left + 1, depth - 1);
    this.#quicksort(left + 1, to, depth - 1);
  }

  #insertionSort(from: number, to: number): void {
    for (let i = from + 1; i < to; i++)
      for (let j = i; j > from && this.#order(j - 1, j) > 0; j--) this.#swap(j - 1, j);
  }

  #heapSort(from: number, to: number): void {
    for (let i = ((to - 2 - from) >>> 1) + from; i >= from; i--) this.#siftDown(i, from, to);
    for (let end = to - 1; end > from; end--) {
      this.#swap(from, end);
      this.#siftDown(from, from, end);
    }
  }

  #siftDown(start: number, from: number, to: number): void {
    let i = start;
    for (;;) {
      const left = (i - from) * 2 + 1 + from;
      if (left >= to) return;
      const right = left + 1;
      let largest = i;
      if (this.#order(largest, left) < 0) largest = left;
      if (right < to && this.#order(largest, right) < 0) largest = right;
      if (largest === i) return;
      this.#swap(i, largest);
      i = largest;
    }
  }
}
