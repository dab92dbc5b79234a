/** A long life in short: mixed operations on a server with a small heap, every answer compared with a model's. */
import { readFileSync } from 'node:fs';
import { Random } from './random.js';
import { ServerProcess } from './serverProcess.js';

/** How long and on what. */
export interface SoakOptions {
  /** The compiled command line of the server. */
  main: string;
  /** A folder that is empty or not there. */
  data: string;
  operations: number;
  seed: number;
  /** The heap of the server in MiB. */
  heap: number;
  log?: (line: string) => void;
}

/** What came out. */
export interface SoakResult {
  operations: number;
  /** Answers that were compared. */
  compared: number;
  /** Anonymous memory of the server in MiB, the highest of each tenth of the run. */
  memory: number[];
  problems: string[];
}

interface Doc {
  version: number;
  /** Undefined for a deleted one, whose version goes on. */
  source: Source | undefined;
}

interface Source {
  tag: string;
  n: number;
  text: string;
}

interface Hit {
  _id: string;
  _version: number;
  _source: Source;
}

const LANES = 4;
const IDS_PER_LANE = 3000;
const TAGS = ['red', 'green', 'blue', 'fox', 'hen', 'owl', 'bee'];
const INDICES = ['one', 'two'] as const;

/** Runs until that many operations are done, or something is wrong. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const run = new Run(options);
  try {
    await run.start();
    while (run.operations < options.operations && run.problems.length === 0) await run.round();
  } catch (e) {
    run.problems.push(e instanceof Error ? (e.stack ?? e.message) : String(e));
  } finally {
    await run.end();
  }
  const { operations, compared, memory, problems } = run;
  return { operations, compared, memory, problems };
}

class Run {
  readonly #options: SoakOptions;
  readonly #random: Random;
  readonly #server: ServerProcess;
  readonly #models = new Map<string, Map<string, Doc>>(INDICES.map((name) => [name, new Map()]));
  readonly problems: string[] = [];
  readonly memory: number[] = [];
  operations = 0;
  compared = 0;
  #live: string = INDICES[0];
  #rounds = 0;

  constructor(options: SoakOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    this.#server = new ServerProcess(
      options.main,
      ['--data', options.data, '--threads', '1'],
      [`--max-old-space-size=${options.heap}`],
    );
  }

  async start(): Promise<void> {
    await this.#server.ready();
    for (const name of INDICES) {
      await this.#ok('PUT', `/${name}`, {
        settings: { number_of_shards: 2, refresh_interval: '200ms' },
        mappings: { t: { properties: { tag: { type: 'string', index: 'not_analyzed' } } } },
      });
    }
    await this.#ok('POST', '/_aliases', { actions: [{ add: { index: this.#live, alias: 'live' } }] });
  }

  async end(): Promise<void> {
    await this.#server.end('SIGTERM');
  }

  /** Writes of all lanes at once, then one thing of another kind. */
  async round(): Promise<void> {
    await Promise.all(Array.from({ length: LANES }, (_, lane) => this.#write(lane)));
    const things = [
      () => this.#search(),
      () => this.#search(),
      () => this.#range(),
      () => this.#get(),
      () => this.#scroll(),
      () => this.#swap(),
      () => this.#reopen(),
      () => this.#upkeep(),
      () => this.#shortLived(),
    ];
    await things[this.#random.below(things.length)]!();
    this.#measure();
  }

  async #write(lane: number): Promise<void> {
    const random = this.#random;
    const index = INDICES[random.below(INDICES.length)]!;
    const model = this.#models.get(index)!;
    const lines: string[] = [];
    const wanted: [id: string, kind: string, doc: Doc][] = [];
    const seen = new Set<string>();
    for (let i = 50 + random.below(250); i > 0; i--) {
      const id = `${lane}-${random.below(IDS_PER_LANE)}`;
      if (seen.has(id)) continue;
      seen.add(id);
      const before = model.get(id);
      const version = (before?.version ?? 0) + 1;
      const chance = random.next();
      if (before?.source !== undefined && chance < 0.15) {
        lines.push(JSON.stringify({ delete: { _id: id } }));
        wanted.push([id, 'delete', { version, source: undefined }]);
      } else if (before?.source !== undefined && chance < 0.35) {
        const change = { n: random.below(1_000_000) };
        lines.push(JSON.stringify({ update: { _id: id } }), JSON.stringify({ doc: change }));
        wanted.push([id, 'update', { version, source: { ...before.source, ...change } }]);
      } else {
        const source = newSource(random);
        lines.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(source));
        wanted.push([id, 'index', { version, source }]);
      }
    }
    const answer = await this.#ok('POST', `/${index}/t/_bulk`, `${lines.join('\n')}\n`);
    const { items } = answer as { items: Record<string, { status: number; _version: number }>[] };
    items.forEach((item, i) => {
      const [id, kind, doc] = wanted[i]!;
      const outcome = item[kind];
      const before = model.get(id);
      // The version of a deletion is forgotten after a minute.
      const forgotten = before !== undefined && before.source === undefined && outcome?._version === 1;
      if (forgotten) doc.version = 1;
      this.#compare(
        `${index}/${id} ${kind}`,
        [outcome !== undefined && outcome.status < 300, outcome?._version],
        [true, doc.version],
      );
      model.set(id, doc);
    });
    this.operations += wanted.length;
  }

  async #search(): Promise<void> {
    const tag = TAGS[this.#random.below(TAGS.length)]!;
    await this.#ok('POST', '/live/_refresh');
    const body = {
      query: { term: { tag } },
      version: true,
      sort: [{ n: 'desc' }],
      size: 20,
      aggs: { sum: { sum: { field: 'n' } } },
    };
    const answer = (await this.#ok('POST', '/live/_search', body)) as {
      hits: { total: number; hits: Hit[] };
      aggregations: { sum: { value: number } };
    };
    const model = this.#living(this.#live).filter(([, { source }]) => source.tag === tag);
    const sum = model.reduce((all, [, { source }]) => all + source.n, 0);
    const best = model
      .map(([, { source }]) => source.n)
      .sort((a, b) => b - a)
      .slice(0, 20);
    this.#compare(
      `documents with ${tag}`,
      [answer.hits.total, answer.aggregations.sum.value],
      [model.length, sum],
    );
    this.#compare(
      `the first with ${tag}`,
      answer.hits.hits.map(({ _source }) => _source.n),
      best,
    );
    const known = this.#models.get(this.#live)!;
    for (const { _id, _version, _source } of answer.hits.hits)
      this.#compare(_id, { version: _version, source: _source }, known.get(_id));
  }

  async #range(): Promise<void> {
    const from = this.#random.below(900_000);
    await this.#ok('POST', '/_refresh');
    const body = {
      query: {
        bool: { must: [{ range: { n: { gte: from, lt: from + 50_000 } } }, { match: { text: 'w3' } }] },
      },
    };
    const answer = (await this.#ok('POST', '/one,two/_count', body)) as { count: number };
    const fits = ({ n, text }: Source) => n >= from && n < from + 50_000 && text.split(' ').includes('w3');
    const count = INDICES.flatMap((index) => this.#living(index)).filter(([, { source }]) =>
      fits(source),
    ).length;
    this.#compare('a range', answer.count, count);
  }

  async #get(): Promise<void> {
    for (let i = 0; i < 10; i++) {
      const index = INDICES[i % INDICES.length]!;
      const id = `${this.#random.below(LANES)}-${this.#random.below(IDS_PER_LANE)}`;
      const { body } = await this.#server.send('GET', `/${index}/t/${id}`);
      this.operations++;
      const { found, _version, _source } = body as { found: boolean; _version: number; _source: Source };
      const doc = this.#models.get(index)!.get(id);
      this.#compare(
        id,
        found ? { version: _version, source: _source } : undefined,
        doc?.source === undefined ? undefined : doc,
      );
    }
  }

  async #scroll(): Promise<void> {
    const [index] = INDICES;
    await this.#ok('POST', `/${index}/_refresh`);
    let page = await this.#ok('POST', `/${index}/_search?scroll=1m&size=700`, { version: true, sort: ['n'] });
    const left = new Map(this.#living(index));
    for (;;) {
      const { _scroll_id, hits } = page as { _scroll_id: string; hits: { hits: Hit[] } };
      if (hits.hits.length === 0) {
        await this.#ok('DELETE', '/_search/scroll', _scroll_id);
        break;
      }
      for (const { _id, _version } of hits.hits) {
        this.#compare(`${_id} of a scroll`, _version, left.get(_id)?.version);
        left.delete(_id);
      }
      page = await this.#ok('POST', '/_search/scroll?scroll=1m', _scroll_id);
    }
    this.#compare('what a scroll leaves out', left.size, 0);
  }

  async #swap(): Promise<void> {
    const next = this.#live === INDICES[0] ? INDICES[1] : INDICES[0];
    const actions = [
      { remove: { index: this.#live, alias: 'live' } },
      { add: { index: next, alias: 'live' } },
    ];
    await this.#ok('POST', '/_aliases', { actions });
    this.#live = next;
    const answer = (await this.#ok('GET', '/_alias/live')) as object;
    this.#compare('the alias', Object.keys(answer), [next]);
  }

  async #reopen(): Promise<void> {
    const index = INDICES[this.#random.below(INDICES.length)]!;
    await this.#ok('POST', `/${index}/_close`);
    await this.#ok('POST', `/${index}/_open`);
    await this.#ok('GET', `/_cluster/health/${index}?wait_for_status=yellow`);
    const { count } = (await this.#ok('GET', `/${index}/_count`)) as { count: number };
    this.#compare('documents after a closing', count, this.#living(index).length);
  }

  async #upkeep(): Promise<void> {
    if (this.#random.chance(0.5)) await this.#ok('POST', '/_flush');
    else await this.#ok('POST', '/one/_optimize?max_num_segments=2');
  }

  async #shortLived(): Promise<void> {
    await this.#ok('PUT', '/brief/t/1?refresh=true', { title: 'fox' });
    const { count } = (await this.#ok('GET', '/brief/_count')) as { count: number };
    this.#compare('a brief index', count, 1);
    await this.#ok('DELETE', '/brief');
  }

  #living(index: string): [string, { version: number; source: Source }][] {
    return [...this.#models.get(index)!].filter(
      (entry): entry is [string, { version: number; source: Source }] => entry[1].source !== undefined,
    );
  }

  async #ok(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.#server.send(method, path, body);
    this.operations++;
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  #compare(what: string, found: unknown, wanted: unknown): void {
    this.compared++;
    if (JSON.stringify(found) === JSON.stringify(wanted) || this.problems.length > 20) return;
    this.problems.push(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  }

  #measure(): void {
    if (this.#rounds++ % 20 !== 0) return;
    const used = anonymousMebibytes(this.#server.pid);
    const tenth = Math.min(9, Math.floor((10 * this.operations) / this.#options.operations));
    if (this.memory[tenth] === undefined)
      this.#options.log?.(`${this.operations} operations, ${this.compared} answers compared, ${used} MiB`);
    this.memory[tenth] = Math.max(this.memory[tenth] ?? 0, used);
  }
}

function newSource(random: Random): Source {
  const words = Array.from({ length: 5 + random.below(20) }, () => `w${random.below(200)}`);
  return { tag: TAGS[random.below(TAGS.length)]!, n: random.below(1_000_000), text: words.join(' ') };
}

/** Memory that is no file's; 0 where the system doesn't say. */
function anonymousMebibytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
