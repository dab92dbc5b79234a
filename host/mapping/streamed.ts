/**
 * Documents from the bytes of their JSON: fields that the mapping knows are written as they are read, plain texts without ever being
 * strings. A document with anything else in it is left to `documents.ts`, which reads it again from the start, and does all there is
 * to do. What is written here is what would be written there, byte for byte.
 */

import type { BatchWriter } from '../core/batch.js';
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../json/jsonSyntax.js';
import { FIELD_NAMES, type LeafField } from './field.js';
import { BAILOUT, JsonBytes } from '../json/jsonBytes.js';
import { META } from './metaNames.js';
import { MAX_OBJECT_DEPTH, ObjectField } from './objects.js';
import { type PlainText, StringField } from './strings.js';
import { isWordUnit } from '../json/values.js';

/** After that many documents that could not be read so, at most, another one is tried. */
const MOST_SKIPPED = 256;

/** What takes the values. */
export interface Leaves {
  /** Where values go now. */
  readonly batch: BatchWriter;
  /** Whether values join `_all` that don't say otherwise. */
  readonly hasAll: boolean;
  /** A value of a field that copies nothing; or a list that the field reads itself. */
  value(field: LeafField, value: unknown, inAll: boolean): void;
  /** An object of a nested field begins, and ends. */
  begin(object: ObjectField): void;
  end(object: ObjectField): void;
}

/** A name in an object, and what the mapping has under it. */
interface Child {
  readonly name: Uint8Array;
  readonly object: ObjectField | undefined;
  readonly field: LeafField | undefined;
  /** The field and its multi-fields, where texts go to all of them as they are. */
  readonly plain: readonly Plain[] | undefined;
  /** The object that the name was read in last. */
  seenIn: number;
  /** What came behind it last time. */
  next: Child | undefined;
}

interface Plain extends PlainText {
  readonly fullName: string;
}

/** The names of one object that have been read: mappings may have many more, and change with each document. */
interface Names {
  readonly version: number;
  readonly object: ObjectField;
  readonly isRoot: boolean;
  readonly byName: Map<string, Child>;
  first: Child | undefined;
}

/** Reads documents of one model. */
export class StreamedFields {
  readonly #json = new JsonBytes();
  readonly #leaves: Leaves;
  readonly #names = new WeakMap<ObjectField, Names>();
  #version = 0;
  /** Objects that were begun. */
  #objects = 0;
  /** Documents that are not tried, and how many that will be after the next failure. */
  #skipping = 0;
  #toSkip = 1;
  /** Values that may still be read of this document. */
  #left = 0;
  /** Whether these are counted. */
  #isLimited = false;

  constructor(leaves: Leaves) {
    this.#leaves = leaves;
  }

  /** Whether the next document is worth trying. */
  isDue(): boolean {
    if (this.#skipping === 0) return true;
    this.#skipping--;
    return false;
  }

  /** One could not be read. */
  failed(): void {
    this.#skipping = this.#toSkip;
    this.#toSkip = Math.min(2 * this.#toSkip, MOST_SKIPPED);
  }

  /**
   * Writes the fields of a document. Throws where it can't; what has been written must be taken back then.
   * @param version of the model
   * @param most values and objects that are read
   */
  write(bytes: Uint8Array, root: ObjectField, version: number, most: number): void {
    const json = this.#json;
    this.#left = most;
    this.#isLimited = most < Number.MAX_SAFE_INTEGER;
    json.start(bytes);
    if (bytes[0] !== OPEN_OBJECT) throw BAILOUT;
    this.#version = version;
    this.#fields(root, 1, undefined);
    json.end();
    this.#toSkip = 1;
  }

  /** The fields of an object, whose brace is the next byte. */
  #fields(object: ObjectField, depth: number, includeInAll: boolean | undefined): void {
    if (depth > MAX_OBJECT_DEPTH) throw BAILOUT;
    const json = this.#json;
    const names = this.#namesOf(object, depth === 1);
    const inAll = object.includeInAll ?? includeInAll;
    const number = ++this.#objects;
    if (--this.#left < 0) throw BAILOUT;
    let last: Child | undefined;
    if (!json.open(CLOSE_OBJECT)) return;
    do {
      json.peek();
      const guess = last === undefined ? names.first : last.next;
      const child = guess !== undefined && json.isKey(guess.name) ? guess : this.#find(names, guess);
      // What stands there twice has both values.
      if (child.seenIn === number) throw BAILOUT;
      child.seenIn = number;
      if (last === undefined) names.first = child;
      else last.next = child;
      last = child;
      if (child.field !== undefined) this.#leaf(child, child.field, inAll);
      else this.#child(child.object!, depth, inAll);
    } while (json.more(CLOSE_OBJECT));
  }

  /** The name that is read next; the one that was guessed may have been left out. */
  #find(names: Names, guess: Child | undefined): Child {
    const json = this.#json;
    const second = guess?.next;
    if (second !== undefined && json.isKey(second.name)) return second;
    const name = json.key();
    const child = names.byName.get(name) ?? childNamed(names, name);
    if (child === undefined || !json.isKey(child.name)) throw BAILOUT;
    return child;
  }

