/** One seed is one history. Whether it is a good one, seeds.test.ts asks. */
import { expect, it } from 'vitest';
import { coreBytes } from '../../support/core.js';
import { simulate } from './simulation.js';

const module = await WebAssembly.compile(coreBytes());

it('is the same each time, to the letter, whatever ran before', async () => {
  const seeds = [3, 11, 5];
  const traces = new Map<number, string[]>();
  for (const seed of seeds) traces.set(seed, (await simulate(seed, module)).trace);
  for (const seed of seeds.reverse())
    expect((await simulate(seed, module)).trace, `seed ${seed}`).toEqual(traces.get(seed));
});
