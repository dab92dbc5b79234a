/**
 * The mappings of one index: its types, and what merges into them. Everything that changes it makes `version` grow.
 */
import type { AnalyzerRegistry } from '../analysis/registry.js';
import type { CoreField } from '../core/instance.js';
import { mapperParsing, mergeMapping } from '../errors.js';
import { MappingNeeded } from '../mappingNeeded.js';
import { MAX_BOOSTS } from './allBoosts.js';
import { type AllBoost, CoreFields, type SavedField } from './coreFields.js';
import { type FieldDefinition, type LeafField, UNKNOWN_FIELD } from './field.js';
import { addedBy, mergeObject, sizeOf } from './merging.js';
import { ONE_TERM } from './numbers.js';
import type { ObjectField } from './objects.js';
import { OwnUidField } from './parents.js';
import { checkTypeName, overDefault, TypeMapping } from './root.js';
import { PLAIN, type Similarity } from '../similarity/similarities.js';
import type { StringField, TypeAnalysis } from './strings.js';
import { TypeTable } from './typeTable.js';
import { isObject, type JsonObject } from '../json/values.js';
import { ownValue, putOwn } from '../ownNames.js';

/** What a model is saved as: plain JSON. */
export interface SavedMapping {
  mappings: JsonObject;
  /** Types of {@link MappingModel.joining}. */
  joining?: readonly string[];
  /** The core's fields in the order of their numbers. */
  fields: readonly SavedField[];
}

const DEFAULT_TYPE = '_default_';
/** The type of documents that hold queries, and what its mapping starts from. */
const PERCOLATOR_TYPE = '.percolator';
const PERCOLATOR_MAPPING: JsonObject = {
  _id: { index: 'not_analyzed' },
  properties: { query: { type: 'object', enabled: false } },
};

/** Told of fields that are about to be kept, or made and let go; throws where they would take too much memory. */
export type AdmitFields = (more: number, passing: boolean) => void;

/** The mappings of an index. */
export class MappingModel extends TypeTable {
  /** The analyzers that mappings may name. */
  readonly registry: AnalyzerRegistry;
  /** The types that are some type's parents. */
  readonly #parents = new Set<string>();
  readonly #ownUid = new OwnUidField();
  #joining = new Set<string>();
  readonly #base: JsonObject | undefined;
  /** The definition of `_default_` as it was given. */
  #default: JsonObject | undefined;
  readonly #fields: CoreFields;
  #size = 0;
  /** Whether documents may not change it: what would throws {@link MappingNeeded}, and changes nothing. */
  frozen = false;
  /** Asked before fields are added. */
  admit: AdmitFields = () => {};
  #similarities: { version: number; fields: ReadonlyMap<number, Similarity> } | undefined;

  /** @param base what types start from until the index has a mapping `_default_` */
  constructor(registry: AnalyzerRegistry, saved?: SavedMapping, base?: JsonObject) {
    super();
    this.registry = registry;
    this.#base = base;
    this.#fields = new CoreFields(registry, saved?.fields);
    if (saved === undefined) {
      this.#fields.define('_type', ONE_TERM);
      this.#fields.define('_field_names', ONE_TERM);
      return;
    }
    for (const [name, definition] of Object.entries(saved.mappings)) {
      if (isObject(definition)) this.#load(name, definition);
    }
    this.#joining = new Set(saved.joining);
  }

  /** Fields and objects of all types. */
  get size(): number {
    return this.#size;
  }

