import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryStorage } from '../../host/storage/memory.js';
import type { CommitOptions, Entry, Puts } from '../../host/storage/storage.js';
import { WriteBehind } from '../../host/storage/writeBehind.js';

/** Timers that fire when told to. */
class HandTimers {
  #due: (() => void)[] = [];
  readonly waits: number[] = [];
  after(ms: number, callback: () => void): () => void {
    this.waits.push(ms);
    this.#due.push(callback);
    return () => {
      this.#due = this.#due.filter((each) => each !== callback);
    };
  }
  async fire(): Promise<void> {
    for (const callback of this.#due.splice(0)) callback();
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }
}

class Failing extends MemoryStorage {
  fault: Error | undefined;
  override commit(puts: Puts, deletes: readonly Uint8Array[], options?: CommitOptions) {
    if (this.fault !== undefined) return Promise.reject(this.fault);
    void options;
    return super.commit(puts, deletes);
  }
}

const bytes = (...values: number[]) => new Uint8Array(values);
const all = (storage: { range: MemoryStorage['range'] }, options = {}) =>
  [...storage.range(bytes(0), bytes(255), options)].map(([k, v]) => [[...k], [...v]]);
const make = () => {
  const inner = new Failing();
  const timers = new HandTimers();
  const warnings: string[] = [];
  const storage = new WriteBehind(inner, timers, (message) => warnings.push(message));
  return { inner, timers, storage, warnings };
};

describe('commits that may be late', () => {
  it('can be read at once, and are durable when their time has come', async () => {
    const { inner, timers, storage } = make();
    await storage.commit([[bytes(1), bytes(1)]], [], { within: 500 });
    await storage.commit([[bytes(2), bytes(2)]], [bytes(1)], { within: 900 });
    expect([storage.get(bytes(1)), storage.get(bytes(2))]).toEqual([undefined, bytes(2)]);
    expect(all(inner)).toEqual([]);
    expect(timers.waits).toEqual([500]);
    await timers.fire();
    expect(all(inner)).toEqual([[[2], [2]]]);
  });

  it('go before one that may not', async () => {
    const { inner, storage } = make();
    await storage.commit([[bytes(1), bytes(1)]], [], { within: 500 });
    await storage.commit([[bytes(2), bytes(2)]], []);
    expect(all(inner)).toEqual([
      [[1], [1]],
      [[2], [2]],
    ]);
    await storage.commit([[bytes(3), bytes(3)]], [], { within: 500 });
    await storage.close();
    expect(all(inner)).toHaveLength(3);
  });

  it('that can not be written stay, and are refused from then on until they can be', async () => {
    const { inner, timers, storage, warnings } = make();
    await storage.commit([[bytes(1), bytes(1)]], [], { within: 500 });
    inner.fault = new Error('no');
    await timers.fire();
    expect(warnings).toEqual(['late writes: no']);
    expect(storage.get(bytes(1))).toEqual(bytes(1));
    await expect(storage.commit([[bytes(2), bytes(2)]], [], { within: 500 })).rejects.toThrow('no');
    await expect(storage.commit([[bytes(2), bytes(2)]], [])).rejects.toThrow('no');
    expect(storage.get(bytes(2))).toBeUndefined();
    inner.fault = undefined;
    await timers.fire();
    expect(all(inner)).toEqual([[[1], [1]]]);
    await storage.commit([[bytes(2), bytes(2)]], [], { within: 500 });
    expect(storage.get(bytes(2))).toEqual(bytes(2));
  });

  it('reads as a store that has written everything', async () => {
    const key = fc.integer({ min: 0, max: 9 });
    const step = fc.record({
      puts: fc.array(fc.tuple(key, fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
      deletes: fc.array(key, { maxLength: 2 }),
      late: fc.boolean(),
      fire: fc.boolean(),
    });
    const options = fc.record(
      { reverse: fc.boolean(), limit: fc.integer({ min: 0, max: 5 }), keysOnly: fc.boolean() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), options, async (steps, how) => {
        const { storage, timers } = make();
        const model = new MemoryStorage();
        for (const { puts, deletes, late, fire } of steps) {
          const entries = puts.map(([k, v]): Entry => [bytes(k), bytes(v)]);
          const gone = deletes.filter((k) => !puts.some(([put]) => put === k)).map((k) => bytes(k));
          await storage.commit(entries, gone, late ? { within: 9 } : {});
          await model.commit(entries, gone);
          expect(all(storage, how)).toEqual(all(model, how));
          for (let k = 0; k < 10; k++) expect(storage.get(bytes(k))).toEqual(model.get(bytes(k)));
          if (fire) await timers.fire();
          expect(all(storage, how)).toEqual(all(model, how));
        }
      }),
    );
  });
});
