/**
 * npm run bench: how fast are the core's inner loops, each on its own?
 *
 * Runs the questions of kernels/registry.ts on build/kernels.release.wasm, some on the whole core, and prints the median beside the target. Words on the
 * command line select questions by title. Results go to bench/results/kernels-<timestamp>.json. The code has tiered up when it is measured;
 * cold starts, the host and whole queries are not measured here.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { Bench } from 'tinybench';
import type { KernelCore, Question } from './kernels/question.js';
import { questions } from './kernels/registry.js';

interface Result {
  question: string;
  case: string;
  unit: string;
  median: number;
  best: number;
  target: number | null;
  met: boolean | null;
  aim: number | null;
  runs: number;
}

/** Width of the column of cases. */
const NAME = 40;

function open(): KernelCore {
  const memory = new WebAssembly.Memory({ initial: 32 });
  const module = new WebAssembly.Module(readFileSync('build/kernels.release.wasm'));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const call: KernelCore['call'] = (name) => {
    const found = exports[name];
    if (typeof found !== 'function') throw new Error(`the kernels have no export ${name}`);
    return found as never;
  };
  const heapAlloc = call<(bytes: number) => number>('heapAlloc');
  const block = (bytes: number): number => {
    const ptr = heapAlloc(bytes) >>> 0;
    if (ptr === 0) throw new Error(`no memory for ${bytes} bytes`);
    return ptr;
  };
  return { memory, call, block };
}

async function ask(question: Question): Promise<Result[]> {
  const cases = question.cases(open());
  const bench = new Bench({ time: 150, warmupTime: 60 });
  for (const c of cases) bench.add(c.name, () => c.run());
  await bench.run();
  return cases.map((c) => {
    const result = bench.getTask(c.name)?.result;
    if (!result || !('latency' in result)) throw new Error(`${question.title}, ${c.name}: not measured`);
    const median = question.figure(c.work, result.latency.p50);
    const target = question.target ?? null;
    const met = target === null ? null : question.better === 'higher' ? median >= target : median <= target;
    return {
      question: question.title,
      case: c.name,
      unit: question.unit,
      median,
      best: question.figure(c.work, result.latency.min),
      target,
      met,
      aim: question.aim ?? null,
      runs: result.latency.samplesCount,
    };
  });
}

function print(question: Question, results: readonly Result[]): void {
  const sign = question.better === 'higher' ? '>=' : '<=';
  console.log(`\n${question.title} (${question.unit})`);
  console.log(
    `  ${'case'.padEnd(NAME)}${'median'.padStart(10)}${'best'.padStart(10)}${'target'.padStart(12)}${'aim'.padStart(10)}`,
  );
  for (const r of results) {
    const target = r.target === null ? '-' : `${sign} ${r.target}`;
    const verdict = r.met === null ? '' : r.met ? '  met' : '  MISSED';
    const figures = `${r.median.toFixed(2).padStart(10)}${r.best.toFixed(2).padStart(10)}${target.padStart(12)}`;
    const aim = (r.aim === null ? '-' : `${r.aim}`).padStart(10);
    console.log(`  ${r.case.padEnd(NAME)}${figures}${aim}${verdict}`);
  }
}

const wanted = process.argv.slice(2);
const chosen = questions.filter((q) => wanted.length === 0 || wanted.some((word) => q.title.includes(word)));
const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  node: process.version,
  v8: process.versions.v8,
};
console.log(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, V8 ${machine.v8}`);
const results: Result[] = [];
for (const question of chosen) {
  const answers = await ask(question);
  print(question, answers);
  results.push(...answers);
}
const date = new Date().toISOString();
const file = `bench/results/kernels-${date.replaceAll(':', '-')}.json`;
mkdirSync('bench/results', { recursive: true });
writeFileSync(file, `${JSON.stringify({ date, machine, results }, null, 2)}\n`);
console.log(`\n${file}`);
