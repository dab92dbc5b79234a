/** The texts of a document's field that are highlighted, and what analyzes them. */

import { type Analyzer, keywordAnalyzer } from '../analysis/analyzer.js';
import { FieldValues } from '../json/fieldValues.js';
import type { VisibleDocument } from '../mapping/sourcePaths.js';
import type { LeafField } from '../mapping/field.js';
import { doubleText } from '../numbers/javaNumbers.js';
import type { MappingModel } from '../mapping/model.js';
import { storedAll } from '../mapping/storedAll.js';
import type { JsonObject } from '../json/values.js';
import type { Turns, WorkLimit } from '../workLimit.js';

/** What a document is highlighted in. */
export interface HighlightedDocument {
  document: VisibleDocument;
  model: MappingModel;
  /** The path of the nested object that it is; a whole document has none. */
  path?: string | undefined;
}

/** Types whose values are terms as they are. */
const EXACT_TYPES: ReadonlySet<string> = new Set(['boolean', 'geo_point', 'geo_shape']);

/** What cuts the values of a field; undefined where they are no texts. */
export function analyzerOf(field: LeafField, { registry }: MappingModel): Analyzer | undefined {
  switch (field.type) {
    case 'string':
    case 'completion':
    case '_all':
      return registry.analyzer(field.indexAnalyzer());
    case 'binary':
      return registry.analyzer(registry.has('default_index') ? 'default_index' : 'default');
    default:
      return EXACT_TYPES.has(field.type) ? keywordAnalyzer : undefined;
  }
}

const utf8 = new TextDecoder();

/** Reads the texts of one document. */
export class FieldTexts {
  readonly #document: VisibleDocument;
  readonly #model: MappingModel;
  readonly #path: string | undefined;
  #seen: FieldValues | undefined;
  #whole: FieldValues | undefined;

  constructor({ document, model, path }: HighlightedDocument) {
    this.#document = document;
    this.#model = model;
    this.#path = path;
  }

  /** Whether what is indexed of a field stands in this document, and not in nested ones. */
  has({ fullName }: LeafField): boolean {
    return this.#model.reaches(fullName, this.#path);
  }

  /** The texts of a field: as they are stored, or as the source has them. */
  *of(field: LeafField, forceSource: boolean, work: WorkLimit): Turns<string[]> {
    const { fullName, sourcePath } = field;
    if (forceSource || !this.#isStored(field)) {
      this.#seen ??= yield* FieldValues.inTurns(this.#document.source, work);
      return yield* each(this.#seen.leaves(sourcePath), shownText, work);
    }
    if (fullName === '_all') return this.#all();
    if (!this.has(field)) return [];
    const { whole, source } = this.#document;
    this.#whole ??= yield* FieldValues.inTurns(whole ?? source, work);
    return yield* each(this.#whole.leaves(sourcePath), storedText, work);
  }

  #isStored(field: LeafField): boolean {
    if (field.fullName === '_all') return this.#model.type(this.#document.type)?.all?.stored === true;
    return field.stored;
  }

  #all(): string[] {
    const { type, whole, source } = this.#document;
    const mapping = this.#model.type(type);
    const bytes = whole ?? source;
    if (mapping === undefined || bytes.length === 0) return [];
    return [storedAll(mapping, JSON.parse(utf8.decode(bytes)) as JsonObject)];
  }
}

/** Characters of a value that are read in a step of a work limit. */
const UNITS_PER_STEP = 128;

function* each(values: readonly string[], read: (json: string) => string, work: WorkLimit): Turns<string[]> {
  const texts: string[] = [];
  for (const value of values) {
    texts.push(read(value));
    if (work.isDue(1 + value.length / UNITS_PER_STEP)) yield;
  }
  return texts;
}

/** A value of JSON as it was stored: with the digits that were sent. */
function storedText(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** A value of JSON as Java prints it. */
function shownText(json: string): string {
  return /^-?\d.*[.eE]/.test(json) ? doubleText(Number(json)) : storedText(json);
}
