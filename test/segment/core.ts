import { BUILDS, type Build, coreModules, testingCore } from '../support/cores.js';

/** Exports of assembly/testing/segments.ts. Addresses and u32 results arrive as signed numbers: `>>> 0` them. */
export interface SegmentExports {
  memory: WebAssembly.Memory;
  heapAlloc(bytes: number): number;
  heapFree(ptr: number): void;
  heapUsed(): bigint;
  requestReset(): void;
  resultPtr(): number;
  resultLength(): number;
  shardCreate(): number;
  shardDrop(shard: number): number;
  fieldDefine(
    shard: number,
    field: number,
    flags: number,
    analyzer: number,
    boost: number,
    gap: number,
  ): number;
  applyBatch(shard: number, ptr: number, length: number): number;
  shardRefresh(shard: number): number;
  shardWork(shard: number, budget: number): number;
  shardForceMerge(shard: number, segments: number): number;
  segmentCount(shard: number): number;
  segmentInfo(shard: number, i: number): number;
  segmentImage(shard: number, i: number): number;
  segmentLoad(shard: number, ptr: number, length: number): number;
  segmentLive(shard: number, i: number): number;
  segmentSetLive(shard: number, i: number, ptr: number, length: number): number;
  shardInfo(shard: number): number;
  imageChecksum(ptr: number, length: number): bigint;
  dictionaryOpen(shard: number, segment: number, field: number): number;
  dictionaryLookup(dict: number, ptr: number, length: number): number;
  dictionaryPostings(): number;
  cursorMake(dict: number): number;
  cursorFree(cursor: number): void;
  cursorNext(cursor: number): number;
  cursorSeekCeil(cursor: number, ptr: number, length: number): number;
  cursorSeekExact(cursor: number, ptr: number, length: number): number;
  cursorDf(cursor: number): number;
  cursorPostings(cursor: number): number;
  columnSum(shard: number, segment: number, field: number): number;
  segmentDocOfKey(shard: number, segment: number, key: bigint): number;
  segmentKeyOf(shard: number, segment: number, doc: number): bigint;
}

export { BUILDS, type Build };

export const ERR_ARGUMENT = -1;
export const ERR_MEMORY = -2;
export const ERR_BATCH = -4;
export const ERR_IMAGE = -5;

/** What shardInfo tells. */
export interface ShardInfo {
  segmentBytes: bigint;
  bufferBytes: bigint;
  heapUsed: bigint;
  nextKey: bigint;
  lastCost: bigint;
  segments: number;
  hiddenSegments: number;
  docs: number;
  liveDocs: number;
  bufferedDocs: number;
  flushingDocs: number;
  deletions: number;
  jobs: number;
  fields: number;
}

const modules = await coreModules('testing');

/** A fresh instance of the segments' test build. */
export class SegmentCore {
  readonly exports: SegmentExports;

  constructor(build: Build) {
    this.exports = testingCore<SegmentExports>(modules[build], { held: 4 << 20 });
  }

  /** Calls `use` with a copy of the bytes in the core's memory, which is freed afterwards. */
  with<T>(bytes: Uint8Array, use: (ptr: number, length: number) => T): T {
    const ptr = this.put(bytes);
    const result = use(ptr, bytes.length);
    this.exports.heapFree(ptr);
    return result;
  }

  /** Copies bytes to a block of the core's heap. */
  put(bytes: Uint8Array): number {
    const ptr = this.exports.heapAlloc(bytes.length) >>> 0;
    new Uint8Array(this.exports.memory.buffer, ptr, bytes.length).set(bytes);
    return ptr;
  }

  /** A copy of the last call's output. */
  result(): Uint8Array {
    const { memory, resultPtr, resultLength } = this.exports;
    return new Uint8Array(memory.buffer, resultPtr() >>> 0, resultLength() >>> 0).slice();
  }

  heapUsed(): number {
    return Number(this.exports.heapUsed());
  }
}

/** One shard of a core. */
export class TestShard {
  readonly core: SegmentCore;
  readonly handle: number;

