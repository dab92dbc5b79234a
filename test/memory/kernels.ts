import { BUILDS, type Build, coreModules, testingCore } from '../support/cores.js';

/** Exports of assembly/testing/kernels.ts. Addresses and u32 results arrive as signed numbers: `>>> 0` them. */
export interface KernelExports {
  memory: WebAssembly.Memory;
  heapAlloc(bytes: number): number;
  heapAllocZeroed(bytes: number): number;
  heapFree(ptr: number): void;
  heapRealloc(ptr: number, bytes: number): number;
  heapUsed(): bigint;
  heapReserved(): bigint;
  requestAlloc(bytes: number): number;
  requestReset(): void;
  requestMark(part?: number): number;
  requestRelease(mark: number): void;
  requestKeep(mark: number): void;
  holdReleased(bytes: number): void;
  chunkedMake(): number;
  chunkedLength(chunks: number): number;
  chunkedFailed(chunks: number): number;
  chunkedU8(chunks: number, v: number): void;
  chunkedU16(chunks: number, v: number): void;
  chunkedU32(chunks: number, v: number): void;
  chunkedF32(chunks: number, v: number): void;
  chunkedVint(chunks: number, v: number): void;
  chunkedBytes(chunks: number, ptr: number, length: number): void;
  chunkedReserve(chunks: number, n: number): number;
  chunkedAdvance(chunks: number, n: number): void;
  chunkedCopyOut(chunks: number, fromOffset: number, dest: number, length: number): void;
  chunkedDrainTo(chunks: number, dest: number, maxBytes: number): number;
  chunkedFree(chunks: number): void;
  sizeInBytes(n: number): number;
  bitsetGet(set: number, i: number): number;
  bitsetSet(set: number, i: number): void;
  bitsetClear(set: number, i: number): void;
  fillOnes(set: number, n: number): void;
  count(set: number, bytes: number): number;
  popcountRange(set: number, from: number, to: number): number;
  andCount(a: number, b: number, bytes: number): number;
  orInto(dst: number, src: number, bytes: number): void;
  andInto(dst: number, src: number, bytes: number): void;
  andNotInto(dst: number, src: number, bytes: number): void;
  writeVint(ptr: number, v: number): number;
  readVint(ptr: number): number;
  vintSize(v: number): number;
  vintNext: WebAssembly.Global;
  pack128(src: number, dst: number, bits: number): void;
  unpack128(src: number, dst: number, bits: number): void;
  unpackPlusOne128(src: number, dst: number, bits: number): void;
  packedValue128(src: number, i: number, bits: number): number;
  unpackGaps128(src: number, dst: number, bits: number, previous: number): void;
  bitsFor128(src: number): number;
  floatToByte315(f: number): number;
  byte315ToFloat(b: number): number;
  normTable(): number;
  xxh64(ptr: number, length: number, seed: bigint): bigint;
  xxh64Make(): number;
  xxh64Reset(state: number, seed: bigint): void;
  xxh64Update(state: number, ptr: number, length: number): void;
  xxh64Digest(state: number): bigint;
}

export { BUILDS, type Build };

const modules = await coreModules('testing');

/** A fresh instance of the low-level modules, with a memory that ends at `maximumPages` pages of 64 KiB. */
export class Kernels {
  readonly core: KernelExports;
  readonly memory: WebAssembly.Memory;

  constructor(build: Build, maximumPages = 65536) {
    this.core = testingCore<KernelExports>(modules[build], { maximumPages });
    this.memory = this.core.memory;
  }

  /** The bytes at an address, as they are now; the view dies when the memory grows. */
  bytes(ptr: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, ptr >>> 0, length);
  }

  /** The u32 values at an address. */
  words(ptr: number, length: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, ptr >>> 0, length);
  }

  /** A block of the heap. Fails the test when there is no memory. */
  block(bytes: number): number {
    const ptr = this.core.heapAlloc(bytes) >>> 0;
    if (ptr === 0) throw new Error(`no memory for ${bytes} bytes`);
    return ptr;
  }
}
