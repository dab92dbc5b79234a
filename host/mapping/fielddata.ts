/**
 * The values of a document as they are indexed, field by field: what sorting and aggregations see of it. The document is written
 * as for the core, and the values are read back.
 */

import { NO_ANALYZER } from '../analysis/registry.js';
import { BatchWriter, BOOSTED, GIVEN } from '../core/batch.js';
import { decodeTokens } from '../core/result.js';
import { DocumentParser } from './documents.js';
import { Column, FIELD_NAMES, INVERTED, type LeafField } from './field.js';
import { pointText } from './geo.js';
import type { GeoPoint } from '../geo/geoPoints.js';
import { parseJson } from '../json/jsonText.js';
import type { MappingModel } from './model.js';

/** A whole number, a fraction, a term, or a point. */
export type FielddataValue = bigint | number | string | GeoPoint;

/** What is known of a document. */
export interface IndexedDocument {
  type: string;
  id: string;
  routing?: string | undefined;
  parent?: string | undefined;
  timestamp?: number | undefined;
  expires?: number | undefined;
  source: Uint8Array;
}

/** Bytes before a document's values in a batch, and before the bytes of a value. */
const DOCUMENT_HEADER = 13;
const VALUE_HEADER = 6;
/** Bytes of a boost behind a value. */
const BOOST_BYTES = 4;

const utf8 = new TextDecoder();

/** Reads documents of one model. */
export class Fielddata {
  readonly #model: MappingModel;
  /** Terms of the document being read that need no analysis, by the fields' numbers. */
  readonly #cut = new Map<number, string[]>();
  readonly #parser: DocumentParser;
  readonly #batch = new BatchWriter(1024);

  constructor(model: MappingModel) {
    this.#model = model;
    this.#parser = new DocumentParser(model);
  }

  /**
   * The values of fields, each once and in order. Names that the mapping doesn't know are left out, and so are those without a
   * value; a document that the mapping doesn't fit any more has none.
   * @param place of a nested document, which is asked about in place of the document itself: how many before that
   */
  values(document: IndexedDocument, names: readonly string[], place = 0): Map<string, FielddataValue[]> {
    const terms = this.#terms(document, place);
    const found = new Map<string, FielddataValue[]>();
    for (const name of names) {
      const field = (this.#model.find(name, [document.type]) ?? this.#model.find(name))?.field;
      const own = field === undefined ? undefined : terms.get(field.number);
      if (field === undefined || own === undefined) continue;
      const values = this.#decode(field, own, this.#cut.get(field.number));
      if (values.length > 0) found.set(name, values);
    }
    return found;
  }

  /** The names that `_field_names` has of a document: of its fields, and of the objects around them. */
  fieldNames(document: IndexedDocument): string[] {
    const type = this.#model.type(document.type);
    if (type === undefined) return [];
    const names = new Set(type.indexedMeta());
    if (document.routing !== undefined) names.add('_routing');
    if (document.expires !== undefined) names.add('_ttl');
    for (const [number, values] of this.#terms(document, 0)) {
      const own =
        number === FIELD_NAMES ? values.map((value) => utf8.decode(value)) : [this.#model.fieldName(number)];
      for (const name of own) for (const each of withObjects(name)) names.add(each);
    }
    return [...names].filter((name) => !name.startsWith('_all^'));
  }

  /** What is indexed, by the fields' numbers. */
  #terms(document: IndexedDocument, place: number): Map<number, Uint8Array[]> {
    const { source } = document;
    const terms = new Map<number, Uint8Array[]>();
    const batch = this.#batch;
    batch.reset();
    this.#cut.clear();
    const text = utf8.decode(source);
    try {
      this.#parser.parse(batch, 1, {
        ...document,
        times: document,
        size: source.length,
        source: parseJson(text),
        raw: text,
      });
    } catch {
      return terms;
    }
    const bytes = batch.bytes();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // The nested documents come before it.
    let [at, stop] = [0, 0];
    for (let left = batch.operations - place; left > 0; left--) {
      at = stop + DOCUMENT_HEADER;
      stop = at + view.getUint32(stop + DOCUMENT_HEADER - 4, true);
    }
    while (at < stop) {
      const field = view.getUint16(at, true);
      const length = view.getUint32(at + 2, true);
      const end = at + VALUE_HEADER + (length & ~(BOOSTED | GIVEN));
      const value = bytes.subarray(at + VALUE_HEADER, end);
      if (length & GIVEN)
        added(this.#cut, field, ...decodeTokens(value.slice()).tokens.map(({ term }) => term));
      added(terms, field, ...(length & GIVEN ? [] : [value]));
      at = length & BOOSTED ? end + BOOST_BYTES : end;
    }
    return terms;
  }

  /** `cut`: terms as they are, beside texts that become some. */
  #decode(field: LeafField, terms: readonly Uint8Array[], cut: readonly string[] = []): FielddataValue[] {
    switch ((field.core?.flags ?? 0) & ~INVERTED) {
      case Column.long:
        return distinct(terms.map(orderedOf), compare);
      case Column.double:
        return distinct(terms.map(orderedOf), compare).map(fractionOf);
      case Column.geo:
        return pointsOf(terms);
    }
    const texts = terms.map((term) => utf8.decode(term));
    if (field.core?.analyzer === NO_ANALYZER) return distinct([...texts, ...cut], compare);
    const analyzer = this.#model.registry.analyzer(field.indexAnalyzer());
    const tokens = texts.flatMap((text) => analyzer?.analyze(text) ?? []);
    return distinct([...tokens.map(({ term }) => term), ...cut], compare);
  }
}

/** Points, in the order of the texts that 1.7 indexes them as. */
function pointsOf(terms: readonly Uint8Array[]): GeoPoint[] {
  const points = terms.map((term) => ({
    lat: fractionOf(orderedOf(term)),
    lon: fractionOf(orderedOf(term.subarray(8))),
  }));
  const byText = new Map(points.map((point) => [pointText(point), point]));
  return distinct([...byText.keys()], compare).map((text) => byText.get(text)!);
}

/** A name with those of the objects around it. */
function withObjects(name: string): string[] {
  const parts = name.split('.');
  return parts.map((_, i) => parts.slice(0, i + 1).join('.'));
}

/** Adds to a list by number. */
function added<T>(lists: Map<number, T[]>, number: number, ...values: T[]): void {
  const own = lists.get(number);
  if (own === undefined) lists.set(number, values);
  else own.push(...values);
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function distinct<T>(values: readonly T[], order: (a: T, b: T) => number): T[] {
  return [...new Set(values)].sort(order);
}

/** The whole number of a term of eight bytes. */
export function orderedOf(term: Uint8Array): bigint {
  const view = new DataView(term.buffer, term.byteOffset, term.byteLength);
  return BigInt.asIntN(64, view.getBigUint64(0) ^ (1n << 63n));
}

/** The fraction that an ordered whole number stands for. */
export function fractionOf(ordered: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, ordered < 0n ? ordered ^ ((1n << 63n) - 1n) : ordered);
  return view.getFloat64(0);
}