  constructor(core: SegmentCore) {
    this.core = core;
    this.handle = core.exports.shardCreate();
  }

  define(field: number, flags: number, analyzer: number, boost = 1, gap = 0): number {
    return this.core.exports.fieldDefine(this.handle, field, flags, analyzer, boost, gap);
  }

  apply(batch: Uint8Array): number {
    return this.core.with(batch, (ptr, length) => this.core.exports.applyBatch(this.handle, ptr, length));
  }

  /** One slice of work. */
  work(budget: number): number {
    return this.core.exports.shardWork(this.handle, budget);
  }

  /** Works until the flush is over, or until nothing is left to do. */
  workAll(budget = 1e9, until: 'flushed' | 'idle' = 'idle'): void {
    for (;;) {
      const left = this.work(budget);
      if (left < 0) throw new Error(`work failed: ${left}`);
      if (left === 0 || (until === 'flushed' && left !== 1)) return;
    }
  }

  /** Starts a refresh and completes it. */
  refresh(budget = 1e9): void {
    const started = this.core.exports.shardRefresh(this.handle);
    if (started < 0) throw new Error(`refresh failed: ${started}`);
    if (started) this.workAll(budget, 'flushed');
  }

  forceMerge(segments: number, budget = 1e9): void {
    this.core.exports.shardForceMerge(this.handle, segments);
    this.workAll(budget);
  }

  get segmentCount(): number {
    return this.core.exports.segmentCount(this.handle);
  }

  image(i: number): Uint8Array {
    this.core.exports.segmentImage(this.handle, i);
    return this.core.result();
  }

  /** The set of live documents; empty if all live. */
  live(i: number): Uint8Array {
    this.core.exports.segmentLive(this.handle, i);
    return this.core.result();
  }

  /** Loads an image; the status. */
  load(image: Uint8Array): number {
    const ptr = this.core.put(image);
    const status = this.core.exports.segmentLoad(this.handle, ptr, image.length);
    if (status < 0) this.core.exports.heapFree(ptr);
    return status;
  }

  setLive(i: number, set: Uint8Array): number {
    return this.core.with(set, (ptr, length) =>
      this.core.exports.segmentSetLive(this.handle, i, ptr, length),
    );
  }

  info(): ShardInfo {
    this.core.exports.shardInfo(this.handle);
    const bytes = this.core.result();
    const view = new DataView(bytes.buffer);
    const u64 = (at: number) => view.getBigUint64(at, true);
    const u32 = (at: number) => view.getUint32(at, true);
    return {
      segmentBytes: u64(0),
      bufferBytes: u64(8),
      heapUsed: u64(16),
      nextKey: u64(24),
      lastCost: u64(32),
      segments: u32(40),
      hiddenSegments: u32(44),
      docs: u32(48),
      liveDocs: u32(52),
      bufferedDocs: u32(56),
      flushingDocs: u32(60),
      deletions: u32(64),
      jobs: u32(68),
      fields: u32(72),
    };
  }

  drop(): void {
    this.core.exports.shardDrop(this.handle);
  }
}

/** Writes batches as assembly/README.md draws them. */
export class TestBatch {
  readonly #bytes: number[] = [];

  #number(value: bigint, bytes: number): void {
    for (let i = 0, left = value; i < bytes; i++, left >>= 8n) this.#bytes.push(Number(left & 0xffn));
  }

  index(key: bigint, values: readonly (readonly [field: number, bytes: Uint8Array])[]): this {
    this.#number(1n, 1);
    this.#number(key, 8);
    this.#number(BigInt(values.reduce((sum, [, bytes]) => sum + 6 + bytes.length, 0)), 4);
    for (const [field, bytes] of values) {
      this.#number(BigInt(field), 2);
      this.#number(BigInt(bytes.length), 4);
      for (const byte of bytes) this.#bytes.push(byte);
    }
    return this;
  }

  delete(key: bigint): this {
    this.#number(2n, 1);
    this.#number(key, 8);
    return this;
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
