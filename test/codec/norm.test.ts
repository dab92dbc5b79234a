import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILDS, Kernels } from '../memory/kernels.js';

const view = new DataView(new ArrayBuffer(4));

/** Lucene 4.10, org.apache.lucene.util.SmallFloat.floatToByte315. */
function floatToByte315(f: number): number {
  view.setFloat32(0, f);
  const bits = view.getInt32(0);
  const smallfloat = bits >> (24 - 3);
  if (smallfloat <= (63 - 15) << 3) return bits <= 0 ? 0 : 1;
  if (smallfloat >= ((63 - 15) << 3) + 0x100) return 255;
  return smallfloat - ((63 - 15) << 3);
}

/** Lucene 4.10, org.apache.lucene.util.SmallFloat.byte315ToFloat. */
function byte315ToFloat(b: number): number {
  if (b === 0) return 0;
  view.setInt32(0, (b << (24 - 3)) + ((63 - 15) << 24));
  return view.getFloat32(0);
}

describe.each(BUILDS)('the norm byte, %s build', (build) => {
  const k = new Kernels(build);
  const { core } = k;
  const table = new Float32Array(k.memory.buffer, core.normTable() >>> 0, 256);

  it('decodes to what Lucene decodes, one by one and in the table', () => {
    for (let b = 0; b < 256; b++) {
      expect(core.byte315ToFloat(b)).toBe(byte315ToFloat(b));
      expect(table[b]).toBe(byte315ToFloat(b));
      expect(core.floatToByte315(byte315ToFloat(b)) & 0xff).toBe(b);
    }
  });

  it('encodes as Lucene does, and rounds down', () => {
    const check = (f: number): void => {
      const byte = core.floatToByte315(f) & 0xff;
      expect(byte).toBe(floatToByte315(f));
      if (byte > 1) expect(table[byte]).toBeLessThanOrEqual(f);
      if (byte > 0 && byte < 255) expect(table[byte + 1]).toBeGreaterThan(f);
    };
    fc.assert(fc.property(fc.float({ noNaN: true }), check), { numRuns: 5000 });
    for (let b = 0; b < 256; b++) {
      for (const near of [1 - 2 ** -24, 1, 1 + 2 ** -23]) check(Math.fround(byte315ToFloat(b) * near));
    }
    for (const f of [0, -0, -1, Infinity, -Infinity, 1.401298464324817e-45]) check(f);
  });

  it('gives field lengths the norms that are known', () => {
    const ofLength = (n: number): number => core.floatToByte315(Math.fround(1 / Math.sqrt(n))) & 0xff;
    expect([1, 2, 4, 10, 100, 1000].map(ofLength)).toEqual([124, 121, 120, 117, 110, 104]);
    expect(table[124]).toBe(1);
    expect(table[120]).toBe(0.5);
    expect(table[121]).toBe(0.625);
  });
});
