/** The same cluster with other misfortunes, again and again. `npm run simulate` goes on for longer. */
import { describe, expect, it } from 'vitest';
import { coreBytes } from '../../support/core.js';
import { simulate } from './simulation.js';

const SEEDS = 20;
const module = await WebAssembly.compile(coreBytes());

describe('a simulated cluster', () => {
  it('loses and doubles nothing, and has equal copies', async () => {
    let acknowledged = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const result = await simulate(seed, module);
      expect(result.problems, `npm run simulate -- --seed ${seed}`).toEqual([]);
      acknowledged += result.acknowledged;
    }
    expect(acknowledged).toBeGreaterThan(SEEDS * 10);
  });

  it('is the same each time, to the letter, whatever ran before', async () => {
    const seeds = [3, 11, 5];
    const traces = new Map<number, string[]>();
    for (const seed of seeds) traces.set(seed, (await simulate(seed, module)).trace);
    for (const seed of seeds.reverse())
      expect((await simulate(seed, module)).trace, `seed ${seed}`).toEqual(traces.get(seed));
  });
});
