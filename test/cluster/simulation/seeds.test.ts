/** The seeds of the ordinary suite: vitest.config.ts has a project for each range of them. `npm run simulate` goes on for longer. */
import { describe, expect, inject, it } from 'vitest';
import { coreBytes } from '../../support/core.js';
import type { SeedRange } from './ordinarySeeds.js';
import { simulate } from './simulation.js';

declare module 'vitest' {
  interface ProvidedContext {
    seeds: SeedRange;
  }
}

/** Seeds of one test. */
const EACH = 50;

const module = await WebAssembly.compile(coreBytes());
const { from, count } = inject('seeds');
const firsts = Array.from({ length: Math.ceil(count / EACH) }, (_, i) => from + i * EACH);

describe('a simulated cluster', () => {
  it.each(firsts)(`loses and doubles nothing, and has equal copies: ${EACH} seeds from %i`, async (first) => {
    const seeds = Array.from({ length: Math.min(EACH, from + count - first) }, (_, i) => first + i);
    const failed: Record<string, string[]> = {};
    let acknowledged = 0;
    for (const seed of seeds) {
      const result = await simulate(seed, module);
      if (result.problems.length > 0) failed[`npm run simulate -- --seed ${seed}`] = result.problems;
      acknowledged += result.acknowledged;
    }
    expect(failed).toEqual({});
    expect(acknowledged).toBeGreaterThan(seeds.length * 10);
  });
});
