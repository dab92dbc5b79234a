/** The hits of several shards in one order, a page at a time: score descending, then shard, then document order. */
import type { SearchResult } from '../core/result.js';
import type { MappingModel } from '../mapping/model.js';
import type { StoredDocument } from '../storage/records.js';
import type { OpenIndex } from './openIndex.js';
import type { Shard } from './shard.js';

/** A document that was found. */
export interface Hit {
  index: string;
  model: MappingModel;
  score: number;
  document: StoredDocument;
}

/** What one shard found; whoever reads it holds the shard. */
export interface ShardHits {
  readonly index: OpenIndex;
  readonly shard: Shard;
  readonly result: SearchResult;
}

/** Reads the hits of some shards, each once. */
export class Ranking {
  readonly #parts: readonly ShardHits[];
  /** How many hits of each shard are read. */
  readonly #at: number[];

  constructor(parts: readonly ShardHits[]) {
    this.#parts = parts;
    this.#at = new Array<number>(parts.length).fill(0);
  }

  /** The largest score of the shards that no hit was read of yet; null if there is none. */
  get maxScore(): number | null {
    let most: number | null = null;
    this.#parts.forEach(({ result }, p) => {
      if (this.#at[p] === 0 && result.total > 0 && !Number.isNaN(result.maxScore))
        most = Math.max(most ?? Number.NEGATIVE_INFINITY, result.maxScore);
    });
    return most;
  }

  /** Passes over hits. */
  skip(count: number): void {
    for (let i = 0; i < count && this.#best() >= 0; i++);
  }

  /** The next hits, in order. A document that is gone for good is left out. */
  next(count: number): Hit[] {
    const hits: Hit[] = [];
    while (hits.length < count) {
      const p = this.#best();
      if (p < 0) break;
      this.#read(p, hits);
    }
    return hits;
  }

  /** Moves past the best hit that is left and tells whose it is; -1 at the end. */
  #best(): number {
    let winner = -1;
    let score = Number.NEGATIVE_INFINITY;
    this.#parts.forEach(({ result: { scores } }, p) => {
      const at = this.#at[p]!;
      if (at < scores.length && (winner < 0 || scores[at]! > score)) {
        winner = p;
        score = scores[at]!;
      }
    });
    if (winner >= 0) this.#at[winner]!++;
    return winner;
  }

  /** Reads the hit that was moved past. */
  #read(p: number, hits: Hit[]): void {
    const { index, shard, result } = this.#parts[p]!;
    const at = this.#at[p]! - 1;
    const document = shard.document(result.keys[at]!);
    if (document === undefined) return;
    hits.push({ index: index.name, model: index.model, score: result.scores[at]!, document });
  }
}
