import { expect, it } from 'vitest';
import { answersText, compareAnswers } from '../../host/cli/migrate/answers.js';
import type { Requests } from '../../host/cli/remote/requests.js';

type Hit = [id: string, score: number | null, sort?: unknown[]];

/** A server that gives one answer. */
function serverOf(status: number, body: unknown): Requests {
  return {
    name: 'server',
    send: () => Promise.resolve({ status, body: Buffer.from(JSON.stringify(body)) }),
    close: () => Promise.resolve(),
  };
}
const answering = (total: number, hits: readonly Hit[], failed = 0) =>
  serverOf(200, {
    _shards: { failed },
    hits: {
      total,
      hits: hits.map(([id, score, sort]) => ({
        _index: 'i',
        _type: 't',
        _id: id,
        _score: score,
        ...(sort && { sort }),
      })),
    },
  });
const query = { name: 'q', path: '/_search', body: Buffer.from('{}') };
async function difference(there: Requests, here: Requests): Promise<string | undefined> {
  const [row] = await compareAnswers(there, here, [query], new AbortController().signal);
  return row!.difference;
}

it('scores are the same to a hundred-thousandth', async () => {
  const one = answering(1, [['a', 1]]);
  expect(await difference(one, answering(1, [['a', 1.000009]]))).toBeUndefined();
  expect(await difference(one, answering(1, [['a', 1.00002]]))).toBe(
    'hit 1, i/t/a: score 1 there, score 1.00002 here',
  );
});

it('hits of one score may stand in any order, those of several may not', async () => {
  const one = answering(3, [
    ['a', 2],
    ['b', 1],
    ['c', 1],
  ]);
  const tied: Hit[] = [
    ['a', 2],
    ['c', 1],
    ['b', 1],
  ];
  expect(await difference(one, answering(3, tied))).toBeUndefined();
  const other = answering(3, [
    ['a', 2],
    ['b', 1],
    ['d', 1],
  ]);
  expect(await difference(one, other)).toBe('hits 2 to 3: i/t/c there, i/t/d here');
  const swapped = answering(3, [
    ['b', 2],
    ['a', 1],
    ['c', 1],
  ]);
  expect(await difference(one, swapped)).toBe('hits 1 to 1: i/t/a there, i/t/b here');
});

it('of the last ones of a page that is cut, any may be there', async () => {
  const cut = (id: string): Hit[] => [
    ['a', 2],
    [id, 1],
  ];
  expect(await difference(answering(9, cut('b')), answering(9, cut('c')))).toBeUndefined();
  expect(await difference(answering(2, cut('b')), answering(2, cut('c')))).toMatch(/i\/t\/b there/);
});

it('values of sorts, totals, numbers of hits, failed shards and refusals differ', async () => {
  const sorted = (value: number) => answering(1, [['a', null, [value]]]);
  expect(await difference(sorted(1), sorted(1))).toBeUndefined();
  expect(await difference(sorted(1), sorted(2))).toBe('hit 1, i/t/a: [1] there, [2] here');
  expect(await difference(answering(2, []), answering(3, []))).toBe('totals');
  expect(await difference(answering(2, [['a', 1]]), answering(2, []))).toBe('1 hits and 0');
  const refusing = serverOf(400, { error: 'no such query', status: 400 });
  expect(await difference(answering(0, []), refusing)).toBe('refused here: no such query');
  expect(await difference(refusing, answering(0, []))).toBe('refused there: no such query');
  expect(await difference(refusing, serverOf(400, { error: 'other words' }))).toBeUndefined();
  expect(await difference(answering(0, []), answering(0, [], 1))).toBe('refused here: 1 shards failed');
});

it('only those that differ stand in the table', () => {
  const rows = [
    { name: 'same', there: '1', here: '1', difference: undefined },
    { name: 'other', there: '1,000', here: '1', difference: 'totals' },
  ];
  expect(answersText(rows)).toBe(
    '1 of 2 queries are answered differently:\n\nquery  there  here  difference\nother  1,000     1  totals\n',
  );
  expect(answersText(rows.slice(0, 1))).toBe('1 queries are answered alike\n');
});
