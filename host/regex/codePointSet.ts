/** Sets of Unicode code points, as sorted ranges. */

export const MAX_CODE_POINT = 0x10ffff;

/** An immutable set of code points. */
export class CodePointSet {
  /** First and last of each range in turn, ascending; no two ranges touch. */
  readonly ranges: readonly number[];
  #key: string | undefined;

  private constructor(ranges: readonly number[]) {
    this.ranges = ranges;
  }

  static readonly empty = new CodePointSet([]);
  static readonly all = new CodePointSet([0, MAX_CODE_POINT]);

  /** The set of `first..last` pairs given one after the other, in any order, overlapping or not. */
  static of(...bounds: number[]): CodePointSet {
    return CodePointSet.from(bounds);
  }

  /** As {@link of}, for many. */
  static from(bounds: readonly number[]): CodePointSet {
    const pairs: [number, number][] = [];
    for (let i = 0; i < bounds.length; i += 2) pairs.push([bounds[i]!, bounds[i + 1]!]);
    pairs.sort((a, b) => a[0] - b[0]);
    const ranges: number[] = [];
    for (const [low, high] of pairs) {
      const last = ranges.length - 1;
      if (last > 0 && low <= ranges[last]! + 1) ranges[last] = Math.max(ranges[last]!, high);
      else ranges.push(low, high);
    }
    return new CodePointSet(ranges);
  }

  /** The set of the code points of a text. */
  static ofText(text: string): CodePointSet {
    return CodePointSet.from([...text].flatMap((c) => [c.codePointAt(0)!, c.codePointAt(0)!]));
  }

  has(codePoint: number): boolean {
    let low = 0;
    let high = this.ranges.length >>> 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ranges[2 * middle + 1]! < codePoint) low = middle + 1;
      else high = middle;
    }
    return 2 * low < this.ranges.length && this.ranges[2 * low]! <= codePoint;
  }

  union(...others: CodePointSet[]): CodePointSet {
    return CodePointSet.from([this, ...others].flatMap((each) => each.ranges));
  }

  complement(): CodePointSet {
    const ranges: number[] = [];
    let from = 0;
    for (let i = 0; i < this.ranges.length; i += 2) {
      if (this.ranges[i]! > from) ranges.push(from, this.ranges[i]! - 1);
      from = this.ranges[i + 1]! + 1;
    }
    if (from <= MAX_CODE_POINT) ranges.push(from, MAX_CODE_POINT);
    return new CodePointSet(ranges);
  }

  intersection(other: CodePointSet): CodePointSet {
    const ranges: number[] = [];
    const [a, b] = [this.ranges, other.ranges];
    for (let i = 0, j = 0; i < a.length && j < b.length; ) {
      const low = Math.max(a[i]!, b[j]!);
      const high = Math.min(a[i + 1]!, b[j + 1]!);
      if (low <= high) ranges.push(low, high);
      if (a[i + 1]! < b[j + 1]!) i += 2;
      else j += 2;
    }
    return new CodePointSet(ranges);
  }

  /** A text that is the same for equal sets and for no others. */
  get key(): string {
    this.#key ??= this.ranges.join();
    return this.#key;
  }
}
