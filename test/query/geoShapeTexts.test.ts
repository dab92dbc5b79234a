/** What 1.7 says of a `geo_shape` whose options are of the wrong kind: the query's parser in other words than the filter's. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;

beforeAll(async () => {
  resilin = await createEngine();
  const properties = { area: { type: 'geo_shape' } };
  await resilin.request('PUT', '/i', { settings: { number_of_shards: 1 }, mappings: { d: { properties } } });
});
afterAll(() => resilin.close());

const shape = { type: 'point', coordinates: [1, 2] };
const asked = async (query: object) => {
  const { body } = await resilin.request('POST', '/i/_search', { query });
  return (body as { error?: string }).error ?? '';
};
const asFilter = (geo_shape: object) => ({ filtered: { filter: { geo_shape } } });

it.each([
  ['near', 'near'],
  [[], '['],
  [null, 'null'],
])('the relation %j', async (relation, text) => {
  const wanted = { area: { shape, relation } };
  expect(await asked({ geo_shape: wanted })).toContain(
    `QueryParsingException[[i] Unknown shape operation [${text} ]]`,
  );
  expect(await asked(asFilter(wanted))).toContain(
    `QueryParsingException[[i] Unknown shape operation [${text}]]`,
  );
});

it('a boost that is no number', async () => {
  expect(await asked({ geo_shape: { area: { shape }, boost: 'x' } })).toContain(
    'NumberFormatException[For input string: "x"]',
  );
});

it('null and empty lists are read over', async () => {
  expect(await asked({ geo_shape: { area: { shape }, boost: null, more: [] } })).toBe('');
  expect(await asked(asFilter({ area: { shape }, more: null }))).toBe('');
});
