/** The mapping of one type: its root object and the settings around it. */

import type { AnalyzerRegistry } from '../analysis/registry.js';
import { ElasticsearchError, mapperParsing } from '../errors.js';
import { boostedAll } from './allBoosts.js';
import { DYNAMIC_FORMATS, dateFormat } from '../time/dateFormats.js';
import { type DocumentBoost, readDocumentBoost } from './documentBoost.js';
import { type DynamicTemplate, type DynamicType, readTemplates } from './dynamicTemplates.js';
import type { LeafField } from './field.js';
import { asMap, nullPointer } from '../compat17/javaCasts.js';
import { storeOf } from './fieldTraits.js';
import { MetaFields } from './metaFields.js';
import { ObjectField, readDynamic, readProperties } from './objects.js';
import { ParentField } from './parents.js';
import { SourceSection } from './sourceSection.js';
import { StringField, type TypeAnalysis } from './strings.js';
import { readTransforms, type SourceTransform, transformsJSON } from './transform.js';
import { booleanOf, isObject, type JsonObject, javaText, textOf, underscored } from '../json/values.js';
import { ownValue } from '../ownNames.js';

/** Keys of a root object that are kept and shown, and otherwise have their default effect. */
const KEPT = ['_meta', '_id', '_type', '_index', '_field_names', '_analyzer', '_boost'];
/** Those of them that another mapping of the type may change. */
const MERGED = ['_index', '_field_names'];

/** One type. */
export class TypeMapping {
  readonly name: string;
  readonly root: ObjectField;
  dateDetection = true;
  numericDetection = false;
  /** The formats in which new dates are looked for. */
  dateFormats: readonly string[] = DYNAMIC_FORMATS;
  #templates: readonly DynamicTemplate[] = [];
  /** The analyzers of its strings that name none of their own. */
  analysis: TypeAnalysis = {};
  /** `_all`: what its fields say, in one. */
  #all!: StringField;
  /** Whether words of `_all` have had boosts, in whatever document the mapping has seen: also in one that is gone, or percolated. */
  autoBoost = false;
  /** The boost of a document stands in this field of it, where the mapping says so. */
  boost: DocumentBoost | undefined;
  /** The field that names the analyzer of a document, by its path. */
  #analyzerPath: string | undefined;
  /** Undefined where the mapping doesn't say. */
  #allEnabled: boolean | undefined;
  #allDefinition: JsonObject = {};
  readonly #boostedAll = new Map<number, StringField>();
  readonly #registry: AnalyzerRegistry;
  /** What is said of routing, timestamps, times to live and sizes. */
  readonly meta: MetaFields;
  /** The parent that its documents have. */
  parent: ParentField | undefined;
  /** Which parts of the sources are shown. */
  source = new SourceSection();
  /** What is to become of documents before they are indexed. */
  transforms: readonly SourceTransform[] = [];

  private constructor(name: string, meta: MetaFields, registry: AnalyzerRegistry) {
    this.name = name;
    this.root = new ObjectField('', name);
    this.meta = meta;
    this.#registry = registry;
  }

  /** `_all`, undefined where that is off. */
  get all(): StringField | undefined {
    return this.#allEnabled === false ? undefined : this.#all;
  }

