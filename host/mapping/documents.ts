/**
 * Documents to batches: walks a parsed document along its mapping, writes the values that are indexed, and adds fields
 * that the mapping doesn't know yet. This is the hot path of indexing: per value one look-up and one write, nothing is
 * gathered.
 */

import type { BatchWriter } from '../core/batch.js';
import {
  ElasticsearchError,
  mapperParsing,
  noContent,
  noParentField,
  strictDynamicMapping,
  toElasticsearchError,
} from '../errors.js';
import { AllText } from './allText.js';
import { type Boosted, readBoosted } from './boosted.js';
import { KEYS, NO_PREFIXES, READS_ON, unknownPart } from './completion.js';
import { BoostOnce } from './documentBoost.js';
import { expiryOf, type GivenTimes, isNew, type Times, timestampOf } from './documentTimes.js';
import { newField, templateField } from './dynamic.js';
import { FIELD_NAMES, LeafField, TYPE } from './field.js';
import { NestedDocuments } from './nestedDocuments.js';
import { newFields } from './newFields.js';
import { isTooDeep } from '../json/jsonDepth.js';
import { parseKeepingDigits } from '../json/jsonText.js';
import { strictInTurns } from '../json/slicedJson.js';
import { META } from './metaNames.js';
import type { MappingModel } from './model.js';
import { checkNesting } from './nesting.js';
import { type Dynamic, MAX_OBJECT_DEPTH, ObjectField } from './objects.js';
import type { TypeMapping } from './root.js';
import { type Leaves, StreamedFields } from './streamed.js';
import { transformFailed } from './transform.js';
import { isObject, type JsonObject, RawNumber, textOf } from '../json/values.js';
import { ownValue } from '../ownNames.js';
import { Passes } from '../passes.js';
import { atOnce, type Turns, type WorkLimit } from '../workLimit.js';

/** A document as it is parsed. */
export interface DocumentInput {
  type: string;
  id: string;
  /** The id of its parent, as the request gives it. */
  parent?: string | undefined;
  /** What JSON.parse made of the source. */
  source: unknown;
  /** The index, as errors name it. */
  index?: string;
  routing?: string | undefined;
  /** When it was made and when it expires. */
  times?: GivenTimes | Times | undefined;
  /** Bytes of the source. */
  size?: number;
  /** The text of the source; read again where JSON.parse loses something that counts, such as `1.0` for `1`. */
  raw?: string | undefined;
  /** Whether it is known that it isn't nested too deeply. */
  isShallow?: boolean;
  /** The key that it has already, if it is indexed again. */
  key?: number | undefined;
}

/** What became of a document. */
export interface Encoded extends Times {
  /** The key of the document itself, behind those of its nested ones. */
  key: number;
}

/** Thrown where digits are missing that the text of the source has. */
const DIGITS_NEEDED = Symbol('digits needed');

/** Steps of a work limit that a value takes. */
const VALUE_STEPS = 4;

const NO_FIELDS: readonly LeafField[] = [];

/** What is known of a document of which nothing is parsed. */
const UNPARSED: JsonObject = Object.freeze({});

/** Writes documents of one index into batches. */
export class DocumentParser {
  readonly #model: MappingModel;
  /** Where values go: the batch, or a nested document. */
  #batch!: BatchWriter;
  readonly #nested = new NestedDocuments();
  #type!: TypeMapping;
  /** The document that is being written. */
  #document: { type: string; source: JsonObject } | undefined;
  /** What has joined `_all` so far. */
  readonly #all = new AllText();
  readonly #docBoost = new BoostOnce();
  /** The field of the root that is being read. */
  #within = '';
  /** Whether the values being written are copies, which don't join `_all` and aren't copied on. */
  #copying = false;
  /** Whether there is room for what the document adds to the mapping. */
  #hasRoom = false;
  /** Whether numbers may have lost digits that can still be had. */
  #canAskForDigits = false;

