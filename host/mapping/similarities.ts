/** How fields are scored: the default similarity, or BM25 with its parameters, by the names that settings give. */

import { notOffered } from '../errors.js';

/** Parameters of the BM25 similarity. */
export interface Bm25 {
  readonly k1: number;
  readonly b: number;
}

const PREFIX = 'index.similarity.';
const K1 = 1.2;
const B = 0.75;

/** The similarities of an index. */
export class Similarities {
  readonly #flat: Readonly<Record<string, string>>;

  /** `flat`: the index's settings. */
  /** Throws if the default similarity is one that is not offered. */
  constructor(flat: Readonly<Record<string, string>>) {
    this.#flat = flat;
    this.check('default');
  }

  /** Throws if the similarity of that name is of a type that is not offered. */
  check(name: string): void {
    const type = this.#flat[`${PREFIX}${name}.type`] ?? 'default';
    if (type === 'default' || type === 'BM25') return;
    throw notOffered(`the similarity [${name}] of type [${type}]`);
  }

  /** The parameters of a similarity that is BM25. */
  bm25(name = 'default'): Bm25 | undefined {
    const type = this.#flat[`${PREFIX}${name}.type`] ?? (name === 'BM25' ? 'BM25' : 'default');
    if (type !== 'BM25') return undefined;
    return { k1: this.#number(name, 'k1', K1), b: this.#number(name, 'b', B) };
  }

  /** Whether a mapping may name it. */
  has(name: string): boolean {
    return name === 'default' || name === 'BM25' || this.#flat[`${PREFIX}${name}.type`] !== undefined;
  }

  #number(name: string, key: string, fallback: number): number {
    const given = Number(this.#flat[`${PREFIX}${name}.${key}`] ?? fallback);
    return Number.isFinite(Math.fround(given)) ? given : fallback;
  }
}
