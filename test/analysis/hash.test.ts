import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text } from './arbitraries.js';
import { AnalysisCore, BUILDS } from './core.js';

describe.each(BUILDS)("a token's hash, %s build", (build) => {
  const core = new AnalysisCore(build);

  it('is that of its bytes', () => {
    const words = fc.array(
      fc.oneof(text, fc.string({ unit: fc.constantFrom(...'abcXYZ019'), maxLength: 60 })),
    );
    fc.assert(
      fc.property(words, (list) => {
        const tokens = core.pullAtTheEndOfMemory(new TextEncoder().encode(list.join(' ')));
        for (const { term, hash } of tokens) expect(hash).toBe(core.hash(term));
      }),
      { numRuns: 500 },
    );
  });

  it('depends on every byte and on the length', () => {
    for (let length = 0; length < 70; length++) {
      const term = new Uint8Array(length).fill(0x61);
      const hashes = new Set([core.hash(term)]);
      for (let i = 0; i < length; i++) {
        const other = term.slice();
        other[i] = 0x62;
        hashes.add(core.hash(other));
      }
      hashes.add(core.hash(new Uint8Array([...term, 0])));
      expect(hashes.size).toBe(length + 2);
    }
  });

  it('spreads over its low bits', () => {
    const BITS = 15;
    const used = new Set<number>();
    const encoder = new TextEncoder();
    for (let i = 0; i < 1 << BITS; i++) used.add(core.hash(encoder.encode(`term${i}`)) & ((1 << BITS) - 1));
    // A random function reaches 1 - 1/e of its values.
    expect(used.size / (1 << BITS)).toBeGreaterThan(0.6);
  });
});
