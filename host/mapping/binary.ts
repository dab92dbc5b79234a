/** `binary` fields: Base64 texts, kept and never searched. */

import type { BatchWriter } from '../core/batch.js';
import { jsonParse } from '../errors.js';
import { decodeBase64, NoBase64 } from '../text/base64.js';
import { LeafField } from './field.js';
import { readTraits, TEXT_TRAITS } from './fieldTraits.js';
import { booleanOf, type JsonObject, RawNumber } from '../json/values.js';

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

  /** Only those that are kept as doc values can be looked at. */
  override get forbidsFielddata(): boolean {
    return !this.traits.docValues || super.forbidsFielddata;
  }

  override allText(): undefined {
    return undefined;
  }

  /** A value is only looked at where it is kept. */
  override write(_batch: BatchWriter, value: unknown): void {
    if (value === null || value === undefined || !this.isKeptOnly) return;
    if (typeof value !== 'string') {
      const token =
        typeof value === 'boolean'
          ? `VALUE_${String(value).toUpperCase()}`
          : `VALUE_NUMBER_${isWhole(value) ? 'INT' : 'FLOAT'}`;
      throw jsonParse(
        `Current token (${token}) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary`,
      );
    }
    try {
      decodeBase64(value);
    } catch (error) {
      if (!(error instanceof NoBase64)) throw error;
      throw jsonParse(`Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): ${error.message}`);
    }
  }

  override term(): Uint8Array {
    return new Uint8Array(0);
  }

  protected override echo(): JsonObject {
    return { type: 'binary', ...this.#echoed };
  }
}

function isWhole(value: unknown): boolean {
  return value instanceof RawNumber ? value.isWhole : Number.isInteger(value);
}
