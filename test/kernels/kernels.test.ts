import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Kernels } from '../../host/kernels/kernels.js';
import { coreFile } from '../support/cores.js';

const kernels = new Kernels(new WebAssembly.Module(readFileSync(await coreFile('kernelLibrary', 'release'))));
const numbers = (max: number, length: { minLength: number; maxLength: number }) =>
  fc.array(fc.integer({ min: 0, max }), length).map((list) => Uint32Array.from(list));
const block = fc
  .integer({ min: 0, max: 32 })
  .chain((bits) => numbers(2 ** bits - 1, { minLength: 128, maxLength: 128 }));

/** The distance of two words by rows, adjacent letters may change places. */
function editsBetween(a: string, b: string): number {
  const [x, y] = [[...a], [...b]];
  const rows = Array.from({ length: x.length + 1 }, (_, i) =>
    Array.from({ length: y.length + 1 }, (_, j) => i + j),
  );
  for (let i = 1; i <= x.length; i++)
    for (let j = 1; j <= y.length; j++) {
      const same = x[i - 1] === y[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = least;
    }
  return rows[x.length]![y.length]!;
}

describe('kernels', () => {
  it('give back the blocks that they packed, in as few bits as there can be', () => {
    fc.assert(
      fc.property(block, (values) => {
        const packed = kernels.packBlock(values);
        const largest = values.reduce((most, each) => Math.max(most, each), 0);
        expect(packed.bits).toBe(largest === 0 ? 0 : 32 - Math.clz32(largest));
        expect(packed.bytes.length).toBe(16 * packed.bits);
        expect(kernels.unpackBlock(packed)).toEqual(values);
      }),
    );
  });

  it('make ascending numbers of gaps', () => {
    const gaps = Uint32Array.from({ length: 128 }, (_, i) => (i * 7) % 30);
    const expected: number[] = [];
    for (const gap of gaps) expected.push((expected.at(-1) ?? 41) + gap + 1);
    expect([...kernels.unpackGaps(kernels.packBlock(gaps), 41)]).toEqual(expected);
    expect(kernels.unpackGaps(kernels.packBlock(new Uint32Array(128)))[127]).toBe(127);
  });

  it('read the numbers of variable length that they wrote', () => {
    fc.assert(
      fc.property(numbers(0xffff_ffff, { minLength: 0, maxLength: 50 }), (values) => {
        const bytes = kernels.writeVints(values);
        expect(kernels.readVints(bytes, values.length)).toEqual(values);
        if (values.length > 0)
          expect(() => kernels.readVints(bytes.subarray(0, -1), values.length)).toThrow(RangeError);
      }),
    );
    expect([...kernels.writeVints(Uint32Array.of(0, 127, 128, 300))]).toEqual([0, 127, 128, 1, 172, 2]);
    expect(() => kernels.readVints(Uint8Array.of(0x80), 1)).toThrow("1 bytes don't have 1 numbers");
  });

  it('round norms down to three bits of mantissa', () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    const floats = kernels.decodeNorms(all);
    expect(kernels.encodeNorms(floats)).toEqual(all);
    expect([...kernels.decodeNorms(Uint8Array.of(124, 120, 0))]).toEqual([1, 0.5, 0]);
    expect([...kernels.encodeNorms(Float32Array.of(0.99, 1.01, -1, 1e30))]).toEqual([123, 124, 0, 255]);
  });

  it('hash as the published algorithms do', () => {
    const text = (of: string) => new TextEncoder().encode(of);
    expect(kernels.xxh64(text(''))).toBe(0xef46db3751d8e999n);
    expect(kernels.xxh64(text('abc'))).toBe(0x44bc2cf5ad770999n);
    expect(kernels.murmur3(text(''), 1)).toBe(0x514e28b7);
    expect(kernels.murmur3(text('hello'))).toBe(0x248bfa47);
  });

  it('count bits', () => {
    const [a, b] = [
      Uint8Array.from({ length: 37 }, (_, i) => i * 41),
      Uint8Array.from({ length: 37 }, (_, i) => i * 67),
    ];
    const ones = (bytes: Iterable<number>) =>
      [...bytes].reduce((n, byte) => n + byte.toString(2).replaceAll('0', '').length, 0);
    expect(kernels.countBits(a)).toBe(ones(a));
    expect(kernels.countCommonBits(a, b)).toBe(ones(a.map((byte, i) => byte & b[i]!)));
    expect(() => kernels.countCommonBits(a, b.subarray(1))).toThrow('sets of 37 and of 36 bytes');
  });

  it('accept the words within a distance, and tell it', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '𝒙'), maxLength: 7 });
    fc.assert(
      fc.property(
        word,
        fc.array(word, { maxLength: 20 }),
        fc.constantFrom(0, 1, 2),
        (wanted, words, edits) => {
          const found = kernels.accept(kernels.fuzzyAutomaton(wanted, edits), words);
          const expected = words.map((each) => {
            const apart = editsBetween(wanted, each);
            return apart <= edits ? 1 + apart : 0;
          });
          expect([...found]).toEqual(expected);
        },
      ),
    );
    expect(() => kernels.accept(Uint8Array.of(1, 2, 3), ['a'])).toThrow('these bytes are no automaton');
  });

  it('keep the best scores, the first of equal ones', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: 0, max: 12 }), (list, k) => {
        const { places, scores } = kernels.topK(Float32Array.from(list), k);
        const expected = list
          .map((score, place) => ({ score, place }))
          .sort((a, b) => b.score - a.score || a.place - b.place);
        expect([...places]).toEqual(expected.slice(0, k).map(({ place }) => place));
        expect([...scores]).toEqual(expected.slice(0, k).map(({ score }) => score));
      }),
    );
  });

  it('measure distances, weigh terms, cut texts', () => {
    const [prague, vienna] = [
      { lat: 50.0755, lon: 14.4378 },
      { lat: 48.2082, lon: 16.3738 },
    ];
    for (const formula of ['sloppy_arc', 'arc'] as const)
      expect(kernels.distance(prague, vienna, formula) / 1000).toBeCloseTo(250.9, 0);
    expect(kernels.idf(1, 100)).toBe(Math.fround(Math.log(100 / 2) + 1));
    expect(kernels.tokens("The QUICK brown fox's 3 foxes, 東京 ŘEKA")).toEqual([
      'the',
      'quick',
      'brown',
      "fox's",
      '3',
      'foxes',
      '東',
      '京',
      'řeka',
    ]);
    expect(kernels.tokens('')).toEqual([]);
  });

  it('refuse what is out of range', () => {
    expect(() => kernels.packBlock(new Uint32Array(127))).toThrow('a block has 128 values, not 127');
    expect(() => kernels.unpackBlock({ bits: 33, bytes: new Uint8Array(528) })).toThrow('0 to 32 bits');
    expect(() => kernels.unpackBlock({ bits: 3, bytes: new Uint8Array(47) })).toThrow('48 bytes, not 47');
    expect(() => kernels.fuzzyAutomaton('a', 3)).toThrow('edits are 0, 1 or 2');
    expect(() => kernels.distance({ lat: 0, lon: 0 }, { lat: 0, lon: 0 }, 'factor' as never)).toThrow(
      RangeError,
    );
    expect(() => kernels.topK(new Float32Array(1), -1)).toThrow(RangeError);
  });
});
