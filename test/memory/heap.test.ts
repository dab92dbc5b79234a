import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILDS, Kernels } from './kernels.js';

const PAGE = 65536;

/** Sizes of all magnitudes, small ones as often as large ones. */
const size = fc.oneof(
  fc.integer({ min: 0, max: 64 }),
  fc.integer({ min: 0, max: 5000 }),
  fc.integer({ min: 0, max: 300_000 }),
  fc.integer({ min: 0, max: 2_000_000 }),
);

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('alloc' as const), size }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('zeroed' as const), size }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('realloc' as const), size, pick: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('free' as const), pick: fc.nat() }) },
);

interface Block {
  ptr: number;
  size: number;
  mark: number;
}

describe.each(BUILDS)('the heap, %s build', (build) => {
  /** Fills a block's edges and a byte in between with its mark: enough to notice overlaps and lost contents. */
  function paint(k: Kernels, b: Block): void {
    const bytes = k.bytes(b.ptr, b.size);
    bytes.fill(b.mark, 0, 64);
    bytes.fill(b.mark, -64);
    bytes[b.size >> 1] = b.mark;
  }

  function intact(k: Kernels, b: Block, size = b.size): boolean {
    const bytes = k.bytes(b.ptr, size);
    const head = bytes.subarray(0, Math.min(64, size)).every((byte) => byte === b.mark);
    const tail = size < b.size || bytes.subarray(-64).every((byte) => byte === b.mark);
    return head && tail && (size <= b.size >> 1 || bytes[b.size >> 1] === b.mark);
  }

  it('keeps blocks apart and their contents, and coalesces everything once all is free', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 200, size: 'max' }), (steps) => {
        const k = new Kernels(build, 16 * 16); // 16 MiB: sequences run into the end of memory
        const { core } = k;
        const used = core.heapUsed();
        let live: Block[] = [];
        let mark = 0;
        for (const s of steps) {
          if (s.kind === 'alloc' || s.kind === 'zeroed') {
            const ptr = (s.kind === 'zeroed' ? core.heapAllocZeroed(s.size) : core.heapAlloc(s.size)) >>> 0;
            if (ptr === 0) continue;
            expect(ptr % 16).toBe(0);
            expect(ptr + s.size).toBeLessThanOrEqual(k.memory.buffer.byteLength);
            if (s.kind === 'zeroed') expect(k.bytes(ptr, s.size).every((byte) => byte === 0)).toBe(true);
            mark = (mark % 255) + 1;
            const block = { ptr, size: s.size, mark };
            paint(k, block);
            live.push(block);
            continue;
          }
          const block = live[s.pick % live.length];
          if (!block) continue;
          if (s.kind === 'free') {
            expect(intact(k, block)).toBe(true);
            core.heapFree(block.ptr);
            live = live.filter((b) => b !== block);
          } else {
            const ptr = core.heapRealloc(block.ptr, s.size) >>> 0;
            if (ptr === 0) {
              expect(intact(k, block)).toBe(true);
              continue;
            }
            expect(ptr % 16).toBe(0);
            const moved = { ...block, ptr };
            expect(intact(k, moved, Math.min(s.size, block.size))).toBe(true);
            Object.assign(block, { ptr, size: s.size });
            paint(k, block);
          }
        }
        const spans = live.map((b) => [b.ptr, b.ptr + b.size] as const).sort((a, b) => a[0] - b[0]);
        for (let i = 1; i < spans.length; i++) expect(spans[i]![0]).toBeGreaterThan(spans[i - 1]![1]);
        expect(Number(core.heapUsed() - used)).toBeGreaterThanOrEqual(
          live.reduce((n, b) => n + b.size + 4, 0),
        );
        for (const b of live) {
          expect(intact(k, b)).toBe(true);
          core.heapFree(b.ptr);
        }
        expect(core.heapUsed()).toBe(used);
        // All of it but the arena's first chunk is one block again.
        const reserved = core.heapReserved();
        const rest = core.heapAlloc(Number(reserved - used) - 4);
        expect(rest).not.toBe(0);
        expect(core.heapReserved()).toBe(reserved);
      }),
      { numRuns: 60 },
    );
  });

  it('returns 0 at the end of memory and goes on working', () => {
    const k = new Kernels(build, 64);
    const { core } = k;
    const used = core.heapUsed();
    const blocks: number[] = [];
    for (let size = 1 << 20; size >= 1; size >>= 1) {
      for (let ptr = core.heapAlloc(size) >>> 0; ptr !== 0; ptr = core.heapAlloc(size) >>> 0)
        blocks.push(ptr);
    }
    expect(k.memory.buffer.byteLength).toBe(64 * PAGE);
    expect(core.heapUsed()).toBe(core.heapReserved());
    expect(core.heapAlloc(0)).toBe(0);
    expect(core.heapAllocZeroed(1)).toBe(0);
    expect(core.heapRealloc(blocks[0]!, 2 << 20)).toBe(0);
    core.heapFree(blocks.pop()!);
    expect(core.heapAlloc(1)).not.toBe(0);
    core.heapFree(blocks.shift()!);
    expect(core.heapAlloc(1 << 20)).not.toBe(0);
    expect(core.heapUsed()).toBeGreaterThan(used);
  });

  it('finds the one block that is long enough behind shorter ones of its class, when memory is full', () => {
    const k = new Kernels(build, 64);
    const { core } = k;
    const long = k.block(101_000);
    k.block(16);
    const short = k.block(100_000);
    k.block(16);
    for (let size = 1 << 20; size >= 1; size >>= 1) while (core.heapAlloc(size) !== 0);
    core.heapFree(long);
    core.heapFree(short);
    expect(core.heapAlloc(101_000) >>> 0).toBe(long);
    expect(core.heapAlloc(101_000)).toBe(0);
    expect(core.heapAlloc(100_000) >>> 0).toBe(short);
  });

  it('uses the last byte when growing by an eighth more is not possible', () => {
    const k = new Kernels(build, 33);
    const { core } = k;
    const free = Number(core.heapReserved() - core.heapUsed());
    expect(core.heapAlloc(free - 4 + PAGE)).not.toBe(0);
    expect(core.heapUsed()).toBe(core.heapReserved());
  });

  it('refuses sizes near 4 GiB without wrapping around', () => {
    const k = new Kernels(build);
    for (const size of [0xffffffff, 0xfffffff0, 0xffffffe1, 0xffffffe0, 0xfffffff5]) {
      expect(k.core.heapAlloc(size)).toBe(0);
      expect(k.core.heapRealloc(k.block(10), size)).toBe(0);
    }
    expect(k.core.heapAlloc(100)).not.toBe(0);
  });

  it('serves addresses and blocks above 2 GiB', () => {
    const k = new Kernels(build);
    const { core } = k;
    const used = core.heapUsed();
    const low = k.block(1_500_000_000);
    const high = k.block(2_600_000_000);
    expect(high + 2_600_000_000).toBeGreaterThan(2 ** 31);
    k.bytes(high + 2_599_999_999, 1)[0] = 7;
    const tail = k.block(100_000);
    expect(tail).toBeGreaterThan(2 ** 31);
    k.bytes(tail, 100_000).fill(9);
    const moved = core.heapRealloc(tail, 150_000) >>> 0;
    expect(k.bytes(moved, 100_000).every((byte) => byte === 9)).toBe(true);
    expect(core.heapAlloc(1_000_000_000)).toBe(0);
    core.heapFree(low);
    expect(core.heapAlloc(1_000_000_000) >>> 0).toBe(low);
    expect(k.bytes(high + 2_599_999_999, 1)[0]).toBe(7);
    core.heapFree(low);
    core.heapFree(moved);
    core.heapFree(high);
    expect(core.heapUsed()).toBe(used);
    expect(core.heapAlloc(4_200_000_000)).not.toBe(0);
  });

  it('resizes the last block in place by growing the memory', () => {
    const k = new Kernels(build);
    const ptr = k.block(Number(k.core.heapReserved() - k.core.heapUsed()) - 4);
    expect(k.core.heapRealloc(ptr, 50_000_000) >>> 0).toBe(ptr);
    expect(k.core.heapRealloc(ptr, 10) >>> 0).toBe(ptr);
  });

  it('treats address 0 as no block', () => {
    const { core } = new Kernels(build);
    const used = core.heapUsed();
    core.heapFree(0);
    expect(core.heapUsed()).toBe(used);
    expect(core.heapRealloc(0, 10)).not.toBe(0);
  });
});
