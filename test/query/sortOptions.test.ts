/** Options of a sort's keys that are of the wrong kind, in unusual forms, or unknown: 1.7's parsers take and refuse them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;

beforeAll(async () => {
  resilin = await createEngine();
  const properties = {
    n: { type: 'integer' },
    at: { type: 'geo_point' },
    parts: { type: 'nested', properties: { n: { type: 'integer' } } },
  };
  await resilin.request('PUT', '/i', { settings: { number_of_shards: 1 }, mappings: { d: { properties } } });
  for (const n of [1, 2])
    await resilin.request('PUT', `/i/d/${n}?refresh=true`, { n, at: { lat: n, lon: n }, parts: [{ n }] });
});
afterAll(() => resilin.close());

const sorted = async (sort: unknown) => {
  const { status, body } = await resilin.request('POST', '/i/_search', { sort });
  const answer = body as { error?: string; hits?: { hits: { _id: string; sort: unknown[] }[] } };
  return { status, error: answer.error ?? '', hits: answer.hits?.hits ?? [] };
};

it.each<[object, string]>([
  [{ n: { order: ['desc'] } }, '2'],
  [{ n: { order: 'desc', nosuch: [] } }, '2'],
  [{ n: { order: 'desc', nosuch: null, mode: null } }, '2'],
  [{ n: { unmapped_type: 'string', ignore_unmapped: true } }, '1'],
  [{ 'parts.n': { nested_filter: [{ term: { 'parts.n': 2 } }], order: 'desc' } }, '2'],
  [{ _geo_distance: { at: [2, 2], order: null } }, '2'],
  [{ _geo_distance: { at: [9, 9, 2, 2], mode: 'min' } }, '2'],
  [{ _script: { scriptField: "-doc['n'].value", script_lang: 'expression', type: 'number' } }, '2'],
  [
    {
      _script: {
        script_file: 'x',
        script: "-doc['n'].value",
        lang: ['expression'],
        type: 'number',
        nosuch: 1,
      },
    },
    '2',
  ],
])('%j sorts', async (sort, first) => {
  const { hits, error } = await sorted([sort]);
  expect(error).toBe('');
  expect(hits[0]?._id).toBe(first);
});

it('by distances from no points have no distances', async () => {
  const { hits } = await sorted([{ _geo_distance: { at: [] } }]);
  expect(hits.map(({ sort }) => sort)).toEqual([[Number.MAX_VALUE], [Number.MAX_VALUE]]);
});

it.each<[object, string]>([
  [{ n: { nosuch: [1] } }, 'ElasticsearchIllegalArgumentException[sort option [nosuch] not supported]'],
  [
    { n: { nested_filter: 'x' } },
    'ElasticsearchIllegalArgumentException[sort option [nested_filter] not supported]',
  ],
  [
    { n: { nested_path: {} } },
    'ElasticsearchIllegalArgumentException[sort option [nested_path] not supported]',
  ],
  [
    { nosuch: { unmapped_type: 'nosuch' } },
    'ElasticsearchIllegalArgumentException[No mapper found for type [nosuch]]',
  ],
  [
    { _geo_distance: { at: null } },
    'NullPointerException[Cannot invoke "String.indexOf(int)" because "smartName" is null]',
  ],
  [
    { _geo_distance: { at: [1] } },
    'ElasticsearchParseException[geo point parsing: expected second number but gotEND_ARRAY]',
  ],
  [
    { _script: { script: '1', lang: 'expression', type: 'string', mode: 'avg' } },
    "Parse Failure [type [string] doesn't support mode [AVG]]",
  ],
])('%j is refused', async (sort, text) => {
  const { status, error } = await sorted([sort]);
  expect(error).toContain(text);
  expect(status).toBe(400);
});

it('of a script without a text has no mode', async () => {
  const { body } = await resilin.request('POST', '/i/_search', { script_fields: { a: { script: 1 } } });
  expect((body as { error: string }).error).toContain(
    'nested: ElasticsearchIllegalArgumentException[script mode not found for lang [groovy], script_type [null], operation [search]]',
  );
});
