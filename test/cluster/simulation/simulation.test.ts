/** The same cluster with other misfortunes, again and again. `npm run simulate` goes on for longer. */
import { describe, expect, it } from 'vitest';
import { coreBytes } from '../../support/core.js';
import { simulate } from './simulation.js';

const SEEDS = 8;
const module = await WebAssembly.compile(coreBytes());

describe('a simulated cluster', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    it(`loses and doubles nothing, and has equal copies (seed ${seed})`, async () => {
      const { problems, acknowledged } = await simulate(seed, module);
      expect(problems).toEqual([]);
      expect(acknowledged).toBeGreaterThan(0);
    });
  }

  it('is the same each time', async () => {
    const [one, other] = [await simulate(5, module), await simulate(5, module)];
    expect(other.trace).toEqual(one.trace);
  });
});
