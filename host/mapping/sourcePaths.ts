/** What a mapping takes from inside a document: its routing value, its id; and what of a source it lets be seen. */
import { mapperParsing } from '../errors.js';
import type { MappingModel } from './model.js';
import { isObject } from '../json/values.js';
import { FieldValues } from '../json/fieldValues.js';
import { filterSource } from '../json/rawJson.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/** The routing value of a document: the given one, or that of the field which the mapping names for it. */
export function routingOf(
  model: MappingModel,
  type: string,
  given: string | undefined,
  source: Uint8Array | undefined,
): string | undefined {
  const path = model.type(type)?.meta.routing.path;
  if (path === undefined || source === undefined) return given;
  const inside = firstText(source, path);
  if (given !== undefined && inside !== undefined && inside !== given) {
    throw mapperParsing(
      `The provided routing value [${given}] doesn't match the routing key stored in the document: [${inside}]`,
    );
  }
  return given ?? inside;
}

/** The id of a document that came without one, where the mapping names a field for it. */
export function idInside(model: MappingModel, type: string, source: Uint8Array): string | undefined {
  const id = model.type(type)?.root.echoed._id;
  if (!isObject(id) || typeof id.path !== 'string') return undefined;
  return firstText(source, id.path);
}

/** The first value of a field as text; a source that isn't JSON has none, and is refused elsewhere. */
function firstText(source: Uint8Array, path: string): string | undefined {
  let found: string | undefined;
  try {
    [found] = new FieldValues(source).leaves(path);
  } catch {
    return undefined;
  }
  return found?.startsWith('"') ? (JSON.parse(found) as string) : found;
}

const NOTHING = new Uint8Array(0);

/** A document as answers may show it. */
export interface VisibleDocument extends StoredDocument {
  /** The source with what may not be seen of it, for fields that are stored by themselves; undefined: `source` is all. */
  whole?: Uint8Array;
  /** What is left of its time to live, in milliseconds. */
  left?: number;
}

/** A document at a time, with as much of its source as the mapping of its type lets be seen; none is empty. */
export function visibleDocument(
  model: MappingModel,
  stored: StoredDocument,
  now: () => number,
): VisibleDocument {
  const { expires } = stored;
  const document: VisibleDocument = expires === undefined ? stored : { ...stored, left: expires - now() };
  const source = model.type(document.type)?.source;
  if (source === undefined || (source.enabled && source.includes.length + source.excludes.length === 0))
    return document;
  const seen = source.enabled ? filterSource(document.source, source) : NOTHING;
  return { ...document, source: seen, whole: document.source };
}
