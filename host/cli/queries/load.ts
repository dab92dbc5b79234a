/** Sends queries over several connections, each of which has one request under way: the next goes out when an answer has come. */
import { errorOf, type Requests } from '../remote/requests.js';
import { Latencies } from './latencies.js';
import type { NamedQuery } from './queryFile.js';

/** What was seen of a query. */
export interface Seen {
  name: string;
  latencies: Latencies;
  /** Answers that were no success, or whose time was over. */
  failed: number;
}

export interface LoadOptions {
  connections: number;
  /** Milliseconds in which requests are begun, and before that those that don't count. */
  ms: number;
  warmUpMs: number;
  /** Requests after which it ends; those that don't count aren't among them. */
  most: number;
  stop: AbortSignal;
}

/** All that was seen. */
export interface Load {
  queries: Seen[];
  /** From the first request that counts to the last answer, in milliseconds. */
  ms: number;
  /** The first answer that was no success. */
  error: string | undefined;
}

const HEAD_BYTES = 200;
const TIMED_OUT = /"timed_out"\s*:\s*true/;

/** Measures. Throws `NoAnswer` where a connection breaks. */
export async function load(
  requests: Requests,
  queries: readonly NamedQuery[],
  { connections, ms, warmUpMs, most, stop }: LoadOptions,
): Promise<Load> {
  const seen = queries.map(({ name }) => ({ name, latencies: new Latencies(), failed: 0 }));
  let error: string | undefined;
  let next = 0;
  const lane = async (end: number, left: { requests: number }, counts: boolean) => {
    while (performance.now() < end && left.requests > 0 && !stop.aborted) {
      left.requests--;
      const at = next++ % queries.length;
      const { path, body } = queries[at]!;
      const began = performance.now();
      const answer = await requests.send('POST', path, body);
      const took = performance.now() - began;
      const isFailed = answer.status >= 300 || TIMED_OUT.test(answer.body.toString('latin1', 0, HEAD_BYTES));
      if (isFailed) error ??= `${path} answers with ${answer.status}: ${errorOf(answer)}`;
      if (!counts) continue;
      if (isFailed) seen[at]!.failed++;
      else seen[at]!.latencies.add(took);
    }
  };
  const all = (end: number, left: { requests: number }, counts: boolean) =>
    Promise.all(Array.from({ length: connections }, () => lane(end, left, counts)));
  await all(performance.now() + warmUpMs, { requests: Number.POSITIVE_INFINITY }, false);
  next = 0;
  const began = performance.now();
  await all(began + ms, { requests: most }, true);
  return { queries: merged(seen), ms: performance.now() - began, error };
}

/** Queries of the same name are one. */
function merged(seen: readonly Seen[]): Seen[] {
  const byName = new Map<string, Seen>();
  for (const each of seen) {
    const before = byName.get(each.name);
    if (before === undefined) byName.set(each.name, each);
    else {
      before.latencies.take(each.latencies);
      before.failed += each.failed;
    }
  }
  return [...byName.values()];
}
