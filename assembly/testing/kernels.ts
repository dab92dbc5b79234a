/**
 * The low-level modules as exports of their own, for tests and benches; no part of the product. Built by test/globalSetup.ts
 * into build/kernels.debug.wasm and build/kernels.release.wasm, which import their memory so that a test can limit it.
 */
import { unpack128, unpackGaps128 } from '../codec/bitpack128';
import { Vint, vintNext } from '../codec/vint';
import { Xxh64State } from '../codec/xxh64';
import { distance } from '../columns/geodesy';
import { Bitset } from '../memory/bitset';
import { heapAlloc } from '../memory/heap';
import { Rope } from '../memory/rope';

export * from '../codec/bitpack128';
export { packedValue128 } from '../codec/packedValue';
export { byte315ToFloat, floatToByte315, normTable } from '../codec/norm';
export { readVint, vintNext, vintSize, writeVint } from '../codec/vint';
export { xxh64 } from '../codec/xxh64';
export * from '../memory/arena';
export {
  andCount,
  andInto,
  andNotInto,
  count,
  fillOnes,
  orInto,
  popcountRange,
  sizeInBytes,
} from '../memory/bitset';
export * from '../memory/heap';
export { holdReleased } from '../memory/lifetimes';

export function bitsetGet(set: usize, i: u32): bool {
  return Bitset.get(set, i);
}

export function bitsetSet(set: usize, i: u32): void {
  Bitset.set(set, i);
}

export function bitsetClear(set: usize, i: u32): void {
  Bitset.clear(set, i);
}

export function ropeMake(): usize {
  return changetype<usize>(Rope.make());
}

export function ropeLength(rope: Rope): u32 {
  return rope.length;
}

export function ropeFailed(rope: Rope): bool {
  return rope.failed;
}

export function ropeU8(rope: Rope, v: u32): void {
  rope.u8(v);
}

export function ropeU16(rope: Rope, v: u32): void {
  rope.u16(v);
}

export function ropeU32(rope: Rope, v: u32): void {
  rope.u32(v);
}

export function ropeF32(rope: Rope, v: f32): void {
  rope.f32(v);
}

export function ropeVint(rope: Rope, v: u32): void {
  rope.vint(v);
}

export function ropeBytes(rope: Rope, ptr: usize, len: u32): void {
  rope.bytes(ptr, len);
}

export function ropeReserve(rope: Rope, n: u32): usize {
  return rope.reserve(n);
}

export function ropeAdvance(rope: Rope, n: u32): void {
  rope.advance(n);
}

export function ropeCopyOut(rope: Rope, fromOffset: u32, dest: usize, len: u32): void {
  rope.copyOut(fromOffset, dest, len);
}

export function ropeDrainTo(rope: Rope, dest: usize, maxBytes: u32): u32 {
  return rope.drainTo(dest, maxBytes);
}

export function ropeFree(rope: Rope): void {
  rope.free();
}

export function xxh64Make(): usize {
  return heapAlloc(offsetof<Xxh64State>());
}

export function xxh64Reset(state: Xxh64State, seed: u64): void {
  state.reset(seed);
}

export function xxh64Update(state: Xxh64State, ptr: usize, len: u32): void {
  state.update(ptr, len);
}

export function xxh64Digest(state: Xxh64State): u64 {
  return state.digest();
}

/** Decodes `blocks` blocks of gaps one after the other, each from where the one before ended; returns the last value. */
export function decodeGapBlocks(src: usize, dst: usize, bits: u32, blocks: u32): i32 {
  let last = -1;
  for (let i: u32 = 0; i < blocks; i++) {
    unpackGaps128(src, dst, bits, last);
    last = load<i32>(dst, 508);
    src += bits << 4;
  }
  return last;
}

/** Unpacks `blocks` blocks one after the other into the same 128 values. */
export function unpackBlocks(src: usize, dst: usize, bits: u32, blocks: u32): void {
  for (let i: u32 = 0; i < blocks; i++) {
    unpack128(src, dst, bits);
    src += bits << 4;
  }
}

/** Reads n numbers and returns their sum. */
export function sumVints(src: usize, n: u32): u32 {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    sum += Vint.read(src);
    src = vintNext;
  }
  return sum;
}

/** The sum of the distances of `n` points (f64 latitude, longitude) from one, by a formula. */
export function sumOfDistances(formula: u32, latitude: f64, longitude: f64, points: usize, n: u32): f64 {
  let sum: f64 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const at = points + ((<usize>i) << 4);
    sum += distance(<u8>formula, latitude, longitude, load<f64>(at), load<f64>(at, 8));
  }
  return sum;
}
