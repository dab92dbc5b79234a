/**
 * Documents to batches: walks a parsed document along its mapping, writes the values that are indexed, and adds fields
 * that the mapping doesn't know yet. This is the hot path of indexing: per value one look-up and one write, nothing is
 * gathered.
 */

import type { BatchWriter } from '../core/batch.js';
import { mapperParsing, noContent, strictDynamicMapping, toElasticsearchError } from '../errors.js';
import { newField } from './dynamic.js';
import { type LeafField, TYPE } from './field.js';
import type { MappingModel } from './model.js';
import { type Dynamic, MAX_OBJECT_DEPTH, ObjectField } from './objects.js';
import type { TypeMapping } from './root.js';
import { isObject, type JsonObject, parseKeepingDigits, type RawNumber, textOf } from './values.js';

/** A document as it is parsed. */
export interface DocumentInput {
  type: string;
  id: string;
  /** What JSON.parse made of the source. */
  source: unknown;
  /** The text of the source; asked for where JSON.parse loses something that counts, such as `1.0` for `1`. */
  raw?: (() => string) | undefined;
}

/** Fields of a document that are about it and not in it. */
const META = new Set([
  '_id',
  '_type',
  '_index',
  '_uid',
  '_routing',
  '_parent',
  '_timestamp',
  '_ttl',
  '_size',
  '_source',
  '_all',
  '_field_names',
  '_version',
  '_boost',
  '_analyzer',
]);

/** Thrown where digits are missing that the text of the source has. */
const DIGITS_NEEDED = Symbol('digits needed');

/** Writes documents of one index into batches. */
export class DocumentParser {
  readonly #model: MappingModel;
  #batch!: BatchWriter;
  #type!: TypeMapping;
  /** Whether numbers may have lost digits that can still be had. */
  #canAskForDigits = false;

  constructor(model: MappingModel) {
    this.#model = model;
  }

  /**
   * Writes one `index` operation. If this throws, the batch is as it was; fields that the document brought may still
   * have joined the mapping, as in 1.7.
   */
  parse(batch: BatchWriter, key: number, document: DocumentInput): void {
    if (!isObject(document.source)) throw mapperParsing('failed to parse', noContent());
    this.#type = this.#model.ensureType(document.type);
    this.#batch = batch;
    this.#canAskForDigits = document.raw !== undefined;
    try {
      this.#write(key, document, document.source);
    } catch (error) {
      batch.abandon();
      if (error !== DIGITS_NEEDED) throw error;
      this.#canAskForDigits = false;
      try {
        this.#write(key, document, parseKeepingDigits(document.raw!()) as JsonObject);
      } catch (again) {
        batch.abandon();
        throw again;
      }
    }
  }

