import { expect, it } from 'vitest';
import { Breakers } from '../../host/limits/breakers.js';
import { type ScrollContext, Scrolls } from '../../host/search/scroll.js';

/** How many scrolls there may be, and what they may hold together. */

const clock = { now: () => 0, after: () => () => {} };

function contexts() {
  const released: number[] = [];
  let next = 0;
  const context = (bytes: number): ScrollContext => {
    const number = next++;
    const release = () => void released.push(number);
    const base = { shards: { failures: [] } };
    return {
      base,
      size: 1,
      indices: new Set(),
      shards: new Set(),
      bytes,
      release,
    } as unknown as ScrollContext;
  };
  return { released, context };
}

it('are bounded in number; one that ends makes room for another', () => {
  const scrolls = new Scrolls(clock, new Breakers(1e9), { contexts: 3, bytes: 1e6 });
  const { released, context } = contexts();
  const open = [0, 1, 2].map(() => scrolls.open(context(10), 60_000));
  expect(() => scrolls.open(context(10), 60_000)).toThrow(/there are 3 scrolls open, which hold 30 bytes/);
  // What can't be kept holds no shards.
  expect(released).toEqual([3]);
  expect(scrolls.free(open[1]!)).toBe(true);
  scrolls.open(context(10), 60_000);
  expect(scrolls.size).toBe(3);
  scrolls.freeAll();
  expect(released.sort()).toEqual([0, 1, 2, 3, 4]);
});

it('are bounded in what they hold, by a limit of their own and by the breaker', () => {
  const breakers = new Breakers(10_000);
  const scrolls = new Scrolls(clock, breakers, { contexts: 100, bytes: 5000 });
  const { released, context } = contexts();
  scrolls.open(context(3000), 60_000);
  expect(() => scrolls.open(context(2500), 60_000)).toThrow(/another one would be too many/);
  const other = breakers.hold('request', 900, 'x');
  expect(() => scrolls.open(context(1000), 60_000)).toThrow(/Data too large, data for \[<scroll>\]/);
  other.release();
  scrolls.open(context(1000), 60_000);
  expect(released).toEqual([1, 2]);
  scrolls.freeAll();
  expect(breakers.stats.request.used).toBe(0);
});
