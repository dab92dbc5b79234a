import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** What searches say of scores and values that are not there, as Elasticsearch 1.7.3 says it. */

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const failed = async (body: unknown, uri = '/i/_search') => {
  const answer = await call('POST', uri, body);
  const { error = '' } = answer.body as { error?: string };
  return `${answer.status} ${/shardFailures \{\[[^\]]*\]\[i\]\[0\]: (.*)\}\]$/.exec(error)?.[1] ?? error}`;
};
const NO_SCORE = 'IllegalStateException[Expressions referencing the score can only be used for sorting]';

beforeAll(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  const properties = {
    b: { type: 'binary' },
    kept: { type: 'binary', doc_values: true },
    s: { type: 'completion' },
    g: { type: 'geo_shape', tree_levels: 3 },
  };
  await call('PUT', '/i', { settings, mappings: { t: { properties } } });
  await call('PUT', '/i/t/1?refresh=true', { b: 'cXVpY2s=', s: 'a', n: 1 });
});
afterAll(() => resilin.close());

describe('scripts that read the score', () => {
  const script = { script: '_score', lang: 'expression' };

  it('show no fields', async () => {
    expect(await failed({ script_fields: { s: script } })).toBe(`500 ${NO_SCORE}`);
    expect((await call('POST', '/i/_search', { script_fields: { s: script }, size: 0 })).status).toBe(200);
  });

  it('sort and filter nothing', async () => {
    const sorted = await failed({ sort: { _script: { ...script, type: 'number' } } });
    expect(sorted).toMatch(/^500 QueryPhaseExecutionException\[\[i\]\[0\]: query\[ConstantScore\(\*:\*\)\]/);
    expect(sorted).toContain('<custom:"_script": org.elasticsearch.search.sort.ScriptSortParser$2@');
    expect(sorted).toContain(`nested: ${NO_SCORE}`);
    expect(await failed({ query: { filtered: { filter: { script } } } })).toContain(`nested: ${NO_SCORE}`);
  });

  it('score documents', async () => {
    const query = { function_score: { script_score: script } };
    expect((await call('POST', '/i/_search', { query })).status).toBe(200);
  });
});

describe('fields without values in memory', () => {
  const forbidden = 'ElasticsearchIllegalStateException[Field data loading is forbidden on b]';

  it('are shown by no hit', async () => {
    for (const name of ['s', 'g'])
      expect(await failed({ fielddata_fields: [name] })).toBe(
        `400 ElasticsearchIllegalArgumentException[found no fielddata type for field [${name}]]`,
      );
    expect(await failed({ fielddata_fields: ['b'] })).toMatch(
      /^500 ElasticsearchException\[org\.elasticsearch\./,
    );
    expect(await failed({ fielddata_fields: ['b'] })).toContain(`nested: ${forbidden}`);
    expect((await call('POST', '/i/_search?search_type=count', { fielddata_fields: ['b'] })).status).toBe(
      200,
    );
  });

  it('sort and count nothing', async () => {
    expect(await failed({ sort: 'b' })).toContain(`nested: ${forbidden}`);
    expect(await failed({ sort: 'kept' })).toContain("can't sort on binary field");
    const aggs = { a: { missing: { field: 'b' } } };
    expect(await failed({ aggs }, '/i/_search?search_type=count')).toContain(`nested: ${forbidden}`);
  });
});
