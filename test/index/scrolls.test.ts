import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ElasticsearchError } from '../../host/errors.js';
import { Breakers } from '../../host/limits/breakers.js';
import { type ScrollContext, Scrolls } from '../../host/search/scroll.js';

/** How many scrolls there may be, and what they may hold together. */

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
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

it('keep of the failures of shards nothing of what these worked on', async () => {
  class Work {
    readonly text = 'x'.repeat(1000);
    fail(): ElasticsearchError {
      return new ElasticsearchError('SearchParseException', this.text.slice(0, 10), {
        nested: new ElasticsearchError('QueryParsingException', 'no'),
      });
    }
  }
  let seen: WeakRef<Work> | undefined;
  const scrolls = new Scrolls(clock, new Breakers(1e9));
  const { context } = contexts();
  const open = (keep: (error: ElasticsearchError) => void) => {
    const work = new Work();
    seen = new WeakRef(work);
    keep(work.fail());
  };
  const kept: ElasticsearchError[] = [];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  open((error) => kept.push(error));
  await turn();
  collect();
  // An error holds what it happened in.
  expect(seen?.deref()).toBeDefined();
  open((error) => {
    kept.push(error);
    const base = { shards: { failures: [{ node: 'n', index: 'a', shard: 0, error }] } };
    scrolls.open({ ...context(10), base } as unknown as ScrollContext, 60_000);
  });
  await turn();
  collect();
  expect(seen?.deref()).toBeUndefined();
  expect(kept[1]?.render()).toBe('SearchParseException[xxxxxxxxxx]; nested: QueryParsingException[no]; ');
});
