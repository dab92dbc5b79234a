/** Quantiles of a t-digest's centroids, as 1.7 interpolates between them. */

import { javaIllegalArgument } from '../errors.js';

/** So many numbers around a mean; in lists ascending by mean. */
export interface Centroid {
  mean: number;
  weight: number;
}

/** The number below which that part of all numbers lies; `q` from 0 to 1. */
export function quantile(centroids: readonly Centroid[], q: number): number {
  if (!(q >= 0 && q <= 1)) throw javaIllegalArgument(`q should be in [0,1], got ${q}`);
  const [first] = centroids;
  if (first === undefined) return Number.NaN;
  if (centroids.length === 1) return first.mean;
  const count = centroids.reduce((sum, { weight }) => sum + weight, 0);
  const index = q * (count - 1);
  let before = 0;
  let mean = Number.NaN;
  let at = 0;
  for (let i = 0; i < centroids.length; i++) {
    const { mean: next, weight } = centroids[i]!;
    const nextAt = before + (weight - 1) / 2;
    if (nextAt >= index) {
      if (Number.isNaN(mean)) {
        if (nextAt === at) return next;
        // Before the first centroid numbers grow as between the first two.
        const second = centroids[i + 1]!;
        const secondAt = before + weight + (second.weight - 1) / 2;
        mean = (secondAt * next - nextAt * second.mean) / (secondAt - nextAt);
      }
      return between(at, index, nextAt, mean, next);
    }
    if (i === centroids.length - 1) {
      const lastAt = count - 1;
      const last = (next * (lastAt - at) - mean * (lastAt - nextAt)) / (nextAt - at);
      return between(nextAt, index, lastAt, next, last);
    }
    before += weight;
    mean = next;
    at = nextAt;
  }
  return Number.NaN;
}

function between(from: number, index: number, to: number, low: number, high: number): number {
  const width = to - from;
  return low * ((to - index) / width) + high * ((index - from) / width);
}

/**
 * The part of all numbers that lies below `x`, from 0 to 1, and at the second to last centroid a little off: as 1.7, which passes
 * over it.
 */
export function rank(centroids: readonly Centroid[], x: number): number {
  const [first, second] = centroids;
  if (first === undefined) return Number.NaN;
  if (second === undefined) return x < first.mean ? 0 : 1;
  const count = centroids.reduce((sum, { weight }) => sum + weight, 0);
  let left = (second.mean - first.mean) / 2;
  let right = left;
  let below = 0;
  const part = ({ mean, weight }: Centroid) =>
    (below + (weight * (x - (mean - left))) / (mean + right - (mean - left))) / count;
  let a = first;
  let b = second;
  for (let i = 2; i < centroids.length; i++) {
    if (x < a.mean + right) return part(a);
    below += a.weight;
    a = b;
    b = centroids[i]!;
    left = right;
    right = (b.mean - a.mean) / 2;
  }
  left = right;
  return x < b.mean + right ? part(b) : 1;
}

/** The centroids of several lists; those that would stand for too few numbers are joined, as the core does. */
export function mergeCentroids(
  lists: readonly (readonly Centroid[])[],
  compression: number,
): readonly Centroid[] {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only;
  const all = lists.flat().sort((a, b) => a.mean - b.mean);
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  const out: Centroid[] = [];
  let before = 0;
  let current: Centroid | undefined;
  for (const { mean, weight } of all) {
    if (current !== undefined) {
      const together: number = current.weight + weight;
      const q = (before + together / 2) / total;
      if (together <= (4 * total * q * (1 - q)) / compression) {
        current.mean += ((mean - current.mean) * weight) / together;
        current.weight = together;
        continue;
      }
      before += current.weight;
    }
    current = { mean, weight };
    out.push(current);
  }
  return out;
}
