/** `binary` fields: Base64 texts, kept and never searched. */

import { LeafField } from './field.js';
import { storeOf } from './strings.js';
import { booleanOf, type JsonObject } from './values.js';

/** A field without terms. */
export class BinaryField extends LeafField {
  override readonly type = 'binary';
  override readonly core = undefined;
  readonly #store: boolean;
  readonly #echoed: JsonObject = {};

  constructor(fullName: string, definition: JsonObject) {
    super(fullName);
    this.#store = definition.store !== undefined && storeOf(definition.store);
    if (definition.compress !== undefined) this.#echoed.compress = booleanOf(definition.compress);
    if (definition.doc_values !== undefined && booleanOf(definition.doc_values))
      this.#echoed.doc_values = true;
  }

  override get stored(): boolean {
    return this.#store;
  }

  override allText(): undefined {
    return undefined;
  }

  override write(): void {}

  override term(): Uint8Array {
    return new Uint8Array(0);
  }

  protected override echo(): JsonObject {
    return { type: 'binary', ...(this.stored ? { store: true } : {}), ...this.#echoed };
  }

  override merge(other: BinaryField, conflicts: string[]): void {
    if (this.stored !== other.stored) conflicts.push(`mapper [${this.shortName}] has different store values`);
  }
}
