/** The hits of several shards without an order or a score, shard by shard: a page takes up to so many of each. */
import type { Hit, ShardHits } from './ranking.js';

/** Ascending keys as the gaps between them, 7 bits a byte: a little more than a byte for a document. Others are refused. */
class KeyList {
  readonly #bytes: Uint8Array;
  #at = 0;
  #last = 0;

  constructor(keys: Float64Array) {
    const out = new Uint8Array(keys.length * 8);
    let n = 0;
    let last = 0;
    for (const key of keys) {
      let gap = key - last;
      // A list of a gap that isn't one would be read without an end.
      if (!(gap >= 0)) throw new RangeError(`keys must ascend: ${key} comes after ${last}`);
      last = key;
      for (; gap >= 128; gap = Math.floor(gap / 128)) out[n++] = (gap % 128) | 128;
      out[n++] = gap;
    }
    this.#bytes = out.slice(0, n);
  }

  get bytes(): number {
    return this.#bytes.length;
  }

  /** The next key; undefined at the end. */
  next(): number | undefined {
    if (this.#at === this.#bytes.length) return undefined;
    let gap = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.#bytes[this.#at++]!;
      gap += (byte & 127) * unit;
      if (byte < 128) break;
    }
    this.#last += gap;
    return this.#last;
  }
}

/** Reads the hits of some shards, each once. */
export class SweepHits {
  #parts: { place: Pick<ShardHits, 'index' | 'shard' | 'inner'>; keys: KeyList }[];
  readonly bytes: number;

  constructor(parts: readonly ShardHits[]) {
    this.#parts = parts.map(({ index, shard, inner, result }) => ({
      place: { index, shard, inner },
      // Hits of one score come in the order of their keys.
      keys: new KeyList(result.keys),
    }));
    this.bytes = this.#parts.reduce((sum, { keys }) => sum + keys.bytes, 0);
  }

  /** Up to `count` hits of every shard that may have some left, and how many shards those were. */
  next(count: number): { hits: Hit[]; shards: number } {
    const hits: Hit[] = [];
    const shards = this.#parts.length;
    this.#parts = this.#parts.filter(({ place: { index, shard, inner = [] }, keys }) => {
      let read = 0;
      for (; read < count; read++) {
        const key = keys.next();
        if (key === undefined) break;
        const document = shard.documents.byKey(key);
        if (document !== undefined)
          hits.push({
            index: index.name,
            shard,
            key,
            model: index.model,
            score: 0,
            document: index.visible(document),
            ...(inner.length === 0 ? {} : { wanted: { index, inner } }),
          });
      }
      // One that gave less than it was asked for has no more.
      return read === count;
    });
    return { hits, shards };
  }
}
