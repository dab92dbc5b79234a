/**
 * npm run bench:aggs: what do aggregations and sorts over all of a million documents cost, in one thread?
 *
 * Measured: plan in, partials out, through the typed wrapper of the core, on one merged segment (bench/aggregations/shard.ts); beside
 * it what the host takes to read the partials and reduce them. Not in it: JSON, HTTP, reading sources, several shards. Each search
 * runs for half a second after as long a warm-up; the median counts. Words on the command line select searches by name,
 * `--docs N` takes another number of documents. Results go to bench/results/aggregations-<timestamp>.json.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Question, questions } from './aggregations/questions.js';
import { BenchShard, type Prepared } from './aggregations/shard.js';
import { releaseCore } from './releaseCore.js';
import { short, table } from './search/table.js';

const MILLION = 1_000_000;
const SECONDS = 0.5;

interface Measured {
  name: string;
  total: number;
  median: number;
  best: number;
  reduceMs: number | null;
  millionsPerSecond: number;
  target: string;
  met: boolean | null;
}

/** Milliseconds of each run within a time. */
function timesOf(run: () => void, seconds: number): number[] {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (times.length < 3 || performance.now() < end) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

function measure({ name, most, least }: Question, { total, run, reduce }: Prepared, docs: number): Measured {
  timesOf(run, SECONDS);
  const times = timesOf(run, SECONDS);
  const median = times[times.length >> 1]!;
  const perSecond = docs / median / 1000;
  const met =
    most !== undefined ? median <= (most * docs) / MILLION : least === undefined ? null : perSecond >= least;
  const reduced = reduce === undefined ? null : timesOf(reduce, SECONDS / 2);
  return {
    name,
    total,
    median,
    best: times[0]!,
    reduceMs: reduced === null ? null : reduced[reduced.length >> 1]!,
    millionsPerSecond: perSecond,
    target: most !== undefined ? `<= ${most} ms` : least === undefined ? '' : `>= ${least} M/s`,
    met,
  };
}

const args = process.argv.slice(2);
const docsAt = args.indexOf('--docs');
const docs = docsAt < 0 ? MILLION : Number(args.splice(docsAt, 2)[1]);
const chosen = questions.filter(({ name }) => args.length === 0 || args.some((word) => name.includes(word)));

const core = await releaseCore();
const started = performance.now();
const shard = new BenchShard(core, docs);
console.log(
  `${docs} documents indexed and merged in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
);
const results = chosen.map((question) => measure(question, shard.prepare(question.body), docs));
console.log(
  table(
    ['search', 'ms', 'best', 'M docs/s', 'reduce ms', 'target', ''],
    results.map((r) => [
      r.name,
      short(r.median),
      short(r.best),
      short(r.millionsPerSecond),
      r.reduceMs === null ? '' : short(r.reduceMs),
      r.target,
      r.met === null ? '' : r.met ? 'met' : 'MISSED',
    ]),
  ),
);
const date = new Date().toISOString();
const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
mkdirSync('bench/results', { recursive: true });
const file = `bench/results/aggregations-${date.replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify({ date, machine, docs, results }, null, 2)}\n`);
console.log(`\n${file}`);