  /** Counts the steps of a document that is written in turns, and remembers its long parts. */
  #work: WorkLimit | undefined;
  #passes: Passes | undefined;

  readonly #streamed: StreamedFields;

  constructor(model: MappingModel) {
    this.#model = model;
    this.#streamed = new StreamedFields(this.#leaves());
  }

  /**
   * Writes an `index` operation as {@link parse} does, of the bytes of the source, which need not be parsed before; undefined, and
   * nothing is written, if they must.
   * @param most values that are read
   */
  parseBytes(
    batch: BatchWriter,
    key: number,
    document: Omit<DocumentInput, 'source'>,
    bytes: Uint8Array,
    most = Number.MAX_SAFE_INTEGER,
  ): Encoded | undefined {
    this.#type = this.#model.ensureType(document.type);
    if (!this.#type.root.enabled || this.#type.readsAhead || !this.#streamed.isDue()) return undefined;
    this.#batch = batch;
    this.#canAskForDigits = true;
    try {
      this.#begin(key, document, UNPARSED);
      this.#streamed.write(bytes, this.#type.root, this.#model.version, most);
      return this.#end(key, document, UNPARSED);
    } catch {
      // What is wrong, if anything is, will be found again.
      batch.abandon();
      this.#streamed.failed();
      return undefined;
    }
  }

  /**
   * Writes one `index` operation. If this throws, the batch is as it was; fields that the document brought may still
   * have joined the mapping, as in 1.7. Its nested documents have the keys from `key` on, or before the one that it has
   * already.
   */
  parse(batch: BatchWriter, key: number, document: DocumentInput): Encoded {
    return atOnce(this.#parse(batch, key, document));
  }

  /** The same in turns; the parser can do nothing else until that has ended. `work` counts the steps. */
  *parseInTurns(batch: BatchWriter, key: number, document: DocumentInput, work: WorkLimit): Turns<Encoded> {
    this.#work = work;
    this.#passes = new Passes(work);
    return yield* this.#parse(batch, key, document);
  }

  *#parse(batch: BatchWriter, key: number, document: DocumentInput): Turns<Encoded> {
    const { source: given, raw } = document;
    if (!isObject(given)) throw mapperParsing('failed to parse', noContent());
    this.#type = this.#model.ensureType(document.type);
    const { root } = this.#type;
    if (raw !== undefined && document.isShallow !== true && isTooDeep(raw)) checkNesting(given, root);
    this.#canAskForDigits = raw !== undefined;
    for (let source = given; ; ) {
      this.#batch = batch;
      try {
        this.#begin(key, document, source);
        if (root.enabled) yield* this.#object(root, source, root.dynamic ?? 'true', 1, undefined);
        yield* this.#prepareAll();
        if (this.#passes !== undefined) return this.#passes.atOnce(() => this.#end(key, document, source));
        return this.#end(key, document, source);
      } catch (error) {
        batch.abandon();
        if (error !== DIGITS_NEEDED) throw error;
      }
      this.#canAskForDigits = false;
      const work = this.#work;
      source = (
        work === undefined ? parseKeepingDigits(raw!) : yield* strictInTurns(raw!, work, parseKeepingDigits)
      ) as JsonObject;
    }
  }

  /** Counts a value of a document that is written in turns; whether others should have the next one. */
  get #isDue(): boolean {
    return this.#work?.isDue(VALUE_STEPS) === true;
  }

  /** Where values that are read from bytes go. */
  #leaves(): Leaves {
    const parser = this;
    return {
      get batch() {
        return parser.#batch;
      },
      get hasAll() {
        return parser.#type.all !== undefined;
      },
      value: (field, value, inAll) => this.#value(field, value, inAll),
      begin: (object) => {
        this.#batch = this.#nested.begin(object.fullName);
      },
      end: (object) => {
        this.#batch = this.#nested.end(object.nested!);
      },
    };
  }

