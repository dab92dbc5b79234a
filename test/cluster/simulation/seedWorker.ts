/** A thread that runs the seeds that it is given, one after the other. */
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { Counts } from './coverage.js';
import { simulate } from './simulation.js';

/** What a seed came to. */
export interface SeedReport {
  seed: number;
  problems: string[];
  acknowledged: number;
  counts: Counts;
  /** Of all that happened: the same each time. */
  digest: string;
}

const port = parentPort!;
const { module } = workerData as { module: WebAssembly.Module };

port.on('message', async (seed: number) => {
  const { problems, acknowledged, counts, trace } = await simulate(seed, module);
  const digest = createHash('sha256').update(trace.join('\n')).digest('hex');
  port.postMessage({ seed, problems, acknowledged, counts, digest } satisfies SeedReport);
});
