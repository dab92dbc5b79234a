/** Latencies as the server counts them: a histogram in Prometheus' text format, what was added to it, and its quantiles. */

/** How many requests took at most so long. */
export interface Histogram {
  /** Seconds, ascending; the last one is infinite. */
  bounds: readonly number[];
  /** For each bound, all requests that took no longer. */
  counts: readonly number[];
}

/**
 * Reads a histogram with one label.
 * @param name without `_bucket`
 * @param values the label's values; what they have is added
 */
export function readHistogram(
  text: string,
  name: string,
  label: string,
  values: readonly string[],
): Histogram | undefined {
  const byBound = new Map<number, number>();
  const start = `${name}_bucket{`;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at + start.length, end < 0 ? undefined : end);
    const [, labels = '', count = ''] = /^([^}]*)\} (\S+)/.exec(line) ?? [];
    const value = new RegExp(`(?:^|,)${label}="([^"]*)"`).exec(labels)?.[1];
    const bound = /(?:^|,)le="([^"]*)"/.exec(labels)?.[1];
    if (bound === undefined || value === undefined || !values.includes(value)) continue;
    const seconds = bound === '+Inf' ? Infinity : Number(bound);
    byBound.set(seconds, (byBound.get(seconds) ?? 0) + Number(count));
  }
  if (byBound.size === 0) return undefined;
  const bounds = [...byBound.keys()].sort((a, b) => a - b);
  return { bounds, counts: bounds.map((bound) => byBound.get(bound)!) };
}

/** What came between two readings; undefined where the counts began anew. */
export function addedTo(before: Histogram | undefined, now: Histogram): Histogram | undefined {
  if (before === undefined) return now;
  const counts = now.counts.map((count, i) => count - (before.counts[i] ?? 0));
  return counts.some((count) => count < 0) ? undefined : { bounds: now.bounds, counts };
}

/** How many requests are in it. */
export function countOf({ counts }: Histogram): number {
  return counts.at(-1) ?? 0;
}

/**
 * The seconds that a share of the requests took at most. Within a bucket they are taken to be spread evenly, so the answer is no more exact
 * than the bucket is wide; what is beyond all bounds counts as the last one. Undefined where there were no requests.
 * @param share from 0 to 1
 */
export function quantile(histogram: Histogram, share: number): number | undefined {
  const all = countOf(histogram);
  if (all === 0) return undefined;
  const { bounds, counts } = histogram;
  const rank = share * all;
  const at = counts.findIndex((count) => count >= rank && count > 0);
  const upper = bounds[at]!;
  const lower = at === 0 ? 0 : bounds[at - 1]!;
  if (upper === Infinity) return lower;
  const below = at === 0 ? 0 : counts[at - 1]!;
  const inside = counts[at]! - below;
  return inside === 0 ? upper : lower + (upper - lower) * ((rank - below) / inside);
}
