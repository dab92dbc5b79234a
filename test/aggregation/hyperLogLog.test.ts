import { describe, expect, it } from 'vitest';
import { cardinality, mergeSketches, precisionOf } from '../../host/aggregation/hyperLogLog.js';
import { biasTable } from '../../host/aggregation/hyperLogLogTables.js';

/** A generator of 32 bits (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return (x ^ (x >>> 14)) >>> 0;
  };
}

/** Registers that so many different random hashes have filled. */
function registersOf(values: number, precision: number, seed: number): Uint8Array {
  const next = generator(seed);
  const registers = new Uint8Array(2 ** precision);
  for (let i = 0; i < values; i++) {
    const register = next() >>> (32 - precision);
    const [high, low] = [next(), next()];
    const run = 1 + (high === 0 ? 32 + Math.clz32(low) : Math.clz32(high));
    registers[register] = Math.max(registers[register]!, run);
  }
  return registers;
}

const PRECISIONS = Array.from({ length: 15 }, (_, i) => i + 4);

describe('HyperLogLog++', () => {
  it.each(PRECISIONS)(
    'precision %i: estimates are off by few standard errors at most, wherever it counts from',
    (precision) => {
      const m = 2 ** precision;
      for (const part of [0.3, 1, 2.4, 3.7, 4.9, 6]) {
        const values = Math.round(m * part);
        if (values > 400_000) continue;
        const found = cardinality(registersOf(values, precision, precision * 1000 + values), precision);
        expect(Math.abs(found - values)).toBeLessThanOrEqual(Math.max(3, (5 * 1.04 * values) / Math.sqrt(m)));
      }
    },
  );

  it.each(PRECISIONS)(
    'precision %i: the tables lead from about m / 40 values to five times the registers',
    (precision) => {
      const m = 2 ** precision;
      const { estimates, biases } = biasTable(precision);
      expect(estimates[0]! - biases[0]!).toBeCloseTo(1, 6);
      const last = estimates.length - 1;
      expect(Math.abs(estimates[last]! - biases[last]! - 5 * m) / m).toBeLessThan(0.1);
      expect(Math.abs(biases[last]!) / (5 * m)).toBeLessThan(0.05);
    },
  );

  it('counts sketches of several shards together', () => {
    const [a, b] = [registersOf(3000, 10, 1), registersOf(3000, 10, 2)];
    const together = mergeSketches([a, b], 10);
    expect(Math.abs(cardinality(together, 10) - 6000)).toBeLessThan(6000 * 0.16);
  });

  it('takes the precision with which a threshold is counted exactly', () => {
    expect([0, 1, 10, 100, 300, 1000, 3000, 40_000, 1e9].map(precisionOf)).toEqual([
      4, 4, 6, 10, 11, 13, 14, 18, 18,
    ]);
  });
});
