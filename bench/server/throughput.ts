/**
 * How many searches a second does a server answer, and what do they cost? All queries of a file, in their order, for the ten best hits with
 * their sources, over one shard of one segment; then gets of documents by id. The client is wrk (Debian's package): one written in JavaScript
 * takes more of the machine than the server. Servers with different threads, or of another build, take turns. The processor time of each
 * thread says what a request costs, whatever else the machine does. Not measured: writes, cold caches, queries that change.
 *
 *     npm run bench:server -- throughput --corpus FILE.jsonl.gz[,FILE...] --spec FILE --queries FILE
 *         [--threads 1+1,1+2] [--connections 1,32,64] [--rounds 3] [--seconds 4] [--docs N] [--build FOLDER[,FOLDER]] [--svg FOLDER]
 *
 * `--threads 1+2`: one data worker, two coordinators; `2+1+1`: two data workers, the second of which has a copy of what the first one has;
 * `1+1/0`: no results are kept. `--build`: the root of another checkout that is built.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { barChart } from '../../host/cli/queries/barChart.js';
import { corpusLines, readQueries, readSpec } from '../search/corpus.js';
import { fillCorpus } from './fillCorpus.js';
import { median, option, textOption } from './options.js';
import { megabytes, ServerProcess, threadTimes } from './process.js';

/** Gets ask for so many different documents. */
const GETS = 20_000;
const WARM_SECONDS = 5;

/** A server that takes part. */
interface Contender {
  name: string;
  server: ServerProcess;
}

/** What was seen in one round. */
interface Seen {
  rate: number;
  p50: number;
  p99: number;
  /** Microseconds of processor time per request, by thread; the main one first. */
  threads: number[];
}

