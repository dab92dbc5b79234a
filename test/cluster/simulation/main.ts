/**
 * `npm run simulate`: many runs of a simulated cluster.
 *
 *     npm run simulate -- [--seeds 1000] [--from 1] [--minutes M]
 *     npm run simulate -- --seed 17                                  what happened in one
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { simulate } from './simulation.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1000000' },
    seed: { type: 'string' },
  },
});
const module = await WebAssembly.compile(readFileSync(path.resolve('build/resilin.wasm')));

if (values.seed !== undefined) {
  const { problems, trace } = await simulate(Number(values.seed), module);
  process.stdout.write(
    `${trace.join('\n')}\n\n${problems.length === 0 ? 'all is well' : problems.join('\n')}\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} else await many(Number(values.from), Number(values.seeds), Number(values.minutes));

async function many(from: number, seeds: number, minutes: number): Promise<void> {
  const began = Date.now();
  let [runs, failed, acknowledged] = [0, 0, 0];
  for (let seed = from; seed < from + seeds && Date.now() - began < minutes * 60_000; seed++) {
    const result = await simulate(seed, module);
    runs++;
    acknowledged += result.acknowledged;
    if (result.problems.length === 0) continue;
    failed++;
    process.stdout.write(`seed ${seed}: ${result.problems.slice(0, 5).join('\n  ')}\n`);
  }
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  process.stdout.write(
    `${runs} seeds in ${seconds} s: ${failed} failed, ${acknowledged} writes acknowledged\n`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
}
