import { type DecodedField, FREQS, NORMS, POSITIONS, readSegment } from '../model/segmentReader.js';
import { TestBatch, type TestShard } from './core.js';

/** What a shard must hold, by the plainest means. Texts are words of a-z and digits with single spaces between them. */

export interface NaiveField {
  field: number;
  flags: number;
  /** 0: a value is one term; 1: words. */
  analyzer: number;
  boost: number;
  gap: number;
}

export interface NaiveValue {
  field: number;
  text: string;
}

export interface NaiveDoc {
  key: bigint;
  values: NaiveValue[];
}

/** The flags that a field's postings have; those above name the kind of its column. */
const INVERTED = FREQS | POSITIONS | NORMS;

interface Token {
  term: string;
  position: number;
}

const utf8 = new TextEncoder();

const FLOAT = new DataView(new ArrayBuffer(4));

/** The norm byte of a value: the float truncated to a mantissa of 3 bits. */
function floatToByte315(value: number): number {
  FLOAT.setFloat32(0, value);
  const bits = FLOAT.getInt32(0);
  const small = bits >> 21;
  if (small <= 48 << 3) return bits <= 0 ? 0 : 1;
  return small >= (48 << 3) + 0x100 ? 255 : small - (48 << 3);
}

export class NaiveShard {
  readonly fields: readonly NaiveField[];
  /** All documents ever added, by key. */
  readonly docs = new Map<bigint, NaiveDoc>();
  readonly #deleted = new Set<bigint>();
  #visible: bigint[] = [];
  #next: bigint[] = [];

  constructor(fields: readonly NaiveField[]) {
    this.fields = fields;
  }

  define(shard: TestShard): void {
    for (const f of this.fields) shard.define(f.field, f.flags, f.analyzer, f.boost, f.gap);
  }

  /** Adds documents and deletions, and returns the batch that does the same. */
  apply(docs: readonly NaiveDoc[], deletions: readonly bigint[]): Uint8Array {
    const batch = new TestBatch();
    for (const key of deletions) {
      batch.delete(key);
      if (this.docs.has(key)) this.#deleted.add(key);
    }
    for (const doc of docs) {
      this.docs.set(doc.key, doc);
      batch.index(
        doc.key,
        doc.values.map((value) => [value.field, utf8.encode(value.text)] as const),
      );
    }
    return batch.bytes();
  }

  /** What there is now will be visible when the refresh ends. */
  startRefresh(): void {
    this.#next = [...this.docs.keys()].filter((key) => !this.#deleted.has(key));
  }

  endRefresh(): void {
    this.#visible = this.#next;
  }

  /** Keys of the documents that a search may find. */
  get visibleLive(): bigint[] {
    return this.#visible;
  }

  #tokens(doc: NaiveDoc, field: NaiveField): { tokens: Token[]; boost: number } {
    const tokens: Token[] = [];
    let position = 0;
    let boost = 1;
    for (const value of doc.values) {
      if (value.field !== field.field) continue;
      boost = Math.fround(boost * Math.fround(field.boost));
      const terms = field.analyzer === 0 ? [value.text] : value.text.split(' ').filter((word) => word);
      for (const term of terms) tokens.push({ term, position: position++ });
      if (field.analyzer !== 0) position += field.gap;
    }
    return { tokens, boost };
  }

  /** The fields of a segment with these documents. */
  expected(keys: readonly bigint[]): DecodedField[] {
    const fields: DecodedField[] = [];
    for (const field of [...this.fields].sort((a, b) => a.field - b.field)) {
      const terms = new Map<string, { doc: number; freq: number; positions: number[] }[]>();
      const norms = keys.map(() => 0);
      let docs = 0;
      keys.forEach((key, doc) => {
        const { tokens, boost } = this.#tokens(this.docs.get(key)!, field);
        if (!tokens.length) return;
        docs++;
        norms[doc] = floatToByte315(Math.fround(boost * Math.fround(1 / Math.sqrt(tokens.length))));
        for (const { term, position } of tokens) {
          const bytes = Buffer.from(term).toString('latin1');
          const postings = terms.get(bytes) ?? [];
          terms.set(bytes, postings);
          let posting = postings.at(-1);
          if (posting?.doc !== doc) {
            posting = { doc, freq: 0, positions: [] };
            postings.push(posting);
          }
          posting.freq = field.flags & FREQS ? posting.freq + 1 : 1;
          if (field.flags & POSITIONS) posting.positions.push(position);
        }
      });
      if (!docs) continue;
      fields.push({
        field: field.field,
        flags: field.flags & INVERTED,
        docs,
        norms: field.flags & NORMS ? norms : undefined,
        terms: [...terms]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([term, postings]) => ({ term, postings })),
      });
    }
    return fields;
  }

  /** Compares all that the shard shows with what it should; the number of dead documents still in segments. */
  check(shard: TestShard, equal: (actual: unknown, expected: unknown) => void): number {
    const live: bigint[] = [];
    let dead = 0;
    let above = -1n;
    for (let i = 0; i < shard.segmentCount; i++) {
      const segment = readSegment(shard.image(i));
      equal(segment.fields, this.expected(segment.keys));
      // Images of format 1 have none; what columns hold is compared with the postings by their reader.
      if (new DataView(shard.image(i).buffer).getUint32(4, true) > 1) {
        const withColumn = this.fields.filter(({ flags }) => flags > INVERTED).map(({ field }) => field);
        equal(
          segment.columns.map(({ field }) => field),
          segment.fields.map(({ field }) => field).filter((field) => withColumn.includes(field)),
        );
      }
      const set = shard.live(i);
      segment.keys.forEach((key, doc) => {
        if (key <= above) throw new Error(`key ${key} after ${above}`);
        above = key;
        if (set.length && !((set[doc >> 3]! >> (doc & 7)) & 1)) dead++;
        else live.push(key);
      });
    }
    equal(live, this.visibleLive);
    const info = shard.info();
    equal(info.liveDocs, live.length);
    equal(info.docs, live.length + dead);
    return dead;
  }
}