  /** Types that became parents when they were there already: older documents of theirs are not known to their children yet. */
  get joining(): readonly string[] {
    return [...this.#joining];
  }

  /** All documents of a type are known to their children. */
  joined(type: string): void {
    if (this.#joining.delete(type)) this.changed();
  }

  /** What the documents of a type are known by to their children; undefined if they have none. */
  ownUid(type: string): OwnUidField | undefined {
    return this.#parents.has(type) ? this.#ownUid : undefined;
  }

  /**
   * Merges a mapping into a type, or makes the type. `body` is the mapping, or an object with the type's name around
   * it. When this throws, nothing has changed.
   */
  putMapping(type: string, body: unknown, options: { ignoreConflicts?: boolean } = {}): void {
    if (!isObject(body) || Object.keys(body).length === 0) {
      throw mapperParsing('malformed mapping no root object found');
    }
    checkTypeName(type);
    const read = (definition: JsonObject, analysis?: TypeAnalysis) =>
      readGiven(type, definition, this.registry, analysis);
    const keys = Object.keys(body);
    const wrapped = ownValue(body, type);
    const definition = keys.length === 1 && isObject(wrapped) ? wrapped : body;
    this.admit(objectsIn(definition.properties), true);
    if (type === DEFAULT_TYPE) {
      read(definition);
      this.#default = definition;
      this.changed();
      return;
    }
    const current = this.types.get(type);
    if (current === undefined) {
      const base = this.#baseOf(type);
      const whole = base === undefined ? definition : overDefault(base, definition);
      this.#add(read(whole));
      return;
    }
    const incoming = read(definition, current.analysis);
    const conflicts: string[] = [];
    mergeObject(current.root, incoming.root, conflicts, true);
    conflicts.push(...current.conflicts(incoming));
    if (conflicts.length > 0 && options.ignoreConflicts !== true) throw mergeMapping(conflicts);
    const added = addedBy(current.root, incoming.root);
    this.admit(added, false);
    this.#size += added;
    mergeObject(current.root, incoming.root, [], false);
    current.mergeSettings(incoming, definition);
    this.#register(current.fields());
    this.#fields.dropNorms(current.fields());
  }

  /** Makes the type of a first document, if it is not there. */
  ensureType(name: string): TypeMapping {
    const current = this.types.get(name);
    if (current !== undefined) return current;
    checkTypeName(name);
    this.#checkFrozen();
    const type = TypeMapping.read(name, this.#baseOf(name) ?? {}, this.registry);
    this.#add(type);
    return type;
  }

  /** Whether new types start from a mapping of the index. */
  get hasDefault(): boolean {
    return this.#default !== undefined;
  }

  /** What a new type starts from. */
  #baseOf(type: string): JsonObject | undefined {
    return type === PERCOLATOR_TYPE ? PERCOLATOR_MAPPING : (this.#default ?? this.#base);
  }

  /** Forgets a type whose documents are gone. The numbers of its fields stay taken; names that no other type has begin anew. */
  deleteType(name: string): void {
    const type = this.types.get(name);
    if (type === undefined) return;
    this.types.delete(name);
    this.#size -= sizeOf(type.root);
    const left = new Set<string>();
    for (const other of this.types.values()) for (const { fullName } of other.fields()) left.add(fullName);
    for (const { fullName } of type.root.leaves()) if (!left.has(fullName)) this.#fields.forget(fullName);
    this.changed();
  }

  /** Refuses more fields of new names than there is room for. */
  checkRoom(names: ReadonlySet<string>): void {
    // What adds one of them will say so.
    if (this.frozen) return;
    this.admit(names.size, false);
    this.#fields.checkRoom(names);
  }

  /** Adds a field that a document brought. */
  addField(parent: ObjectField, name: string, field: LeafField | ObjectField): void {
    this.#checkFrozen();
    const size = sizeOf(field);
    this.admit(size, false);
    this.#register(field.leaves());
    parent.put(name, field);
    this.#size += size;
  }

  /** Words of a type's `_all` have boosts from now on: 1.7 writes that into the mapping. */
  boostAll(type: TypeMapping): void {
    if (type.autoBoost) return;
    this.#checkFrozen();
    type.autoBoost = true;
    this.changed();
  }

  /** The field with the words of a type's `_all` that have a boost. */
  boostedAll(type: TypeMapping, boost: number): StringField {
    const known = this.allBoosts();
    const nearest = known.reduce(
      (a, b) => (Math.abs(b.boost - boost) < Math.abs(a - boost) ? b.boost : a),
      known[0]?.boost ?? boost,
    );
    const kept = known.length < MAX_BOOSTS ? boost : nearest;
    const field = type.boostedAll(kept);
    if (field.number >= 0) return field;
    // One that was made anew is known already: nothing changes.
    if (this.frozen && this.#fields.has(field.fullName)) this.#fields.register([field]);
    else {
      this.#checkFrozen();
      this.#register([field]);
    }
    return field;
  }

  /** Gives a field that waited for its first value its number, in all types. */
  numberOf(field: LeafField): void {
    if (field.number >= 0 || field.core === undefined) return;
    this.#checkFrozen();
    this.#fields.define(field.fullName, field.core);
    for (const type of this.types.values()) this.#register(type.fields());
  }

  /** Bytes of a document from which on writing it may have long parts (passes.ts), by the fields that there are. */
  get longFrom(): number {
    return this.#fields.longFrom;
  }

  /** The mappings as GET _mapping shows them, by type. */
  toJSON(): JsonObject {
    return this.#written((type) => type.toJSON());
  }

  #written(write: (type: TypeMapping) => JsonObject): JsonObject {
    const json: JsonObject = {};
    if (this.#default !== undefined)
      json[DEFAULT_TYPE] = write(TypeMapping.read(DEFAULT_TYPE, this.#default, this.registry));
    for (const [name, type] of this.types) putOwn<unknown>(json, name, write(type));
    return json;
  }

  /** Everything, for the constructor of a later model. */
  save(): SavedMapping {
    const saved = { mappings: this.#written((type) => type.save()), fields: this.#fields.save() };
    return this.#joining.size === 0 ? saved : { ...saved, joining: this.joining };
  }

  /** What 1.7 calls the field whose values the core has under a number. */
  fieldName(number: number): string {
    return this.#fields.nameOf(number);
  }

  /** The core's fields in the order of their numbers; the list only grows. */
  fieldDefinitions(): FieldDefinition[] {
    return this.#fields.definitions();
  }

  /** Whether a field has said something of its fielddata. */
  get hasFielddata(): boolean {
    return this.#fields.hasFielddata;
  }

  /** The same as the core takes them. */
  coreFields(): CoreField[] {
    return this.#fields.forCore();
  }

  /** The number of the texts of that full name, whatever type has them; that of no field if there are none. */
  textNamed(name: string): number {
    return this.#fields.textNamed(name);
  }

  /** The boosts that words of `_all` have in some document. */
  allBoosts(): readonly AllBoost[] {
    return this.#fields.allBoosts();
  }

  /** The same for a search of these types, of all if there are none; undefined where the first one's words have had no boosts. */
  searchedBoosts(types: readonly string[]): readonly AllBoost[] | undefined {
    const [any] = this.types.values();
    const first = types.map((name) => this.types.get(name)).find((type) => type !== undefined) ?? any;
    return first?.boostsWords === true ? this.allBoosts() : undefined;
  }

  /** The fields of the core that another similarity than the default scores, by number. */
  similarities(): ReadonlyMap<number, Similarity> {
    if (this.#similarities?.version === this.version) return this.#similarities.fields;
    const fields = new Map<number, Similarity>();
    const { similarities } = this.registry;
    const byDefault = similarities.named('default');
    if (byDefault !== undefined)
      for (let number = 0; number < this.#fields.length; number++) fields.set(number, byDefault);
    // Stands for what joins fields: no coord, and no norm of queries.
    if (similarities.isPlainlySummed) fields.set(UNKNOWN_FIELD, byDefault ?? PLAIN);
    for (const type of this.types.values()) {
      for (const { number, similarity } of type.fields()) {
        if (number < 0 || similarity === undefined) continue;
        const own = similarities.named(similarity);
        if (own === undefined) fields.delete(number);
        else fields.set(number, own);
      }
    }
    this.#similarities = { version: this.version, fields };
    return fields;
  }

  #load(name: string, definition: JsonObject): void {
    if (name === DEFAULT_TYPE) this.#default = definition;
    else this.#add(TypeMapping.read(name, definition, this.registry));
  }

  #add(type: TypeMapping): void {
    const size = sizeOf(type.root);
    this.admit(size, false);
    if (type.parent !== undefined) {
      const { parentType } = type.parent;
      if (!this.#parents.has(parentType) && this.types.has(parentType)) this.#joining.add(parentType);
      this.#parents.add(parentType);
      this.#register([this.#ownUid]);
    }
    this.#register(type.fields());
    this.types.set(type.name, type);
    this.#size += size;
  }

  #checkFrozen(): void {
    if (this.frozen) throw new MappingNeeded();
  }

  #register(leaves: Iterable<LeafField>): void {
    this.#fields.register(leaves);
    this.changed();
  }
}

/** Reads a mapping that somebody gives, other than one that was taken before. */
function readGiven(
  type: string,
  definition: JsonObject,
  registry: AnalyzerRegistry,
  analysis?: TypeAnalysis,
): TypeMapping {
  const read = TypeMapping.read(type, definition, registry, analysis);
  for (const leaf of read.root.leaves()) leaf.checkGiven();
  return read;
}

/** Objects in a JSON value: no mapping has more fields than its text has objects. */
function objectsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : 1;
  for (const each of Object.values(value)) count += objectsIn(each);
  return count;
}
