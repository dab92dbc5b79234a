/** `token_count` fields: how many positions the tokens of a text take. */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import type { BatchWriter } from '../core/batch.js';
import { mapperParsing } from '../errors.js';
import { scalarText } from './field.js';
import { NumberField } from './numbers.js';
import { type JsonObject, textOf } from '../json/values.js';

/** Bytes of a text that is analyzed in turns. */
const LONG_TEXT = 64 * 1024;

/** A whole number that an analyzer makes of a text. */
export class TokenCountField extends NumberField {
  override readonly generated = true;
  readonly #registry: AnalyzerRegistry;
  #analyzer: string;

  constructor(fullName: string, definition: JsonObject, registry: AnalyzerRegistry) {
    super(fullName, 'integer', definition, registry.fieldDefaults, 'token_count');
    this.#registry = registry;
    const analyzer = textOf(definition.analyzer);
    if (analyzer === undefined)
      throw mapperParsing(`Analyzer must be set for field [${this.shortName}] but wasn't.`);
    if (!registry.has(analyzer))
      throw mapperParsing(`Analyzer [${analyzer}] not found for field [${this.shortName}]`);
    this.#analyzer = analyzer;
    this.longFrom = Math.min(LONG_TEXT, registry.longFrom(analyzer));
  }

  override prepare(value: unknown): void {
    if (value !== null && value !== undefined) this.#count(scalarText(value));
  }

  override write(batch: BatchWriter, value: unknown, boost?: number): void {
    if (value === null || value === undefined) super.write(batch, null, boost);
    else super.write(batch, this.#count(scalarText(value)), boost);
  }

  /** Gaps that dropped tokens leave are counted; those behind the last token too. */
  #count(text: string): number {
    const tokens = this.#registry.analyzer(this.#analyzer)!.analyze(text);
    return tokens.at(-1)?.position ?? 0;
  }

  override valueForSearch(value: unknown): number {
    return this.#count(scalarText(value));
  }

  override allText(): undefined {
    return undefined;
  }

  protected override mergeOwn(other: TokenCountField, conflicts: string[], simulate: boolean): void {
    super.mergeOwn(other, conflicts, simulate);
    if (!simulate) this.#analyzer = other.#analyzer;
  }

  protected override echo(): JsonObject {
    return { ...super.echo(), analyzer: this.#analyzer };
  }
}
