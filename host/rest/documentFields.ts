/** The `fields` of documents that answers show beside or instead of their sources. */
import { illegalArgument } from '../errors.js';
import { FieldValues } from '../index/fieldValues.js';
import type { VisibleDocument } from '../index/sourcePaths.js';
import type { LeafField } from '../mapping/field.js';
import { jsonText, parseJson } from '../mapping/jsonText.js';
import type { MappingModel } from '../mapping/model.js';
import { booleanOf, isObject } from '../mapping/values.js';
import type { StoredDocument } from '../storage/records.js';
import { type Json, Raw } from './json.js';

const utf8 = new TextEncoder();

/**
 * The fields of a document that are mapped and have values; undefined if none has. Metadata stands without a list.
 * @param byId whether the document was asked for by its id: searches show sources of generated fields
 * @param path of the nested object that it is; a whole document has none
 */
export function fieldsOf(
  names: readonly string[],
  document: VisibleDocument,
  model: MappingModel,
  byId: boolean,
  path?: string,
): Json | undefined {
  const out: Record<string, Json> = {};
  let seen: FieldValues | undefined;
  let whole: FieldValues | undefined;
  for (const name of names) {
    if (name === '_source') continue;
    const metadata = metadataOf(name, document, model);
    if (metadata !== undefined) out[name] = metadata;
    if (name.startsWith('_')) continue;
    const types = byId ? [document.type] : [];
    const field = model.find(name, types)?.field;
    if (field === undefined) {
      if (model.isObject(name, types)) throw illegalArgument(`field [${name}] isn't a leaf field`);
      continue;
    }
    let found: Json[];
    if (field.stored) {
      if (!model.reaches(field.fullName, path)) continue;
      whole ??= new FieldValues(document.whole ?? document.source);
      found = storedValues(
        field,
        field.ownsArrays ? whole.wholes(field.sourcePath) : whole.leaves(field.sourcePath),
      );
    } else if (byId && field.generated) {
      continue;
    } else {
      seen ??= new FieldValues(document.source);
      found = seen.leaves(field.sourcePath).map(raw);
    }
    // Of what a search reads out of a source, a name that is there twice has the values twice.
    const before = byId || field.stored ? undefined : out[name];
    if (found.length > 0) out[name] = Array.isArray(before) ? [...before, ...found] : found;
  }
  return Object.keys(out).length === 0 ? undefined : out;
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

/** Values as the type of their field has them; those that it can't read were never stored. */
function storedValues(field: LeafField, texts: readonly string[]): Json[] {
  return texts.flatMap((text) => {
    try {
      const value = parseJson(text);
      if (field.ownsArrays) return field.valuesForSearch(value).map((each) => raw(jsonText(each)));
      const shown = field.valueForSearch(value);
      return shown === undefined ? [] : raw(jsonText(shown));
    } catch {
      return [];
    }
  });
}

const raw = (text: string) => new Raw(utf8.encode(text));

/** Fields after an update: whatever stands under their paths, mapped or not. */
export function updatedFields(names: readonly string[], document: StoredDocument): Json | undefined {
  const values = new FieldValues(document.source);
  const out: Record<string, Json> = {};
  for (const name of names) {
    if (name === '_source') continue;
    const found = values.values(name);
    if (found.length > 0) out[name] = found.map((text) => new Raw(utf8.encode(text)));
  }
  return Object.keys(out).length === 0 ? undefined : out;
}

function metadataOf(name: string, document: VisibleDocument, model: MappingModel): Json | undefined {
  if (name === '_parent') return document.parent;
  const type = model.type(document.type);
  const isStored = type?.meta.isStored(name) === true || keepsStored(type?.root.echoed[name]);
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
