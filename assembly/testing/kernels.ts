/**
 * The low-level modules as exports of their own, for tests and benches; no part of the product. Built by test/globalSetup.ts
 * into build/kernels.debug.wasm and build/kernels.release.wasm, which import their memory so that a test can limit it.
 */
import { unpack128, unpackGaps128 } from '../codec/bitpack128';
import { Vint, vintNext } from '../codec/vint';
import { Xxh64State } from '../codec/xxh64';
import { distance } from '../docvalues/geodesy';
import { Bitset } from '../memory/bitset';
import { heapAlloc } from '../memory/heap';
import { ChunkedBuffer } from '../memory/chunkedBuffer';

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

export function chunkedMake(): usize {
  return changetype<usize>(ChunkedBuffer.make());
}

export function chunkedLength(chunks: ChunkedBuffer): u32 {
  return chunks.length;
}

export function chunkedFailed(chunks: ChunkedBuffer): bool {
  return chunks.failed;
}

export function chunkedU8(chunks: ChunkedBuffer, v: u32): void {
  chunks.u8(v);
}

export function chunkedU16(chunks: ChunkedBuffer, v: u32): void {
  chunks.u16(v);
}

export function chunkedU32(chunks: ChunkedBuffer, v: u32): void {
  chunks.u32(v);
}

export function chunkedF32(chunks: ChunkedBuffer, v: f32): void {
  chunks.f32(v);
}

export function chunkedVint(chunks: ChunkedBuffer, v: u32): void {
  chunks.vint(v);
}

export function chunkedBytes(chunks: ChunkedBuffer, ptr: usize, len: u32): void {
  chunks.bytes(ptr, len);
}

export function chunkedReserve(chunks: ChunkedBuffer, n: u32): usize {
  return chunks.reserve(n);
}

export function chunkedAdvance(chunks: ChunkedBuffer, n: u32): void {
  chunks.advance(n);
}

export function chunkedCopyOut(chunks: ChunkedBuffer, fromOffset: u32, dest: usize, len: u32): void {
  chunks.copyOut(fromOffset, dest, len);
}

export function chunkedDrainTo(chunks: ChunkedBuffer, dest: usize, maxBytes: u32): u32 {
  return chunks.drainTo(dest, maxBytes);
}

export function chunkedFree(chunks: ChunkedBuffer): void {
  chunks.free();
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
