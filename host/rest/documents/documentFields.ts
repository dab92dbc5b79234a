/** The `fields` of documents that answers show beside or instead of their sources. */
import { ElasticsearchError, illegalArgument } from '../../errors.js';
import { FieldValues } from '../../json/fieldValues.js';
import { parseLax } from '../../json/laxJson.js';
import { print } from '../../json/rawJson.js';
import type { VisibleDocument } from '../../mapping/sourcePaths.js';
import type { LeafField } from '../../mapping/field.js';
import { jsonText, parseJson } from '../../json/jsonText.js';
import { keptValues } from '../../mapping/keptValues.js';
import type { MappingModel } from '../../mapping/model.js';
import { booleanOf, isObject } from '../../json/values.js';
import { type Json, Raw } from '../json.js';
import { ownValue, putOwn } from '../../ownNames.js';
import type { StoredDocument } from '../../storage/storedDocuments.js';

const utf8 = new TextEncoder();

/** Whose fields are wanted. */
export type FieldsAsked =
  /** Of a hit; `path` is that of the nested object that it is, a whole document has none. */
  | { by: 'search'; path?: string | undefined }
  /** Of a document asked for by its id; `refreshed`: whether searches find it as it is. */
  | { by: 'id'; refreshed: boolean };

/** The fields of a document that are mapped and have values; undefined if none has. Metadata stands without a list. */
export function fieldsOf(
  names: readonly string[],
  document: VisibleDocument,
  model: MappingModel,
  asked: FieldsAsked,
): Json | undefined {
  const out: Record<string, Json> = {};
  const byId = asked.by === 'id';
  const sources = new Sources(document);
  for (const name of names) {
    if (name === '_source') continue;
    const metadata = metadataOf(name, document, model);
    if (metadata !== undefined) putOwn(out, name, metadata);
    if (name.startsWith('_')) continue;
    const types = byId ? [document.type] : [];
    const field = model.find(name, types)?.field;
    if (field === undefined) {
      if (model.isObject(name, types)) throw illegalArgument(`field [${name}] isn't a leaf field`);
      continue;
    }
    if (asked.by === 'id' && !asked.refreshed) {
      const found = unrefreshed(name, field, sources);
      if (found.length > 0) putOwn(out, name, found);
      continue;
    }
    let found: Json[];
    if (field.stored) {
      if (!model.reaches(field.fullName, byId ? undefined : asked.path)) continue;
      found = stored(field, document.type, model, sources);
    } else if (byId && field.generated) {
      continue;
    } else {
      found = sources.seen
        .leaves(field.sourcePath)
        .map((text) => (byId ? ofSource(field, text) : raw(print(text))));
    }
    // Of what a search reads out of a source, a name that is there twice has the values twice.
    const before = byId || field.stored ? undefined : ownValue(out, name);
    if (found.length > 0) putOwn(out, name, Array.isArray(before) ? [...before, ...found] : found);
  }
  return Object.keys(out).length === 0 ? undefined : out;
}

/** The source of a document, read when it is needed: what the mapping lets be seen, and all of it. */
class Sources {
  readonly #document: VisibleDocument;
  #seen: FieldValues | undefined;
  #whole: FieldValues | undefined;
  #parsed: unknown;

  constructor(document: VisibleDocument) {
    this.#document = document;
  }

  get seen(): FieldValues {
    this.#seen ??= new FieldValues(this.#document.source);
    return this.#seen;
  }

  get whole(): FieldValues {
    this.#whole ??= new FieldValues(this.#bytes);
    return this.#whole;
  }

  get isSeen(): boolean {
    return this.#document.source.length > 0;
  }

  /** All of it as values. */
  get parsed(): unknown {
    this.#parsed ??= parsed(text.decode(this.#bytes));
    return this.#parsed;
  }

  get #bytes(): Uint8Array {
    return this.#document.whole ?? this.#document.source;
  }
}

const text = new TextDecoder();

function parsed(source: string): unknown {
  try {
    return parseJson(source);
  } catch {
    return parseLax(source);
  }
}

/** The values that a document keeps of a stored field. */
function stored(field: LeafField, type: string, model: MappingModel, sources: Sources): Json[] {
  const root = model.type(type)?.root;
  if (root === undefined) return [];
  // Names are looked up in all types; what is kept is a matter of the document's own.
  for (const own of root.leaves()) {
    if (own.fullName !== field.fullName) continue;
    const source = sources.parsed;
    if (!own.stored || !isObject(source)) return [];
    return keptValues(root, own, source).map((value) => raw(jsonText(value)));
  }
  return [];
}

/** What 1.7 shows of a document that has not been refreshed: nothing is stored of it yet, so that all is read out of its source. */
function unrefreshed(name: string, field: LeafField, sources: Sources): Json[] {
  if (field.generated) {
    if (!field.stored) return [];
    const detail = `Cannot access field ${field.fullName} from transaction log. You can only get this field after refresh() has been called.`;
    throw new ElasticsearchError('ElasticsearchException', detail, { status: 500 });
  }
  if (!sources.isSeen && !field.stored) return [];
  return sources.whole.leaves(name).map((value) => ofSource(field, value));
}

/** A value of the source, as the type of its field shows it by id. */
function ofSource(field: LeafField, value: string): Json {
  try {
    return raw(print(jsonText(field.valueOfSource(parseJson(value)))));
  } catch {
    return raw(print(value));
  }
}

/** What a document may have stored beside its own fields. */
const STORED_META = ['_routing', '_parent', '_timestamp', '_ttl', '_size', '_type', '_id'];

/** The names of a search's `fields`: `*` stands for every field that is stored. */
export function storedNames(names: readonly string[], model: MappingModel): readonly string[] {
  if (!names.includes('*')) return names;
  const stored = new Set([...names.filter((name) => name !== '*'), ...STORED_META]);
  for (const type of model.typeNames())
    for (const field of model.type(type)!.root.leaves()) if (field.stored) stored.add(field.fullName);
  return [...stored];
}

const raw = (value: string) => new Raw(utf8.encode(value));

/** Fields after an update: whatever stands under their paths, mapped or not. */
export function updatedFields(names: readonly string[], document: StoredDocument): Json | undefined {
  const values = new FieldValues(document.source);
  const out: Record<string, Json> = {};
  for (const name of names) {
    if (name === '_source') continue;
    const found = values.values(name);
    if (found.length > 0)
      putOwn(
        out,
        name,
        found.map((text) => new Raw(utf8.encode(text))),
      );
  }
  return Object.keys(out).length === 0 ? undefined : out;
}

function metadataOf(name: string, document: VisibleDocument, model: MappingModel): Json | undefined {
  if (name === '_parent') return document.parent;
  const type = model.type(document.type);
  const isStored = type?.meta.isStored(name) === true || keepsStored(ownValue(type?.root.echoed ?? {}, name));
  if (!isStored) return undefined;
  switch (name) {
    case '_routing':
      return document.routing ?? document.parent;
    case '_timestamp':
      return document.timestamp;
    case '_ttl':
      return document.left;
    case '_size':
      return (document.whole ?? document.source).length;
    case '_type':
      return document.type;
    case '_id':
      return document.id;
    default:
      return undefined;
  }
}

function keepsStored(section: unknown): boolean {
  return isObject(section) && section.store !== undefined && booleanOf(section.store);
}
