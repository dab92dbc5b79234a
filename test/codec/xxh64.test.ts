import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILDS, Kernels } from '../memory/kernels.js';

const MASK = (1n << 64n) - 1n;
const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

const rotl = (x: bigint, n: bigint): bigint => ((x << n) | (x >> (64n - n))) & MASK;
const round = (lane: bigint, input: bigint): bigint => (rotl((lane + input * P2) & MASK, 31n) * P1) & MASK;

/** The specification, word for word: github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md. */
function model(data: Uint8Array, seed: bigint): bigint {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let at = 0;
  let hash = (seed + P5) & MASK;
  if (data.length >= 32) {
    const lanes = [seed + P1 + P2, seed + P2, seed, seed - P1].map((lane) => lane & MASK);
    for (; at + 32 <= data.length; at += 32) {
      for (let i = 0; i < 4; i++) lanes[i] = round(lanes[i]!, view.getBigUint64(at + 8 * i, true));
    }
    const turns = [1n, 7n, 12n, 18n];
    hash = lanes.reduce((sum, lane, i) => (sum + rotl(lane, turns[i]!)) & MASK, 0n);
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * P1 + P4) & MASK;
  }
  hash = (hash + BigInt(data.length)) & MASK;
  for (; at + 8 <= data.length; at += 8) {
    hash = (rotl(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4) & MASK;
  }
  for (; at + 4 <= data.length; at += 4) {
    hash = (rotl(hash ^ ((BigInt(view.getUint32(at, true)) * P1) & MASK), 23n) * P2 + P3) & MASK;
  }
  for (; at < data.length; at++) hash = (rotl(hash ^ ((BigInt(data[at]!) * P5) & MASK), 11n) * P1) & MASK;
  hash = ((hash ^ (hash >> 33n)) * P2) & MASK;
  hash = ((hash ^ (hash >> 29n)) * P3) & MASK;
  return hash ^ (hash >> 32n);
}

/** The first bytes of the buffer that xxHash's own sanity check hashes. */
function sanityBuffer(length: number): Uint8Array {
  const out = new Uint8Array(length);
  let generator = 2654435761n;
  for (let i = 0; i < length; i++) {
    out[i] = Number(generator >> 56n);
    generator = (generator * 11400714785074694797n) & MASK;
  }
  return out;
}

describe.each(BUILDS)('XXH64, %s build', (build) => {
  const k = new Kernels(build);
  const { core } = k;
  const ptr = k.block(5000);

  function hash(data: Uint8Array, seed: bigint): bigint {
    k.bytes(ptr, data.length).set(data);
    return BigInt.asUintN(64, core.xxh64(ptr, data.length, seed));
  }

  it('gives the published values', () => {
    const text = (s: string): Uint8Array => new TextEncoder().encode(s);
    expect(hash(text(''), 0n)).toBe(0xef46db3751d8e999n);
    expect(hash(text('a'), 0n)).toBe(0xd24ec4f1a98c6e5bn);
    expect(hash(text('abc'), 0n)).toBe(0x44bc2cf5ad770999n);
    expect(hash(text('Nobody inspects the spammish repetition'), 0n)).toBe(0xfbcea83c8a378bf1n);
    const PRIME = 2654435761n;
    const vectors: [number, bigint, bigint][] = [
      [0, 0n, 0xef46db3751d8e999n],
      [0, PRIME, 0xac75fda2929b17efn],
      [1, 0n, 0xe934a84adb052768n],
      [1, PRIME, 0x5014607643a9b4c3n],
      [4, 0n, 0x9136a0dca57457een],
      [14, 0n, 0x8282dcc4994e35c8n],
      [14, PRIME, 0xc3bd6bf63deb6df0n],
      [222, 0n, 0xb641ae8cb691c174n],
      [222, PRIME, 0x20cb8ab7ae10c14an],
    ];
    for (const [length, seed, expected] of vectors) expect(hash(sanityBuffer(length), seed)).toBe(expected);
  });

  it('agrees with the specification on random bytes, at once and in slices', () => {
    const state = core.xxh64Make();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 1000, size: 'max' }),
        fc.bigInt({ min: 0n, max: MASK }),
        fc.array(fc.nat(200), { maxLength: 20 }),
        (data, seed, slices) => {
          const expected = model(data, seed);
          expect(hash(data, seed)).toBe(expected);
          core.xxh64Reset(state, seed);
          let at = 0;
          for (const slice of [...slices, data.length]) {
            const length = Math.min(slice, data.length - at);
            core.xxh64Update(state, ptr + at, length);
            at += length;
            if (at < data.length) {
              const soFar = BigInt.asUintN(64, core.xxh64Digest(state));
              expect(soFar).toBe(model(data.subarray(0, at), seed));
            }
          }
          expect(BigInt.asUintN(64, core.xxh64Digest(state))).toBe(expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});
