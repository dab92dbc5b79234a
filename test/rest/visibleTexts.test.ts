/** How answers name what a search sees beside its query: types, nested documents, registered queries, aliases. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 1 };
  await resilin.request('PUT', '/flat', { settings, mappings: { t: {}, u: {} } });
  const nested = { properties: { n: { type: 'nested' } } };
  await resilin.request('PUT', '/deep', { settings, mappings: { t: nested, u: {} } });
  for (const index of ['flat', 'deep'])
    await resilin.request('PUT', `/${index}/t/1?refresh=true`, { a: 'x' });
  await resilin.request('PUT', '/asked', { settings, mappings: { t: nested } });
  await resilin.request('PUT', '/asked/.percolator/1', { query: { match_all: {} } });
  await resilin.request('PUT', '/flat/_alias/some', { filter: { term: { a: 'x' } } });
});
afterAll(() => resilin.close());

const NESTED = 'org.elasticsearch.index.search.nested.NonNestedDocsFilter@#';
const named = (text: string) => text.replace(/(NonNestedDocsFilter@)\w+/g, '$1#');

describe('what is validated', () => {
  const a = { term: { a: 'x' } };
  test.each([
    ['/flat', a, 'a:x'],
    ['/flat', { bool: {} }, '*:*'],
    ['/flat/t', a, 'filtered(a:x)->cache(_type:t)'],
    ['/flat/t', { match_all: {} }, 'ConstantScore(cache(_type:t))'],
    ['/flat/t', { match_all: { boost: 2 } }, 'filtered(*:*^2.0)->cache(_type:t)'],
    ['/flat/u,t', { bool: {} }, 'filtered(*:*)->cache(_type:t _type:u)'],
    ['/flat/t,nosuch', a, 'filtered(a:x)->cache(BooleanFilter(_type:t _type:nosuch))'],
    ['/flat/nosuch', a, 'filtered(a:x)->cache(nosuch:)'],
    ['/some', a, 'filtered(a:x)->cache(a:x)'],
    ['/some/t', a, 'filtered(a:x)->+cache(_type:t) +cache(a:x)'],
    ['/deep', a, `filtered(a:x)->cache(${NESTED})`],
    ['/deep/t', a, `filtered(a:x)->cache(+_type:t +${NESTED})`],
    ['/asked', { match_all: {} }, `ConstantScore(cache(+NotFilter(_type:.percolator) +${NESTED}))`],
  ])('%s %j', async (place, query, text) => {
    const { body } = await resilin.request('GET', `${place}/_validate/query?explain=true`, { query });
    const { explanations } = body as { explanations: { explanation: string }[] };
    expect(named(explanations[0]!.explanation)).toBe(text);
  });
});

test.each([
  ['/flat', 'ConstantScore(*:*), product of:'],
  ['/flat/t', 'ConstantScore(cache(_type:t)), product of:'],
  ['/flat/t,u', 'ConstantScore(cache(_type:t _type:u)), product of:'],
  ['/deep', `ConstantScore(cache(${NESTED})), product of:`],
  ['/deep/t', `ConstantScore(cache(+_type:t +${NESTED})), product of:`],
])('what is explained in %s', async (place, text) => {
  const { body } = await resilin.request('POST', `${place}/_search`, { explain: true });
  const { hits } = body as { hits: { hits: { _explanation: { description: string } }[] } };
  expect(named(hits.hits[0]!._explanation.description)).toBe(text);
});

test('an explanation shows of the document only what is asked for', async () => {
  const explained = async (parameters: string) =>
    (await resilin.request('GET', `/flat/t/1/_explain${parameters}`, { query: { match_all: {} } }))
      .body as object;
  expect(await explained('')).not.toHaveProperty('get');
  expect(await explained('?_source=false')).not.toHaveProperty('get');
  expect(await explained('?_source=true')).toMatchObject({ get: { _source: { a: 'x' } } });
  expect(await explained('?_source=false&fields=a')).toMatchObject({ get: { fields: { a: ['x'] } } });
});

test.each([1, 2])(
  'a prefix without words is one without words in the whole shard, of %i segments',
  async (segments) => {
    const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
    await resilin.request('PUT', '/parts', { settings });
    await resilin.request('PUT', '/parts/t/1', {});
    if (segments === 2) await resilin.request('POST', '/parts/_refresh');
    await resilin.request('PUT', '/parts/t/2', { a: 'cup' });
    await resilin.request('POST', '/parts/_refresh');
    const explained = async (value: string) => {
      const query = { prefix: { a: { value, boost: 2 } } };
      const { body } = await resilin.request('POST', '/parts/t/1/_explain', { query });
      return (body as { explanation: { description: string } }).explanation.description;
    };
    expect(await explained('cu')).toBe("ConstantScore(a:cu*^2.0)^2.0 doesn't match id 0");
    expect(await explained('x')).toBe("ConstantScore()^2.0 doesn't match id 0");
    await resilin.request('DELETE', '/parts');
  },
);
