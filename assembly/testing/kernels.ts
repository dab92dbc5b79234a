/** The codec and the memory as exports of their own, for tests; no part of the product. */
import { Xxh64State } from '../codec/xxh64';
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
