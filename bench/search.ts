/**
 * How fast and how small is Resilin on a corpus, and how exact, beside Lucene 4.10.4 and the JavaScript libraries?
 * One thread, one shard, one merged segment; bench/README.md says what is measured and what is not.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { census } from './search/census.js';
import { type Comparison, compare, emptyComparison } from './search/check.js';
import { type NamedQuery, readJsonLines, readQueries, readSpec } from './search/corpus.js';
import {
  indexingMeasures,
  latencyMeasures,
  type Measure,
  measuresTable,
  peerMeasure,
  postingMeasure,
} from './search/measures.js';
import { type Options, readOptions } from './search/options.js';
import { type OracleAnswer, OracleBench, OracleInput, oracleAnswers } from './search/oracle.js';
import { runPeers } from './search/peerRounds.js';
import { measurePostings } from './search/postings.js';
import * as report from './search/report.js';
import { indexCorpus, type Resilin } from './search/resilin.js';
import { byCategory, runRounds } from './search/run.js';

const CORE = 'build/resilin.wasm';

const options = readOptions(process.argv.slice(2));
const spec = readSpec(options.spec);
const queries = options.queries === '' ? [] : readQueries(options.queries);
const wasm = readFileSync(CORE);
const whole = options.limit === Number.POSITIVE_INFINITY;
const measures: Measure[] = [];
const results: Record<string, unknown> = {
  date: new Date().toISOString(),
  machine: { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version, platform: process.platform },
  options: { ...options, limit: whole ? null : options.limit },
};

if (options.oracle === undefined)
  console.log('Lucene: left out, there is no JDK (--oracle DIR names a program that asks it)\n');

// Indexing, ours first; a second run of ours while Lucene's process is stopped.
const resilin = await indexCorpus(wasm, spec, options.corpus, options.limit);
const image = resilin.image();
const parts = census(image);
report.printIndexing(resilin.indexing, parts);
results.indexing = { ...resilin.indexing, census: parts };

let input: OracleInput | undefined;
let oracle: OracleBench | undefined;
if (options.oracle !== undefined && (queries.length > 0 || !options.check)) {
  input = new OracleInput(spec);
  await input.useCorpus(options.corpus, options.limit);
  process.stderr.write('Lucene reads and indexes the corpus\n');
  oracle = await OracleBench.start(options.oracle, input, queries, options.rounds, options.seconds);
  const again = (await indexCorpus(wasm, spec, options.corpus, options.limit)).indexing;
  const theirs = oracle.indexing;
  const theirMs = theirs.index_ms + theirs.force_merge_ms;
  const ourMs = Math.min(resilin.indexing.ms, again.ms);
  results.indexingAgain = again;
  results.oracleIndexing = theirs;
  report.printOracleIndexing(theirs, again);
  measures.push(...indexingMeasures(theirMs / ourMs, parts.bytes.image / theirs.bytes));
}

if (queries.length > 0) {
  const figures = await runRounds(resilin, oracle, queries, options.rounds, options.seconds);
  oracle?.close();
  const categories = byCategory(figures);
  report.printCategories(categories);
  report.printTotals(figures, options.totals);
  results.categories = categories;
  results.queries = figures;
  const compared = categories.flatMap(({ category, core, lucene }) =>
    lucene ? [{ category, core, lucene }] : [],
  );
  if (compared.length > 0) measures.push(...latencyMeasures(compared));

  const postings = measurePostings(resilin, queries, options.seconds);
  report.printPostings(postings);
  results.postings = postings;
  if (postings.length > 0) measures.push(postingMeasure(report.nanosecondsPerPosting(postings)));
}

if (options.check && queries.length > 0) {
  const comparison = checked(resilin, options, queries, input);
  if (comparison !== undefined) report.printComparison(comparison);
  results.check = comparison;
}
input?.remove();

if (options.peers) {
  const docs = Math.min(options.peerDocs, options.limit);
  const peers = await runPeers(wasm, spec, options.corpus, docs, queries, options.rounds, options.seconds);
  report.printPeers(peers);
  results.peers = peers;
  measures.push(
    peerMeasure(peers.fastest.timesFasterCore, `${peers.docs} documents, ${peers.fastest.queries} queries`),
  );
}

if (measures.length > 0) console.log(`${measuresTable(measures)}\n`);
results.measures = measures;
mkdirSync('bench/results', { recursive: true });
const file = `bench/results/${options.name}.json`;
writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
console.log(`written: ${file}`);
process.exit(0);

/** Compares with a saved output of the oracle, or with the oracle itself; says so where there is neither. */
function checked(
  engine: Resilin,
  { expected, oracle: folder, corpus, limit }: Options,
  asked: readonly NamedQuery[],
  files: OracleInput | undefined,
): Comparison | undefined {
  let answers: OracleAnswer[];
  if (expected !== undefined) answers = readJsonLines<OracleAnswer>(expected);
  else if (folder !== undefined && files !== undefined) answers = oracleAnswers(folder, files, asked);
  else {
    console.log(
      `check: skipped, there is neither an oracle nor --expected for ${corpus.join(' ')} (${limit} documents)\n`,
    );
    return undefined;
  }
  const comparison = emptyComparison();
  const byName = new Map(answers.map((answer) => [answer.name, answer]));
  for (const { name, query } of asked) {
    const answer = byName.get(name);
    if (answer === undefined) continue;
    const size = Math.max(10, answer.hits.length);
    compare(comparison, answer, engine.search(JSON.stringify({ query, size })));
  }
  return comparison;
}
