/** Stored scripts and search templates: the documents of an index, as in 1.7, by language and id. */
import {
  ElasticsearchError,
  illegalArgument,
  indexClosed,
  indexMissing,
  withoutWriteFailed,
} from '../errors.js';
import { jsonText } from '../json/jsonText.js';
import { parseLax } from '../json/laxJson.js';
import { isObject, javaText } from '../json/values.js';
import type { Cluster } from '../metadata/cluster.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { SCRIPT_INDEX } from '../metadata/scriptIndex.js';
import type { SavedScript } from '../metadata/stored.js';
import { type Operation, type WriteResult, wrongVersion } from '../shard/operation.js';
import { encodeJson, scriptKey } from '../storage/records.js';
import type { Storage } from '../storage/storage.js';
import { type Version, versionFrom } from '../storage/versions.js';
import type { IndexedOperation, OperationOutcome } from './writing.js';

/** A stored script or search template. */
export interface StoredScript {
  version: Version;
  script: string;
}

/** What scripts need of the engine. */
export interface ScriptServices {
  cluster: Pick<Cluster, 'find'>;
  storage: Storage;
  write(operations: readonly IndexedOperation[]): Promise<OperationOutcome[]>;
  refresh(outcomes: readonly OperationOutcome[]): Promise<void>;
}

/** What a request asks of the version that is there. */
export type ScriptVersion = Pick<Operation, 'version' | 'versionType'>;

const utf8 = new TextDecoder();

/** The scripts of the engine, whoever asks. */
export class Scripts {
  readonly #services: ScriptServices;

  constructor(services: ScriptServices) {
    this.#services = services;
  }

  /** The index of the scripts, if there is one. */
  get index(): OpenIndex | undefined {
    return this.#services.cluster.find(SCRIPT_INDEX);
  }

  /** A script, to be asked for in passes (passes.ts) where other nodes may have it; 404 before the first of them is stored, 409 if its version is not the one that is wanted. */
  get(language: string, id: string, wanted: ScriptVersion = {}): StoredScript | undefined {
    const { index } = this;
    if (index === undefined) throw indexMissing(SCRIPT_INDEX);
    if (index.closed) throw indexClosed(SCRIPT_INDEX);
    const shard = index.shardOf(language, id, undefined);
    const document = shard.isHeld
      ? shard.documents.get(language, id)
      : shard.documentElsewhere([language], id);
    if (document === undefined) return undefined;
    const { version, source } = document;
    const place = { index: SCRIPT_INDEX, shard: shard.number, type: language, id };
    const wrong = wrongVersion(place, version, wanted.version, wanted.versionType ?? 'internal');
    if (wrong !== undefined) throw wrong;
    return { version, script: scriptIn(parseLax(utf8.decode(source))) };
  }

  /** The text of a script; refused where it is missing. */
  text(language: string, id: string): string {
    const found = this.get(language, id);
    if (found === undefined)
      throw illegalArgument(`Unable to find script [${SCRIPT_INDEX}/${language}/${id}]`);
    return found.script;
  }

  /** Keeps a script, as the document that it came in. */
  put(
    language: string,
    id: string,
    source: Uint8Array,
    wanted: ScriptVersion & Pick<Operation, 'create'>,
  ): Promise<WriteResult> {
    return this.#write({ ...wanted, kind: 'index', index: SCRIPT_INDEX, type: language, id, source });
  }

  /** Forgets a script; says whether there was one, and the version of the deletion. */
  delete(language: string, id: string, wanted: ScriptVersion): Promise<WriteResult> {
    return this.#write({ ...wanted, kind: 'delete', index: SCRIPT_INDEX, type: language, id });
  }

  async #write(operation: IndexedOperation): Promise<WriteResult> {
    const outcomes = await this.#services.write([operation]);
    const { result } = outcomes[0]!;
    if (result instanceof ElasticsearchError) throw withoutWriteFailed(result);
    await this.#services.refresh(outcomes);
    return result;
  }

  /** Puts scripts into the index that older servers kept beside it, in rows of the store or in a snapshot. */
  async move(scripts: Readonly<Record<string, SavedScript>>): Promise<void> {
    for (const [name, { script, version }] of Object.entries(scripts)) {
      const slash = name.indexOf('/');
      const [language, id] = [name.slice(0, slash), name.slice(slash + 1)];
      const source = encodeJson(language === 'mustache' ? { template: script } : { script });
      await this.put(language, id, source, { version: versionFrom(BigInt(version)), versionType: 'force' });
      await this.#services.storage.commit([], [scriptKey(name)]);
    }
  }
}

/** The script in a document: what is under `template` or `script`, else all of it. */
function scriptIn(source: unknown): string {
  if (!isObject(source)) return '';
  const { template, script } = source;
  if (template !== undefined) return isObject(template) ? jsonText(template) : javaText(template);
  return script === undefined ? jsonText(source) : javaText(script);
}
