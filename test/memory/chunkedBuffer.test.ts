import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILDS, Kernels } from './kernels.js';

const u32 = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 0xffffffff }));

const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('u8' as const, 'u16' as const, 'u32' as const, 'vint' as const),
    v: u32,
  }),
  fc.record({ kind: fc.constant('f32' as const), v: fc.float({ noNaN: true }) }),
  fc.record({ kind: fc.constant('bytes' as const), v: fc.integer({ min: 0, max: 200_000 }) }),
  fc.record({ kind: fc.constant('reserve' as const), v: fc.integer({ min: 0, max: 65_536 }) }),
  fc.record({ kind: fc.constant('drain' as const), v: fc.integer({ min: 0, max: 150_000 }) }),
  fc.record({ kind: fc.constant('copyOut' as const), v: fc.nat(), length: fc.nat(100_000) }),
);

function vintBytes(v: number): number[] {
  const out: number[] = [];
  let rest = v;
  while (rest >= 128) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...out, rest];
}

describe.each(BUILDS)('a chunked buffer, %s build', (build) => {
  it('is the bytes that were written, read at any offset and drained from the front', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const k = new Kernels(build);
        const { core } = k;
        core.chunkedFree(core.chunkedMake()); // makes the sink
        const used = core.heapUsed();
        const scratch = k.block(200_000);
        const chunks = core.chunkedMake();
        const model = Buffer.alloc(60 * 200_000);
        let length = 0;
        let drained = 0;
        let seed = 1;
        const noise = (target: Uint8Array): void => {
          for (let i = 0; i < target.length; i++) target[i] = seed = (seed * 1103515245 + 12345) & 0x7fffffff;
        };
        for (const s of steps) {
          switch (s.kind) {
            case 'u8':
              core.chunkedU8(chunks, s.v);
              length = model.writeUInt8(s.v & 0xff, length);
              break;
            case 'u16':
              core.chunkedU16(chunks, s.v);
              length = model.writeUInt16LE(s.v & 0xffff, length);
              break;
            case 'u32':
              core.chunkedU32(chunks, s.v);
              length = model.writeUInt32LE(s.v, length);
              break;
            case 'f32':
              core.chunkedF32(chunks, s.v);
              length = model.writeFloatLE(s.v, length);
              break;
            case 'vint':
              core.chunkedVint(chunks, s.v);
              for (const byte of vintBytes(s.v)) model[length++] = byte;
              break;
            case 'bytes':
              noise(k.bytes(scratch, s.v));
              model.set(k.bytes(scratch, s.v), length);
              core.chunkedBytes(chunks, scratch, s.v);
              length += s.v;
              break;
            case 'reserve': {
              const room = core.chunkedReserve(chunks, s.v) >>> 0;
              noise(k.bytes(room, s.v));
              const kept = s.v - (s.v >> 2);
              model.set(k.bytes(room, kept), length);
              core.chunkedAdvance(chunks, kept);
              length += kept;
              break;
            }
            case 'drain': {
              const part = core.chunkedDrainTo(chunks, scratch, s.v);
              expect(part).toBe(Math.min(s.v, length - drained));
              expect(Buffer.compare(k.bytes(scratch, part), model.subarray(drained, drained + part))).toBe(0);
              drained += part;
              break;
            }
            case 'copyOut': {
              if (length === drained) break;
              const from = drained + (s.v % (length - drained));
              const part = Math.min(s.length, length - from);
              core.chunkedCopyOut(chunks, from, scratch, part);
              expect(Buffer.compare(k.bytes(scratch, part), model.subarray(from, from + part))).toBe(0);
              break;
            }
          }
          expect(core.chunkedLength(chunks)).toBe(length);
        }
        expect(core.chunkedFailed(chunks)).toBe(0);
        while (drained < length) {
          const part = core.chunkedDrainTo(chunks, scratch, 200_000);
          expect(part).toBeGreaterThan(0);
          expect(Buffer.compare(k.bytes(scratch, part), model.subarray(drained, drained + part))).toBe(0);
          drained += part;
        }
        expect(core.chunkedDrainTo(chunks, scratch, 10)).toBe(0);
        core.chunkedFree(chunks);
        core.heapFree(scratch);
        expect(core.heapUsed()).toBe(used);
      }),
      { numRuns: 60 },
    );
  });

  it('frees chunks as it is drained', () => {
    const k = new Kernels(build);
    const { core } = k;
    const scratch = k.block(1 << 20);
    const chunks = core.chunkedMake();
    for (let i = 0; i < 8; i++) core.chunkedBytes(chunks, scratch, 1 << 20);
    const full = core.heapUsed();
    for (let i = 0; i < 7; i++) expect(core.chunkedDrainTo(chunks, scratch, 1 << 20)).toBe(1 << 20);
    expect(Number(full - core.heapUsed())).toBeGreaterThan(5 << 20);
    core.chunkedU8(chunks, 5);
    expect(core.chunkedDrainTo(chunks, scratch, 1 << 20)).toBe(1 << 20);
    expect(core.chunkedDrainTo(chunks, scratch, 1 << 20)).toBe(1);
    expect(k.bytes(scratch, 1)[0]).toBe(5);
  });

  it('fails for good when memory runs out, swallows later writes and keeps what it has', () => {
    const k = new Kernels(build, 64);
    const { core } = k;
    const scratch = k.block(100_000);
    k.bytes(scratch, 100_000).fill(3);
    const chunks = core.chunkedMake();
    while (!core.chunkedFailed(chunks)) core.chunkedBytes(chunks, scratch, 100_000);
    const length = core.chunkedLength(chunks);
    expect(length).toBeGreaterThan(1_000_000);
    const before = Buffer.from(k.bytes(0, 64 * 65536));
    for (let i = 0; i < 30_000; i++) core.chunkedU32(chunks, i);
    core.chunkedBytes(chunks, scratch, 100_000);
    core.chunkedVint(chunks, 1_000_000);
    const room = core.chunkedReserve(chunks, 65_536) >>> 0;
    expect(room).not.toBe(0);
    core.chunkedAdvance(chunks, 65_536);
    core.chunkedU8(chunks, 1);
    expect(core.chunkedLength(chunks)).toBe(length);
    const after = Buffer.from(k.bytes(0, 64 * 65536));
    const changed = [...after.keys()].filter(
      (i) => after[i] !== before[i] && (i < room || i >= room + 65_536),
    );
    expect(changed.length).toBeLessThan(40); // the buffer's own struct
    let drained = 0;
    for (let part = 1; part > 0; drained += part) {
      part = core.chunkedDrainTo(chunks, scratch, 100_000);
      expect(k.bytes(scratch, part).every((byte) => byte === 3)).toBe(true);
    }
    expect(drained).toBe(length);
    core.chunkedFree(chunks);
    expect(core.chunkedMake()).not.toBe(0);
  });
});
