import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { RepositoryFolders } from '../../host/server/repositoryFolders.js';
import { PATIENCE } from '../../host/server/s3/s3Client.js';
import { S3Repositories } from '../../host/server/s3/s3Repositories.js';
import { MemoryLocations, type RepositoryLocations } from '../../host/snapshot/locations.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import type { Blobs } from '../../host/storage/storage.js';
import { coreBytes } from '../support/core.js';
import { KEY, SECRET, S3Server } from '../support/s3/s3Server.js';

const wasm = coreBytes();

/** Where a repository is, how it is made known, and its blobs. */
interface Kind {
  locations(): RepositoryLocations;
  settings(): object;
  blobs(locations: RepositoryLocations): Promise<Blobs>;
}

const memory: Kind = {
  locations: () => new MemoryLocations(),
  settings: () => ({ type: 'fs', settings: { location: 'box' } }),
  blobs: async (locations) => (await locations.open('box'))!,
};

let folder: string;
const files: Kind = {
  locations: () => new RepositoryFolders([join(folder, String(++path))]),
  settings: memory.settings,
  blobs: memory.blobs,
};

let server: S3Server;
/** Each test has a path of its own in one folder or bucket. */
let path = 0;
const inS3 = () => ({ bucket: 'bucket', base_path: `box/${path}`, access_key: KEY, secret_key: SECRET });
const s3: Kind = {
  locations() {
    path++;
    const repositories = new S3Repositories([`${server.endpoint}/bucket/box`], { ...PATIENCE, backoffMs: 1 });
    return {
      open: async () => undefined,
      openBucket: (settings) => repositories.open(settings),
    };
  },
  settings: () => ({ type: 's3', settings: inS3() }),
  blobs: (locations) => locations.openBucket!(inS3()),
};

