/**
 * What the fields of a document add to `_all`. Where some of it has a boost, the words of each boost are indexed besides, in fields
 * named `_all^boost`, so that queries on `_all` can tell which boosts a word has; where none has, nothing more is written.
 */

import type { BatchWriter } from '../core/batch.js';
import type { Turns } from '../workLimit.js';
import type { MappingModel } from './model.js';
import type { TypeMapping } from './root.js';

/** Texts that are put together in one go. */
const PART = 4096;

/** The text of one document's `_all`. */
export class AllText {
  readonly #texts: string[] = [];
  readonly #boosts: number[] = [];
  #isBoosted = false;
  #joined: string | undefined;

  reset(): void {
    this.#joined = undefined;
    if (this.#texts.length > 0) this.#texts.length = this.#boosts.length = 0;
    this.#isBoosted = false;
  }

  add(text: string, boost: number): void {
    this.#texts.push(text);
    this.#boosts.push(boost);
    if (boost !== 1) this.#isBoosted = true;
  }

  /** All of it. */
  get text(): string {
    return this.#joined ?? this.#texts.join(' ');
  }

  /** Puts all of it together in turns: of a million texts that takes long. */
  *join(isDue: (steps: number) => boolean): Turns<void> {
    const parts: string[] = [];
    for (let at = 0; at < this.#texts.length; at += PART) {
      parts.push(this.#texts.slice(at, at + PART).join(' '));
      if (isDue(PART)) yield;
    }
    this.#joined = parts.join(' ');
  }

  /** `boost` is that of the document. */
  write(batch: BatchWriter, type: TypeMapping, model: MappingModel, boost: number): void {
    if (this.#texts.length === 0 || type.all === undefined) return;
    type.all.write(batch, this.text, boost);
    if (!this.#isBoosted) return;
    model.boostAll(type);
    for (const own of new Set(this.#boosts)) {
      if (own === 1) continue;
      const texts = this.#texts.filter((_, i) => this.#boosts[i] === own);
      model.boostedAll(type, own).write(batch, texts.join(' '));
    }
  }
}
