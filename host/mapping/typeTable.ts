/** The types of an index, and what names mean in them: names of fields, of objects, patterns of names. */
import type { LeafField } from './field.js';
import { FieldNames } from './fieldNames.js';
import { META } from './metaNames.js';
import { ObjectField } from './objects.js';
import type { TypeMapping } from './root.js';
import { longPart } from '../passes.js';
import type { Turns } from '../workLimit.js';

/** A field that a query named. */
export interface FoundField {
  field: LeafField;
  /** The type, if the name began with one. */
  type: string | undefined;
}

/** Fields that are looked at between two turns. */
const FIELDS_AT_ONCE = 512;

/** Names that are remembered with what was found for them. */
const MAX_FOUND = 10_000;

/** The types of an index. */
export abstract class TypeTable {
  protected readonly types = new Map<string, TypeMapping>();
  #found = new Map<string, FoundField | null>();
  /** Made when they are first looked for. */
  #names = new Map<string, FieldNames>();
  #allNames: FieldNames | undefined;
  #nested: { version: number; objects: ReadonlyMap<string, ObjectField> } | undefined;
  #version = 1;

  /** Grows with every change. */
  get version(): number {
    return this.#version;
  }

  /** It takes the place of a table of that version: its own is greater from now on. */
  succeeds(version: number): void {
    if (this.#version <= version) this.#version = version + 1;
  }

  /** What was found may not be so any more. */
  protected changed(): void {
    this.#version++;
    this.#found = new Map();
    this.#names = new Map();
    this.#allNames = undefined;
  }

  /** The types but `_default_`. */
  typeNames(): string[] {
    return [...this.types.keys()];
  }

  hasType(name: string): boolean {
    return this.types.has(name);
  }

  /** The mapping of a type. */
  type(name: string): TypeMapping | undefined {
    return this.types.get(name);
  }

  /** A field by its full name, by the last part of it, or with its type in front; where types are searched, one of theirs. */
  find(name: string, types: readonly string[] = []): FoundField | undefined {
    const key = types.length === 0 ? name : `${types.join(',')}\n${name}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      found = (types.length === 0 ? this.#search(name) : this.#searchIn(types, name)) ?? null;
      // Queries may name whatever they like.
      if (this.#found.size >= MAX_FOUND) this.#found.clear();
      this.#found.set(key, found);
    }
    return found ?? undefined;
  }

  /** The field of the first of these types that has it. */
  #searchIn(types: readonly string[], name: string): FoundField | undefined {
    for (const typeName of types) {
      const type = this.types.get(typeName);
      if (type === undefined) continue;
      let names = this.#names.get(typeName);
      if (names === undefined) {
        names = new FieldNames(type.fields());
        this.#names.set(typeName, names);
      }
      const field = names.find(name);
      if (field !== undefined) return { field, type: undefined };
    }
    return this.#searchTyped(name);
  }

  #search(name: string): FoundField | undefined {
    this.#allNames ??= new FieldNames([...this.types.values()].flatMap((type) => [...type.fields()]));
    const field = this.#allNames.find(name);
    return field === undefined ? this.#searchTyped(name) : { field, type: undefined };
  }

  /** A field with its type in front. */
  #searchTyped(name: string): FoundField | undefined {
    const dot = name.indexOf('.');
    const type = dot < 0 ? undefined : this.types.get(name.slice(0, dot));
    if (type === undefined) return undefined;
    const rest = name.slice(dot + 1);
    for (const field of type.root.leaves()) {
      if (field.fullName === rest || field.fullName.endsWith(`.${rest}`)) return { field, type: type.name };
    }
    return undefined;
  }

  /** The fields, of these types where some are searched, that a name with `*` stands for; a plain name stands for itself. */
  names(pattern: string, types: readonly string[] = []): string[] {
    if (!pattern.includes('*')) return [pattern];
    return longPart(this, `names ${pattern} of ${types.join(' ')}`, () => this.#fitting(pattern, types));
  }

  *#fitting(pattern: string, types: readonly string[]): Turns<string[]> {
    const parts = pattern.split('*');
    const names = new Set<string>();
    let steps = 0;
    for (const type of this.types.values()) {
      if (types.length > 0 && !types.includes(type.name)) continue;
      for (const field of type.root.leaves()) {
        if (++steps % FIELDS_AT_ONCE === 0) yield;
        if (matches(parts, field.fullName) || matches(parts, field.shortName)) names.add(field.fullName);
      }
    }
    return [...names];
  }

  /** The same for queries, whose patterns stand for fields about documents too. */
  queriedNames(pattern: string, types: readonly string[] = []): string[] {
    const names = this.names(pattern, types);
    if (
      !pattern.includes('*') ||
      !(types.length === 0 ? this.types.size > 0 : types.some((type) => this.types.has(type)))
    )
      return names;
    const parts = pattern.split('*');
    return [...names, ...[...META].filter((name) => name !== '_analyzer' && matches(parts, name))];
  }

  /** The nested objects by their paths; of those that several types have, the first. */
  nestedObjects(): ReadonlyMap<string, ObjectField> {
    if (this.#nested?.version === this.version) return this.#nested.objects;
    const objects = new Map<string, ObjectField>();
    for (const type of this.types.values()) {
      for (const object of type.root.nestedObjects()) {
        if (!objects.has(object.fullName)) objects.set(object.fullName, object);
      }
    }
    this.#nested = { version: this.version, objects };
    return objects;
  }

  /** Whether documents may have nested ones. */
  get hasNested(): boolean {
    return this.nestedObjects().size > 0;
  }

  /** The path of the innermost nested object that a field stands in. */
  nestedPathOf(fullName: string): string | undefined {
    let found: string | undefined;
    for (const path of this.nestedObjects().keys()) {
      if (fullName.startsWith(`${path}.`) && path.length > (found?.length ?? 0)) found = path;
    }
    return found;
  }

  /** Whether the values of a field belong to the documents of a nested path; to whole documents without one. */
  reaches(fullName: string, path: string | undefined): boolean {
    let at = this.nestedPathOf(fullName);
    while (at !== path) {
      const nested = at === undefined ? undefined : this.nestedObjects().get(at)?.nested;
      if (at === undefined || nested === undefined) return false;
      if (path === undefined && nested.includeInRoot) return true;
      if (!nested.includeInParent) return false;
      at = this.nestedPathOf(at);
    }
    return true;
  }

  /** The object of that path in the first type that has one, of these types where some are searched. */
  objectAt(path: string, types: readonly string[] = []): ObjectField | undefined {
    for (const { name, root } of this.types.values()) {
      if (types.length > 0 && !types.includes(name)) continue;
      let object: unknown = root;
      for (const step of path.split('.')) {
        object = object instanceof ObjectField ? object.children.get(step) : undefined;
      }
      if (object instanceof ObjectField) return object;
    }
    return undefined;
  }

  /** Whether a name means an object and no field. */
  isObject(name: string, types: readonly string[] = []): boolean {
    if (name.startsWith('_') || name.includes('*') || this.find(name, types) !== undefined) return false;
    const inside = `${name}.`;
    for (const type of this.types.values()) {
      if (types.length > 0 && !types.includes(type.name)) continue;
      for (const { fullName } of type.root.leaves()) if (fullName.startsWith(inside)) return true;
    }
    return false;
  }

  /** The leaves of a name for `exists`: the field itself, or all fields of the object of that name. */
  leavesOf(name: string): LeafField[] {
    const exact: LeafField[] = [];
    const inside: LeafField[] = [];
    for (const type of this.types.values()) {
      for (const field of type.root.leaves()) {
        if (field.fullName === name) exact.push(field);
        else if (field.fullName.startsWith(`${name}.`)) inside.push(field);
      }
    }
    if (exact.length > 0) return exact;
    if (inside.length > 0) return inside;
    if (name.includes('*')) return this.names(name).flatMap((each) => this.find(each)?.field ?? []);
    const found = this.find(name);
    return found === undefined ? [] : [found.field];
  }
}

/** Whether a text consists of these parts with anything between them. */
export function matches(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}
