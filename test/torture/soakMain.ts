/**
 * `npm run soak -- [--operations 1000000] [--seed 1] [--heap 128] [--server MAIN]`: mixed operations on a server with a heap of
 * so many MiB, every answer compared with a model's. Ends with 1 if one differs, or if memory grows: the last fifth may not
 * take a quarter more than the third and fourth tenth.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { soak } from './soak.js';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    heap: { type: 'string', default: '128' },
    server: { type: 'string', default: 'build/js/host/cli/main.js' },
  },
});
const data = mkdtempSync(join(tmpdir(), 'resilin-soak-'));
const started = performance.now();
const { problems, memory, ...figures } = await soak({
  main: resolve(values.server),
  data,
  operations: Number(values.operations),
  seed: Number(values.seed),
  heap: Number(values.heap),
  log: (line) => console.log(line),
});
const early = Math.max(memory[2] ?? 0, memory[3] ?? 0);
const late = Math.max(memory[8] ?? 0, memory[9] ?? 0);
if (late > 1.25 * early) problems.push(`memory grew from ${early} to ${late} MiB`);
console.log({
  ...figures,
  seconds: Math.round((performance.now() - started) / 1000),
  memory: memory.join(' '),
});
for (const problem of problems) console.log(problem);
rmSync(data, { recursive: true, force: true });
process.exitCode = problems.length === 0 ? 0 : 1;
