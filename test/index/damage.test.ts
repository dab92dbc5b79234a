import { beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import type { Entry } from '../../host/storage/storage.js';
import { coreBytes } from '../support/core.js';
import { Random } from '../torture/random.js';

const bytes = coreBytes();
let wasm: WebAssembly.Module;
let rows: Entry[];
let images: Map<string, Uint8Array>;
let answers: string;

/** Questions that read every part of a segment: terms, postings, positions, norms, columns, live documents. */
const QUESTIONS = [
  { query: { match: { title: 'fox' } }, size: 100 },
  { query: { match_phrase: { title: 'quick fox' } } },
  { query: { prefix: { tag: 'g' } }, sort: [{ n: 'desc' }] },
  { query: { range: { price: { gte: 10, lt: 300 } } }, sort: ['when'] },
  { size: 0, aggs: { tags: { terms: { field: 'tag' }, aggs: { price: { stats: { field: 'price' } } } } } },
  {
    query: { filtered: { filter: { geo_distance: { distance: '400km', at: { lat: 10, lon: 10 } } } } },
    sort: ['n'],
  },
];

async function open(damaged: ReadonlyMap<string, Uint8Array | undefined>) {
  const storage = new MemoryStorage();
  const blobs = new MemoryBlobs();
  await storage.commit(rows, []);
  for (const [name, image] of images) {
    const put = damaged.has(name) ? damaged.get(name) : image;
    if (put !== undefined) await blobs.put(name, put);
  }
  const warnings: string[] = [];
  const resilin = await createEngine({ wasm, storage, blobs, warn: (message) => warnings.push(message) });
  return { resilin, warnings };
}

async function ask(resilin: Resilin): Promise<string> {
  const out: unknown[] = [];
  for (const question of QUESTIONS) {
    const { body } = await resilin.request('POST', '/a/_search', question);
    const { hits, aggregations } = body as { hits: unknown; aggregations: unknown };
    expect(hits).toBeDefined();
    out.push(hits, aggregations);
  }
  return JSON.stringify(out);
}

beforeAll(async () => {
  wasm = await WebAssembly.compile(bytes);
  const storage = new MemoryStorage();
  const blobs = new MemoryBlobs();
  const resilin = await createEngine({ wasm, storage, blobs });
  const properties = {
    tag: { type: 'string', index: 'not_analyzed' },
    at: { type: 'geo_point' },
    when: { type: 'date' },
    price: { type: 'double' },
  };
  // One shard and no deletions: rebuilt segments score as these do.
  await resilin.request('PUT', '/a', {
    settings: { number_of_shards: 1, refresh_interval: '-1' },
    mappings: { t: { properties } },
  });
  for (let i = 0; i < 400; i++) {
    await resilin.request('PUT', `/a/t/${i}`, {
      title: `the ${i % 3 ? 'quick' : 'slow'} fox number ${i}`,
      tag: ['red', 'green', 'grey'][i % 3],
      n: i,
      price: i * 1.5,
      when: new Date(1e12 + i * 1e7).toISOString(),
      at: { lat: i % 20, lon: i % 17 },
    });
  }
  await resilin.request('POST', '/a/_optimize?max_num_segments=1');
  answers = await ask(resilin);
  await resilin.close();
  rows = [...storage.range(new Uint8Array([0]), new Uint8Array([255]))].map(([k, v]) => [
    k.slice(),
    v.slice(),
  ]);
  images = new Map();
  for (const name of await blobs.list()) images.set(name, (await blobs.get(name))!);
  expect(images.size).toBe(1);
});

describe('a segment file', () => {
  it('that is whole is used', async () => {
    const { resilin, warnings } = await open(new Map());
    expect(await ask(resilin)).toBe(answers);
    expect(warnings).toEqual([]);
    expect((await resilin.request('GET', '/a/_recovery')).body).toMatchObject({
      a: {
        shards: [{ index: { files: { total: 1, reused: 1, percent: '100.0%' } }, translog: { total: 0 } }],
      },
    });
    await resilin.close();
  });

  const random = new Random(3);
  const flips = Array.from({ length: 48 }, (_, i) => [i / 48, random.below(8)] as const);
  it('in which one bit is another is noticed wherever it is, and built again', async () => {
    const [[name, image]] = [...images] as [[string, Uint8Array]];
    for (const [where, bit] of flips) {
      const bad = image.slice();
      const at = Math.floor(image.length * where + random.below(image.length / flips.length));
      bad[at]! ^= 1 << bit;
      const { resilin, warnings } = await open(new Map([[name, bad]]));
      expect([at, warnings]).toEqual([
        at,
        [expect.stringMatching(/^\[a\]\[0\] segment \S+ can't be used: .*rebuilt/)],
      ]);
      if (random.chance(0.2)) expect(await ask(resilin)).toBe(answers);
      else {
        const { body } = await resilin.request('POST', '/a/_count', { query: { match: { title: 'fox' } } });
        expect(body).toMatchObject({ count: 400 });
      }
      expect((await resilin.request('GET', '/a/_recovery')).body).toMatchObject({
        a: {
          shards: [
            {
              stage: 'DONE',
              index: { files: { total: 1, reused: 0 } },
              translog: { total: 400, recovered: 400 },
              rebuilt: { from: 'documents', because: [expect.stringContaining("can't be used")] },
            },
          ],
        },
      });
      await resilin.close();
    }
  });

  it.each([
    ['an older', 0],
    ['a newer', 99],
  ])('of %s format than can be read is built again', async (_which, version) => {
    const [[name, image]] = [...images] as [[string, Uint8Array]];
    const other = image.slice();
    // Where the image says its format.
    other[4] = version;
    const { resilin, warnings } = await open(new Map([[name, other]]));
    expect(warnings).toEqual([expect.stringContaining('rebuilt')]);
    expect(await ask(resilin)).toBe(answers);
    await resilin.close();
  });

  it.each([0, 1, 7, 64, 0.3, 0.9, -1])('that ends at %d is noticed and built again', async (end) => {
    const [[name, image]] = [...images] as [[string, Uint8Array]];
    const length = end < 0 ? image.length + end : end < 1 ? Math.floor(image.length * end) : end;
    const { resilin, warnings } = await open(new Map([[name, image.slice(0, length)]]));
    expect(warnings).toHaveLength(1);
    expect(await ask(resilin)).toBe(answers);
    await resilin.close();
  });

  it('that is missing, longer than it was, or of another time is built again', async () => {
    const [[name, image]] = [...images] as [[string, Uint8Array]];
    const longer = new Uint8Array(image.length + 100);
    longer.set(image);
    for (const bad of [undefined, longer, image.slice().fill(0)]) {
      const { resilin, warnings } = await open(new Map([[name, bad]]));
      expect(warnings).toHaveLength(1);
      expect(await ask(resilin)).toBe(answers);
      // The next checkpoint has whole segments again.
      await resilin.close();
    }
  });
});
