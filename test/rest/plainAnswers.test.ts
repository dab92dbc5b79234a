import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRouter } from '../../host/rest/createRouter.js';
import type { Router } from '../../host/rest/router.js';
import { Principal } from '../../host/security/principal.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { WorkLimit } from '../../host/workLimit.js';
import { coreBytes } from '../support/core.js';

let engine: Engine;
let router: Router;
const utf8 = new TextEncoder();

async function call(method: string, uri: string, body?: unknown): Promise<string> {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = utf8.encode(text);
  const answer = await router.handle(method, uri, bytes, Principal.unrestricted, WorkLimit.none);
  return `${answer.status} ${answer.contentType} ${new TextDecoder().decode(answer.body)}`;
}

/** The answer to a search, which is the same when it is made of values. */
async function answered(path: string, body: unknown): Promise<string> {
  const plain = (uri: string) =>
    call('POST', uri, body).then((text) => text.replace(/"took":\d+/, '"took":1'));
  const written = await plain(path);
  const mark = path.includes('?') ? '&' : '?';
  expect(written).toBe(await plain(`${path}${mark}format=json`));
  return written;
}

const ONE = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
const ALL = { query: { match_all: {} } };

beforeAll(async () => {
  const module = await WebAssembly.compile(coreBytes());
  engine = await Engine.open({
    storage: new MemoryStorage(),
    blobs: new MemoryBlobs(),
    clock: wallClock,
    transport: new LocalTransport(module),
    module,
  });
  router = createRouter(engine, { node: 'test', cluster: 'test', version: '0.0.0' });
  await call('PUT', '/one', { settings: ONE });
  await call('PUT', '/one/t/1', '{ "word" : "fox",\n "n": 1.0 }');
  await call('PUT', '/one/u/%22q%22%5C%0A', { word: 'fox dog' });
  await call('PUT', '/one/t/%C3%A9%F0%9F%A6%8A', { word: 'fox fox fox' });
  await call('PUT', `/one/t/${'i'.repeat(300)}`, { word: 'dog' });
  await call('PUT', '/hidden', { settings: ONE, mappings: { t: { _source: { enabled: false } } } });
  await call('PUT', '/hidden/t/1', { word: 'fox' });
  await call('PUT', '/many', { settings: { ...ONE, number_of_shards: 3 } });
  for (let i = 0; i < 120; i++) await call('PUT', `/many/t/${i}`, { word: 'fox '.repeat(1 + (i % 7)), i });
  await call('PUT', '/long', { settings: ONE });
  for (let i = 0; i < 4; i++) await call('PUT', `/long/t/${i}`, { word: 'fox', text: 'é'.repeat(40_000) });
  await call('POST', '/_refresh');
});
afterAll(() => engine.close());

const fox = { query: { match: { word: 'fox' } } };

describe('the answer of a search', () => {
  it('is what its values come to', async () => {
    expect(await answered('/one/_search', fox)).toContain('{ "word" : "fox",\n "n": 1.0 }');
    expect(await answered('/one/_search', ALL)).toContain(String.raw`"_id":"\"q\"\\\n"`);
    expect(await answered('/one/_search', { query: { term: { word: 'none' } } })).toContain(
      '"max_score":null',
    );
    await answered('/one/_search', { ...fox, size: 0 });
    await answered('/one/_search', { query: { match: { word: { query: 'fox', boost: 1e12 } } } });
    await answered('/one/_search', { query: { match: { word: { query: 'fox', boost: 1e-12 } } } });
    await answered('/one/_search', { ...fox, timeout: '1h' });
  });

  it('is the same of several indices, shards and types', async () => {
    await answered('/one,many/_search', fox);
    await answered('/_search', { ...fox, size: 30 });
    await answered('/many/_search', { ...fox, from: 20, size: 20 });
    expect(await answered('/hidden/_search', fox)).not.toContain('_source');
    await answered('/hidden,one/_search', fox);
  });

  it('is the same where it is long', async () => {
    await answered('/many/_search', { ...fox, size: 110 });
    await answered('/long/_search', { ...fox, size: 1 });
    expect((await answered('/long/_search', fox)).length).toBeGreaterThan(160_000);
  });

  it('is the same where it shows more than documents', async () => {
    await answered('/one/_search', { ...fox, sort: ['_score'] });
    await answered('/one/_search', { ...fox, sort: [{ n: 'desc' }] });
    await answered('/one/_search', { ...fox, version: true });
    await answered('/one/_search', { ...fox, explain: true });
    await answered('/one/_search', { ...fox, fields: ['word'] });
    await answered('/one/_search', { ...fox, fielddata_fields: ['word'] });
    await answered('/one/_search', { ...fox, _source: false });
    await answered('/one/_search', { ...fox, _source: ['n'] });
    await answered('/one/_search', { ...fox, partial_fields: { some: { include: 'word' } } });
    await answered('/one/_search', { ...fox, script_fields: { two: { script: '2', lang: 'expression' } } });
    await answered('/one/_search', { ...fox, highlight: { fields: { word: {} } } });
    await answered('/one/_search', { ...fox, aggs: { words: { terms: { field: 'word' } } } });
    await answered('/one/_search', { ...fox, facets: { words: { terms: { field: 'word' } } } });
    await answered('/one/_search', { ...fox, suggest: { s: { text: 'fix', term: { field: 'word' } } } });
    await answered('/one/_search', { ...fox, terminate_after: 1 });
    await answered('/one/_search', { query: { match: { word: { query: 'fox', _name: 'named' } } } });
  });

  it('is the same where shards fail, or all of them', async () => {
    const failing = { query: { match: { word: 'fox' } }, sort: [{ nosuch: 'asc' }] };
    await answered('/one/_search', failing);
    await answered('/one/_search', { query: { nosuch: {} } });
    await call('PUT', '/without', {
      settings: ONE,
      mappings: { t: { properties: { place: { type: 'geo_point' } } } },
    });
    const far = { query: { filtered: { filter: { geo_distance: { distance: '1km', place: '1,1' } } } } };
    expect(await answered('/one,without/_search', far)).toContain('"failures"');
  });

  it('is pretty, filtered or in another format where that is asked for', async () => {
    expect(await call('POST', '/one/_search?pretty', fox)).toContain('\n  "took" : ');
    expect(await call('POST', '/one/_search?filter_path=hits.total', fox)).toContain('{"hits":{"total":3}}');
    expect(await call('POST', '/one/_search?case=camelCase', fox)).toContain('"timedOut":false');
    expect(await call('POST', '/one/_search?format=yaml', fox)).toContain('timed_out: false');
  });
});
