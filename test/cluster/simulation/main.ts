/**
 * `npm run simulate`: many runs of a simulated cluster.
 *
 *     npm run simulate -- [--seeds 1000] [--from 1] [--minutes M] [--jobs N]     N threads, one for each core unless given
 *     npm run simulate -- --seed 17                                             what happened in one
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { coverageTable } from './coverage.js';
import type { SeedReport } from './seedWorker.js';
import { simulate } from './simulation.js';
import { LATE_OPTIMIZING, YOUNG_MB } from './v8Options.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1000000' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
  },
});
setFlagsFromString(LATE_OPTIMIZING);

const module = await WebAssembly.compile(readFileSync(path.resolve('build/resilin.wasm')));

if (values.seed !== undefined) {
  const { problems, trace, world } = await simulate(Number(values.seed), module);
  const result = problems.length === 0 ? 'all is well' : problems.join('\n');
  process.stdout.write(`${JSON.stringify(world)}\n${trace.join('\n')}\n\n${result}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} else await many(Number(values.from), Number(values.seeds), Number(values.minutes), Number(values.jobs));

async function many(from: number, seeds: number, minutes: number, jobs: number): Promise<void> {
  const began = Date.now();
  const reports: SeedReport[] = [];
  let seed = from;
  const next = () => (seed < from + seeds && Date.now() - began < minutes * 60_000 ? seed++ : undefined);
  await Promise.all(Array.from({ length: jobs }, () => runSeeds(next, (report) => reports.push(report))));
  const failed = reports.filter(({ problems }) => problems.length > 0);
  const acknowledged = reports.reduce((sum, report) => sum + report.acknowledged, 0);
  const digests = reports.sort((a, b) => a.seed - b.seed).map(({ digest }) => digest);
  const digest = createHash('sha256').update(digests.join()).digest('hex').slice(0, 12);
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  const { user, system } = process.cpuUsage();
  const each = ((user + system) / 1000 / Math.max(1, reports.length)).toFixed(0);
  process.stdout.write(`${coverageTable(reports.map(({ counts }) => counts))}\n\n`);
  process.stdout.write(
    `${reports.length} seeds in ${seconds} s, ${each} ms of processor each: ${failed.length} failed, ${acknowledged} writes acknowledged, digest ${digest}\n`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Has a thread run one seed after the other until there is no next one. */
async function runSeeds(next: () => number | undefined, ended: (report: SeedReport) => void): Promise<void> {
  const worker = new Worker(new URL('./seedWorker.js', import.meta.url), {
    workerData: { module },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  await new Promise<void>((resolve, reject) => {
    const give = () => {
      const seed = next();
      if (seed === undefined) resolve();
      else worker.postMessage(seed);
    };
    worker.on('error', reject);
    worker.on('message', (report: SeedReport) => {
      const { seed, problems } = report;
      if (problems.length > 0) process.stdout.write(`seed ${seed}: ${problems.slice(0, 5).join('\n  ')}\n`);
      ended(report);
      give();
    });
    give();
  });
  await worker.terminate();
}
