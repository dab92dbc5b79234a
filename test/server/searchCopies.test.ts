/** Searches of a shard that several data workers answer: they find what its own worker finds, whatever has happened to the shard. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer, ServerOptions } from '../../host/server/options.js';
import { CopyTable } from '../../host/server/searchCopies/copyTable.js';
import { built } from '../support/server.js';
import { Random } from '../torture/random.js';

const host = join(await built(), 'js/host');
const AT_ONCE = 24;
/** Rounds of searches in which copies must have been made. */
const MOST_ROUNDS = 2000;

let folder: string;
let createServer: (options?: ServerOptions) => Promise<RunningServer>;
let servers = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-copies-'));
  ({ createServer } = (await import(
    join(host, 'server/index.js')
  )) as typeof import('../../host/server/index.js'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(options: ServerOptions): Promise<RunningServer> {
  return createServer({ port: 0, data: join(folder, `data-${servers++}`), resultCache: 0, ...options });
}

async function ask(server: RunningServer, method: string, path: string, body?: unknown): Promise<string> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${server.url}${path}`, {
    method,
    ...(sent === undefined ? {} : { body: sent }),
  });
  // The name of the node, and what differs from time to time.
  const node = /\{\[[\w-]+\]/;
  return (await response.text()).replace(/("took":|"_node":)("[^"]*"|\d+)/g, '$1""').replace(node, '');
}

const MAPPINGS = {
  doc: {
    properties: {
      text: { type: 'string' },
      tag: { type: 'string', index: 'not_analyzed' },
      n: { type: 'long' },
      parts: { type: 'nested', properties: { word: { type: 'string' }, m: { type: 'integer' } } },
    },
  },
  child: { _parent: { type: 'doc' }, properties: { word: { type: 'string' } } },
};
const SEARCHES = [
  { query: { match: { text: 'red fox' } } },
  { query: { match_phrase: { text: 'red fox' } }, size: 3 },
  { query: { range: { n: { gte: 10, lt: 60 } } }, sort: [{ n: 'desc' }], fields: ['n'] },
  {
    size: 0,
    aggs: {
      tags: { terms: { field: 'tag' } },
      text: { terms: { field: 'text' } },
      n: { stats: { field: 'n' } },
    },
  },
  { query: { filtered: { filter: { term: { tag: 'a' } } } }, from: 2, size: 5 },
  { query: { nested: { path: 'parts', query: { match: { 'parts.word': 'green' } }, score_mode: 'sum' } } },
  { query: { has_child: { type: 'child', query: { term: { word: 'frog' } } } } },
  { query: { term: { later: 'the' } } },
  { query: { match: { text: { query: 'frogs', fuzziness: 1 } } }, explain: true, size: 2 },
  { query: { term: { text: { nothing: 1 } } } },
];
const WORDS = ['red', 'fox', 'green', 'frog', 'the'];
const TAGS = ['a', 'b', 'c'];

const pick = (random: Random, list: readonly string[]) => list[random.below(list.length)]!;

/** Answers to all searches, each asked several times at once. */
async function answers(server: RunningServer, times: number): Promise<string[][]> {
  return Promise.all(
    SEARCHES.map((search) =>
      Promise.all(Array.from({ length: times }, () => ask(server, 'POST', '/living/_search', search))),
    ),
  );
}

/** Searches until copies have been searched in each of so many rounds. */
async function untilCopied(server: RunningServer, rounds: number): Promise<string[][]> {
  for (let round = 0, copied = 0; round < MOST_ROUNDS; round++) {
    const { sent } = server.pool.copied;
    const all = await answers(server, Math.ceil(AT_ONCE / SEARCHES.length));
    if (server.pool.copied.sent > sent && ++copied === rounds) return all;
  }
  throw new Error('no copy was searched');
}

function bulk(random: Random, operations: number, step: number): string {
  const lines: object[] = [];
  for (let i = 0; i < operations; i++) {
    const id = `${random.below(120)}`;
    if (random.below(5) === 0) {
      lines.push({ delete: { _type: 'doc', _id: id } });
      continue;
    }
    const text = Array.from({ length: 1 + random.below(8) }, () => pick(random, WORDS)).join(' ');
    const parts = [{ word: pick(random, WORDS), m: random.below(9) }, { word: 'green' }];
    const later = step < 3 ? {} : { later: pick(random, WORDS) };
    const n = 2 ** 53 + random.below(100) * 2;
    lines.push({ index: { _type: 'doc', _id: id } });
    lines.push({ text, tag: pick(random, TAGS), n: random.below(2) === 0 ? n : n % 100, parts, ...later });
    if (random.below(3) === 0) {
      lines.push({ index: { _type: 'child', _id: `c${id}`, parent: id } });
      lines.push({ word: pick(random, WORDS) });
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

describe.each([
  { threads: 2, searchCopies: 1, coordinators: 1 },
  { threads: 3, searchCopies: 2, coordinators: 2 },
])(
  'a server of $threads data workers with $searchCopies copies and $coordinators coordinators',
  (options) => {
    let copied: RunningServer;
    let plain: RunningServer;

    beforeAll(async () => {
      copied = await start(options);
      plain = await start({ threads: 1, coordinators: 1 });
      for (const server of [copied, plain])
        await ask(server, 'PUT', '/living', {
          settings: { number_of_shards: 1, refresh_interval: -1 },
          mappings: MAPPINGS,
        });
    });
    afterAll(() => Promise.all([copied.close(), plain.close()]));

    it('finds the same after every change', { timeout: 120_000 }, async () => {
      const random = new Random(options.threads);
      for (let step = 0; step < 12; step++) {
        const changes = bulk(random, 40, step);
        for (const server of [copied, plain]) {
          expect(await ask(server, 'POST', '/living/_bulk', changes)).toContain('"errors":false');
          await ask(server, 'POST', '/living/_refresh');
          if (step % 4 === 3) await ask(server, 'POST', '/living/_optimize?max_num_segments=1');
          if (step === 7) await ask(server, 'POST', '/living/_cache/clear');
        }
        const expected = await answers(plain, 1);
        // Merges go on by themselves, and change scores: both have the same.
        await ask(copied, 'POST', '/living/_optimize?max_num_segments=1');
        await ask(plain, 'POST', '/living/_optimize?max_num_segments=1');
        const merged = await answers(plain, 1);
        expect(merged.length).toBe(expected.length);
        for (const [i, all] of (await untilCopied(copied, 2)).entries())
          for (const answer of all) expect(answer).toBe(merged[i]![0]);
      }
    });

    it('never answers from before a refresh that was acknowledged', { timeout: 120_000 }, async () => {
      const searching = { query: { term: { tag: 'moving' } }, fields: ['n'] };
      for (let i = 0; i < 40; i++) {
        await ask(copied, 'PUT', '/living/doc/moving?refresh=true', { tag: 'moving', n: i });
        const all = await Promise.all(
          Array.from({ length: AT_ONCE }, () => ask(copied, 'POST', '/living/_search', searching)),
        );
        for (const answer of all)
          expect(JSON.parse(answer).hits).toMatchObject({ total: 1, hits: [{ fields: { n: [i] } }] });
      }
    });

    it('lets go of the copies of an index that is deleted, and makes those of the next one', async () => {
      const text = () => ask(copied, 'POST', '/other/_search', { query: { match_all: {} } });
      for (let round = 0; round < 3; round++) {
        await ask(copied, 'PUT', '/other', { settings: { number_of_shards: 1 } });
        await ask(copied, 'PUT', `/other/doc/1?refresh=true`, { round });
        let { sent } = copied.pool.copied;
        for (let tries = 0; copied.pool.copied.sent === sent; tries++) {
          expect(tries).toBeLessThan(MOST_ROUNDS);
          const all = await Promise.all(Array.from({ length: AT_ONCE }, text));
          for (const answer of all)
            expect(JSON.parse(answer).hits).toMatchObject({ total: 1, hits: [{ _source: { round } }] });
        }
        ({ sent } = copied.pool.copied);
        await ask(copied, 'DELETE', '/other');
        expect(await text()).toContain('IndexMissingException');
      }
    });

    it('goes on when a worker that holds copies ends', { timeout: 120_000 }, async () => {
      await untilCopied(copied, 1);
      const before = await answers(copied, 1);
      for (let worker = 0; worker < options.threads; worker++) {
        await copied.pool.kill(worker);
        for (const [i, all] of (await untilCopied(copied, 1)).entries())
          for (const answer of all)
            expect(JSON.parse(answer).hits?.total).toEqual(JSON.parse(before[i]![0]!).hits?.total);
      }
    });
  },
);

describe('the table of copies', () => {
  const [copy, shard] = [0, 7];

  it('tells of a copy that is as new as the shard, and of no other', () => {
    const table = CopyTable.of(2, 1);
    const place = table.take()!;
    expect(table.takeWanted(place.slot)).toBe(false);
    expect(table.current(place, copy)).toBe(0);
    expect(table.takeWanted(place.slot)).toBe(true);
    table.set(place.slot, copy, shard, table.generation(place.slot));
    expect(table.current(place, copy)).toBe(shard);
    expect(table.takeWanted(place.slot)).toBe(false);
    table.changed(place.slot);
    expect(table.current(place, copy)).toBe(0);
    expect(table.takeWanted(place.slot)).toBe(true);
  });

  it('forgets the copies of a shard that is gone, also where another one has its place', () => {
    const table = CopyTable.of(3, 2);
    const gone = table.take()!;
    table.set(gone.slot, copy, shard, table.generation(gone.slot));
    table.free(gone.slot);
    const next = table.take()!;
    expect(next.slot).toBe(gone.slot);
    expect(table.current(next, copy)).toBe(0);
    table.set(next.slot, copy, shard + 1, table.generation(next.slot));
    expect(table.current(next, copy)).toBe(shard + 1);
    expect(table.current(gone, copy)).toBe(0);
  });

  it('wants no copy from a worker that has no room for it', () => {
    const table = CopyTable.of(2, 1);
    const { slot, epoch } = table.take()!;
    table.refuse(slot, copy);
    expect(table.current({ slot, epoch }, copy)).toBe(0);
    expect(table.takeWanted(slot)).toBe(false);
  });

  it('has as many copies as there are other workers', () => {
    expect(CopyTable.of(3, 9).copies).toBe(2);
    expect(CopyTable.of(3, 9).workerOf(2, 1)).toBe(1);
    expect(CopyTable.of(1, 1).take()).toBeUndefined();
  });

  it('never takes the number of no copy for a generation', () => {
    const table = CopyTable.of(2, 1);
    const { slot } = table.take()!;
    const before = table.generation(slot);
    table.numbers.fill(-1, 0, 1);
    table.changed(slot);
    expect([before, table.generation(slot)]).toEqual([1, 1]);
  });
});
