import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// Fields that are told one after the other are in an order that their names decide, whichever way a mapping came to have them.

let resilin: Resilin;
const call = async (method: string, uri: string, body?: unknown) =>
  (await resilin.request(method, uri, body)).body;

beforeAll(async () => {
  resilin = await createEngine();
  await call('PUT', '/a/t/1?refresh=true', { title: 'fox', obj: { note: 'hen', act: 'run' }, body: 'dog' });
});
afterAll(() => resilin.close());

async function everywhere(ask: () => Promise<unknown>): Promise<string> {
  const before = JSON.stringify(await ask());
  await call('POST', '/a/_close');
  await call('POST', '/a/_open');
  expect(JSON.stringify(await ask())).toBe(before);
  return before;
}

test('term vectors come by name', async () => {
  const text = await everywhere(async () => {
    const answer = await call('GET', '/a/t/1/_termvector?fields=title,body,obj.note');
    return (answer as { term_vectors: object }).term_vectors;
  });
  expect(Object.keys(JSON.parse(text))).toEqual(['body', 'obj.note', 'title']);
});

test('highlights of a pattern come as Java orders a set of their names', async () => {
  const body = { highlight: { fields: { '*': { no_match_size: 9 } } } };
  const text = await everywhere(async () => {
    const answer = (await call('POST', '/a/_search', body)) as { hits: { hits: { highlight: object }[] } };
    return answer.hits.hits[0]!.highlight;
  });
  expect(Object.keys(JSON.parse(text))).toEqual(['obj.act', 'obj.note', 'body', 'title']);
});

test('an explanation names the fields of an object by name', async () => {
  const body = { query: { constant_score: { filter: { exists: { field: 'obj' } } } } };
  const text = await everywhere(() => call('POST', '/a/_validate/query?explain=true', body));
  expect(text).toContain('_field_names:obj.act _field_names:obj.note');
});