export async function throughput(args: readonly string[]): Promise<void> {
  const files = textOption(args, 'corpus')?.split(',') ?? [];
  const queryFile = textOption(args, 'queries');
  if (files.length === 0 || queryFile === undefined) throw new Error('--corpus and --queries are missing');
  const docs = option(args, 'docs', Number.POSITIVE_INFINITY);
  const seconds = option(args, 'seconds', 4);
  const rounds = option(args, 'rounds', 3);
  const counts = (textOption(args, 'connections') ?? '1,32,64').split(',').map(Number);
  const spec = readSpec(textOption(args, 'spec'));
  const builds = textOption(args, 'build')?.split(',') ?? [process.cwd()];
  const folder = mkdtempSync(join(tmpdir(), 'resilin-wrk-'));
  const contenders: Contender[] = [];
  try {
    const searches = readQueries(queryFile).map(({ query }) => JSON.stringify({ query }));
    const ids: string[] = [];
    for await (const line of corpusLines(files, Math.min(docs, GETS)))
      ids.push(encodeURIComponent(String((JSON.parse(line) as Record<string, unknown>)[spec.id ?? '_id'])));
    const type = Object.keys(spec.mappings ?? {})[0] ?? 'doc';
    const scripts = {
      searches: scriptOf(
        folder,
        'searches',
        'POST',
        searches.map((body) => ['/corpus/_search', body]),
      ),
      gets: scriptOf(
        folder,
        'gets',
        'GET',
        ids.map((id) => [`/corpus/${type}/${id}`, '']),
      ),
    };
    for (const build of builds)
      for (const threads of (textOption(args, 'threads') ?? '1+1,1+2').split(',')) {
        const [counts = '', cache] = threads.split('/');
        const [data, coordinators = '1', copies = '0'] = counts.split('+');
        const own = cache === undefined ? [] : ['--result-cache', cache];
        const copied = copies === '0' ? [] : ['--search-copies', copies];
        const flags = ['--threads', `${data},${coordinators}`, ...own, ...copied];
        const server = await ServerProcess.start(flags, [], undefined, build);
        contenders.push({ name: builds.length === 1 ? threads : `${threads} ${build}`, server });
        await fillCorpus(server, spec, files, docs);
      }
    const charts = Object.entries(scripts).map(([what, script]) => {
      for (const { server } of contenders) wrk(server, script, Math.max(...counts), WARM_SECONDS);
      return { what, seen: measured(contenders, script, counts, rounds, seconds) };
    });
    for (const { what, seen } of charts) print(what, seen);
    for (const { name, server } of contenders)
      console.log(`${name}: ${megabytes(server.own())} MB of its own`);
    const svg = textOption(args, 'svg');
    if (svg !== undefined) {
      mkdirSync(svg, { recursive: true });
      for (const { what, seen } of charts) writeFileSync(join(svg, `${what}.svg`), chartOf(what, seen));
    }
  } finally {
    for (const { server } of contenders) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By connections and contender, the medians of all rounds. */
type Measured = Map<number, Map<string, Seen>>;

function measured(
  contenders: readonly Contender[],
  script: string,
  counts: readonly number[],
  rounds: number,
  seconds: number,
): Measured {
  return new Map(
    counts.map((connections) => {
      const all = new Map(contenders.map(({ name }) => [name, [] as Seen[]]));
      for (let round = 0; round < rounds; round++)
        for (const { name, server } of contenders)
          all.get(name)!.push(wrk(server, script, connections, seconds));
      return [connections, new Map([...all].map(([name, seen]) => [name, medianOf(seen)]))];
    }),
  );
}

function medianOf(seen: readonly Seen[]): Seen {
  const of = (value: (each: Seen) => number) => median(seen.map(value));
  const threads = Math.max(...seen.map(({ threads: list }) => list.length));
  return {
    rate: of(({ rate }) => rate),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    threads: Array.from({ length: threads }, (_, i) => of((each) => each.threads[i] ?? 0)),
  };
}

/** A Lua script for wrk that asks one after the other. */
function scriptOf(
  folder: string,
  name: string,
  method: string,
  requests: readonly (readonly [path: string, body: string])[],
): string {
  const list = join(folder, `${name}.txt`);
  writeFileSync(list, requests.map(([path, body]) => `${path}\t${body}\n`).join(''));
  const script = join(folder, `${name}.lua`);
  writeFileSync(
    script,
    `local all = {}
for line in io.lines(${JSON.stringify(list)}) do
  local path, body = line:match("^(.-)\\t(.*)$")
  if body == "" then body = nil end
  all[#all + 1] = wrk.format("${method}", path, {["Host"] = "127.0.0.1", ["Content-Type"] = "application/json"}, body)
end
local at = 0
function request() at = at % #all + 1; return all[at] end
`,
  );
  return script;
}

/** Runs wrk once. */
function wrk({ port, pid }: ServerProcess, script: string, connections: number, seconds: number): Seen {
  const before = threadTimes(pid);
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script];
  const text = execFileSync('wrk', [...flags, `http://127.0.0.1:${port}`], { encoding: 'utf8' });
  const after = threadTimes(pid);
  const wrong = /Non-2xx.*|Socket errors.*/.exec(text);
  if (wrong !== null) throw new Error(wrong[0]);
  const requests = Number(/(\d+) requests in/.exec(text)![1]);
  const used = [...after].map(([id, time]) => [id, (time - (before.get(id) ?? 0)) / requests] as const);
  const others = used.filter(([id]) => id !== String(pid)).map(([, time]) => time);
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)![1]),
    p50: milliseconds(/ 50%\s+(\S+)/.exec(text)![1]!),
    p99: milliseconds(/ 99%\s+(\S+)/.exec(text)![1]!),
    threads: [used.find(([id]) => id === String(pid))![1], ...others.sort((a, b) => b - a)],
  };
}

function milliseconds(shown: string): number {
  const value = Number.parseFloat(shown);
  return shown.endsWith('us') ? value / 1000 : shown.endsWith('ms') ? value : value * 1000;
}

/** Threads that are told of one by one. */
const SHOWN = 4;

function print(what: string, seen: Measured): void {
  console.log(`\n${what}`);
  console.log(
    '| threads | connections | requests/s | p50 ms | p99 ms | processor time us | main thread | others |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [connections, list] of seen)
    for (const [name, { rate, p50, p99, threads }] of list) {
      const all = threads.reduce((sum, each) => sum + each, 0);
      const [main = 0, ...others] = threads.map((each) => each.toFixed(0));
      const rest = others.slice(0, SHOWN).join(' + ');
      console.log(
        `| ${name} | ${connections} | ${rate.toFixed(0)} | ${p50.toFixed(2)} | ${p99.toFixed(1)} | ${all.toFixed(0)} | ${main} | ${rest} |`,
      );
    }
}

function chartOf(what: string, seen: Measured): string {
  const groups = [...seen].map(([connections, list]) => ({
    heading: connections === 1 ? 'one connection' : `${connections} connections`,
    bars: [...list].map(([label, { rate }]) => ({ label, value: rate })),
  }));
  return barChart(`${what}: data workers + coordinators`, 'requests a second', groups);
}
