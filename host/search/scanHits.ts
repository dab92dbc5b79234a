/** The hits of several shards without an order or a score, shard by shard: a page takes up to so many of each. */
import type { ElasticsearchError } from '../errors.js';
import type { Turns, WorkLimit } from '../workLimit.js';
import { HIT_BYTES, HIT_STEPS, type Hit, readDocument, type ShardHits } from './ranking.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

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

  /** The next keys, which are not passed over. */
  upcoming(count: number): number[] {
    const [at, last] = [this.#at, this.#last];
    const keys: number[] = [];
    for (let key = this.next(); key !== undefined; key = keys.length < count ? this.next() : undefined)
      keys.push(key);
    this.#at = at;
    this.#last = last;
    return keys;
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

type SweptPlace = Pick<ShardHits, 'index' | 'shard' | 'inner'>;

/** A shard whose hits are read. */
interface Part {
  place: SweptPlace;
  keys: KeyList;
}

/** A page of a sweep. */
export interface SweptPage {
  hits: Hit[];
  /** How many shards may have had some left. */
  shards: number;
  /** Shards that have hits which can't be read: they are left out. */
  unread: Map<SweptPlace, ElasticsearchError>;
  /** Whether it is shorter because its time was over. */
  isLate: boolean;
}

function hitOf({ index, shard, inner = [] }: SweptPlace, key: number, document: StoredDocument): Hit {
  return {
    index: index.name,
    shard,
    key,
    model: index.model,
    score: 0,
    document: index.visible(document),
    ...(inner.length === 0 ? {} : { wanted: { index, inner } }),
  };
}

/** Reads the hits of some shards, each once. */
export class SweepHits {
  #parts: Part[];
  readonly bytes: number;

  constructor(parts: readonly ShardHits[]) {
    this.#parts = parts.map(({ index, shard, inner, result }) => ({
      place: { index, shard, inner },
      // Hits of one score come in the order of their keys.
      keys: new KeyList(result.keys),
    }));
    this.bytes = this.#parts.reduce((sum, { keys }) => sum + keys.bytes, 0);
  }

  /** Notes which documents of shards of other nodes the next page needs. */
  note(count: number): void {
    for (const { place, keys } of this.#parts) {
      if (place.shard.elsewhere === undefined || place.shard.elsewhere.failure !== undefined) continue;
      for (const key of keys.upcoming(count)) place.shard.documents.byKey(key);
    }
  }

  /**
   * Up to `count` hits of every shard that may have some left.
   * @param weigh told what each takes, in bytes; throws when that is too much
   * @param work counts the steps
   * @param until when its time is over, the hits that are there are the page, and the others are on the next one
   */
  *next(
    count: number,
    weigh: (bytes: number) => void,
    work: WorkLimit,
    until: WorkLimit = work,
  ): Turns<SweptPage> {
    const hits: Hit[] = [];
    const unread: SweptPage['unread'] = new Map();
    const shards = this.#parts.length;
    const left: Part[] = [];
    let isLate = false;
    for (const part of this.#parts) {
      const { place, keys } = part;
      let read = 0;
      for (; read < count && !isLate; read++) {
        const key = keys.next();
        if (key === undefined) break;
        const document = readDocument(place.shard, key, (error) => void unread.set(place, error));
        if (document !== undefined) {
          weigh(HIT_BYTES + document.source.length);
          hits.push(hitOf(place, key, document));
        }
        if (!work.isDue(HIT_STEPS)) continue;
        if (until.late && hits.length > 0) isLate = true;
        else yield;
      }
      // One that gave less than it was asked for has no more.
      if (isLate || read === count) left.push(part);
    }
    this.#parts = left;
    return { hits, shards, unread, isLate };
  }
}
