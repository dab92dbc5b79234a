import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  const name = { type: 'string', store: true };
  const nested = { type: 'nested', properties: { name } };
  await resilin.request('PUT', '/i', {
    settings: { number_of_shards: 1 },
    mappings: {
      t: {
        properties: {
          nest: nested,
          inParent: { ...nested, include_in_parent: true },
          inRoot: {
            type: 'nested',
            properties: { deep: { ...nested, include_in_root: true } },
          },
        },
      },
      u: { _parent: { type: 't' } },
    },
  });
  await resilin.request('PUT', '/i/t/1', {
    nest: { name: 'a' },
    inParent: [{ name: 'b' }, { name: 'c' }],
    inRoot: { deep: { name: 'd' } },
    n: 1,
  });
  await resilin.request('PUT', '/i/u/2?parent=7&refresh=true', { a: 1 });
});
afterAll(() => resilin.close());

const NAMES = ['nest.name', 'inParent.name', 'inRoot.deep.name'];
const INCLUDED = { 'inParent.name': ['b', 'c'], 'inRoot.deep.name': ['d'] };

interface Hit {
  fields?: unknown;
  inner_hits: Record<string, { hits: { hits: { fields?: unknown }[] } }>;
}
const hits = async (uri: string, body?: unknown) =>
  ((await resilin.request('GET', uri, body)).body as { hits: { hits: Hit[] } }).hits.hits;

test('what is stored in nested documents is no field of the document around, unless it is included there', async () => {
  const { body } = await resilin.request('GET', `/i/t/1?fields=${NAMES.join()}`);
  expect((body as Hit).fields).toEqual(INCLUDED);
  expect(await hits('/i/t/_search', { fields: NAMES })).toMatchObject([{ fields: INCLUDED }]);
});

test('nested documents have it', async () => {
  const nested = { path: 'nest', query: { match_all: {} }, inner_hits: { fields: ['nest.name'] } };
  const [hit] = await hits('/i/t/_search', { query: { nested } });
  expect(hit!.inner_hits.nest!.hits.hits).toMatchObject([{ fields: { 'nest.name': ['a'] } }]);
});

test('all stored fields are those of the metadata too', async () => {
  const [hit] = await hits('/i/u/_search', { fields: ['*'] });
  expect(hit!.fields).toEqual({ _routing: '7', _parent: '7' });
});

test('fields of the URL join those of the body', async () => {
  const [both] = await hits('/i/t/_search?fields=n', { fields: ['inRoot.deep.name'] });
  expect(both!.fields).toEqual({ n: [1], 'inRoot.deep.name': ['d'] });
  const [one] = await hits('/i/t/_search?fields=n', { fields: 'inRoot.deep.name' });
  expect(one!.fields).toEqual(both!.fields);
});
