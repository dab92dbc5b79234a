import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILDS, Kernels } from './kernels.js';

const size = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 50_000 }),
  fc.integer({ min: 0, max: 1_000_000 }),
);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('alloc' as const), size }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'mark' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'release' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reset' as const }) },
);

describe.each(BUILDS)('the request arena, %s build', (build) => {
  it('keeps blocks apart, releases to marks in nesting order, and gives all but its first chunk back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
        const k = new Kernels(build);
        const { core } = k;
        const used = core.heapUsed();
        const first = core.requestMark();
        let blocks: { ptr: number; size: number; byte: number }[] = [];
        const marks: { mark: number; blocks: number; used: bigint }[] = [];
        let byte = 0;
        for (const s of steps) {
          if (s.kind === 'alloc') {
            const ptr = core.requestAlloc(s.size) >>> 0;
            expect(ptr).not.toBe(0);
            expect(ptr % 16).toBe(0);
            byte = (byte % 255) + 1;
            k.bytes(ptr, s.size).fill(byte);
            blocks.push({ ptr, size: s.size, byte });
          } else if (s.kind === 'mark') {
            marks.push({ mark: core.requestMark() >>> 0, blocks: blocks.length, used: core.heapUsed() });
          } else if (s.kind === 'release') {
            const at = marks.pop();
            if (!at) continue;
            core.requestRelease(at.mark);
            blocks = blocks.slice(0, at.blocks);
            expect(core.requestMark() >>> 0).toBe(at.mark);
            expect(core.heapUsed()).toBe(at.used);
          } else {
            core.requestReset();
            blocks = [];
            marks.length = 0;
            expect(core.requestMark()).toBe(first);
            expect(core.heapUsed()).toBe(used);
          }
        }
        for (const b of blocks) expect(k.bytes(b.ptr, b.size).every((v) => v === b.byte)).toBe(true);
        core.requestReset();
        expect(core.heapUsed()).toBe(used);
      }),
      { numRuns: 50 },
    );
  });

  it('releases to a mark in a chunk that lies above the later ones', () => {
    const k = new Kernels(build);
    const { core } = k;
    const hole = k.block(8 << 20);
    core.requestAlloc(1 << 20);
    const used = core.heapUsed();
    const mark = core.requestMark() >>> 0;
    expect(mark).toBeGreaterThan(hole);
    core.heapFree(hole);
    expect(core.requestAlloc(3 << 20) >>> 0).toBeLessThan(mark);
    core.requestRelease(mark);
    expect(core.requestMark() >>> 0).toBe(mark);
    expect(Number(used - core.heapUsed())).toBeGreaterThanOrEqual(8 << 20);
  });

  it('returns 0 when memory runs out, and serves smaller blocks still', () => {
    const { core } = new Kernels(build, 64);
    expect(core.requestAlloc(8 << 20)).toBe(0);
    expect(core.requestAlloc(0xffffffff)).toBe(0);
    expect(core.requestAlloc(2 << 20)).not.toBe(0);
    expect(core.requestAlloc(1 << 20)).not.toBe(0);
    expect(core.requestAlloc(2 << 20)).toBe(0);
    expect(core.requestAlloc(1000)).not.toBe(0);
    core.requestReset();
    expect(core.requestAlloc(2 << 20)).not.toBe(0);
  });
});
