import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILDS, Kernels } from './kernels.js';

/** A set of n bits as the numbers in it; thin, half full and nearly full ones. */
const sets = fc.integer({ min: 1, max: 3000 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    a: fc.uniqueArray(fc.nat(n - 1), { maxLength: n, size: 'max' }),
    b: fc.uniqueArray(fc.nat(n - 1), { maxLength: n, size: 'max' }),
    from: fc.nat(n),
    to: fc.nat(n),
  }),
);

describe.each(BUILDS)('a bitset, %s build', (build) => {
  const k = new Kernels(build);
  const { core } = k;
  const SIZE = core.sizeInBytes(3000);

  function make(members: readonly number[]): number {
    const set = core.heapAllocZeroed(SIZE) >>> 0;
    for (const i of members) core.bitsetSet(set, i);
    return set;
  }

  function members(set: number): number[] {
    const out: number[] = [];
    for (let i = 0; i < SIZE * 8; i++) if (core.bitsetGet(set, i)) out.push(i);
    return out;
  }

  const ascending = (xs: Iterable<number>): number[] => [...xs].sort((x, y) => x - y);

  it('holds what was set, and combines and counts as sets do', () => {
    fc.assert(
      fc.property(sets, ({ n, a, b, from, to }) => {
        const bytes = core.sizeInBytes(n);
        const inB = new Set(b);
        const x = make(a);
        const y = make(b);
        expect(members(x)).toEqual(ascending(a));
        expect(core.count(x, bytes)).toBe(a.length);
        expect(core.andCount(x, y, bytes)).toBe(a.filter((i) => inB.has(i)).length);
        expect(core.popcountRange(x, from, to)).toBe(a.filter((i) => i >= from && i < to).length);
        core.orInto(x, y, bytes);
        expect(members(x)).toEqual(ascending(new Set([...a, ...b])));
        core.heapFree(x);
        const z = make(a);
        core.andInto(z, y, bytes);
        expect(members(z)).toEqual(ascending(a.filter((i) => inB.has(i))));
        core.heapFree(z);
        const w = make(a);
        core.andNotInto(w, y, bytes);
        expect(members(w)).toEqual(ascending(a.filter((i) => !inB.has(i))));
        for (const i of a) core.bitsetClear(w, i);
        expect(core.count(w, bytes)).toBe(0);
        core.heapFree(w);
        core.heapFree(y);
      }),
      { numRuns: 80 },
    );
  });

  it('is filled with exactly n ones for every n', () => {
    const set = core.heapAlloc(SIZE + 1) >>> 0;
    for (let n = 0; n <= 600; n++) {
      const bytes = core.sizeInBytes(n);
      expect(bytes).toBe(Math.ceil(n / 128) * 16);
      k.bytes(set, bytes + 1).fill(0xaa);
      core.fillOnes(set, n);
      expect(core.count(set, bytes)).toBe(n);
      expect(core.popcountRange(set, 0, n)).toBe(n);
      expect(k.bytes(set, bytes + 1)[bytes]).toBe(0xaa);
    }
  });

  it('has a size up to 2^32 - 1 bits', () => {
    expect(core.sizeInBytes(0xffffffff)).toBe(2 ** 29);
  });
});