  /** What stands where the mapping has an object. */
  #child(object: ObjectField, depth: number, inAll: boolean | undefined): void {
    const json = this.#json;
    const first = json.peek();
    // Nothing looks into it.
    if (!object.enabled) json.value(Number.POSITIVE_INFINITY);
    else if (first === OPEN_OBJECT) {
      if (object.nested !== undefined) this.#leaves.begin(object);
      this.#fields(object, depth + 1, inAll);
      if (object.nested !== undefined) this.#leaves.end(object);
    } else if (first === OPEN_LIST) {
      if (depth > MAX_OBJECT_DEPTH) throw BAILOUT;
      if (!json.open(CLOSE_LIST)) return;
      do this.#element(object, depth + 1, inAll);
      while (json.more(CLOSE_LIST));
    } else if (json.scalar() !== null) throw BAILOUT;
  }

  #element(object: ObjectField, depth: number, inAll: boolean | undefined): void {
    const first = this.#json.peek();
    if (first !== OPEN_OBJECT && first !== OPEN_LIST && first !== 0x6e) throw BAILOUT;
    this.#child(object, depth, inAll);
  }

  /** One value, or a list of them. */
  #leaf(child: Child, field: LeafField, includeInAll: boolean | undefined): void {
    const json = this.#json;
    if (this.#isLimited && field.longFrom < Number.POSITIVE_INFINITY) throw BAILOUT;
    const inAll = this.#leaves.hasAll && (field.includeInAll ?? includeInAll ?? field.number >= 0);
    if (json.peek() !== OPEN_LIST || field.ownsArrays) {
      if (this.#isLimited && field.ownsArrays && json.peek() === OPEN_LIST) throw BAILOUT;
      this.#value(child, field, inAll);
      return;
    }
    if (!json.open(CLOSE_LIST)) return;
    do {
      // Lists in lists are rare.
      if (json.peek() === OPEN_LIST || --this.#left < 0) throw BAILOUT;
      this.#value(child, field, inAll);
    } while (json.more(CLOSE_LIST));
  }

  #value(child: Child, field: LeafField, inAll: boolean): void {
    const json = this.#json;
    if (!inAll && child.plain !== undefined && json.peek() === QUOTE && this.#text(child.plain)) return;
    this.#leaves.value(field, json.value(), inAll);
  }

  /** Copies a text to where it belongs; false if it is not read, since it must be looked at. */
  #text(plain: readonly Plain[]): boolean {
    const json = this.#json;
    const { batch } = this.#leaves;
    const from = json.at;
    for (const { number, longest, noted, fullName } of plain) {
      json.at = from;
      const start = batch.beginText(json.left + 4);
      const end = json.copyString(batch.view, start);
      if (end - start > longest) {
        json.at = from;
        return false;
      }
      batch.endText(number, end);
      if (noted === 'always' || (noted === 'without word' && !hasWord(batch.view, start, end)))
        batch.text(FIELD_NAMES, fullName);
    }
    return true;
  }

  #namesOf(object: ObjectField, isRoot: boolean): Names {
    const known = this.#names.get(object);
    if (known?.version === this.#version) return known;
    const names: Names = { version: this.#version, object, isRoot, byName: new Map(), first: undefined };
    this.#names.set(object, names);
    return names;
  }
}

/** What the mapping has under a name that is read for the first time; undefined where documents with it are read otherwise. */
function childNamed({ object, isRoot, byName }: Names, name: string): Child | undefined {
  const field = object.children.get(name);
  const bytes = field === undefined ? undefined : readable(name);
  if (field === undefined || bytes === undefined || (isRoot && META.has(name))) return undefined;
  const isObject = field instanceof ObjectField;
  if (!isObject && !isPlainly(field)) return undefined;
  const child = isObject ? childOf(bytes, field, undefined) : childOf(bytes, undefined, field);
  byName.set(name, child);
  return child;
}

function childOf(name: Uint8Array, object: ObjectField | undefined, field: LeafField | undefined): Child {
  const plain = field === undefined ? undefined : plainOf(field);
  return { name, object, field, plain, seenIn: 0, next: undefined };
}

/** A field with its multi-fields, if texts go to all of them as they are; those that may be longest last. */
function plainOf(field: LeafField): readonly Plain[] | undefined {
  const all: Plain[] = [];
  for (const each of [field, ...field.subList]) {
    const plain = each instanceof StringField ? each.asBytes : undefined;
    if (plain === undefined) return undefined;
    all.push({ ...plain, fullName: each.fullName });
  }
  // Nothing has been written if a text is too long for one of them.
  const longest = Math.min(...all.map((each) => each.longest));
  return all.map((each) => ({ ...each, longest }));
}

/** Whether a field needs nothing but its value. */
function isPlainly(field: LeafField): boolean {
  return field.copyTo.length === 0 && !field.wantsDocument && !field.subList.some((sub) => sub.wantsDocument);
}

/** Whether there is a letter or digit of ASCII, which the first byte is, mostly. */
function hasWord(view: DataView, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isWordUnit(view.getUint8(at))) return true;
  return false;
}

const utf8 = new TextEncoder();
const text = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The bytes of a name as a document has it; undefined for names that are written with escapes or are no UTF-8, and for numbers: an
 * object that JSON.parse made has those first.
 */
function readable(name: string): Uint8Array | undefined {
  const bytes = utf8.encode(name);
  const isRare = /^\d+$/.test(name) || JSON.stringify(name) !== `"${name}"` || text.decode(bytes) !== name;
  return isRare ? undefined : bytes;
}
