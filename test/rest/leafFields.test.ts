import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  await resilin.request('PUT', '/i', {
    settings: { number_of_shards: 1 },
    mappings: {
      leaf: { properties: { b: { type: 'string', boost: 2 } } },
      object: { properties: { b: { properties: { x: { type: 'string' } } } } },
    },
  });
  await resilin.request('PUT', '/i/leaf/1', { b: 'one' });
  await resilin.request('PUT', '/i/object/2?refresh=true', { b: { x: 'two' } });
});
afterAll(() => resilin.close());

const get = async (path: string) => {
  const { status, body } = await resilin.request('GET', path);
  return { status, body: body as { error?: string; fields?: unknown; hits?: { hits: unknown[] } } };
};

test('what is a field of one type and an object of another is asked for by the types that are searched', async () => {
  const both = await get('/i/_search?fields=b');
  expect(both.body.hits!.hits).toMatchObject([{ _id: '1', fields: { b: ['one'] } }, { _id: '2' }]);
  for (const path of ['/i/object/_search?fields=b', '/i/object/2?fields=b']) {
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(body.error).toContain("ElasticsearchIllegalArgumentException[field [b] isn't a leaf field]");
  }
  expect((await get('/i/leaf/1?fields=b')).body.fields).toEqual({ b: ['one'] });
});
