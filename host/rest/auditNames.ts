/** Which indices and aliases a request names, for the audit log: in its path and parameters, and in bodies that have places for them. */
import { isObject } from '../json/values.js';
import type { Endpoint } from './endpoint.js';

/** So many names are told of one request; a bulk may have a million. */
const MOST = 100;
/** Longer lines are documents, and longer names are none. */
const MAX_LINE = 16 * 1024;
const MAX_NAME = 255;
const KEYS = ['_index', 'index', 'indices', 'alias', 'aliases', 'percolate_index'];
const LINE_FEED = 0x0a;
const text = new TextDecoder();

/** The names, each once. `path` is what stands in the place of the parts of the endpoint's path. */
export function namesIn(
  { indexParts = ['index', 'indices'], indicesInBody }: Endpoint,
  path: Readonly<Record<string, string>>,
  body: Uint8Array,
): string[] {
  const names = new Set<string>();
  for (const part of indexParts) take(path[part], names);
  if (indicesInBody === 'json') ofObject(body, names);
  else if (indicesInBody !== undefined) ofLines(body, names, indicesInBody === 'bulk');
  return [...names];
}

function take(given: unknown, names: Set<string>): void {
  if (Array.isArray(given)) for (const each of given) take(each, names);
  if (typeof given !== 'string') return;
  for (const name of given.split(',')) {
    if (names.size >= MOST) return;
    if (name !== '') names.add(name.slice(0, MAX_NAME));
  }
}

/** Of each header; what follows it is not looked at. */
function ofLines(body: Uint8Array, names: Set<string>, isBulk: boolean): void {
  let isHeader = true;
  for (let at = 0; at < body.length && names.size < MOST; ) {
    const found = body.indexOf(LINE_FEED, at);
    const end = found < 0 ? body.length : found;
    if (!isHeader || end - at > MAX_LINE) isHeader = true;
    else if (end > at) {
      const header = parsed(body.subarray(at, end));
      const [kind, meta] = isObject(header) ? (Object.entries(header)[0] ?? []) : [];
      if (isObject(header)) keysOf(header, names);
      if (isObject(meta)) keysOf(meta, names);
      isHeader = isBulk && kind === 'delete';
    }
    at = end + 1;
  }
}

function ofObject(body: Uint8Array, names: Set<string>): void {
  const value = parsed(body);
  if (!isObject(value)) return;
  keysOf(value, names);
  for (const list of [value.docs, value.actions]) {
    if (!Array.isArray(list)) continue;
    for (const each of list) {
      if (!isObject(each)) continue;
      keysOf(each, names);
      for (const inner of Object.values(each)) if (isObject(inner)) keysOf(inner, names);
    }
  }
}

function keysOf(object: Readonly<Record<string, unknown>>, names: Set<string>): void {
  for (const key of KEYS) if (Object.hasOwn(object, key)) take(object[key], names);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(text.decode(bytes));
  } catch {
    return undefined;
  }
}
