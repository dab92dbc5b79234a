import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

/** `random_score` with a seed: the same number for a document in every search, and the one that 1.7 has for it. */

let api: Api;

async function ok(method: string, uri: string, body?: unknown): Promise<unknown> {
  const answer = await api.call(method, uri, body);
  expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBeLessThan(300);
  return answer.body;
}

beforeAll(async () => {
  api = await openApi(coreBytes());
});

afterAll(() => api.close());

/** MurmurHash3, 32 bits. */
function murmur3(text: string, seed: number): number {
  const bytes = new TextEncoder().encode(text);
  const mixed = (k: number) => {
    const product = Math.imul(k, 0xcc9e2d51);
    return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
  };
  let h = seed;
  const whole = bytes.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    h ^= mixed(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let i = bytes.length - 1; i >= whole; i--) rest = (rest << 8) | bytes[i]!;
  if (whole < bytes.length) h ^= mixed(rest);
  h ^= bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) & 0xffffff;
}

function javaHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

/** The scores by id. */
async function scores(uri: string, seed: number | string): Promise<Map<string, number>> {
  const body = { query: { function_score: { random_score: { seed }, boost_mode: 'replace' } }, size: 1000 };
  const { hits } = (await ok('POST', uri, body)) as { hits: { hits: { _id: string; _score: number }[] } };
  return new Map(hits.hits.map(({ _id, _score }) => [_id, _score]));
}

it('gives the numbers that 1.7 gives', async () => {
  await ok('PUT', '/shop', { settings: { number_of_shards: 1 } });
  for (const id of ['104', '44', '8']) await ok('PUT', `/shop/product/${id}`, { a: 1 });
  await ok('POST', '/shop/_refresh');
  expect((await scores('/shop/_search', 'text')).get('104')).toBeCloseTo(0.9496321, 6);
  const bySeed = await scores('/shop/_search', 1);
  expect(bySeed.get('44')).toBeCloseTo(0.9532923, 6);
  expect(bySeed.get('8')).toBeCloseTo(0.8883279, 6);
});

it('goes by the uid, whatever became of the segments', async () => {
  await ok('PUT', '/many', { settings: { number_of_shards: 3, refresh_interval: '-1' } });
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `{"index":{"_id":"nö-${from + i}"}}\n{"a":1}\n`).join('');
  const check = async (count: number) => {
    const found = await scores('/many/_search', 7);
    expect(found.size).toBe(count);
    const salt = javaHash('many') << 10;
    const fraction = (id: string, shard: number) =>
      Math.fround(murmur3(`t#${id}`, 7 ^ (salt | shard)) / 2 ** 24);
    for (const [id, score] of found) {
      const possible = [0, 1, 2].map((shard) => fraction(id, shard));
      expect(Math.min(...possible.map((value) => Math.abs(value - score)))).toBeLessThan(1e-7);
    }
    return found;
  };
  await ok('POST', '/many/t/_bulk?refresh=true', lines(0, 100));
  const first = await check(100);
  await ok('POST', '/many/t/_bulk?refresh=true', lines(50, 150));
  const second = await check(150);
  await ok('DELETE', '/many/t/n%C3%B6-3?refresh=true');
  await ok('POST', '/many/_optimize?max_num_segments=1');
  const third = await check(149);
  for (const [id, score] of third) {
    expect(second.get(id)).toBe(score);
    if (first.has(id)) expect(first.get(id)).toBe(score);
  }
});
