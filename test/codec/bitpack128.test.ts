import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILDS, Kernels } from '../memory/kernels.js';

/** The packed bytes, value by value as the layout in assembly/codec/bitpack128.ts says. */
function packed(values: readonly number[], bits: number): Uint8Array {
  const out = new Uint8Array(16 * bits);
  const unit = bits <= 4 ? 8 : bits <= 14 ? 16 : 32;
  const perGroup = 32 / unit;
  values.forEach((value, i) => {
    const lane = i % 4;
    const row = Math.floor(i / 4);
    const fromUnitStart = Math.floor(row / perGroup) * bits;
    for (let bit = 0; bit < bits; bit++) {
      if (Math.floor(value / 2 ** bit) % 2 === 0) continue;
      const inUnit = fromUnitStart + bit;
      const word = Math.floor(inUnit / unit);
      const inLane = (row % perGroup) * unit + (inUnit % unit);
      const byte = word * 16 + lane * 4 + (inLane >> 3);
      out[byte]! |= 1 << (inLane & 7);
    }
  });
  return out;
}

function blockOf(bits: number): fc.Arbitrary<number[]> {
  const max = 2 ** bits - 1;
  const value = fc.oneof(fc.integer({ min: 0, max }), fc.constant(max), fc.constant(0));
  return fc.array(value, { minLength: 128, maxLength: 128 });
}

describe.each(BUILDS)('a block of 128, %s build', (build) => {
  const k = new Kernels(build);
  const { core } = k;
  const input = k.block(512);
  const block = k.block(512 + 16);
  const output = k.block(512 + 16);

  function check(values: number[], bits: number, previous: number): void {
    k.words(input, 128).set(values);
    k.bytes(block, 528).fill(0xa5);
    core.pack128(input, block, bits);
    expect(Buffer.compare(k.bytes(block, 16 * bits), packed(values, bits))).toBe(0);
    expect(k.bytes(block + 16 * bits, 16).every((byte) => byte === 0xa5)).toBe(true);

    k.bytes(output, 528).fill(0x5a);
    core.unpack128(block, output, bits);
    expect([...k.words(output, 128)]).toEqual(values);
    expect(values.map((_, i) => core.packedValue128(block, i, bits) >>> 0)).toEqual(values);
    core.unpackPlusOne128(block, output, bits);
    expect([...k.words(output, 128)]).toEqual(values.map((v) => (v + 1) >>> 0));
    core.unpackGaps128(block, output, bits, previous);
    let last = previous;
    const docs = values.map((gap) => {
      last = (last + gap + 1) | 0;
      return last >>> 0;
    });
    expect([...k.words(output, 128)]).toEqual(docs);
    expect(k.bytes(output + 512, 16).every((byte) => byte === 0x5a)).toBe(true);
  }

  it.each(Array.from({ length: 33 }, (_, bits) => bits))(
    'of %i bits keeps its layout and its values',
    (bits) => {
      check(Array<number>(128).fill(2 ** bits - 1), bits, -1);
      fc.assert(
        fc.property(blockOf(bits), fc.integer({ min: -1, max: 2 ** 30 }), (values, previous) => {
          check(values, bits, previous);
        }),
        { numRuns: 40 },
      );
    },
  );

  it('keeps every value in its own bits', () => {
    for (let bits = 1; bits <= 32; bits++) {
      for (let i = 0; i < 128; i++) {
        const values = Array<number>(128).fill(0);
        values[i] = 2 ** bits - 1;
        k.words(input, 128).set(values);
        core.pack128(input, block, bits);
        core.unpack128(block, output, bits);
        expect(Buffer.compare(k.bytes(output, 512), k.bytes(input, 512))).toBe(0);
      }
    }
  });

  it('needs as many bits as its largest value', () => {
    for (let i = 0; i < 128; i++) {
      for (const value of [0, 1, 2, 255, 256, 2 ** 31, 2 ** 32 - 1]) {
        k.words(input, 128).fill(0);
        k.words(input, 128)[i] = value;
        expect(core.bitsFor128(input)).toBe(value === 0 ? 0 : Math.floor(Math.log2(value)) + 1);
      }
    }
  });
});
