/** A document as the server tells it: its source as it was written, and what is kept beside it. */
import { isObject, type Json, LosslessNumber } from '../../api/json';

export interface StoredDocument {
  index: string;
  type: string;
  id: string;
  version: string;
  /** As it was written, to the last digit. */
  sourceText: string;
  source: Json;
  routing: string | undefined;
  parent: string | undefined;
  timestamp: string | undefined;
  ttl: string | undefined;
}

/** Where a document is. */
export interface DocumentPlace {
  index: string;
  type: string;
  id: string;
  routing: string;
}

/** The path of a document. */
export function documentPath({ index, type, id }: Pick<DocumentPlace, 'index' | 'type' | 'id'>): string {
  return `/${[index, type, id].map(encodeURIComponent).join('/')}`;
}

/** The path with parameters: those that are empty are left out. */
export function withParameters(
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`)
    .join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** Reads an answer of `GET /{index}/{type}/{id}`; undefined where there is no such document. */
export function readDocument(json: Json | undefined, text: string): StoredDocument | undefined {
  if (!isObject(json) || json.found !== true) return undefined;
  const fields = isObject(json.fields) ? json.fields : {};
  const other = (name: string) => textOf(json[name] ?? fields[name]);
  return {
    index: textOf(json._index) ?? '',
    type: textOf(json._type) ?? '',
    id: textOf(json._id) ?? '',
    version: textOf(json._version) ?? '',
    sourceText: sourceIn(text) ?? '{}',
    source: json._source ?? {},
    routing: other('_routing'),
    parent: other('_parent'),
    timestamp: other('_timestamp'),
    ttl: other('_ttl'),
  };
}

function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return value instanceof LosslessNumber ? value.value : String(value);
}

/** The text of `_source` at the top of an answer, untouched: numbers keep the form in which they were written. */
export function sourceIn(text: string): string | undefined {
  let depth = 0;
  let start: number | undefined;
  let name: string | undefined;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if (token === '{' || token === '[') {
      if (depth === 1 && name === '"_source"' && start === undefined) start = index;
      depth++;
    } else if (token === '}' || token === ']') {
      depth--;
      if (depth === 1 && start !== undefined) return text.slice(start, index + 1);
    } else if (depth === 1 && token.startsWith('"')) name = token;
    else if (depth === 1 && token === ',') name = undefined;
  }
  return undefined;
}
