import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUILDS, SegmentCore, TestBatch, TestShard } from '../segment/core.js';

const FIELD = 1;
const LONGEST = 32766;

/** A term's bytes as a string of characters 0 to 255: their order is that of the terms. */
const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (key: string): Uint8Array => Buffer.from(key, 'latin1');

/** Terms that have much in common: few different bytes, among them the lowest and the highest. */
const term: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(0, 97, 98, 127, 128, 255), { maxLength: 6 }).map((b) => keyOf(Uint8Array.from(b))),
  fc.array(fc.constantFrom(97, 98), { minLength: 6, maxLength: 24 }).map((b) => keyOf(Uint8Array.from(b))),
  fc.uint8Array({ maxLength: 12 }).map(keyOf),
  fc.uint8Array({ minLength: 8, maxLength: 8 }).map((b) => `prefix${keyOf(b)}`),
  fc.constantFrom('\xff'.repeat(8), '\xff'.repeat(9), '\0'.repeat(8), 'x'.repeat(300), 'x'.repeat(LONGEST)),
);

/** A dictionary in the core: term number i of the list is in the documents i, i + 1, ... up to its frequency. */
class CoreDictionary {
  readonly core: SegmentCore;
  readonly shard: TestShard;
  readonly frequencies = new Map<string, number>();
  readonly sorted: string[];
  readonly #dict: number;
  readonly cursor: number;

  constructor(core: SegmentCore, terms: readonly string[]) {
    this.core = core;
    this.shard = new TestShard(core);
    this.shard.define(FIELD, 0, 0);
    const docs: string[][] = [];
    terms.forEach((t, i) => {
      this.frequencies.set(t, (i % 5) + 1);
      for (let doc = i; doc <= i + (i % 5); doc++) {
        const values = docs[doc] ?? [];
        docs[doc] = values;
        values.push(t);
      }
    });
    this.sorted = [...this.frequencies.keys()].sort((a, b) => (a < b ? -1 : 1));
    const batch = new TestBatch();
    for (const [i, values] of docs.entries()) {
      batch.index(
        BigInt(i + 1),
        values.map((t) => [FIELD, bytesOf(t)] as const),
      );
    }
    expect(this.shard.apply(batch.bytes())).toBe(0);
    this.shard.refresh();
    this.#dict = core.exports.dictionaryOpen(this.shard.handle, 0, FIELD);
    this.cursor = core.exports.cursorMake(this.#dict);
  }

  free(): void {
    this.core.exports.cursorFree(this.cursor);
    this.core.exports.heapFree(this.#dict);
    this.shard.drop();
  }

  /** Document frequency by exact lookup. */
  lookup(t: string): number {
    return this.core.with(bytesOf(t), (ptr, length) =>
      this.core.exports.dictionaryLookup(this.#dict, ptr, length),
    );
  }

  /** Where the cursor stands. */
  current(): [string, number] {
    return [keyOf(this.core.result()), this.core.exports.cursorDf(this.cursor)];
  }

  seek(how: 'cursorSeekCeil' | 'cursorSeekExact', t: string): boolean {
    const found = this.core.with(bytesOf(t), (ptr, length) =>
      this.core.exports[how](this.cursor, ptr, length),
    );
    return found !== 0;
  }

  next(): boolean {
    return this.core.exports.cursorNext(this.cursor) !== 0;
  }

  expected(t: string): [string, number] {
    return [t, this.frequencies.get(t)!];
  }
}

/** The longest term is in few runs only: it is slow to hand over. */
const terms = fc.uniqueArray(term, { minLength: 1, maxLength: 150 });

describe.each(BUILDS)('%s build', (build) => {
  const core = new SegmentCore(build);

  function property(check: (dictionary: CoreDictionary, absent: readonly string[]) => void): void {
    fc.assert(
      fc.property(terms, fc.array(term, { maxLength: 40 }), (present, others) => {
        const dictionary = new CoreDictionary(core, present);
        try {
          check(dictionary, [
            ...others,
            ...present.map((t) => t.slice(0, -1)),
            ...present.map((t) => `${t}\0`),
          ]);
        } finally {
          dictionary.free();
        }
      }),
      { numRuns: build === 'release' ? 60 : 15 },
    );
  }

  test('exact lookup finds every term, and no other', () => {
    property((dictionary, others) => {
      for (const t of dictionary.sorted) expect(dictionary.lookup(t)).toBe(dictionary.frequencies.get(t));
      for (const t of others) expect(dictionary.lookup(t)).toBe(dictionary.frequencies.get(t) ?? 0);
    });
  });

  test('a cursor goes through the terms in the order of their bytes', () => {
    property((dictionary) => {
      const seen: [string, number][] = [];
      while (dictionary.next()) seen.push(dictionary.current());
      expect(seen).toEqual(dictionary.sorted.map((t) => dictionary.expected(t)));
      expect(dictionary.next()).toBe(false);
    });
  });

  test('seeking finds the first term that is not below, and goes on from there', () => {
    property((dictionary, others) => {
      for (const t of [...dictionary.sorted, ...others].slice(0, 80)) {
        const at = dictionary.sorted.findIndex((s) => s >= t);
        expect(dictionary.seek('cursorSeekCeil', t)).toBe(at >= 0);
        if (at < 0) continue;
        expect(dictionary.current()).toEqual(dictionary.expected(dictionary.sorted[at]!));
        const after = dictionary.sorted[at + 1];
        expect(dictionary.next()).toBe(after !== undefined);
        if (after !== undefined) expect(dictionary.current()).toEqual(dictionary.expected(after));
      }
    });
  });

  test('exact seeking tells whether the term is there', () => {
    property((dictionary, others) => {
      for (const t of [...dictionary.sorted, ...others].slice(0, 80)) {
        expect(dictionary.seek('cursorSeekExact', t)).toBe(dictionary.frequencies.has(t));
        if (dictionary.frequencies.has(t)) expect(dictionary.current()).toEqual(dictionary.expected(t));
      }
    });
  });

  test('the terms with a prefix follow each other from where seeking leads', () => {
    property((dictionary, others) => {
      for (const prefix of others.slice(0, 20)) {
        const seen: string[] = [];
        for (let more = dictionary.seek('cursorSeekCeil', prefix); more; more = dictionary.next()) {
          const [t] = dictionary.current();
          if (!t.startsWith(prefix)) break;
          seen.push(t);
        }
        expect(seen).toEqual(dictionary.sorted.filter((t) => t.startsWith(prefix)));
      }
    });
  });

  test('lookup and cursor agree on where the postings are', () => {
    property((dictionary) => {
      while (dictionary.next()) {
        const [t] = dictionary.current();
        const offset = core.exports.cursorPostings(dictionary.cursor) >>> 0;
        dictionary.lookup(t);
        expect(core.exports.dictionaryPostings() >>> 0).toBe(offset);
      }
    });
  });
});
