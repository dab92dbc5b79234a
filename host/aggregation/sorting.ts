/** Sorting of many buckets, which lets others have the event loop between. */
import type { Turns } from '../workLimit.js';
import type { Reduction } from './reduction.js';

/** So many are sorted at a time. */
const RUN = 4096;

/** The list in order; what is equal stays as it was. */
export function* sorted<T>(list: readonly T[], order: (a: T, b: T) => number, work: Reduction): Turns<T[]> {
  if (list.length <= RUN) return list.toSorted(order);
  let runs: T[][] = [];
  for (let at = 0; at < list.length; at += RUN) {
    runs.push(list.slice(at, at + RUN).sort(order));
    if (work.isDue(RUN)) yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const second = runs[i + 1];
      longer.push(second === undefined ? runs[i]! : yield* merged(runs[i]!, second, order, work));
    }
    runs = longer;
  }
  return runs[0]!;
}

function* merged<T>(
  a: readonly T[],
  b: readonly T[],
  order: (a: T, b: T) => number,
  work: Reduction,
): Turns<T[]> {
  const out: T[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    out.push(order(a[i]!, b[j]!) <= 0 ? a[i++]! : b[j++]!);
    if (work.isDue()) yield;
  }
  for (; i < a.length; i++) out.push(a[i]!);
  for (; j < b.length; j++) out.push(b[j]!);
  return out;
}
