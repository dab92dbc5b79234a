import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text } from './arbitraries.js';
import { AnalysisCore, BUILDS } from './core.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes that are rarely well-formed. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 48 }),
  fc
    .array(
      fc.constantFrom(
        0x61,
        0x5f,
        0x20,
        0x80,
        0xbf,
        0xc3,
        0xe0,
        0xe3,
        0xed,
        0xa0,
        0x9f,
        0xf0,
        0x90,
        0xf4,
        0x8f,
        0xff,
      ),
      {
        maxLength: 40,
      },
    )
    .map((list) => Uint8Array.from(list)),
  fc.tuple(text, fc.nat(80)).map(([t, cut]) => {
    const whole = encoder.encode(t);
    return whole.subarray(Math.min(cut, whole.length));
  }),
  fc.tuple(text, fc.nat(80)).map(([t, cut]) => encoder.encode(t).subarray(0, cut)),
);

/** Offsets are those of well-formed text. */
const termOf = (t: { token: string; position: number; type: string }) => [t.token, t.position, t.type];

describe.each(BUILDS)('the standard tokenizer, %s build', (build) => {
  const core = new AnalysisCore(build);

  it('reads malformed UTF-8 as TextDecoder does', () => {
    fc.assert(
      fc.property(bytes, (b) => {
        expect(core.analyzeBytes(b).map(termOf)).toEqual(core.analyze(decoder.decode(b)).map(termOf));
      }),
      { numRuns: 5000 },
    );
  });

  it('never reads beyond the text', () => {
    fc.assert(
      fc.property(bytes, (b) => {
        const atTheEnd = core.pullAtTheEndOfMemory(b);
        const memory = core.bytes;
        const ptr = memory.length - 4096;
        for (const filler of [0x61, 0x27, 0x5f, 0x80, 0xcc]) {
          memory.fill(filler, ptr - 64, ptr + b.length + 64);
          memory.set(b, ptr);
          expect(core.pull(ptr, b.length)).toEqual(atTheEnd);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('gives tokens in order, inside the text, that do not overlap', () => {
    fc.assert(
      fc.property(bytes, (b) => {
        let before = 0;
        for (const { startByte, endByte, term } of core.pullAtTheEndOfMemory(b)) {
          expect(startByte).toBeGreaterThanOrEqual(before);
          expect(endByte).toBeGreaterThan(startByte);
          expect(endByte).toBeLessThanOrEqual(b.length);
          expect(term.length).toBeGreaterThan(0);
          before = endByte;
        }
      }),
    );
  });

  it('reads a text of connectors only once', () => {
    const length = 1 << 20;
    // The texts before were put over whatever stood at the end of the memory.
    const fresh = new AnalysisCore(build);
    const ptr = fresh.abi.requestAlloc(length) >>> 0;
    fresh.bytes.fill(0x5f, ptr, ptr + length);
    const start = performance.now();
    expect(fresh.pull(ptr, length)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
