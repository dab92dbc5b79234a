/**
 * npm run bench:filters: what does a filter that comes again and again add to a query, in one thread?
 *
 * Measured: plan in, ten hits and the exact total out (`--engine`: the request's text in), the median of the query with the filter
 * over that of the query alone, on one merged segment of made-up documents (bench/filters/shard.ts), in alternating rounds, of which
 * the best counts. The filter is in the cache. Not in it: the first time of a filter, HTTP, reading sources, deletions. What counts is how many of the ratios are at
 * most 1.15. Words on the command line select queries by name, `--filter WORD` filters; `--docs N,N` takes other numbers of documents.
 * Results go to bench/results/filters-<timestamp>.json.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { filters, queries } from './filters/questions.js';
import { FilterShard } from './filters/shard.js';
import { releaseCore } from './releaseCore.js';
import { median } from './search/statistics.js';
import { short, table } from './search/table.js';

const ROUNDS = 9;
const ROUND_MS = 12;
const MOST = 1.15;

const args = process.argv.slice(2);
function option(name: string, fallback: string): string {
  const at = args.indexOf(name);
  return at < 0 ? fallback : (args.splice(at, 2)[1] ?? fallback);
}
const sizes = option('--docs', '100000,350000,1000000').split(',').map(Number);
const filterWord = option('--filter', '');
const engineAt = args.indexOf('--engine');
const throughEngine = engineAt >= 0 && args.splice(engineAt, 1).length > 0;
const chosen = queries.filter(({ name }) => args.length === 0 || args.some((word) => name.includes(word)));
const chosenFilters = filters.filter(({ name }) => name.includes(filterWord));

/** Microseconds of a run: the median of those of one round. */
function round(runs: readonly (() => void)[]): number {
  const times: number[] = [];
  const end = performance.now() + ROUND_MS;
  let before = performance.now();
  for (let i = 0; before < end || times.length < 3; i++) {
    runs[i % runs.length]!();
    const now = performance.now();
    times.push(now - before);
    before = now;
  }
  return median(times) * 1000;
}

interface Row {
  readonly docs: number;
  readonly query: string;
  readonly plain: number;
  readonly ratios: { readonly filter: string; readonly total: number; readonly ratio: number }[];
}

function searches(shard: FilterShard, bodies: readonly unknown[]): (() => number)[] {
  if (throughEngine) return bodies.map((body) => JSON.stringify(body)).map((text) => () => shard.ask(text));
  return bodies.map((body) => shard.plan(body)).map((plan) => () => shard.search(plan));
}

function measure(shard: FilterShard, docs: number): Row[] {
  return chosen.map(({ name, bodies }) => {
    const plain = searches(
      shard,
      bodies.map((query) => ({ query })),
    );
    const alone: number[] = [];
    const ratios = chosenFilters.map(({ name: filter, body }) => {
      const filtered = searches(
        shard,
        bodies.map((query) => ({ query: { filtered: { query, filter: body } } })),
      );
      const total = filtered[0]!();
      round(plain);
      round(filtered);
      let without = Number.POSITIVE_INFINITY;
      let within = Number.POSITIVE_INFINITY;
      for (let i = 0; i < ROUNDS; i++) {
        without = Math.min(without, round(plain));
        within = Math.min(within, round(filtered));
      }
      alone.push(without);
      return { filter, total, ratio: within / without };
    });
    return { docs, query: name, plain: median(alone), ratios };
  });
}

const core = await releaseCore();
const results: Row[] = [];
for (const docs of sizes) {
  const shard = new FilterShard(core, docs);
  const rows = measure(shard, docs);
  shard.drop();
  results.push(...rows);
  console.log(`\n${docs} documents: a query alone, in microseconds, and how many times that with a filter\n`);
  console.log(
    table(
      ['query', 'alone', ...chosenFilters.map(({ name }) => name)],
      rows.map(({ query, plain, ratios }) => [
        query,
        short(plain),
        ...ratios.map(({ ratio }) => short(ratio)),
      ]),
    ),
  );
  const all = rows.flatMap(({ ratios }) => ratios.map(({ ratio }) => ratio));
  const met = all.filter((ratio) => ratio <= MOST).length;
  console.log(`\n${met} of ${all.length} at most ${MOST}; median ${short(median(all))}`);
}
const date = new Date().toISOString();
const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
mkdirSync('bench/results', { recursive: true });
const file = `bench/results/filters-${date.replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify({ date, machine, throughEngine, results }, null, 2)}\n`);
console.log(`\n${file}`);
