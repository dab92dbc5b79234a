/** Requests for very many small things give others their turns between them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reduceSuggestions } from '../../host/search/suggesting.js';
import { suggestionsJson } from '../../host/rest/search/suggest.js';
import { type Turns, WorkLimit } from '../../host/workLimit.js';
import { startNode, type TestNode } from './node.js';

const MANY = 3000;
let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.call('PUT', '/a/t/1?refresh', { x: 'red' });
});
afterAll(() => node.engine.close());

it('which documents are meant is read in turns', async () => {
  const ids = Array.from({ length: MANY }, (_, i) => String(i));
  // Refused when all before it are read, and none has been looked for.
  const broken = await node.call('POST', '/a/t/_mget', { ids: [...ids, null] });
  expect(broken).toMatchObject({ status: 400 });
  expect(broken.turns).toBeGreaterThan(30);
  const docs = ids.map((_id) => ({ _id }));
  expect((await node.call('POST', '/a/t/_mget', { docs: [...docs, 1] })).turns).toBeGreaterThan(30);
  const gone = await node.call('POST', '/a/t/_mget', { ids }, { goneAfter: 5 });
  expect(gone).toMatchObject({ status: 503, turns: 5 });
  const found = await node.call('POST', '/a/t/_mget', { ids: ids.slice(0, 3) });
  expect(found.body.docs.map(({ found }: { found: boolean }) => found)).toEqual([false, true, false]);
});

/** What turns come to, and how many there were. */
function carriedOut<T>(work: Turns<T>): { value: T; turns: number } {
  for (let turns = 0; ; turns++) {
    const { done, value } = work.next();
    if (done === true) return { value, turns };
  }
}

it('suggestions are brought together and shown in turns', () => {
  const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
  Object.defineProperty(limit, 'due', { get: () => true });
  const names = Array.from({ length: MANY }, (_, i) => `s${i}`);
  const entry = { text: 'red', offset: 0, length: 3, options: [] };
  const part = new Map(names.map((name) => [name, { size: 5, order: 'score', entries: [entry] }]));
  const reduced = carriedOut(reduceSuggestions([part as never, part as never], limit));
  expect([...reduced.value.keys()]).toEqual(names);
  expect(reduced.turns).toBeGreaterThan(30);
  const shown = carriedOut(suggestionsJson(reduced.value, limit));
  expect(shown.value.s7).toEqual([{ text: 'red', offset: 0, length: 3, options: [] }]);
  expect(Object.keys(shown.value)).toHaveLength(MANY);
  expect(shown.turns).toBeGreaterThan(30);
});
