/** `binary` fields: Base64 texts, kept and never searched. */

import { LeafField } from './field.js';
import { readTraits, TEXT_TRAITS } from './fieldTraits.js';
import { booleanOf, type JsonObject } from './values.js';

const BINARY_TRAITS = { ...TEXT_TRAITS, indexed: false, followsIndex: false };

/** A field without terms. */
export class BinaryField extends LeafField {
  override readonly type = 'binary';
  override readonly core = undefined;
  readonly #echoed: JsonObject = {};

  constructor(fullName: string, definition: JsonObject) {
    super(fullName, readTraits(definition, BINARY_TRAITS));
    if (definition.compress !== undefined) this.#echoed.compress = booleanOf(definition.compress);
  }

  override allText(): undefined {
    return undefined;
  }

  override write(): void {}

  override term(): Uint8Array {
    return new Uint8Array(0);
  }

  protected override echo(): JsonObject {
    return { type: 'binary', ...this.#echoed };
  }
}
