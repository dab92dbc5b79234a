/** The `fields` of documents that answers show beside or instead of their sources. */
import { illegalArgument } from '../errors.js';
import { FieldValues } from '../index/fieldValues.js';
import type { MappingModel } from '../mapping/model.js';
import type { StoredDocument } from '../storage/records.js';
import { type Json, Raw } from './json.js';

const utf8 = new TextEncoder();

/** The fields of a document that are mapped and have values; undefined if none has. Metadata stands without a list. */
export function fieldsOf(
  names: readonly string[],
  document: StoredDocument,
  model: MappingModel,
): Json | undefined {
  const out: Record<string, Json> = {};
  let values: FieldValues | undefined;
  for (const name of names) {
    if (name === '_source') continue;
    const metadata = metadataOf(name, document);
    if (metadata !== undefined) out[name] = metadata;
    if (name.startsWith('_')) continue;
    if (model.find(name) === undefined) {
      if (model.isObject(name)) throw illegalArgument(`field [${name}] isn't a leaf field`);
      continue;
    }
    values ??= new FieldValues(document.source);
    const found = values.leaves(pathOf(model, name));
    if (found.length > 0) out[name] = found.map((text) => new Raw(utf8.encode(text)));
  }
  return Object.keys(out).length === 0 ? undefined : out;
}

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

function metadataOf(name: string, document: StoredDocument): Json | undefined {
  return name === '_routing' ? document.routing : undefined;
}

/** A name may begin with its type. */
function pathOf(model: MappingModel, name: string): string {
  return model.find(name)?.field.fullName ?? name;
}
