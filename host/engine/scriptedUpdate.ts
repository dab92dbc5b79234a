/** Updates by a script: what it makes of the document that is there, or of the one that would be. */
import { documentMissing, ElasticsearchError, illegalArgument } from '../errors.js';
import { disabledScripts } from '../expression/lateDisabled.js';
import type { JsonObject } from '../json/values.js';
import { scripts as compiling } from '../script/lateScripts.js';
import type { Groovy } from '../script/groovy.js';
import type { ScriptSource } from '../script/script.js';
import type { DocumentChange, Place } from '../shard/operation.js';
import type { StoredDocument } from '../storage/storedDocuments.js';

/** A script as an update names it. */
export interface UpdateScript {
  kind: ScriptSource;
  /** Its text, id or file. */
  name: string;
  lang: string;
  params: JsonObject;
}

/** What runs scripts of updates. */
export interface UpdateScripts {
  /** Undefined where none may run. */
  groovy: Groovy | undefined;
  /** The text of a stored script. */
  stored(language: string, id: string): string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * What a script makes of a document.
 * @param upsert the source of the document that would be; undefined: there would be none
 */
export function scriptedChange(
  { kind, name, lang, params }: UpdateScript,
  current: StoredDocument | undefined,
  upsert: Uint8Array | undefined,
  place: Place,
  scripts: UpdateScripts,
): DocumentChange {
  const source = current?.source ?? upsert;
  if (source === undefined) throw documentMissing(place);
  const { groovy, text } = script({ kind, name, lang }, scripts);
  const { index, type, id } = place;
  const left = current?.expires === undefined ? undefined : current.expires - scripts.now();
  const { version, routing, parent, timestamp } = current ?? {};
  const own = { version, routing, parent, timestamp, ttl: left };
  const done = groovy.update(text, params, {
    index,
    type,
    id,
    ...own,
    source,
    create: current === undefined,
  });
  if (done.op === 'none' || done.op === 'delete') return done.op;
  return { source: done.source, timestamp: done.timestamp, ttl: done.ttl };
}

/** Its text, and who reads it; 400 where it can't run. */
function script({ kind, name, lang }: Omit<UpdateScript, 'params'>, scripts: UpdateScripts) {
  try {
    if (lang !== 'groovy') throw disabledScripts.loaded.scriptDisabled(kind, name, lang, 'update');
    return compiling.loaded.groovyOf({ text: name, source: kind }, 'update', scripts);
  } catch (e) {
    throw e instanceof ElasticsearchError ? illegalArgument('failed to execute script', e) : e;
  }
}
