import { expect, it } from 'vitest';
import { Received } from '../../host/cli/remote/received.js';

const documentOf = (id: string, more: Record<string, string> = {}) =>
  new Map(Object.entries({ _type: '"t"', _id: JSON.stringify(id), ...more }));

it('knows what has come by type, id and routing, also when its table has grown', () => {
  const received = new Received();
  for (let i = 0; i < 20_000; i++) expect(received.add(documentOf(String(i)))).toBe(true);
  for (let i = 0; i < 20_000; i++) expect(received.add(documentOf(String(i)))).toBe(false);
  expect(received.add(documentOf('0', { _routing: '"r"' }))).toBe(true);
  expect(received.add(documentOf('0', { _parent: '"r"' }))).toBe(false);
  expect(received.add(documentOf('0', { _type: '"u"' }))).toBe(true);
  // Whatever version it has by now.
  expect(received.add(documentOf('0', { _version: '2' }))).toBe(false);
  expect([received.count, received.isComplete]).toEqual([20_002, true]);
});
