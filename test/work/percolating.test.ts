/** Documents are percolated in turns where they are long, and many of them one after the other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNode, type TestNode } from './node.js';

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  const x = { type: 'string' };
  const o = { type: 'nested', properties: { n: { type: 'long' } } };
  await node.call('PUT', '/a', {
    mappings: { t: { properties: { x, o, a: { properties: { n: { type: 'long' } } } } } },
  });
  await node.call('PUT', '/a/.percolator/red', { query: { match: { x: 'red' } } });
  await node.call('PUT', '/a/.percolator/five?refresh', {
    query: { nested: { path: 'o', query: { term: { 'o.n': 5 } } } },
  });
});
afterAll(() => node.engine.close());

const ids = (body: { matches: { _id: string }[] }) => body.matches.map(({ _id }) => _id).sort();

it('a long document', async () => {
  const doc = {
    x: 'a red fox',
    o: Array.from({ length: 2000 }, (_, n) => ({ n })),
    a: Array.from({ length: 25_000 }, (_, n) => ({ n })),
  };
  const found = await node.call('POST', '/a/t/_percolate', { doc });
  expect(ids(found.body)).toEqual(['five', 'red']);
  const short = await node.call('POST', '/a/t/_percolate', { doc: { x: 'red' } });
  expect(ids(short.body)).toEqual(['red']);
  // Values beyond the first five thousand are read in turns, both times that it is parsed.
  expect(found.turns - short.turns).toBeGreaterThan(100);
  const gone = await node.call('POST', '/a/t/_percolate', { doc }, { goneAfter: short.turns + 40 });
  expect(gone).toMatchObject({ status: 503, turns: short.turns + 40 });
  const many = await node.call('POST', '/a/t/_mpercolate', `{"percolate":{}}\n${JSON.stringify({ doc })}\n`);
  expect(ids(many.body.responses[0])).toEqual(['five', 'red']);
});

it('a long document that the mapping refuses', async () => {
  const doc = { a: [...Array.from({ length: 4000 }, (_, n) => ({ n })), { n: 'x' }] };
  const found = await node.call('POST', '/a/t/_percolate', { doc });
  const short = await node.call('POST', '/a/t/_percolate', { doc: { a: [{ n: 'x' }] } });
  const error = (text: string) => text.replace(/[0-9]+/g, '');
  expect(found.status).toBe(short.status);
  expect(error(JSON.stringify(found.body._shards))).toBe(error(JSON.stringify(short.body._shards)));
});

it('many documents', async () => {
  const lines = Array.from({ length: 200 }, (_, i) => [
    '{"percolate":{"index":"a","type":"t"}}',
    JSON.stringify({ doc: { x: i % 2 === 0 ? 'red' : 'blue' } }),
  ]);
  const body = `${lines.flat().join('\n')}\n`;
  const found = await node.call('POST', '/_mpercolate', body);
  expect(found.body.responses.map(({ total }: { total: number }) => total)).toEqual(
    lines.map((_, i) => (i % 2 === 0 ? 1 : 0)),
  );
  // A turn is a header, or a document.
  expect(found.turns).toBeGreaterThanOrEqual(200);
});
