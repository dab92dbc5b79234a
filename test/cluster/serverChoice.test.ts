import { expect, it } from 'vitest';
import { type Asked, ServerChoice } from '../../host/server/cluster/serverChoice.js';

/** A connection whose servers are asked, each question taking so many milliseconds. */
function connected() {
  let now = 1000;
  let changes = 0;
  const connection = {
    isClosed: () => false,
    reconnect: async () => {
      changes++;
    },
  };
  const choice = new ServerChoice(connection, () => now);
  const failure = (name: string) => Object.assign(new Error(name), { name });
  return {
    changes: () => changes,
    async asks(asked: Asked, ms: number, failing?: string): Promise<void> {
      const answer = (async () => {
        await undefined;
        now += ms;
        if (failing !== undefined) throw failure(failing);
      })();
      await choice.watched(asked, answer).catch(() => {});
    },
  };
}

it('a server whose JetStream answers nothing for some seconds is left for another', async () => {
  const { asks, changes } = connected();
  await asks('write', 2000, 'TimeoutError');
  expect(changes()).toBe(0);
  // A server that is cut off answers reads from what it has.
  await asks('read', 1);
  await asks('write', 2000, 'TimeoutError');
  expect(changes()).toBe(1);
});

it('a server stays as long as something is written, and as its cluster may take to elect a leader', async () => {
  const { asks, changes } = connected();
  for (let i = 0; i < 10; i++) {
    await asks('write', 2000, 'TimeoutError');
    await asks('write', 10);
  }
  for (let i = 0; i < 110; i++) await asks('write', 100, 'NoResponders');
  expect(changes()).toBe(0);
  for (let i = 0; i < 20; i++) await asks('write', 100, 'NoResponders');
  expect(changes()).toBe(1);
});

it('the next server is kept for a while, and errors that are answers are no reason', async () => {
  const { asks, changes } = connected();
  for (let i = 0; i < 6; i++) await asks('write', 2000, 'TimeoutError');
  expect(changes()).toBe(1);
  for (let i = 0; i < 2; i++) await asks('write', 2000, 'TimeoutError');
  expect(changes()).toBe(2);
  for (let i = 0; i < 20; i++) await asks('write', 2000, 'StreamNotFoundError');
  expect(changes()).toBe(2);
});
