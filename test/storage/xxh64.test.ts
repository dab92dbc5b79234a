import { describe, expect, it } from 'vitest';
import { Xxh64 } from '../../host/storage/xxh64.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).reverse().toString('hex');
const sum = (bytes: Uint8Array, piece = 1 << 20) => {
  const state = new Xxh64();
  for (let at = 0; at < bytes.length; at += piece) state.update(bytes.subarray(at, at + piece));
  return hex(state.digest());
};

/** XXH64 by its definition, on bigints. */
function naive(bytes: Uint8Array): string {
  const [p1, p2, p3, p4, p5] = [
    0x9e3779b185ebca87n,
    0xc2b2ae3d27d4eb4fn,
    0x165667b19e3779f9n,
    0x85ebca77c2b2ae63n,
    0x27d4eb2f165667c5n,
  ];
  const u = (x: bigint) => BigInt.asUintN(64, x);
  const rotate = (x: bigint, n: bigint) => u(x << n) | (x >> (64n - n));
  const round = (lane: bigint, word: bigint) => u(rotate(u(lane + u(word * p2)), 31n) * p1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let hash = p5;
  if (bytes.length >= 32) {
    const lanes = [u(p1 + p2), p2, 0n, u(-p1)];
    for (; at + 32 <= bytes.length; at += 32)
      lanes.forEach((lane, i) => {
        lanes[i] = round(lane, view.getBigUint64(at + 8 * i, true));
      });
    hash = u(lanes.reduce((all, lane, i) => all + rotate(lane, [1n, 7n, 12n, 18n][i]!), 0n));
    for (const lane of lanes) hash = u((hash ^ round(0n, lane)) * p1 + p4);
  }
  hash = u(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8)
    hash = u(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * p1 + p4);
  if (at + 4 <= bytes.length) {
    hash = u(rotate(hash ^ u(BigInt(view.getUint32(at, true)) * p1), 23n) * p2 + p3);
    at += 4;
  }
  for (; at < bytes.length; at++) hash = u(rotate(hash ^ u(BigInt(bytes[at]!) * p5), 11n) * p1);
  hash = u((hash ^ (hash >> 33n)) * p2);
  hash = u((hash ^ (hash >> 29n)) * p3);
  return (hash ^ (hash >> 32n)).toString(16).padStart(16, '0');
}

describe('XXH64', () => {
  it('has the published sums', () => {
    expect(sum(new Uint8Array(0))).toBe('ef46db3751d8e999');
    expect(sum(new TextEncoder().encode('Nobody inspects the spammish repetition'))).toBe('fbcea83c8a378bf1');
  });

  it('is that of its definition for every length and any bytes, in one piece and in several', () => {
    let seed = 1;
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, () => {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        return seed >>> 24;
      });
      expect(sum(bytes)).toBe(naive(bytes));
      expect(sum(bytes, 64)).toBe(naive(bytes));
    }
  });
});