  /** The field with the words of `_all` that have a boost, analyzed as `_all` is. */
  boostedAll(boost: number): StringField {
    let field = this.#boostedAll.get(boost);
    if (field === undefined) {
      const definition = { ...this.#allDefinition, index_options: 'freqs', norms: { enabled: false } };
      field = new StringField(boostedAll(boost), definition, this.#registry, this.analysis);
      this.#boostedAll.set(boost, field);
    }
    return field;
  }

  /** Whether words of `_all` count by their boosts, which stand beside positions and, in 1.7, not beside offsets. */
  get boostsWords(): boolean {
    return this.autoBoost && this.#all.traits.indexOptions === 'positions';
  }

  /** Whether documents need a routing value. */
  get routingRequired(): boolean {
    return this.meta.routing.required;
  }

  /** Whether some fields of a document say how the others are written, or what is kept beside them. */
  get readsAhead(): boolean {
    return (
      this.boost !== undefined || this.#analyzerPath !== undefined || this.meta.timestamp.path !== undefined
    );
  }

  /** Before a document is written: its strings are cut by the analyzer that it names, unless their mapping says otherwise. */
  chooseAnalyzer(source: JsonObject): void {
    const path = this.#analyzerPath;
    if (path === undefined) return;
    const name = textOf(firstAt(source, path.split('.')));
    if (name !== undefined && !this.#registry.has(name))
      throw mapperParsing(`No analyzer found for [${name}] from path [${path}]`);
    this.analysis.document = name;
  }

  /** `analysis` is that of the type as it is, where the mapping is going to be merged into one. */
  static read(
    name: string,
    definition: JsonObject,
    registry: AnalyzerRegistry,
    analysis?: TypeAnalysis,
  ): TypeMapping {
    const rest = new Map(Object.entries(underscored(definition)));
    const take = (key: string): unknown => {
      const value = rest.get(key);
      rest.delete(key);
      return value;
    };
    const type = new TypeMapping(name, new MetaFields(take, registry), registry);
    const { root } = type;
    root.dynamic = readDynamic(take('dynamic'));
    const enabled = take('enabled');
    if (enabled !== undefined) root.enabled = booleanOf(enabled);
    const dateDetection = take('date_detection');
    if (dateDetection !== undefined && !booleanOf(dateDetection)) {
      type.dateDetection = false;
      root.echoed.date_detection = false;
    }
    const numericDetection = take('numeric_detection');
    if (numericDetection !== undefined && booleanOf(numericDetection)) {
      type.numericDetection = true;
      root.echoed.numeric_detection = true;
    }
    const templates = take('dynamic_templates');
    if (templates !== undefined) type.#templates = readTemplates(templates);
    const formats = take('dynamic_date_formats') ?? take('date_formats');
    if (formats === 'none') type.dateFormats = [];
    else if (formats !== undefined && !(Array.isArray(formats) && formats.length === 0)) {
      type.dateFormats = (Array.isArray(formats) ? formats : [formats]).map((format) => textOf(format) ?? '');
      for (const format of type.dateFormats) dateFormat(format);
      root.echoed.dynamic_date_formats = [...type.dateFormats];
    }
    const own = readTypeAnalysis(take, registry, root.echoed);
    type.analysis = analysis ?? own;
    type.#readAll(take('_all'), registry);
    readMeta(type, take);
    const analyzer = root.echoed._analyzer;
    if (isObject(analyzer)) type.#analyzerPath = textOf(analyzer.path);
    if (type.#analyzerPath === undefined) delete root.echoed._analyzer;
    else root.echoed._analyzer = { path: type.#analyzerPath };
    type.transforms = readTransforms(take('transform'));
    readProperties(root, take('properties'), registry, 1, type.analysis);
    for (const leaf of root.leaves())
      if (leaf instanceof StringField && leaf.isUnshowable) throw unshowable(name);
    if (rest.size > 0) {
      const list = [...rest].map(([key, value]) => ` [${key} : ${javaText(value)}]`).join('');
      throw mapperParsing(`Root type mapping not empty after parsing! Remaining fields:  ${list}`);
    }
    return type;
  }

  /** All fields that the core may know, `_all` among them. */
  *fields(): Generator<LeafField> {
    if (this.all !== undefined) yield this.all;
    if (this.parent !== undefined) yield this.parent;
    yield* this.meta.fields();
    yield* this.root.leaves();
  }

  /** The fields about its documents that each of them has. */
  indexedMeta(): string[] {
    const { echoed } = this.root;
    const names = ['_type', '_uid', '_version'];
    if (this.all !== undefined) names.push('_all');
    if (this.source.enabled) names.push('_source');
    if (this.parent !== undefined) names.push('_parent');
    if (this.meta.size.enabled) names.push('_size');
    if (this.meta.timestamp.enabled === true) names.push('_timestamp');
    const id = echoed._id;
    if (isObject(id) && ((id.index ?? 'no') !== 'no' || (id.store !== undefined && storeOf(id.store))))
      names.push('_id');
    const index = echoed._index;
    if (isObject(index) && index.enabled !== undefined && booleanOf(index.enabled)) names.push('_index');
    return names;
  }

  get hasTemplates(): boolean {
    return this.#templates.length > 0;
  }

  /** What a dynamic template says of a new field. */
  templateFor(name: string, path: string, type: DynamicType): JsonObject | undefined {
    return this.#templates.find((template) => template.matches(name, path, type))?.mapping(name, type);
  }

  /** The same of a text, by templates for whatever type: what it looks like is not asked then. */
  templateForText(name: string, path: string): JsonObject | undefined {
    return this.#templates.find((each) => each.matches(name, path, undefined))?.mapping(name, 'string');
  }

  /** What can't be merged beside the fields; null stands for no parent, as 1.7 prints it. */
  conflicts(other: TypeMapping): string[] {
    const conflicts: string[] = [];
    const [own, theirs] = [this.parent?.parentType ?? null, other.parent?.parentType ?? null];
    if (own !== theirs)
      conflicts.push(`The _parent field's type option can't be changed: [${own}]->[${theirs}]`);
    this.#mergeMeta(other, conflicts, true);
    return conflicts;
  }

  #mergeMeta(other: TypeMapping, conflicts: string[], simulate: boolean): void {
    const { timestamp, ttl, size } = this.meta;
    timestamp.mergeSection(other.meta.timestamp, conflicts, simulate);
    const [mine, its] = [this.#allEnabled ?? true, other.#allEnabled];
    if (its !== undefined && its !== mine)
      conflicts.push(`mapper [_all] enabled is ${mine} now encountering ${its}`);
    this.#all.merge(other.#all, conflicts, simulate);
    ttl.mergeSection(other.meta.ttl, conflicts, simulate);
    if (!simulate && other.meta.size.isGiven) size.enabled = other.meta.size.enabled;
  }

  /** Takes over what another mapping of the type says beside its fields. */
  mergeSettings(other: TypeMapping, given: JsonObject): void {
    if (given.date_detection !== undefined) this.dateDetection = other.dateDetection;
    if (given.numeric_detection !== undefined) this.numericDetection = other.numericDetection;
    if (given.dynamic_date_formats !== undefined) this.dateFormats = other.dateFormats;
    this.source.merge(other.source);
    this.#mergeMeta(other, [], false);
    const { echoed } = this.root;
    for (const key of MERGED) if (given[key] !== undefined) echoed[key] = other.root.echoed[key];
    // The newest word on that is the only one.
    if (other.root.echoed._meta === undefined) delete echoed._meta;
    else echoed._meta = other.root.echoed._meta;
    if (other.parent !== undefined) this.parent?.mergeFielddata(other.parent);
    const added = other.#templates.filter(({ name }) => !this.#templates.some((own) => own.name === name));
    this.#templates = [
      ...this.#templates.map((own) => other.#templates.find(({ name }) => name === own.name) ?? own),
      ...added,
    ];
  }

  /** As GET _mapping shows it. */
  toJSON(): JsonObject {
    const { root } = this;
    const json: JsonObject = {};
    if (this.#templates.length > 0) {
      json.dynamic_templates = this.#templates.map(({ name, definition }) => ({
        [name]: sortKeys(definition),
      }));
    }
    if (root.dynamic !== undefined) json.dynamic = root.dynamic;
    if (!root.enabled) json.enabled = false;
    if (this.parent !== undefined) json._parent = this.parent.toJSON();
    const all = this.#allJSON();
    if (Object.keys(all).length > 0) json._all = all;
    const source = this.source.toJSON();
    if (source !== undefined) json._source = source;
    if (this.transforms.length > 0) json.transform = transformsJSON(this.transforms);
    if (root.includeInAll !== undefined) json.include_in_all = root.includeInAll;
    return { ...json, ...this.meta.toJSON(), ...root.echoed, properties: root.propertiesJSON() };
  }

  /** What a later model is made of: also what GET _mapping, as in 1.7, doesn't show. */
  save(): JsonObject {
    const json = this.toJSON();
    const { index_options } = this.#all.toJSON();
    return index_options === undefined ? json : { ...json, _all: { ...this.#allJSON(), index_options } };
  }

  #allJSON(): JsonObject {
    const { traits } = this.#all;
    const { analyzer, index_analyzer, search_analyzer } = this.#all.toJSON();
    const json: JsonObject = {
      enabled: this.#allEnabled,
      auto_boost: this.autoBoost || undefined,
      store: traits.stored || undefined,
      store_term_vectors: traits.vectors || undefined,
      store_term_vector_offsets: traits.vectorOffsets || undefined,
      store_term_vector_positions: traits.vectorPositions || undefined,
      store_term_vector_payloads: traits.vectorPayloads || undefined,
      omit_norms: !traits.norms || undefined,
      analyzer,
      index_analyzer,
      search_analyzer,
      similarity: traits.similarity,
      fielddata: traits.fielddata,
    };
    return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
  }

  /** `_all` is there unless it is switched off. */
  #readAll(given: unknown, registry: AnalyzerRegistry): void {
    const definition = given === undefined ? {} : asMap(given);
    const { enabled, auto_boost: autoBoost, boost: _boost, index: _index, ...rest } = definition;
    if (enabled !== undefined) this.#allEnabled = booleanOf(enabled);
    if (autoBoost !== undefined) this.autoBoost = booleanOf(autoBoost);
    this.#allDefinition = rest;
    this.#all = new StringField('_all', rest, registry, this.analysis);
  }
}

/** What 1.7 makes of a mapping that it can't write down. */
function unshowable(type: string): ElasticsearchError {
  return new ElasticsearchError(
    'ElasticsearchGenerationException',
    `failed to serialize source for type [${type}]`,
    { status: 500, nested: nullPointer() },
  );
}

/** A section as it is shown: flags are no texts, and what is not stored doesn't say so. */
function normalized(section: unknown): unknown {
  if (!isObject(section)) return section;
  const { store, ...json } = section;
  if (json.enabled !== undefined) json.enabled = booleanOf(json.enabled);
  if (store !== undefined && storeOf(store)) json.store = true;
  return json;
}

/** The analyzers that a type gives its strings. */
function readTypeAnalysis(
  take: (key: string) => unknown,
  registry: AnalyzerRegistry,
  echoed: JsonObject,
): TypeAnalysis {
  const analysis: TypeAnalysis = {};
  for (const key of ['analyzer', 'index_analyzer', 'search_analyzer'] as const) {
    const value = take(key);
    if (value === undefined) continue;
    const name = textOf(value) ?? '';
    if (!registry.has(name)) throw mapperParsing(`Analyzer [${name}] not found for root mapper`);
    echoed[key] = name;
    if (key !== 'search_analyzer') analysis.index = name;
    if (key !== 'index_analyzer') analysis.search = name;
  }
  return analysis;
}

function readMeta(type: TypeMapping, take: (key: string) => unknown): void {
  const { echoed } = type.root;
  for (const key of KEPT) {
    const value = take(key);
    if (value === undefined) continue;
    asMap(value);
    echoed[key] = key === '_meta' ? value : normalized(value);
  }
  for (const key of ['_uid', '_version']) take(key);
  if (isObject(echoed._boost)) type.boost = readDocumentBoost(echoed._boost);
  const includeInAll = take('include_in_all');
  if (includeInAll !== undefined) {
    type.root.includeInAll = booleanOf(includeInAll);
  }
  const source = take('_source');
  if (source !== undefined) type.source = SourceSection.read(source);
  const parent = take('_parent');
  if (parent !== undefined && parent !== null) {
    type.parent = ParentField.read(asMap(parent));
    // Children live where their parents do.
    type.meta.routing.required = true;
  }
}

/** The first value under a path that is neither an object nor null. */
function firstAt(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) {
    for (const each of value) {
      const found = firstAt(each, path);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const [name, ...rest] = path;
  if (name === undefined) return isObject(value) || value === null ? undefined : value;
  return isObject(value) ? firstAt(ownValue(value, name), rest) : undefined;
}

/** JSON with the keys of its objects in order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, each]) => [key, sortKeys(each)]));
}

/** The definition of a new type: that of `_default_` with its own over it. */
export function overDefault(base: JsonObject, own: JsonObject): JsonObject {
  const properties = {
    ...(isObject(base.properties) ? base.properties : {}),
    ...(isObject(own.properties) ? own.properties : {}),
  };
  return { ...base, ...own, ...(Object.keys(properties).length > 0 ? { properties } : {}) };
}

/** 400 if a type can't have that name. */
export function checkTypeName(name: string): void {
  const fail = (why: string) =>
    new ElasticsearchError('InvalidTypeNameException', `mapping type name [${name}] ${why}`);
  if (name.length === 0)
    throw new ElasticsearchError('InvalidTypeNameException', 'mapping type name is empty');
  if (name.startsWith('_') && name !== '_default_') throw fail("can't start with '_'");
  if (name.includes('#')) throw fail("should not include '#' in it");
  if (name.includes(',')) throw fail("should not include ',' in it");
}
