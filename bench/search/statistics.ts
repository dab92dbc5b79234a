/** Latencies of one query, in microseconds. */
export interface Latency {
  readonly runs: number;
  readonly median: number;
  readonly p95: number;
}

/** Nearest-rank percentile of ascending values. */
export function percentile(ascending: ArrayLike<number>, percent: number): number {
  const rank = Math.ceil((ascending.length * percent) / 100);
  return ascending[Math.max(rank, 1) - 1] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

const samples = new Float64Array(1 << 20);

/**
 * Repeats a call for `seconds`, after half that time, and at most two seconds, of warming up. The clock is read once a
 * run; reading it, some 50 ns, is part of each run, as it is in the oracle's bench.
 */
export function timed(run: () => void, seconds: number): Latency {
  const warm = performance.now() + Math.min(seconds * 500, 2000);
  do run();
  while (performance.now() < warm);
  let count = 0;
  let before = performance.now();
  const end = before + seconds * 1000;
  do {
    run();
    const now = performance.now();
    samples[count++] = now - before;
    before = now;
  } while (before < end && count < samples.length);
  const sorted = samples.subarray(0, count).sort();
  return { runs: count, median: percentile(sorted, 50) * 1000, p95: percentile(sorted, 95) * 1000 };
}

/** The same for a call that returns a promise. */
export async function timedAsync(run: () => Promise<unknown>, seconds: number): Promise<Latency> {
  const warm = performance.now() + Math.min(seconds * 500, 2000);
  do await run();
  while (performance.now() < warm);
  const times: number[] = [];
  let before = performance.now();
  const end = before + seconds * 1000;
  do {
    await run();
    const now = performance.now();
    times.push(now - before);
    before = now;
  } while (before < end);
  const sorted = Float64Array.from(times).sort();
  return { runs: times.length, median: percentile(sorted, 50) * 1000, p95: percentile(sorted, 95) * 1000 };
}

/** A query's latency over several rounds: the median of the rounds' figures. */
export function overRounds(rounds: readonly Latency[]): Latency {
  return {
    runs: rounds.reduce((sum, round) => sum + round.runs, 0),
    median: median(rounds.map((round) => round.median)),
    p95: median(rounds.map((round) => round.p95)),
  };
}

/**
 * A category's latency: the median of its queries' medians, and the 95th percentile of its queries' 95th percentiles.
 */
export function ofCategory(queries: readonly Latency[]): Latency {
  const p95s = queries.map((query) => query.p95).sort((a, b) => a - b);
  return {
    runs: queries.reduce((sum, query) => sum + query.runs, 0),
    median: median(queries.map((query) => query.median)),
    p95: percentile(p95s, 95),
  };
}
