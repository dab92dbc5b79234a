import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { RepeatedBodies } from '../../host/rest/search/repeatedBodies.js';
import { isRepeated, keptSearch, noteRepeated } from '../../host/search/repeatedSearch.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { WorkLimit } from '../../host/workLimit.js';
import { coreBytes } from '../support/core.js';

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const asked = async (uri: string, body?: unknown) => {
  const answer = await call('POST', uri, body);
  if (answer.status !== 200) return (answer.body as { error: string }).error;
  return (answer.body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id).join();
};
/** The last of so many answers to the same that a search before would have been kept. */
const askedAgain = async (uri: string, body?: unknown) => {
  for (let i = 0; i < 3; i++) await asked(uri, body);
  return asked(uri, body);
};
const ONE = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };

beforeAll(async () => {
  resilin = await createEngine();
});
afterAll(() => resilin.close());

const term = (value: unknown) => ({ query: { term: { word: value } } });

describe('a search that comes again', () => {
  it('finds what was written meanwhile', async () => {
    await call('PUT', '/written', { settings: ONE });
    await call('PUT', '/written/t/1', { word: 'fox' });
    await call('POST', '/written/_refresh');
    expect(await askedAgain('/written/_search', term('fox'))).toBe('1');
    await call('PUT', '/written/t/2', { word: 'fox' });
    await call('POST', '/written/_refresh');
    expect(await asked('/written/_search', term('fox'))).toBe('1,2');
  });

  it('is about fields that a document or a mapping brought meanwhile', async () => {
    await call('PUT', '/mapped', {
      settings: ONE,
      mappings: { t: { properties: { other: { type: 'string' } } } },
    });
    await call('PUT', '/mapped/t/1', { other: 'fox' });
    await call('POST', '/mapped/_refresh');
    expect(await askedAgain('/mapped/_search', term('fox'))).toBe('');
    await call('PUT', '/mapped/t/2', { word: 'fox' });
    await call('POST', '/mapped/_refresh');
    expect(await asked('/mapped/_search', term('fox'))).toBe('2');
    const match = { query: { match: { other: { query: 'FOX', minimum_should_match: 1 } } } };
    expect(await askedAgain('/mapped/_search', match)).toBe('1');
    const properties = { other: { type: 'string', search_analyzer: 'keyword' } };
    expect((await call('PUT', '/mapped/_mapping/t', { t: { properties } })).status).toBe(200);
    expect(await asked('/mapped/_search', match)).toBe('');
  });

  it('follows settings of its index', async () => {
    const query = { query: { query_string: { query: 'fox', analyzer: 'standard' } } };
    await call('PUT', '/set', { settings: { ...ONE, 'index.query.default_field': 'a' } });
    await call('PUT', '/set/t/1', { a: 'fox', b: 'dog' });
    await call('PUT', '/set/t/2', { a: 'dog', b: 'fox' });
    await call('POST', '/set/_refresh');
    expect(await askedAgain('/set/_search', query)).toBe('1');
    await call('POST', '/set/_close');
    await call('PUT', '/set/_settings', { 'index.query.default_field': 'b' });
    await call('POST', '/set/_open');
    expect(await asked('/set/_search', query)).toBe('2');
  });

  it('is another one for another index, and for the next of the same name', async () => {
    const body = { query: { range: { n: { gt: '5' } } } };
    const put = async (index: string, type: string) => {
      await call('PUT', `/${index}`, { settings: ONE, mappings: { t: { properties: { n: { type } } } } });
      await call('PUT', `/${index}/t/1`, { n: type === 'string' ? '10' : 10 });
      await call('POST', `/${index}/_refresh`);
    };
    await put('whole', 'integer');
    await put('text', 'string');
    expect(await askedAgain('/whole/_search', body)).toBe('1');
    expect(await askedAgain('/text/_search', body)).toBe('');
    expect(await askedAgain('/whole/_search', body)).toBe('1');
    expect(await askedAgain('/whole,text/_search', body)).toBe('1');
    await call('DELETE', '/whole');
    await put('whole', 'string');
    expect(await asked('/whole/_search', body)).toBe('');
  });

  it('is narrowed by aliases and by types', async () => {
    await call('PUT', '/narrowed', { settings: ONE });
    for (const [type, id] of [
      ['t', '1'],
      ['u', '2'],
    ] as const)
      await call('PUT', `/narrowed/${type}/${id}`, { word: 'fox', id });
    await call('POST', '/narrowed/_refresh');
    await call('PUT', '/narrowed/_alias/some', { filter: { term: { id: '2' } } });
    expect(await askedAgain('/narrowed/_search', term('fox'))).toBe('1,2');
    expect(await askedAgain('/some/_search', term('fox'))).toBe('2');
    expect(await askedAgain('/narrowed/t/_search', term('fox'))).toBe('1');
    expect(await askedAgain('/narrowed/_search', term('fox'))).toBe('1,2');
    expect(await asked('/narrowed/_search?size=1', term('fox'))).toBe('1');
  });

  it('reads other documents and stored texts anew', async () => {
    await call('PUT', '/looked', { settings: ONE });
    await call('PUT', '/looked/t/1', { word: 'fox' });
    await call('PUT', '/looked/t/2', { word: 'dog' });
    await call('PUT', '/looked/list/1?refresh=true', { words: ['fox'] });
    const lookup = { query: { terms: { word: { index: 'looked', type: 'list', id: '1', path: 'words' } } } };
    const filtered = { query: { filtered: { filter: lookup.query } } };
    expect(await askedAgain('/looked/_search', filtered)).toBe('1');
    await call('PUT', '/looked/list/1?refresh=true', { words: ['dog'] });
    expect(await asked('/looked/_search', filtered)).toBe('2');
    const indices = {
      query: { indices: { index: 'other', query: { match_all: {} }, no_match_query: 'none' } },
    };
    expect(await askedAgain('/looked/t/_search', indices)).toBe('');
    expect(await askedAgain('/looked/_search', indices)).toBe('');
    await call('PUT', '/looked/_alias/other');
    expect(await asked('/looked/_search', indices)).not.toBe('');
    await call('PUT', '/_search/template/words', { template: { term: { word: '{{word}}' } } });
    const template = { query: { template: { id: 'words', params: { word: 'fox' } } } };
    expect(await askedAgain('/looked/_search', template)).toBe('1');
    await call('PUT', '/_search/template/words', { template: { term: { word: 'dog' } } });
    expect(await asked('/looked/_search', template)).toBe('2');
  });

  it('is compiled once, unless it says a time by now', async () => {
    const module = await WebAssembly.compile(coreBytes());
    const stores = { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
    const transport = new LocalTransport(module);
    const engine = await Engine.open({ ...stores, clock: wallClock, transport, module });
    await engine.cluster.create('dated', {
      settings: ONE,
      mappings: { t: { properties: { d: { type: 'date' } } } },
    });
    const index = engine.index('dated');
    const targets = engine.targets('dated');
    const isKept = async (query: object) => {
      const body = { query };
      noteRepeated(body);
      await engine.search(targets, { body, text: '', limit: WorkLimit.none });
      const kept = keptSearch(body, index, 1);
      expect(keptSearch(body, index, 2)).toBeUndefined();
      return kept !== undefined;
    };
    const filtered = (range: object) => ({
      filtered: { query: { match: { word: 'quick fox' } }, filter: { range: { d: range } } },
    });
    expect(await isKept(filtered({ gte: '2014-01-01', lt: '2016-01-01||/d' }))).toBe(true);
    expect(await isKept(filtered({ lt: 'now' }))).toBe(false);
    expect(await isKept(filtered({ gte: '2014-01-01', lt: 'now-1d/d' }))).toBe(false);
    expect(await isKept({ match: { word: { query: 'fix', fuzziness: 1 } } })).toBe(false);
    const long = Array.from({ length: 1000 }, (_, i) => `word${i}`);
    expect(await isKept({ terms: { word: long } })).toBe(false);
    await engine.close();
  });

  it('says the same of what can’t be read or found', async () => {
    await call('PUT', '/refused', { settings: ONE });
    const broken = await call('POST', '/refused/_search', '{"query": {"term": ');
    const unknown = { query: { nosuch: {} } };
    const refused = await asked('/refused/_search', unknown);
    expect(refused).toContain('No query registered for [nosuch]');
    for (let i = 0; i < 3; i++) {
      expect(await call('POST', '/refused/_search', '{"query": {"term": ')).toEqual(broken);
      expect(await asked('/refused/_search', unknown)).toBe(refused);
    }
  });
});

describe('bodies that come again', () => {
  const utf8 = new TextEncoder();
  const read = (bytes: Uint8Array) => {
    const text = new TextDecoder().decode(bytes);
    return { text, body: JSON.parse(text) as unknown };
  };
  const body = (n: number) => utf8.encode(JSON.stringify({ n }));

  it('are the same object from the second time on', () => {
    const bodies = new RepeatedBodies();
    expect(bodies.of(body(1), read)).toBeUndefined();
    const second = bodies.of(body(1), read);
    expect(second).toMatchObject({ text: '{"n":1}', body: { n: 1 } });
    expect(bodies.of(body(1), read)).toBe(second);
    expect(isRepeated(second?.body)).toBe(true);
    expect(isRepeated({ n: 1 })).toBe(false);
    expect(bodies.of(body(2), read)).toBeUndefined();
  });

  it('are not kept where they are long, no objects or can’t be read', () => {
    const bodies = new RepeatedBodies();
    const long = utf8.encode(JSON.stringify({ text: 'x'.repeat(2048) }));
    const unreadable = () => ({ text: '', body: {}, unreadable: new Error() });
    for (let i = 0; i < 3; i++) {
      expect(bodies.of(long, read)).toBeUndefined();
      expect(bodies.of(utf8.encode('[1]'), read)).toBeUndefined();
      expect(bodies.of(body(3), unreadable)).toBeUndefined();
    }
    expect(bodies.size).toBe(0);
  });

  it('are forgotten when as many others were asked for', () => {
    const bodies = new RepeatedBodies();
    const twice = (n: number) => {
      bodies.of(body(n), read);
      return bodies.of(body(n), read);
    };
    const [first, used] = [twice(1), twice(2)];
    for (let n = 3; n < 1500; n++) {
      twice(n);
      if (n % 100 === 0) expect(bodies.of(body(2), read)).toBe(used);
    }
    expect(bodies.of(body(1), read)).toBe(first);
    for (let n = 1500; n < 4000; n++) {
      twice(n);
      if (n % 100 === 0) expect(bodies.of(body(2), read)).toBe(used);
      expect(bodies.size).toBeLessThanOrEqual(2048);
    }
    expect(bodies.of(body(1), read)).not.toBe(first);
  });
});
