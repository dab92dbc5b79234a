import { expect, it } from 'vitest';
import { createEngine, RequestError } from '../../host/index.js';
import { coreBytes } from '../support/core.js';

it('writes, reads and searches with typed methods, and throws what is refused', async () => {
  const resilin = await createEngine({ wasm: coreBytes() });
  const written = await resilin.index('books', 'book', { title: 'rose' }, { id: 'a/b,c', refresh: true });
  expect([written._id, written._version, written.created]).toEqual(['a/b,c', 1, true]);
  expect((await resilin.get<{ title: string }>('books', 'book', 'a/b,c'))?._source.title).toBe('rose');
  expect(await resilin.get('books', 'book', 'none')).toBeUndefined();
  expect((await resilin.index('books', 'book', { year: 2n ** 60n })).created).toBe(true);

  const line = { index: { _index: 'more', _type: 'book', _id: '1' } };
  const bulk = await resilin.bulk([line, { title: 'a rose' }], { refresh: true });
  expect([bulk.errors, bulk.items.length, bulk.items[0]?.index?.status]).toEqual([false, 1, 201]);
  const query = { match: { title: 'rose' } };
  const found = await resilin.search<{ title: string }>('books,more', { query, sort: ['_uid'] });
  expect(found.hits.hits.map(({ _id, _source }) => [_id, _source.title])).toEqual([
    ['1', 'a rose'],
    ['a/b,c', 'rose'],
  ]);
  expect((await resilin.search('', { query })).hits.total).toBe(2);

  const refused = await resilin.search('none').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RequestError);
  expect(refused).toMatchObject({ status: 404, message: 'IndexMissingException[[none] missing]' });
  await expect(resilin.get('none', 'book', '1')).rejects.toMatchObject({ status: 404 });
  await resilin.close();
});
