import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** Expectations are those of Elasticsearch 1.7.3, recorded from one or read in its sources. */

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const asked = async (uri: string, body?: unknown) => {
  const answer = await call('POST', uri, body);
  if (answer.status !== 200) return (answer.body as { error: string }).error;
  return (answer.body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id).join();
};
const ONE = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };

beforeAll(async () => {
  resilin = await createEngine();
  const strict = { ...ONE, 'index.query.parse.allow_unmapped_fields': false };
  await call('PUT', '/titled', { settings: { ...ONE, 'index.query.default_field': 'title' } });
  await call('PUT', '/lenient', { settings: { ...ONE, 'index.query_string.lenient': true } });
  const u = { properties: { b: { type: 'integer' } } };
  await call('PUT', '/strict', { settings: strict, mappings: { t: { properties: {} }, u } });
  await call('PUT', '/titled/t/1', { title: 'quick fox' });
  await call('PUT', '/titled/t/2', { title: 'quick', body: 'fox' });
  await call('PUT', '/lenient/t/1', { n: 7, title: 'quick' });
  await call('PUT', '/strict/t/1', { a: 'x' });
  await call('POST', '/_refresh');
});
afterAll(() => resilin.close());

describe('settings of the query parser', () => {
  it('name the field of words without one', async () => {
    expect(await asked('/titled/_search?q=fox')).toBe('1');
    expect(await asked('/titled/_search', { query: { query_string: { query: 'fox' } } })).toBe('1');
    expect(await asked('/titled/_search', { query: { simple_query_string: { query: 'fox' } } })).toBe('1');
    expect(await asked('/titled/_search?q=fox&df=body')).toBe('2');
  });

  it('make query strings lenient', async () => {
    expect(await asked('/lenient/_search?q=n:x')).toBe('');
    expect(await asked('/lenient/_search?q=n:x&lenient=false')).toContain('NumberFormatException');
    expect(await asked('/titled/_search?q=n:x')).toBe('');
  });

  it('refuse fields that the types searched don’t have', async () => {
    const refusal = (name: string) =>
      `Strict field resolution and no field mapping can be found for the field with name [${name}]`;
    expect(await asked('/strict/t/_search', { query: { match: { b: 14 } } })).toContain(refusal('b'));
    expect(await asked('/strict/t/_search?q=b:20')).toContain(refusal('b'));
    expect(await asked('/strict/_search?q=b:20')).toBe('');
    const exists = { filtered: { filter: { exists: { field: 'nosuch' } } } };
    expect(await asked('/strict/_search', { query: exists })).toContain(refusal('nosuch'));
  });
});

describe('a query in the body', () => {
  it('goes before the one of the parameters where there can be only one', async () => {
    const query = { match_all: {} };
    expect((await call('GET', '/titled/_count?q=title:nosuch', { query })).body).toMatchObject({ count: 2 });
    const validated = await call('GET', '/titled/_validate/query?explain=true&q=title:nosuch', {
      query: { term: { title: 'fox' } },
    });
    expect(JSON.stringify(validated.body)).toContain('"explanation":"title:fox"');
    const explained = await call('GET', '/titled/t/1/_explain?q=title:nosuch', {
      query: { term: { title: 'quick' } },
    });
    expect(explained.body).toMatchObject({ matched: true });
    expect((await call('GET', '/titled/_search/exists?q=title:nosuch', { query })).status).toBe(200);
  });
});