  /** What comes before the fields of a document. */
  #begin(key: number, { type, id, parent }: Omit<DocumentInput, 'source'>, source: JsonObject): void {
    const { transforms } = this.#type;
    if (transforms.length > 0) throw transformFailed(transforms[0]!);
    this.#document = { type, source };
    this.#hasRoom = false;
    this.#batch.begin(key);
    this.#nested.start(this.#batch);
    this.#batch.text(TYPE, type);
    if (source._id !== undefined) checkId(id, source._id);
    this.#join(type, id, parent, source);
    this.#all.reset();
    this.#docBoost.start(this.#type.boost, source);
    this.#copying = false;
    this.#type.chooseAnalyzer(source);
  }

  /** What comes behind them. */
  #end(key: number, document: Omit<DocumentInput, 'source'>, source: JsonObject): Encoded {
    const { routing, size = 0 } = document;
    const { all, meta } = this.#type;
    if (all !== undefined) this.#all.write(this.#batch, this.#type, this.#model, this.#docBoost.of(all, 1));
    const encoded = this.#times(document, source);
    if (routing !== undefined) this.#model.numberOf(meta.routing);
    meta.write(this.#batch, routing, size, encoded);
    encoded.key = this.#nested.finish(key, document.key);
    this.#batch.end();
    return encoded;
  }

  /** Carries out the long parts of writing `_all`. */
  *#prepareAll(): Turns<void> {
    const { all } = this.#type;
    if (this.#passes === undefined || all === undefined) return;
    const work = this.#work!;
    yield* this.#all.join((steps) => work.isDue(steps));
    if (all.longFrom === Number.POSITIVE_INFINITY) return;
    const text = this.#all.text;
    try {
      yield* this.#passes.inTurns(() => all.prepare(text));
    } catch {
      // What is wrong is said where it is written.
    }
  }

  /** The times that the mapping keeps of a document, which has no key yet. */
  #times({ index = '', type, id, times }: Omit<DocumentInput, 'source'>, source: JsonObject): Encoded {
    if (times === undefined) return { key: 0, timestamp: undefined, expires: undefined };
    if (!isNew(times)) return { key: 0, timestamp: times.timestamp, expires: times.expires };
    const { meta } = this.#type;
    const { path } = meta.timestamp;
    const timestamp = timestampOf(
      meta,
      times,
      path === undefined ? undefined : textOf(valueAt(source, path)),
    );
    const expires = expiryOf(meta, times, timestamp, source._ttl, { index, type, id });
    return { key: 0, timestamp: meta.timestamp.enabled ? timestamp : undefined, expires };
  }

  /** What ties parents and children together. */
  #join(type: string, id: string, given: string | undefined, source: JsonObject): void {
    this.#model.ownUid(type)?.write(this.#batch, `${type}#${id}`);
    const field = this.#type.parent;
    if (field === undefined) {
      if (given !== undefined) throw noParentField();
      return;
    }
    const parent = given ?? textOf(source._parent);
    if (parent === undefined) return;
    const inside = textOf(source._parent);
    if (inside !== undefined && inside !== parent) {
      throw mapperParsing(
        `Parent id mismatch, document value is [${inside}], while external value is [${parent}]`,
      );
    }
    field.write(this.#batch, `${field.parentType}#${parent}`);
  }

  *#object(
    object: ObjectField,
    source: JsonObject,
    dynamic: Exclude<Dynamic, undefined>,
    depth: number,
    includeInAll: boolean | undefined,
  ): Turns<void> {
    if (object.nested !== undefined) this.#batch = this.#nested.begin(object.fullName);
    if (depth > MAX_OBJECT_DEPTH) {
      throw mapperParsing(
        `object mapping [${object.shortName}] is more than ${MAX_OBJECT_DEPTH} levels deep`,
      );
    }
    const { children } = object;
    const inAll = object.includeInAll ?? includeInAll;
    let name = '';
    try {
      for (name in source) {
        if (this.#work?.isDue(VALUE_STEPS) === true) yield;
        const value = source[name];
        const child = children.get(name);
        if (child === undefined) {
          if (depth === 1 && name.charCodeAt(0) === 0x5f && META.has(name)) continue;
          yield* this.#unknown(object, name, value, dynamic, depth, inAll);
        } else if (child instanceof ObjectField) {
          if (depth === 1) this.#within = name;
          if (!child.enabled) continue;
          if (isObject(value)) yield* this.#object(child, value, child.dynamic ?? dynamic, depth + 1, inAll);
          else if (isPlain(value))
            yield* this.#displaced(child, source, name, child.dynamic ?? dynamic, depth + 1, inAll);
          else yield* this.#child(child, value, dynamic, depth, false, inAll);
        } else if (this.#work === undefined) this.#leaf(child, value, inAll);
        else yield* this.#leafInTurns(child, value, inAll);
      }
    } catch (error) {
      throw error === READS_ON ? this.#readOn(source, name) : error;
    }
    if (object.nested !== undefined) this.#batch = this.#nested.end(object.nested);
  }

  /**
   * What becomes of a completion that is neither text nor object: 1.7 takes what follows it for its parts, up to the end of the
   * object around it. What that one lacks then is found missing at the end of the document.
   */
  #readOn(source: JsonObject, name: string): ElasticsearchError {
    const names = Object.keys(source);
    const next = names[names.indexOf(name) + 1];
    if (next !== undefined && !KEYS.includes(next))
      return mapperParsing('failed to parse', unknownPart(next));
    this.#within = name;
    return this.#eof();
  }

  /** A value where the mapping has an object. */
  *#child(
    child: ObjectField,
    value: unknown,
    dynamic: Exclude<Dynamic, undefined>,
    depth: number,
    inArray: boolean,
    inAll: boolean | undefined,
  ): Turns<void> {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
      for (const element of value) {
        if (this.#isDue) yield;
        yield* this.#child(child, element, dynamic, depth + 1, true, inAll);
      }
    } else if (isObject(value)) {
      yield* this.#object(child, value, child.dynamic ?? dynamic, depth + 1, inAll);
    } else if (inArray) {
      throw mapperParsing(
        `object mapping [${child.shortName}] trying to serialize a value with no field associated with it, ` +
          `current value [${textOf(value)}]`,
      );
    } else throw this.#eof();
  }

  /**
   * 1.7 takes a plain value where an object belongs for a field of that object, and the fields that follow it too, until the text
   * ends too soon. The document is refused, but they have joined the mapping.
   */
  *#displaced(
    child: ObjectField,
    source: JsonObject,
    name: string,
    dynamic: Exclude<Dynamic, undefined>,
    depth: number,
    inAll: boolean | undefined,
  ): Turns<never> {
    const names = Object.keys(source);
    const rest = names.slice(names.indexOf(name)).map((each) => [each, source[each]] as const);
    yield* this.#object(child, Object.fromEntries(rest), dynamic, depth, inAll);
    throw this.#eof();
  }

  #eof(): ElasticsearchError {
    return mapperParsing(
      `object mapping for [${this.#type.name}] tried to parse field [${this.#within}] as object, but got EOF, ` +
        'has a concrete value been provided to it?',
    );
  }

  /** The same as {@link #leaf} does, with turns between the values where the document is written in turns. */
  *#leafInTurns(field: LeafField, value: unknown, inAll: boolean | undefined): Turns<void> {
    const passes = this.#passes;
    if (passes === undefined) {
      this.#leaf(field, value, inAll);
      return;
    }
    const long = this.#longFields(field);
    if (Array.isArray(value) && !field.ownsArrays) {
      for (const element of value) {
        if (this.#isDue) yield;
        // Most lists are of plain values.
        if (typeof element !== 'object' && long.length === 0) this.#leaf(field, element, inAll);
        else yield* this.#leafInTurns(field, element, inAll);
      }
      return;
    }
    const parts = Array.isArray(value) ? field.partsOf(value) : undefined;
    if (parts !== undefined) {
      for (const part of parts) {
        if (this.#work!.isDue(VALUE_STEPS * part.length)) yield;
        this.#leaf(field, part, inAll);
      }
      return;
    }
    for (const each of long) {
      try {
        yield* passes.inTurns(() => each.prepare(value));
      } catch {
        // What is wrong is said where the value is written.
      }
    }
    passes.atOnce(() => this.#leaf(field, value, inAll));
  }

  /** The fields with long parts that a value of a field is written to. */
  #longFields(field: LeafField): readonly LeafField[] {
    if (this.#model.longFrom === Number.POSITIVE_INFINITY) return NO_FIELDS;
    const { children } = this.#type.root;
    const copies = field.copyTo.map((name) => children.get(name)).filter((each) => each instanceof LeafField);
    return [field, ...copies]
      .flatMap((each) => [each, ...each.subList])
      .filter(({ longFrom }) => longFrom < Number.POSITIVE_INFINITY);
  }

  /** One value, or an array of them, each with its copies. */
  #leaf(field: LeafField, value: unknown, inAll: boolean | undefined): void {
    const copies = field.copyTo.length > 0 && !this.#copying;
    if (copies && Array.isArray(value) && !field.ownsArrays) {
      for (const element of value) this.#leaf(field, element, inAll);
      return;
    }
    this.#value(field, value, field.includeInAll ?? inAll ?? field.number >= 0);
    if (!copies) return;
    this.#copying = true;
    const here = this.#batch;
    for (const target of field.copyTo) {
      this.#batch = this.#nested.holderOf(target);
      this.#copy(target, value);
    }
    this.#batch = here;
    this.#copying = false;
  }

  #value(field: LeafField, given: unknown, inAll: boolean): void {
    let value = given;
    let { boost } = field;
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value) && !field.ownsArrays) {
        for (const element of value) this.#value(field, element, inAll);
        return;
      }
      if (field.takesBoosts && isObject(value)) {
        const own = boosted(field, value);
        value = own.value ?? null;
        boost = own.boost ?? boost;
      }
    }
    if (typeof value === 'number' && this.#canAskForDigits) {
      // A zero with a sign may be a long, which has none, or a double.
      const isUnsure = Number.isInteger(value) && (!Number.isSafeInteger(value) || Object.is(value, -0));
      if (field.type === 'string' || isUnsure) throw DIGITS_NEEDED;
    }
    if (value === null && !field.takesNull)
      throw mapperParsing(`no object mapping found for null value in [${field.shortName}]`);
    try {
      if (field.wantsDocument) field.document = this.#document;
      field.write(this.#batch, value, this.#docBoost.of(field, boost));
      this.#note(field, value);
      if (inAll && !this.#copying && this.#type.all !== undefined) {
        const text = field.allText(value);
        if (text !== undefined) this.#all.add(text, boost);
      }
    } catch (error) {
      throw failedToParse(field, error);
    }
    for (const sub of field.subList) {
      try {
        if (sub.wantsDocument) sub.document = this.#document;
        sub.write(this.#batch, value);
        this.#note(sub, value);
      } catch (error) {
        throw failedToParse(sub, error);
      }
    }
  }

  /** Of a field that has no terms, documents keep the name. */
  #note(field: LeafField, value: unknown): void {
    if (field.isKeptOnly && value !== null && value !== undefined)
      this.#batch.text(FIELD_NAMES, field.fullName);
  }

  /** Writes a value to another field too, which is made at the root if it isn't there. */
  #copy(target: string, value: unknown): void {
    const { root } = this.#type;
    let parent = root;
    const path = target.split('.');
    const name = path.pop()!;
    // A name with dots may be the name of a field as it is.
    const whole = root.children.get(target);
    if (whole instanceof ObjectField) return;
    if (whole !== undefined) {
      this.#leaf(whole, value, false);
      return;
    }
    let dynamic = root.dynamic ?? 'true';
    for (const [i, part] of path.entries()) {
      const child = parent.children.get(part);
      const sub =
        i === path.length - 1 && child instanceof ObjectField === false
          ? child?.subFields.get(name)
          : undefined;
      if (sub !== undefined) {
        this.#leaf(sub, value, false);
        return;
      }
      if (!(child instanceof ObjectField)) {
        throw mapperParsing(`attempt to copy value to non-existing object [${target}]`);
      }
      parent = child;
      dynamic = child.dynamic ?? dynamic;
    }
    const field = parent.children.get(name);
    if (field === undefined && value === null) this.#copiedNull(parent, name, dynamic);
    else if (field === undefined) atOnce(this.#unknown(parent, name, value, dynamic, path.length + 1, false));
    else if (!(field instanceof ObjectField)) this.#leaf(field, value, false);
  }

  /** null for a field that is not there: 1.7 tries to make it, which a template alone can do. */
  #copiedNull(parent: ObjectField, name: string, dynamic: Exclude<Dynamic, undefined>): void {
    if (dynamic === 'false') return;
    if (dynamic === 'strict') throw strictDynamicMapping(name, parent.shortName);
    const fullName = parent.pathOf(name);
    const template = this.#type.templateFor(name, fullName, 'string');
    if (template === undefined) {
      const detail = `Can't handle serializing a dynamic type with content token [VALUE_NULL] and field name [${name}]`;
      const cause = new ElasticsearchError('ElasticsearchIllegalStateException', detail);
      throw mapperParsing('failed to parse', cause);
    }
    const field = templateField(fullName, name, template, this.#model.registry, this.#type);
    this.#model.addField(parent, name, field);
    if (!(field instanceof ObjectField)) this.#leaf(field, null, false);
  }

  /** Refuses a document that adds more than there is room for, before it adds its first field. Templates may make anything of one. */
  #checkRoom(): void {
    if (this.#hasRoom) return;
    this.#hasRoom = true;
    const { root, hasTemplates } = this.#type;
    if (!hasTemplates) this.#model.checkRoom(newFields(this.#document!.source, root));
  }

  /** A value that the mapping doesn't know. */
  *#unknown(
    parent: ObjectField,
    name: string,
    value: unknown,
    dynamic: Exclude<Dynamic, undefined>,
    depth: number,
    inAll: boolean | undefined,
  ): Turns<void> {
    if (dynamic === 'false') return;
    if (value === null || value === undefined) return;
    if (dynamic === 'strict') throw strictDynamicMapping(name, parent.shortName);
    this.#checkRoom();
    if (Array.isArray(value)) {
      const field = this.#fieldOfArray(parent, name);
      if (field !== undefined) {
        this.#model.addField(parent, name, field);
        this.#leaf(field, value, inAll);
        return;
      }
      for (const element of value) {
        if (this.#isDue) yield;
        yield* this.#again(parent, name, element, dynamic, depth, inAll);
      }
      return;
    }
    if (isObject(value)) {
      const object = this.#newObject(parent, name, depth);
      if (!(object instanceof ObjectField)) {
        this.#model.addField(parent, name, object);
        yield* this.#leafInTurns(object, value, inAll);
        return;
      }
      if (object.enabled) yield* this.#object(object, value, object.dynamic ?? dynamic, depth + 1, inAll);
      this.#model.addField(parent, name, object);
      return;
    }
    if (typeof value === 'number' && Number.isInteger(value) && this.#canAskForDigits) throw DIGITS_NEEDED;
    const scalar = value as string | number | boolean | RawNumber;
    if (
      scalar instanceof RawNumber &&
      scalar.isWhole &&
      BigInt.asIntN(64, BigInt(scalar.text)) !== BigInt(scalar.text)
    )
      throw mapperParsing('failed to parse', noNumberType());
    const field = newField(parent, name, scalar, this.#type, this.#model.registry);
    this.#model.addField(parent, name, field);
    if (field instanceof ObjectField) yield* this.#child(field, value, dynamic, depth, false, inAll);
    else yield* this.#leafInTurns(field, value, inAll);
  }

  /** The field that a template for objects makes of an array that it reads as a whole, such as a point. */
  #fieldOfArray(parent: ObjectField, name: string): LeafField | undefined {
    const fullName = parent.pathOf(name);
    const template = this.#type.templateFor(name, fullName, 'object');
    if (template === undefined) return undefined;
    const field = templateField(fullName, name, template, this.#model.registry, this.#type);
    return field instanceof ObjectField || !field.ownsArrays ? undefined : field;
  }

  #newObject(parent: ObjectField, name: string, depth: number): ObjectField | LeafField {
    const fullName = parent.pathOf(name);
    const template = this.#type.templateFor(name, fullName, 'object');
    if (template !== undefined) {
      return templateField(fullName, name, template, this.#model.registry, this.#type, depth);
    }
    const object = new ObjectField(fullName, name);
    // Below an object whose own setting was given, 1.7 writes that setting into new ones.
    if (parent.dynamic !== undefined && depth > 1) object.dynamic = parent.dynamic;
    return object;
  }

  /** An element of an array under a name that was unknown when the array began. */
  *#again(
    parent: ObjectField,
    name: string,
    value: unknown,
    dynamic: Exclude<Dynamic, undefined>,
    depth: number,
    inAll: boolean | undefined,
  ): Turns<void> {
    const child = parent.children.get(name);
    if (child === undefined) yield* this.#unknown(parent, name, value, dynamic, depth + 1, inAll);
    else if (child instanceof ObjectField) yield* this.#child(child, value, dynamic, depth, true, inAll);
    else yield* this.#leafInTurns(child, value, inAll);
  }
}

/** The value under a dotted path. */
function valueAt(source: JsonObject, path: string): unknown {
  let value: unknown = source;
  for (const key of path.split('.')) value = isObject(value) ? ownValue(value, key) : undefined;
  return value;
}

/** Whether a value is neither null nor made of others. */
function isPlain(value: unknown): boolean {
  return value !== null && value !== undefined && !Array.isArray(value) && !isObject(value);
}

function checkId(id: string, value: unknown): void {
  const content = textOf(value);
  if (content === undefined || content === id) return;
  const cause = mapperParsing(`Provided id [${id}] does not match the content one [${content}]`);
  throw mapperParsing('failed to parse [_id]', cause);
}

/** A value that has a boost of its own. */
function boosted(field: LeafField, value: JsonObject): Boosted {
  try {
    return readBoosted(value);
  } catch (error) {
    throw failedToParse(field, error);
  }
}

function failedToParse(field: LeafField, error: unknown): unknown {
  if (error === DIGITS_NEEDED || error === READS_ON) return error;
  const cause = toElasticsearchError(error);
  // Lucene's refusal of a term, bad points and what is not offered stand for themselves.
  if (
    cause.detail === 'failed to parse' ||
    cause.detail === NO_PREFIXES ||
    cause.detail?.startsWith('object mapping for [') ||
    cause.nested?.exception === 'MaxBytesLengthExceededException' ||
    cause.detail?.endsWith('is not offered yet')
  ) {
    return cause;
  }
  return mapperParsing(`failed to parse [${field.fullName}]`, cause);
}

/** What 1.7 says of a new field whose first value is a whole number of more than 64 bits. */
function noNumberType(): ElasticsearchError {
  const detail = 'No matching token for number_type [BIG_INTEGER]';
  return new ElasticsearchError('ElasticsearchIllegalStateException', detail);
}
