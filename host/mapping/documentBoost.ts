/** `_boost`: a field of a document whose value counts in the norms of all others. */

import type { LeafField } from './field.js';
import { floatOf, type JsonObject, textOf } from '../json/values.js';

/** What a mapping says of it. */
export interface DocumentBoost {
  /** The field of the root. */
  readonly name: string;
  /** The boost of documents in which the field is null. */
  readonly nullValue: number;
}

/** Reads the section of a mapping. */
export function readDocumentBoost(section: JsonObject): DocumentBoost {
  const { null_value: nullValue } = section;
  return {
    name: textOf(section.name) ?? '_boost',
    nullValue: nullValue === undefined || nullValue === null ? 1 : floatOf(nullValue),
  };
}

/** The boost of one document: it counts once for each of its fields. */
export class BoostOnce {
  #boost = 1;
  readonly #counted = new Set<LeafField>();

  start(said: DocumentBoost | undefined, source: JsonObject): void {
    this.#boost = 1;
    if (this.#counted.size > 0) this.#counted.clear();
    if (said === undefined || !Object.hasOwn(source, said.name)) return;
    const value = source[said.name];
    this.#boost = value === null ? said.nullValue : floatOf(value);
  }

  /** The boost of a field's next value, which is this without the document's. */
  of(field: LeafField, boost: number): number {
    if (this.#boost === 1 || this.#counted.has(field) || !field.hasNorms) return boost;
    this.#counted.add(field);
    return Math.fround(this.#boost * boost);
  }
}
