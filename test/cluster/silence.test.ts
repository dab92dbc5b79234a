import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchSilence } from '../../host/server/cluster/silence.js';

/** The position that is waited for, the last one that there is, and how often it was asked for. */
let next: number | undefined;
let last: number;
let asked: number;
let stuck: number;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  [next, last, asked, stuck] = [7, 6, 0, 0];
  end = watchSilence({
    next: () => next,
    last: async () => {
      asked++;
      return last;
    },
    stuck: () => stuck++,
  });
});

afterEach(() => {
  end();
  vi.useRealTimers();
});

it('a message that is there and does not come is noticed within seconds', async () => {
  last = 7;
  await vi.advanceTimersByTimeAsync(2000);
  expect(stuck).toBe(1);
  await vi.advanceTimersByTimeAsync(600_000);
  expect([stuck, asked]).toEqual([1, 1]);
});

it('a message that was written at the moment of the look is given time to come', async () => {
  await vi.advanceTimersByTimeAsync(900);
  last = 7;
  await vi.advanceTimersByTimeAsync(300);
  next = 8;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(stuck).toBe(0);
  last = 8;
  await vi.advanceTimersByTimeAsync(31_000);
  expect(stuck).toBe(1);
});

it('a log in which nothing happens is asked about twice a minute at most', async () => {
  await vi.advanceTimersByTimeAsync(600_000);
  expect(stuck).toBe(0);
  expect(asked).toBeLessThan(30);
  last = 7;
  await vi.advanceTimersByTimeAsync(31_000);
  expect(stuck).toBe(1);
});

it('nothing is asked while messages come, or one is being taken', async () => {
  last = 1000;
  for (let i = 0; i < 50; i++) {
    next = 8 + i;
    await vi.advanceTimersByTimeAsync(900);
  }
  next = undefined;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([stuck, asked]).toEqual([0, 0]);
});

it('nothing is asked any more when reading has ended', async () => {
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(0);
});
