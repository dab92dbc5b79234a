/** What a mapping says of `_source`: which parts of documents are shown, and how 1.7 would store them. */
import { parseFailure } from '../errors.js';
import { asMap } from '../compat17/javaCasts.js';
import { parseSize, sizeText } from '../settings/sizes.js';
import { booleanOf, isNumber, type JsonObject, textOf } from '../json/values.js';

/** One type's section. */
export class SourceSection {
  #enabled = true;
  #includes: readonly string[] | undefined;
  #excludes: readonly string[] | undefined;
  /** Of no effect here, as are the next two: sources are stored as they are. */
  #format: string | undefined;
  #compress: boolean | undefined;
  /** Bytes; -1 where the mapping doesn't say. */
  #compressThreshold = -1;

  /** @throws 400 if sizes or booleans are none */
  static read(given: unknown): SourceSection {
    const section = new SourceSection();
    for (const [key, value] of Object.entries(asMap(given))) {
      if (key === 'enabled') section.#enabled = booleanOf(value);
      else if (key === 'includes') section.#includes = texts(value);
      else if (key === 'excludes') section.#excludes = texts(value);
      else if (key === 'format') section.#format = textOf(value);
      else if (key === 'compress' && value !== null) section.#compress = booleanOf(value);
      else if (key === 'compress_threshold' && value !== null) {
        section.#compressThreshold = bytesOf(value);
        section.#compress = true;
      }
    }
    return section;
  }

  get enabled(): boolean {
    return this.#enabled;
  }

  /** Patterns of what is shown; everything without. */
  get includes(): readonly string[] {
    return this.#includes ?? [];
  }

  get excludes(): readonly string[] {
    return this.#excludes ?? [];
  }

  /** Takes over what another section says; whether there are sources is settled with the type. */
  merge(other: SourceSection): void {
    this.#compress = other.#compress ?? this.#compress;
    if (other.#compressThreshold !== -1) this.#compressThreshold = other.#compressThreshold;
    this.#includes = other.#includes ?? this.#includes;
    this.#excludes = other.#excludes ?? this.#excludes;
  }

  /** As GET _mapping shows it; undefined where nothing is said. */
  toJSON(): JsonObject | undefined {
    const json: JsonObject = {};
    if (!this.#enabled) json.enabled = false;
    if (this.#format !== undefined) json.format = this.#format;
    if (this.#compress !== undefined) json.compress = this.#compress;
    if (this.#compressThreshold !== -1) json.compress_threshold = sizeText(this.#compressThreshold);
    if (this.#includes !== undefined) json.includes = this.#includes;
    if (this.#excludes !== undefined) json.excludes = this.#excludes;
    return Object.keys(json).length === 0 ? undefined : json;
  }
}

function texts(value: unknown): string[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((each) => textOf(each) ?? '');
}

function bytesOf(value: unknown): number {
  if (isNumber(value)) return Math.trunc(Number(value));
  const text = textOf(value) ?? '';
  const bytes = parseSize(text, 0);
  if (bytes === undefined) throw parseFailure(`Failed to parse [${text}]`);
  return bytes;
}
