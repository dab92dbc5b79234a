import { isFalse } from '../numbers/javaBooleans.js';
import { ElasticsearchError, numberFormat } from '../errors.js';
import { camelCase } from '../text/camelCase.js';
import { isCompound } from '../json/values.js';

/**
 * The settings of one definition, read as Elasticsearch 1.7 reads them: everything is a string underneath, arrays are
 * lists of them, keys may be in camelCase, lists may be one string with commas.
 */
export class DefinitionSettings {
  readonly #values: ReadonlyMap<string, unknown>;
  /** The name of the definition, for error messages. */
  readonly name: string;
  /** The definition: what long parts of reading it belong to (passes.ts). */
  readonly owner: object;

  constructor(name: string, definition: Readonly<Record<string, unknown>>) {
    this.name = name;
    this.owner = definition;
    const values = new Map<string, unknown>();
    for (const [key, value] of Object.entries(definition)) {
      if (value !== null && value !== undefined) values.set(key, value);
    }
    this.#values = values;
  }

  /** The value as given, by its key or the key in camelCase. */
  raw(key: string): unknown {
    return this.#values.get(key) ?? this.#values.get(camelCase(key));
  }

  has(key: string): boolean {
    return this.raw(key) !== undefined;
  }

  /** Undefined where the key is absent or holds no plain value. */
  text(key: string): string | undefined;
  text(key: string, fallback: string): string;
  text(key: string, fallback?: string): string | undefined {
    const value = this.raw(key);
    return value === undefined || value === null || isCompound(value) ? fallback : String(value);
  }

  /** A whole number of 32 bits. */
  int(key: string, fallback: number): number {
    const text = this.text(key);
    if (text === undefined) return fallback;
    const number = Number(text);
    if (!/^[+-]?\d+$/.test(text) || number > 0x7fff_ffff || number < -0x8000_0000) {
      throw new ElasticsearchError(
        'SettingsException',
        `Failed to parse int setting [${key}] with value [${text}]`,
        { nested: numberFormat(text) },
      );
    }
    return number;
  }

  /** False is `false`, `0`, `off` or `no`; everything else is true. */
  flag(key: string, fallback: boolean): boolean {
    const text = this.text(key);
    return text === undefined ? fallback : !isFalse(text);
  }

  /** The texts of a list, trimmed; a string is split at commas. Undefined where the key is absent or the list empty. */
  list(key: string): string[] | undefined {
    const value = this.raw(key);
    if (Array.isArray(value)) {
      const list = value.filter((each) => each !== null && !isCompound(each)).map((e) => String(e).trim());
      return list.length > 0 ? list : undefined;
    }
    if (value === undefined || value === null || isCompound(value)) return undefined;
    return String(value)
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  }
}
