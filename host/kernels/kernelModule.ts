/** The module of kernels (assembly/kernels/index.ts) and its memory. */

interface Exports {
  memory: WebAssembly.Memory;
  heapAlloc(bytes: number): number;
  heapFree(ptr: number): void;
  requestAlloc(bytes: number): number;
  requestReset(): void;
  bitsFor128(src: number): number;
  pack128(src: number, dst: number, bits: number): void;
  unpack128(src: number, dst: number, bits: number): void;
  unpackGaps128(src: number, dst: number, bits: number, previous: number): void;
  decodeGapBlocks(src: number, dst: number, bits: number, blocks: number): number;
  unpackBlocks(src: number, dst: number, bits: number, blocks: number): void;
  writeVints(src: number, n: number, dst: number): number;
  readVints(src: number, n: number, dst: number): number;
  encodeNorms(src: number, n: number, dst: number): void;
  decodeNorms(src: number, n: number, dst: number): void;
  xxh64(ptr: number, length: number, seed: bigint): bigint;
  murmur3(ptr: number, length: number, seed: number): number;
  hashAll(src: number, length: number, n: number): bigint;
  andCount(a: number, b: number, bytes: number): number;
  count(set: number, bytes: number): number;
  distance(formula: number, lat1: number, lon1: number, lat2: number, lon2: number): number;
  sumOfDistances(formula: number, lat: number, lon: number, points: number, n: number): number;
  idf(df: number, documents: number): number;
  acceptAll(
    automaton: number,
    length: number,
    terms: number,
    lengths: number,
    n: number,
    out: number,
  ): number;
  topK(scores: number, n: number, k: number, places: number, best: number): number;
  tokenizeAll(texts: number, lengths: number, n: number): number;
  tokensOf(text: number, length: number, out: number): number;
}

/** One instance of it. */
export class KernelModule {
  /** What it exports: addresses and numbers in, numbers out. */
  readonly calls: Exports;

  constructor(module: WebAssembly.Module) {
    // Nothing here is stopped.
    const { exports } = new WebAssembly.Instance(module, {
      host: { interrupted: () => 0, admits: () => 1 },
    });
    this.calls = exports as unknown as Exports;
  }

  /** The memory as it is now; a larger one takes the place of every view that was made before. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.calls.memory.buffer as ArrayBuffer);
  }

  /** A block of memory at a multiple of 16, for good. */
  block(bytes: number): number {
    return this.#checked(this.calls.heapAlloc(bytes), bytes);
  }

  /** A block until {@link release}. */
  room(bytes: number): number {
    return this.#checked(this.calls.requestAlloc(bytes), bytes);
  }

  /** Bytes in a block until {@link release}. */
  put(bytes: Uint8Array): number {
    const ptr = this.room(bytes.length);
    this.bytes.set(bytes, ptr);
    return ptr;
  }

  /** Copies bytes out. */
  take(ptr: number, length: number): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(ptr, ptr + length);
  }

  /** Lets go of what {@link room} and {@link put} took. */
  release(): void {
    this.calls.requestReset();
  }

  #checked(ptr: number, bytes: number): number {
    if (ptr === 0 && bytes > 0) throw new RangeError(`the kernels have no memory for ${bytes} bytes`);
    return ptr >>> 0;
  }
}
