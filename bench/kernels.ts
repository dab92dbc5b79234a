/**
 * npm run bench: how fast are the core's inner loops, each on its own, beside their targets?
 *
 * Runs the questions of host/kernels/questions, as `resilin bench` does from the package. Words on the command line select questions by title. Results go
 * to bench/results/kernels-<timestamp>.json. The code has tiered up when it is measured; cold starts, the host and whole queries are not
 * measured here.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Measured } from '../host/kernels/measure.js';
import { caseLine, titleLine } from '../host/kernels/table.js';
import { bench } from '../host/server/kernelsEntry.js';
import { describeMachine } from '../host/server/machine.js';

/** Nanoseconds for an item: what to reach, and what to aim at. */
const TARGETS: Readonly<Record<string, { target: number; aim?: number }>> = {
  'block decode with delta': { target: 1 / 3, aim: 1 / 4 },
  'bitset AND + count': { target: 100_000 / 8_000_000 },
  'scoring loop, one term': { target: 3.5, aim: 2.5 },
  'first ten of a million by a column': { target: 5 },
  'points within a distance': { target: 1 / 0.15 },
  'standard analyzer, English': { target: 1000 / 150 },
};

function verdict({ question, nanoseconds }: Measured): string {
  const { target, aim } = TARGETS[question] ?? {};
  if (target === undefined) return '';
  if (nanoseconds > target) return `  MISSED ${target.toFixed(4)}`;
  return aim === undefined || nanoseconds > aim ? '  met' : '  met, and the aim';
}

const only = process.argv.slice(2);
const machine = describeMachine();
console.log(`${machine.cpu}, ${machine.cores} cores, ${machine.runtime}, V8 ${process.versions.v8}`);
const results: Measured[] = [];
for await (const result of bench({ only })) {
  if (results.at(-1)?.question !== result.question) console.log(`\n${titleLine(result)}`);
  console.log(`${caseLine(result)}${verdict(result)}`);
  results.push(result);
}
const date = new Date().toISOString();
const file = `bench/results/kernels-${date.replaceAll(':', '-')}.json`;
mkdirSync('bench/results', { recursive: true });
writeFileSync(file, `${JSON.stringify({ date, machine, targets: TARGETS, results }, null, 2)}\n`);
console.log(`\n${file}`);
