import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILDS, Kernels } from '../memory/kernels.js';

describe.each(BUILDS)('a vint, %s build', (build) => {
  const k = new Kernels(build);
  const { core } = k;
  const ptr = k.block(16);

  function roundTrip(v: number): void {
    k.bytes(ptr, 16).fill(0xff);
    const size = v < 2 ** 7 ? 1 : v < 2 ** 14 ? 2 : v < 2 ** 21 ? 3 : v < 2 ** 28 ? 4 : 5;
    expect(core.writeVint(ptr, v) - ptr).toBe(size);
    expect(core.vintSize(v)).toBe(size);
    expect([...k.bytes(ptr, size)].map((byte) => byte >> 7)).toEqual([...Array<number>(size - 1).fill(1), 0]);
    expect(k.bytes(ptr, 16)[size]).toBe(0xff);
    expect(core.readVint(ptr) >>> 0).toBe(v);
    expect(core.vintNext.value).toBe(ptr + size);
  }

  it('is read back as it was written', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 0xffffffff }), roundTrip), { numRuns: 2000 });
  });

  it('takes one byte more at each power of 128', () => {
    for (let bits = 0; bits <= 32; bits++) {
      roundTrip(2 ** bits - 1);
      if (bits < 32) roundTrip(2 ** bits);
    }
  });

  it('is never longer than five bytes, whatever they are', () => {
    k.bytes(ptr, 16).fill(0xff);
    expect(core.readVint(ptr) >>> 0).toBe(0xffffffff);
    expect(core.vintNext.value).toBe(ptr + 5);
  });
});
