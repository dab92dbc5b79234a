/** The body of an update: what a document becomes. */

import { NO_FORMAT, nullPointer } from '../compat17/javaCasts.js';
import { documentMissing, ElasticsearchError, toElasticsearchError, validationFailed } from '../errors.js';
import { TooDeep } from '../json/jsonDepth.js';
import { looksLikeJson, parseLax } from '../json/laxJson.js';
import { isRawObject, parseRaw, print, type Raw, type RawObject } from '../json/rawJson.js';
import { booleanOf, isObject } from '../json/values.js';
import type { DocumentChange, Place, VersionType } from '../shard/operation.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import type { Version } from '../storage/versions.js';
import { scriptedUpdates } from './lateScriptedUpdate.js';
import type { UpdateScript, UpdateScripts } from './scriptedUpdate.js';

/** An update, read. */
export interface DocumentUpdate {
  /** Whatever stands there: only what is merged or indexed has to be an object. */
  doc?: Raw;
  upsert?: Raw;
  docAsUpsert: boolean;
  detectNoop: boolean;
  scriptedUpsert: boolean;
  script?: UpdateScript;
  /** Fields of the result that the answer shows. */
  fields?: string[];
}

const utf8 = new TextDecoder();
const SCRIPT_KINDS: readonly [key: string, kind: UpdateScript['kind']][] = [
  ['script', 'inline'],
  ['script_id', 'indexed'],
  ['scriptId', 'indexed'],
  ['script_file', 'file'],
  ['scriptFile', 'file'],
];

/** Reads a body; an empty one asks for nothing. `given` are parameters of the URL. */
export function readUpdate(body: Uint8Array, given: ReadonlyMap<string, string>): DocumentUpdate {
  const update: DocumentUpdate = { docAsUpsert: false, detectNoop: false, scriptedUpsert: false };
  const value = body.length === 0 ? {} : parsed(body);
  if (!isObject(value)) throw nullPointer(NO_FORMAT);
  const raw = body.length === 0 ? { entries: [] } : (parseRaw(utf8.decode(body)) as RawObject);
  const inner = (key: string) => raw.entries.findLast(([name]) => name === key)![1];
  if ('doc' in value) update.doc = inner('doc');
  if ('upsert' in value) update.upsert = inner('upsert');
  if (value.doc_as_upsert !== undefined) update.docAsUpsert = booleanOf(value.doc_as_upsert);
  if (value.detect_noop !== undefined) update.detectNoop = booleanOf(value.detect_noop);
  if (value.scripted_upsert !== undefined) update.scriptedUpsert = booleanOf(value.scripted_upsert);
  const params = isObject(value.params) ? value.params : {};
  const lang = given.get('lang') ?? (typeof value.lang === 'string' ? value.lang : 'groovy');
  for (const [key, kind] of SCRIPT_KINDS) {
    const name = value[key] ?? given.get(key);
    if (typeof name === 'string') update.script = { kind, name, lang, params };
  }
  if (Array.isArray(value.fields)) update.fields = value.fields.map(String);
  return update;
}

function parsed(body: Uint8Array): unknown {
  if (!looksLikeJson(body)) throw nullPointer(NO_FORMAT);
  try {
    return parseLax(utf8.decode(body));
  } catch (e) {
    if (e instanceof TooDeep) throw e;
    const { exception, detail } = toElasticsearchError(e);
    throw new ElasticsearchError(exception, detail, { status: 500 });
  }
}

/** What is wrong with an update, by its parts and by the versions it asks for; empty if nothing is. */
export function updateProblems(
  { doc, script, docAsUpsert }: DocumentUpdate,
  version: Version | undefined,
  type: VersionType,
  retries: number,
): string[] {
  const problems: string[] = [];
  if (type !== 'internal' && type !== 'force') {
    problems.push(`version type [${type.toUpperCase()}] is not supported by the update API`);
  } else {
    if (version !== undefined && retries > 0)
      problems.push("can't provide both retry_on_conflict and a specific version");
    const legal = type === 'force' ? (version ?? -1) >= 0 : (version ?? 0) >= 0;
    if (!legal)
      problems.push(`illegal version value [${version ?? -3}] for version type [${type.toUpperCase()}]`);
  }
  if (doc === undefined && script === undefined) problems.push('script or doc is missing');
  if (doc !== undefined && script !== undefined) problems.push("can't provide both script and doc");
  if (doc === undefined && docAsUpsert) problems.push('doc must be specified if doc_as_upsert is enabled');
  return problems;
}

/** Refuses an update that can't be. */
export function checkUpdate(...args: Parameters<typeof updateProblems>): void {
  const problems = updateProblems(...args);
  if (problems.length > 0) throw validationFailed(...problems);
}

/** What the update makes of the document that is there. */
export function applyUpdate(
  update: DocumentUpdate,
  current: StoredDocument | undefined,
  at: Place,
  scripts: UpdateScripts,
): DocumentChange {
  const { doc, upsert, docAsUpsert, detectNoop, scriptedUpsert, script } = update;
  if (current === undefined) {
    const made = docAsUpsert ? doc : upsert;
    if (made === undefined) throw documentMissing(at);
    const source = encode(made);
    return scriptedUpsert && script !== undefined
      ? scriptedUpdates.loaded.scriptedChange(script, undefined, source, at, scripts)
      : { source };
  }
  if (script !== undefined)
    return scriptedUpdates.loaded.scriptedChange(script, current, undefined, at, scripts);
  if (doc === undefined || !isRawObject(doc)) throw nullPointer(NO_FORMAT);
  const before = parseRaw(utf8.decode(current.source)) as RawObject;
  const { merged, changed } = merge(before, doc);
  return detectNoop && !changed ? 'none' : { source: encode(merged) };
}

/** Objects merge, everything else is replaced. */
function merge(base: RawObject, over: RawObject): { merged: RawObject; changed: boolean } {
  const entries = new Map<string, Raw>(base.entries);
  let changed = false;
  for (const [key, value] of over.entries) {
    const old = entries.get(key);
    if (old !== undefined && isRawObject(old) && isRawObject(value)) {
      const inner = merge(old, value);
      entries.set(key, inner.merged);
      changed ||= inner.changed;
      continue;
    }
    changed ||= old === undefined || !same(old, value);
    entries.set(key, value);
  }
  return { merged: { entries: [...entries] }, changed };
}

function same(a: Raw, b: Raw): boolean {
  if (typeof a === 'string' && typeof b === 'string')
    return (
      print(a) === print(b) || (a.startsWith('"') && b.startsWith('"') && JSON.parse(a) === JSON.parse(b))
    );
  return print(a) === print(b);
}

function encode(value: Raw): Uint8Array {
  return new TextEncoder().encode(print(value));
}