  #write(key: number, { type, id }: DocumentInput, source: JsonObject): void {
    const { root } = this.#type;
    this.#batch.begin(key);
    this.#batch.text(TYPE, type);
    if (source._id !== undefined) checkId(id, source._id);
    if (root.enabled) this.#object(root, source, root.dynamic ?? 'true', 1);
    this.#batch.end();
  }

  #object(
    object: ObjectField,
    source: JsonObject,
    dynamic: Exclude<Dynamic, undefined>,
    depth: number,
  ): void {
    if (depth > MAX_OBJECT_DEPTH) {
      throw mapperParsing(
        `object mapping [${object.shortName}] is more than ${MAX_OBJECT_DEPTH} levels deep`,
      );
    }
    const { children } = object;
    for (const name in source) {
      const value = source[name];
      const child = children.get(name);
      if (child === undefined) {
        if (depth === 1 && name.charCodeAt(0) === 0x5f && META.has(name)) continue;
        this.#unknown(object, name, value, dynamic, depth);
      } else if (child instanceof ObjectField) {
        if (child.enabled) this.#child(object, child, value, dynamic, depth, false);
      } else {
        this.#leaf(child, value);
      }
    }
  }

  /** A value where the mapping has an object. */
  #child(
    parent: ObjectField,
    child: ObjectField,
    value: unknown,
    dynamic: Exclude<Dynamic, undefined>,
    depth: number,
    inArray: boolean,
  ): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      for (const element of value) this.#child(parent, child, element, dynamic, depth + 1, true);
    } else if (isObject(value)) {
      this.#object(child, value, child.dynamic ?? dynamic, depth + 1);
    } else if (inArray) {
      throw mapperParsing(
        `object mapping [${child.shortName}] trying to serialize a value with no field associated with it, ` +
          `current value [${textOf(value)}]`,
      );
    } else {
      throw mapperParsing(
        `object mapping for [${parent.shortName}] tried to parse field [${child.shortName}] as object, but got EOF, ` +
          'has a concrete value been provided to it?',
      );
    }
  }

  #leaf(field: LeafField, value: unknown): void {
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value) && !field.ownsArrays) {
        for (const element of value) this.#leaf(field, element);
        return;
      }
    } else if (typeof value === 'number' && this.#canAskForDigits) {
      if (field.type === 'string' || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        throw DIGITS_NEEDED;
    }
    try {
      field.write(this.#batch, value);
      for (const sub of field.subList) sub.write(this.#batch, value);
    } catch (error) {
      throw failedToParse(field, error);
    }
  }

  /** A value that the mapping doesn't know. */
  #unknown(
    parent: ObjectField,
    name: string,
    value: unknown,
    dynamic: Exclude<Dynamic, undefined>,
    depth: number,
  ): void {
    if (dynamic === 'false') return;
    if (value === null || value === undefined) return;
    if (dynamic === 'strict') throw strictDynamicMapping(name, parent.shortName);
    if (Array.isArray(value)) {
      for (const element of value) this.#again(parent, name, element, dynamic, depth);
      return;
    }
    if (isObject(value)) {
      const object = new ObjectField(parent.pathOf(name), name);
      // Below an object whose own setting was given, 1.7 writes that setting into new ones.
      if (parent.dynamic !== undefined && depth > 1) object.dynamic = parent.dynamic;
      this.#object(object, value, dynamic, depth + 1);
      this.#model.addField(parent, name, object);
      return;
    }
    if (typeof value === 'number' && Number.isInteger(value) && this.#canAskForDigits) throw DIGITS_NEEDED;
    const scalar = value as string | number | boolean | RawNumber;
    const field = newField(parent.pathOf(name), scalar, this.#type, this.#model.registry);
    this.#model.addField(parent, name, field);
    this.#leaf(field, value);
  }

  /** An element of an array under a name that was unknown when the array began. */
  #again(
    parent: ObjectField,
    name: string,
    value: unknown,
    dynamic: Exclude<Dynamic, undefined>,
    depth: number,
  ): void {
    const child = parent.children.get(name);
    if (child === undefined) this.#unknown(parent, name, value, dynamic, depth + 1);
    else if (child instanceof ObjectField) this.#child(parent, child, value, dynamic, depth, true);
    else this.#leaf(child, value);
  }
}

function checkId(id: string, value: unknown): void {
  const content = textOf(value);
  if (content === undefined || content === id) return;
  const cause = mapperParsing(`Provided id [${id}] does not match the content one [${content}]`);
  throw mapperParsing('failed to parse [_id]', cause);
}

function failedToParse(field: LeafField, error: unknown): unknown {
  if (error === DIGITS_NEEDED) return error;
  const cause = toElasticsearchError(error);
  // Lucene's refusal of a term, bad points and what is not offered stand for themselves.
  if (
    cause.detail === 'failed to parse' ||
    cause.nested?.exception === 'MaxBytesLengthExceededException' ||
    cause.detail?.endsWith('is not offered yet')
  ) {
    return cause;
  }
  return mapperParsing(`failed to parse [${field.fullName}]`, cause);
}
