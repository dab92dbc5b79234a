import { expect, it } from 'vitest';
import { LogTrouble } from '../../host/server/cluster/logTrouble.js';
import type { Asked } from '../../host/server/cluster/serverChoice.js';

function asking() {
  let now = 1000;
  const choice = { watched: <T>(_asked: Asked, ask: Promise<T>) => ask };
  const trouble = new LogTrouble('books', choice, () => now);
  return {
    trouble,
    pass: (ms: number) => {
      now += ms;
    },
    asks: async (asked: Asked, failing?: string) => {
      const error = Object.assign(new Error(failing), { name: failing });
      const answer = failing === undefined ? Promise.resolve() : Promise.reject(error);
      await trouble.watched(asked, answer).catch(() => {});
    },
  };
}

it('a log that answers nothing for more than a second is not available, until it answers', async () => {
  const { trouble, asks, pass } = asking();
  await asks('write', 'TimeoutError');
  expect(trouble.reason).toBeUndefined();
  pass(1000);
  await asks('write', 'TimeoutError');
  expect(trouble.reason).toBe('the log [books] is not available: TimeoutError: TimeoutError');
  await asks('write');
  expect(trouble.reason).toBeUndefined();
});

it('what it refuses is an answer', async () => {
  const { trouble, asks, pass } = asking();
  await asks('write', 'NoResponders');
  pass(5000);
  await asks('write', 'UnexpectedLast');
  expect(trouble.reason).toBeUndefined();
});

it('reads that are answered say nothing of writes', async () => {
  const { trouble, asks, pass } = asking();
  await asks('write', 'NoResponders');
  pass(2000);
  await asks('write', 'NoResponders');
  await asks('read');
  expect(trouble.reason).toMatch('not available');
});

it('is not known any more when nobody has asked for a while', async () => {
  const { trouble, asks, pass } = asking();
  await asks('write', 'NoResponders');
  pass(2000);
  await asks('write', 'NoResponders');
  pass(15_000);
  expect(trouble.reason).toBeUndefined();
  await asks('write', 'NoResponders');
  expect(trouble.reason).toBeUndefined();
});
