import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { corpusLines, type NamedQuery, type Spec } from './corpus.js';
import type { Latency } from './statistics.js';

/** What the oracle's bench says about indexing. */
export interface OracleIndexing {
  readonly docs: number;
  readonly index_ms: number;
  readonly force_merge_ms: number;
  readonly bytes: number;
}

/** A line of `oracle search`. */
export interface OracleAnswer {
  readonly name: string;
  readonly total: number;
  readonly max_score: number | null;
  readonly hits: { id: string; score: number; bits: string }[];
}

interface BenchLine {
  readonly name: string;
  readonly total: number;
  readonly runs: number;
  readonly median_us: number;
  readonly p95_us: number;
}

/** Queries that match nothing, between the rounds: the process is stopped and continued while it runs them. */
const PAUSE = '_pause';
const PAUSES = 3;

/** The oracle's corpus is one plain file, its spec a file: made here where what is given differs. */
export class OracleInput {
  readonly #folder = mkdtempSync(join(tmpdir(), 'resilin-bench-'));
  corpus = '';
  readonly spec: string;

  constructor(spec: Spec) {
    this.spec = join(this.#folder, 'spec.json');
    writeFileSync(this.spec, JSON.stringify(spec));
  }

  async useCorpus(files: readonly string[], limit: number): Promise<void> {
    const [only] = files;
    if (
      files.length === 1 &&
      only !== undefined &&
      !only.endsWith('.gz') &&
      limit === Number.POSITIVE_INFINITY
    ) {
      this.corpus = resolve(only);
      return;
    }
    this.corpus = join(this.#folder, 'corpus.jsonl');
    const out = createWriteStream(this.corpus);
    for await (const line of corpusLines(files, limit)) {
      if (!out.write(`${line}\n`)) await once(out, 'drain');
    }
    out.end();
    await once(out, 'finish');
  }

  file(name: string, lines: readonly unknown[]): string {
    const file = this.path(name);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Answers of Lucene to the queries, top 20. */
export function oracleAnswers(
  folder: string,
  input: OracleInput,
  queries: readonly NamedQuery[],
): OracleAnswer[] {
  const file = input.file(
    'search.jsonl',
    queries.map(({ name, query }) => ({ name, query })),
  );
  const args = ['search', '--corpus', input.corpus, '--spec', input.spec, '--queries', file, '--top', '20'];
  return execFileSync(join(folder, 'oracle'), args, { encoding: 'utf8', maxBuffer: 1 << 30 })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as OracleAnswer);
}

/**
 * One long run of the oracle's bench. It indexes at its start and then times the whole query set once a round; between
 * two rounds the process is stopped (SIGSTOP), so that it neither runs nor compiles while others are measured, and
 * its virtual machine stays as warm as it is.
 */
export class OracleBench {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #queries: readonly NamedQuery[];
  #stopped = false;
  indexing!: OracleIndexing;

  private constructor(child: ChildProcess, queries: readonly NamedQuery[]) {
    this.#child = child;
    this.#queries = queries;
    if (child.stdout === null) throw new Error('the oracle has no output');
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** Starts the oracle and waits until it has indexed. */
  static async start(
    folder: string,
    input: OracleInput,
    queries: readonly NamedQuery[],
    rounds: number,
    seconds: number,
  ): Promise<OracleBench> {
    const lines: unknown[] = [];
    const pause = (): void => {
      for (let i = 0; i < PAUSES; i++) lines.push({ name: PAUSE, query: { term: { [PAUSE]: 'nothing' } } });
    };
    pause();
    for (let round = 0; round < rounds; round++) {
      for (const { name, query } of queries) lines.push({ name, query });
      pause();
    }
    const file = input.file('bench.jsonl', lines);
    const args = ['bench', '--corpus', input.corpus, '--spec', input.spec, '--queries', file];
    args.push('--seconds', String(seconds), '--dir', input.path('lucene'));
    const child = spawn(join(folder, 'oracle'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
    // A stopped process would outlive this one.
    process.once('exit', () => child.kill('SIGKILL'));
    process.once('SIGINT', () => process.exit(130));
    const bench = new OracleBench(child, queries);
    bench.indexing = JSON.parse(await bench.#line());
    bench.#stop();
    return bench;
  }

  /** Lets it time the whole query set once; `onQuery` is told how many are done. */
  async round(onQuery: (done: number) => void): Promise<(Latency & { total: number })[]> {
    this.#continue();
    const results: (Latency & { total: number })[] = [];
    while (results.length < this.#queries.length) {
      const line = JSON.parse(await this.#line()) as BenchLine;
      if (line.name === PAUSE) continue;
      results.push({ runs: line.runs, median: line.median_us, p95: line.p95_us, total: line.total });
      onQuery(results.length);
    }
    this.#stop();
    return results;
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the oracle ended early');
    return value;
  }

  #stop(): void {
    this.#child.kill('SIGSTOP');
    this.#stopped = true;
  }

  #continue(): void {
    if (this.#stopped) this.#child.kill('SIGCONT');
    this.#stopped = false;
  }
}
