import { beforeEach, describe, expect, it } from 'vitest';
import { CoreTrap } from '../../host/core/status.js';
import { Kernels } from './kernels.js';

// Debug builds: whoever reads or writes memory after its end traps in a function that is called by what has ended.

const [SEGMENT, SCRATCH] = [3, 4];
let k: Kernels;
beforeEach(() => {
  k = new Kernels('debug');
});

/** What a call's trap says; fails where there is none. */
function trapOf(call: () => unknown): string {
  try {
    call();
  } catch (e) {
    if (e instanceof WebAssembly.RuntimeError) return new CoreTrap('search', e).message;
    throw e;
  }
  throw new Error('no trap');
}

describe('a trap names the lifetime that has ended', () => {
  it('of a block of a segment that is released', () => {
    const mark = k.core.requestMark(SEGMENT);
    const block = k.core.requestAlloc(64);
    expect(k.core.count(block, 64)).toBe(0);
    k.core.requestRelease(mark);
    expect(trapOf(() => k.core.count(block, 64))).toMatch(
      /^search: unreachable in memory\/lifetimes\/segmentHasEnded < .* < memory\/bitset\/count$/,
    );
    expect(trapOf(() => k.core.fillOnes(block, 64))).toContain('segmentHasEnded');
  });

  it('of blocks of other parts of a request, in several chunks', () => {
    const kept = k.core.requestAlloc(64);
    const mark = k.core.requestMark(SCRATCH);
    const blocks = [100, 400_000, 3 << 20, 64].map((bytes) => k.core.requestAlloc(bytes));
    k.core.requestRelease(mark);
    expect(k.core.count(kept, 64)).toBe(0);
    for (const block of [blocks[0]!, blocks[1]!])
      expect(trapOf(() => k.core.count(block, 16))).toMatch(/scratchHasEnded|heapBlockIsFree/);
  });

  it('of a block of a request, at its reset', () => {
    const block = k.core.requestAlloc(64);
    k.core.requestReset();
    expect(trapOf(() => k.core.count(block, 64))).toContain('requestHasEnded');
  });

  it('of a block of the heap that is freed, also twice, or moved', () => {
    const block = k.block(64);
    k.core.heapFree(block);
    expect(trapOf(() => k.core.count(block, 64))).toContain('heapBlockIsFree');
    const other = k.block(10_000);
    k.block(16);
    const moved = k.core.heapRealloc(other, 20_000);
    expect(moved).not.toBe(other);
    expect(k.core.count(moved, 64)).toBeGreaterThanOrEqual(0);
    expect(trapOf(() => k.core.count(other, 16))).toContain('heapBlockIsFree');
  });

  it('however it is read or written', () => {
    const live = k.block(4096);
    const gone = k.block(4096);
    k.core.heapFree(gone);
    for (const call of [
      () => k.core.bitsetGet(gone, 5),
      () => k.core.bitsetSet(gone, 5),
      () => k.core.orInto(live, gone, 64),
      () => k.core.orInto(gone, live, 64),
      () => k.core.unpack128(gone, live, 7),
      () => k.core.unpack128(live, gone, 7),
      () => k.core.fillOnes(gone, 128),
      () => k.core.readVint(gone),
    ])
      expect(trapOf(call)).toContain('heapBlockIsFree');
  });
});

it('blocks that are kept live on as long as what they are a part of', () => {
  const mark = k.core.requestMark(SEGMENT);
  const block = k.core.requestAlloc(64);
  k.core.requestKeep(mark);
  expect(k.core.count(block, 64)).toBe(0);
  k.core.requestReset();
  expect(trapOf(() => k.core.count(block, 64))).toContain('requestHasEnded');
});

describe('memory that is held back', () => {
  beforeEach(() => k.core.holdReleased(1 << 20));

  it('of segments is not given to the next one', () => {
    const first = k.core.requestMark(SEGMENT);
    const block = k.core.requestAlloc(64);
    k.core.requestRelease(first);
    k.core.requestMark(SEGMENT);
    expect(k.core.requestAlloc(64)).not.toBe(block);
    expect(trapOf(() => k.core.count(block, 64))).toContain('segmentHasEnded');
  });

  it('of requests is not given to the next one', () => {
    const block = k.core.requestAlloc(64);
    k.core.requestReset();
    expect(k.core.requestAlloc(64)).not.toBe(block);
    expect(trapOf(() => k.core.count(block, 64))).toContain('requestHasEnded');
  });

  it('of the heap is used again when there is no other, and counts as free', () => {
    const small = new Kernels('debug', 1 << 11);
    small.core.holdReleased(100 << 20);
    const used = small.core.heapUsed();
    const block = small.block(40 << 20);
    small.core.heapFree(block);
    expect(small.core.heapUsed()).toBe(used);
    expect(small.core.heapAlloc(16) >>> 0).not.toBe(block);
    expect(small.core.heapAlloc(30 << 20) >>> 0).toBe(block);
  });
});

it('release builds watch nothing', () => {
  const release = new Kernels('release');
  const block = release.block(64);
  release.core.heapFree(block);
  expect(() => release.core.count(block, 64)).not.toThrow();
});