beforeAll(async () => {
  server = await S3Server.start('bucket');
  folder = mkdtempSync(join(tmpdir(), 'resilin-snapshots-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['memory', memory],
  ['files', files],
  ['S3', s3],
])('in %s,', (_name, kind) => {
  let storage: MemoryStorage;
  let blobs: MemoryBlobs;
  let places: RepositoryLocations;
  let warnings: string[];
  let resilin: Resilin;

  const open = async () => {
    resilin = await createEngine({ wasm, storage, blobs, places, warn: (message) => warnings.push(message) });
  };
  const call = async (method: string, uri: string, body?: unknown) => {
    const answer = await resilin.request(method, uri, body);
    return { status: answer.status, body: answer.body as Record<string, unknown> };
  };
  const ok = async (method: string, uri: string, body?: unknown) => {
    const answer = await call(method, uri, body);
    expect([uri, answer.status, answer.body.error]).toEqual([
      uri,
      expect.toSatisfy((s: number) => s < 300),
      undefined,
    ]);
    return answer.body;
  };
  /** Everything that an index answers about its documents. */
  const contents = async (index: string) => {
    await call('POST', `/${index}/_refresh`);
    const { body } = await call('POST', `/${index}/_search`, {
      query: { match: { title: 'fox' } },
      version: true,
      size: 1000,
      sort: ['n'],
      aggs: { sum: { sum: { field: 'n' } } },
    });
    const { hits, aggregations } = body as {
      hits: { hits: Record<string, unknown>[] };
      aggregations: unknown;
    };
    const shown = hits.hits.map(({ _id, _version, _source, _routing }) => ({
      _id,
      _version,
      _source,
      _routing,
    }));
    return JSON.stringify([shown, aggregations]);
  };
  const repository = (): Promise<Blobs> => kind.blobs(places);
  /** What snapshots are made of. */
  const parts = async (box: Blobs) => (await box.list()).filter((name) => name !== 'index');

  beforeEach(async () => {
    storage = new MemoryStorage();
    blobs = new MemoryBlobs();
    places = kind.locations();
    warnings = [];
    await open();
    await ok('PUT', '/a', { settings: { number_of_shards: 2, refresh_interval: '-1' }, aliases: { al: {} } });
    for (let i = 0; i < 60; i++)
      await ok('PUT', `/a/t/${i}${i % 9 === 0 ? '?routing=r' : ''}`, { title: `fox ${i}`, n: i });
    await ok('POST', '/a/_refresh');
    for (let i = 0; i < 60; i += 3)
      await ok('PUT', `/a/t/${i}${i % 9 === 0 ? '?routing=r' : ''}`, { title: 'fox again', n: 1000 + i });
    for (let i = 1; i < 60; i += 5) await call('DELETE', `/a/t/${i}${i % 9 === 0 ? '?routing=r' : ''}`);
    await ok('PUT', '/_snapshot/box', kind.settings());
  });
  afterEach(() => resilin.close());

  const make = (name: string, body?: unknown) =>
    ok('PUT', `/_snapshot/box/${name}?wait_for_completion=true`, body);
  const restore = (name: string, body?: unknown) =>
    call('POST', `/_snapshot/box/${name}/_restore?wait_for_completion=true`, body);

  describe('a snapshot', () => {
    it('tells its times readably too when that is asked for', async () => {
      await make('s');
      const { snapshots } = (await ok('GET', '/_snapshot/box/s?human')) as {
        snapshots: Record<string, unknown>[];
      };
      expect(snapshots[0]).toMatchObject({
        start_time: expect.stringMatching(/Z$/),
        end_time: expect.stringMatching(/Z$/),
        duration: expect.stringMatching(/^[\d.]+m?s$/),
      });
      const status = (await ok('GET', '/_snapshot/box/s/_status?human')) as {
        snapshots: { stats: object }[];
      };
      expect(status.snapshots[0]!.stats).toMatchObject({
        total_size: expect.stringMatching(/b$/),
        time: expect.stringMatching(/s$/),
      });
      expect(status.snapshots[0]!.stats).not.toHaveProperty('start_time');
    });

    it('brings back documents, versions, routing, mapping, settings and aliases, after writes that came later', async () => {
      const before = await contents('a');
      const mapping = await ok('GET', '/a/_mapping');
      expect(await make('s')).toMatchObject({
        snapshot: { state: 'SUCCESS', indices: ['a'], shards: { total: 2, failed: 0, successful: 2 } },
      });
      await ok('PUT', '/a/t/new', { title: 'fox', n: 7, other: 1 });
      await ok('DELETE', '/a/t/2');
      await ok('POST', '/a/_flush');
      await ok('POST', '/a/_close');
      expect((await restore('s')).body).toEqual({
        snapshot: { snapshot: 's', indices: ['a'], shards: { total: 2, failed: 0, successful: 2 } },
      });
      expect(await contents('a')).toBe(before);
      expect(await ok('GET', '/a/_mapping')).toEqual(mapping);
      expect(await ok('GET', '/a/_alias')).toEqual({ a: { aliases: { al: {} } } });
      // Versions go on.
      expect((await ok('PUT', '/a/t/3', { title: 'fox', n: 3 }))._version).toBe(3);
      await resilin.close();
      await open();
      expect((await ok('GET', '/a/t/3'))._version).toBe(3);
      expect(warnings).toEqual([]);
    });

    it('holds what was there when it began while writes go on', async () => {
      const live = Array.from({ length: 60 }, (_, i) => i).filter((i) => i % 5 !== 1 && i % 9 !== 0);
      const making = make('s');
      for (const i of live) {
        await ok('PUT', `/a/t/${i}`, { title: 'hen', n: i });
        if (i % 4 === 0) await ok('POST', '/a/_refresh');
      }
      await making;
      await ok('DELETE', '/a');
      expect((await restore('s')).status).toBe(200);
      // Each document is there once, before or after the write.
      expect((await call('GET', '/a/_count')).body.count).toBe(48);
      for (const i of live) {
        const { _version, _source } = (await ok('GET', `/a/t/${i}`)) as {
          _version: number;
          _source: { title: string };
        };
        expect(_source.title === 'hen').toBe(_version === (i % 3 === 0 ? 3 : 2));
        const { body } = await call('POST', '/a/_count', {
          query: {
            bool: {
              must: [
                { term: { n: _source.title === 'hen' ? i : i % 3 === 0 ? 1000 + i : i } },
                { ids: { values: [String(i)] } },
              ],
            },
          },
        });
        expect(body.count).toBe(1);
      }
    });

    it('comes back under other names, beside the index that it was made of', async () => {
      const before = await contents('a');
      await make('s');
      const body = {
        indices: 'a',
        rename_pattern: '(.)',
        rename_replacement: 'copy_$1',
        include_aliases: false,
      };
      expect((await restore('s', body)).status).toBe(200);
      expect(await contents('copy_a')).toBe(before);
      expect(await ok('GET', '/copy_a/_aliases')).toEqual({ copy_a: { aliases: {} } });
      expect((await restore('s', body)).body.error).toBe(
        "SnapshotRestoreException[[box:s] cannot restore index [copy_a] because it's open]",
      );
      expect((await ok('GET', '/copy_a/_recovery')) as object).toMatchObject({
        copy_a: {
          shards: [{ type: 'SNAPSHOT', source: { repository: 'box', snapshot: 's', index: 'a' } }, {}],
        },
      });
    });

    it('writes again only what has changed', async () => {
      await make('one');
      const first = (await (await repository()).list()).length;
      await make('two');
      const second = (await (await repository()).list()).length;
      expect(second).toBe(first + 1);
      await ok('PUT', '/a/t/more', { title: 'fox', n: 5 });
      await make('three');
      // A segment and a pack of one shard, perhaps a set of live documents, and the record.
      expect((await (await repository()).list()).length).toBeLessThanOrEqual(second + 4);
      await ok('DELETE', '/_snapshot/box/three');
      await ok('DELETE', '/_snapshot/box/one');
      expect((await (await repository()).list()).length).toBe(first);
      const before = await contents('a');
      await ok('DELETE', '/a/t/more');
      const after = await contents('a');
      await ok('DELETE', '/a');
      await restore('two');
      expect(await contents('a')).toBe(after);
      expect(before).not.toBe(after);
      await ok('DELETE', '/_snapshot/box/two');
      expect(await (await repository()).list()).toEqual([]);
    });

    it.each(['flipped', 'cut', 'missing'])('of which anything is %s is refused whole', async (kind) => {
      await make('s');
      await ok('DELETE', '/a');
      const box = await repository();
      for (const name of await parts(box)) {
        const bytes = (await box.get(name))!;
        const bad = Uint8Array.from(bytes.subarray(0, kind === 'cut' ? bytes.length >> 1 : undefined));
        if (kind === 'flipped') bad[bad.length >> 1]! ^= 4;
        if (kind === 'missing') await box.delete(name);
        else await box.put(name, bad);
        const { status, body } = await restore('s');
        expect([name, status >= 400, String(body.error)]).toEqual([
          name,
          true,
          expect.stringMatching(/damaged|missing/),
        ]);
        expect(await ok('GET', '/_cat/indices')).toBe('');
        await box.put(name, bytes);
      }
      expect((await restore('s')).status).toBe(200);
      // Nothing is left of the attempts.
      const shards = new Set((await blobs.list()).map((name) => name.split('-')[0]));
      expect(shards.size).toBe(2);
    });

    it.each(['flipped', 'cut', 'missing'])(
      'of which anything is %s is told of by _verify, and the next one is whole',
      async (kind) => {
        await make('s');
        const box = await repository();
        expect((await call('POST', '/_snapshot/box/_verify')).status).toBe(200);
        const names = await parts(box);
        for (const name of names) {
          const bytes = (await box.get(name))!;
          const bad = Uint8Array.from(bytes.subarray(0, kind === 'cut' ? bytes.length >> 1 : undefined));
          if (kind === 'flipped') bad[bad.length >> 1]! ^= 4;
          // A snapshot whose record is missing isn't there.
          if (kind === 'missing' && name.startsWith('data-')) await box.delete(name);
          else await box.put(name, bad);
          const isGone = kind === 'missing' && !name.startsWith('data-');
          const verified = await call('POST', '/_snapshot/box/_verify');
          expect([name, verified]).toEqual([
            name,
            isGone
              ? expect.objectContaining({ status: 200 })
              : {
                  status: 500,
                  body: {
                    error: `RepositoryVerificationException[[box] 1 files are missing or damaged: ${name}]`,
                    status: 500,
                  },
                },
          ]);
          await box.put(name, bytes);
        }
        // All data at once.
        for (const name of names.filter((each) => each.startsWith('data-'))) {
          const bad = Uint8Array.from((await box.get(name))!);
          bad[0]! ^= 1;
          await box.put(name, bad);
        }
        const before = await contents('a');
        await make('next');
        expect((await call('POST', '/_snapshot/box/_verify')).status).toBe(200);
        await ok('DELETE', '/a');
        expect((await restore('next')).status).toBe(200);
        expect(await contents('a')).toBe(before);
      },
    );

    it('of a shard whose segment is damaged has the documents, of which a restore makes one', async () => {
      await ok('POST', '/a/_flush');
      const before = await contents('a');
      for (const name of await blobs.list()) {
        const bad = (await blobs.get(name))!.slice();
        bad[bad.length - 1]! ^= 1;
        await blobs.put(name, bad);
      }
      await make('s');
      const { indices } = await (await resilin.engine.snapshots.repositories.open('box')).read('s');
      expect(indices[0]!.shards.map((shard) => shard?.segments)).toEqual([[], []]);
      await ok('DELETE', '/a');
      expect((await restore('s')).status).toBe(200);
      expect(await contents('a')).toBe(before);
    });

    it('of a newer format is refused by name', async () => {
      const { snapshots } = resilin.engine;
      await make('s');
      const box = await snapshots.repositories.open('box');
      await box.write({ ...(await box.read('s')), format: 9 });
      expect((await restore('s')).body.error).toContain(
        'it has the format 9, and only those up to 1 are known',
      );
    });

    it('is given up with its index, or when it is deleted', async () => {
      const making = call('PUT', '/_snapshot/box/s?wait_for_completion=true');
      const other = call('PUT', '/_snapshot/box/t');
      expect((await other).body).toMatchObject({ error: expect.stringContaining('already'), status: 503 });
      await ok('DELETE', '/a');
      expect((await making).status).toBe(200);
      await ok('DELETE', '/_snapshot/box/s');
      expect(await ok('GET', '/_snapshot/box/_all')).toEqual({ snapshots: [] });
    });
  });

  describe('a restore', () => {
    it('that the process does not survive leaves nothing behind', async () => {
      await make('s');
      await ok('DELETE', '/a');
      const rows = () => [...storage.range(new Uint8Array([0]), new Uint8Array([255]))].length;
      const before = rows();
      const put = blobs.put.bind(blobs);
      // The last thing it does is to write a segment.
      let stop = () => {};
      const stopped = new Promise<void>((done) => {
        stop = done;
      });
      blobs.put = () => {
        stop();
        return new Promise(() => {});
      };
      void restore('s');
      await stopped;
      expect(rows()).toBeGreaterThan(before);
      blobs.put = put;
      await open();
      expect(rows()).toBe(before);
      expect(await ok('GET', '/_cat/indices')).toBe('');
      expect((await restore('s')).status).toBe(200);
    });

    it('puts settings and templates of the cluster back if asked to, and changes settings of indices', async () => {
      await ok('PUT', '/_template/t', { template: 'x*', order: 3 });
      await ok('PUT', '/_cluster/settings', { persistent: { 'action.destructive_requires_name': 'false' } });
      await make('s');
      await ok('DELETE', '/_template/t');
      await ok('DELETE', '/a');
      expect(
        (await restore('s', { include_global_state: false, index_settings: { refresh_interval: '9s' } }))
          .status,
      ).toBe(200);
      expect(await ok('GET', '/_template')).toEqual({});
      expect(await ok('GET', '/a/_settings/index.refresh_interval')).toEqual({
        a: { settings: { index: { refresh_interval: '9s' } } },
      });
      await ok('DELETE', '/a');
      expect((await restore('s', { ignore_index_settings: ['index.refresh_interval'] })).status).toBe(200);
      expect(await ok('GET', '/_template/t')).toMatchObject({ t: { order: 3 } });
      for (const [body, problem] of [
        [
          { index_settings: { number_of_shards: 3 } },
          'cannot modify setting [index.number_of_shards] on restore',
        ],
        [
          { ignore_index_settings: 'index.number_of_replicas' },
          'cannot remove setting [index.number_of_replicas] on restore',
        ],
      ] as const) {
        await ok('POST', '/a/_close');
        expect((await restore('s', body)).body.error).toContain(problem);
      }
      await ok('DELETE', '/a');
      await ok('PUT', '/a', { settings: { number_of_shards: 3 } });
      await ok('POST', '/a/_close');
      expect((await restore('s')).body.error).toContain(
        'cannot restore index [a] with [3] shard from snapshot with [2] shards',
      );
    });
  });

  describe('a snapshot of the cluster', () => {
    it('holds stored scripts and search templates with their index, as they were', async () => {
      await ok('PUT', '/_scripts/expression/rank', { script: "doc['n'].value" });
      const template = { query: { match: { title: '{{what}}' } } };
      for (let i = 0; i < 2; i++) await ok('PUT', '/_search/template/find', { template });
      await make('s');
      await ok('DELETE', '/a');
      await ok('DELETE', '/_scripts/expression/rank');
      await ok('PUT', '/_search/template/find', { template: { query: { match_all: {} } } });
      expect((await restore('s', { indices: 'a' })).status).toBe(200);
      expect((await call('GET', '/_scripts/expression/rank')).status).toBe(404);
      await ok('DELETE', '/*');
      expect((await restore('s')).status).toBe(200);
      const back = { _version: 2, template: JSON.stringify(template) };
      const check = async () => {
        expect(await ok('GET', '/_scripts/expression/rank')).toMatchObject({ _version: 1 });
        expect(await ok('GET', '/_search/template/find')).toMatchObject(back);
        const { hits } = await ok('POST', '/a/_search/template', { id: 'find', params: { what: 'again' } });
        expect(hits).toMatchObject({ total: 16 });
      };
      await check();
      await resilin.close();
      await open();
      await check();
    });

    it('puts settings in force', async () => {
      const breaker = async () => JSON.stringify(await ok('GET', '/_nodes/stats/breaker'));
      await ok('PUT', '/_cluster/settings', { persistent: { 'indices.breaker.request.limit': '77777b' } });
      await make('s');
      await ok('PUT', '/_cluster/settings', { persistent: { 'indices.breaker.request.limit': '88888b' } });
      await ok('DELETE', '/a');
      expect(await breaker()).toContain('"limit_size_in_bytes":88888,');
      await restore('s');
      expect(await breaker()).toContain('"limit_size_in_bytes":77777,');
    });

    it('remembers no deletions, as in 1.7: an id that was deleted begins anew', async () => {
      await ok('PUT', '/a/t/gone?version=6&version_type=external', { n: 1 });
      expect(await ok('DELETE', '/a/t/gone')).toMatchObject({ _version: 7 });
      await make('s');
      await ok('DELETE', '/a');
      await restore('s');
      expect(await ok('PUT', '/a/t/gone', { n: 1 })).toMatchObject({ _version: 1, created: true });
    });
  });

  describe('names of snapshots', () => {
    it.each([
      ['Upper', 'must be lowercase'],
      ['a%20b', 'must not contain whitespace'],
      ['a,b', "must not contain ','"],
      ['a%23b', "must not contain '#'"],
      ['_a', "must not start with '_'"],
      ['a*b', 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]'],
    ])('%s is refused', async (name, problem) => {
      const { status, body } = await call('PUT', `/_snapshot/box/${name}`);
      expect([status, String(body.error).endsWith(`, ${problem}]`)]).toEqual([400, true]);
    });

    it('may have any other character', async () => {
      await make('tag.1-%C3%A4(x)~');
      expect(await ok('GET', '/_snapshot/box/_all')).toMatchObject({
        snapshots: [{ snapshot: 'tag.1-ä(x)~' }],
      });
      expect((await call('PUT', '/_snapshot/box/tag.1-%C3%A4(x)~')).body.error).toContain('already exists');
      await ok('DELETE', '/_snapshot/box/tag.1-%C3%A4(x)~');
    });
  });
});
