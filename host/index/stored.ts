/** What the cluster keeps beside its indices: templates of indices, settings, scripts and search templates. */
import { ElasticsearchError, illegalArgument } from '../errors.js';
import {
  bytesOver,
  decodeJson,
  encodeJson,
  SCRIPT_RANGE,
  scriptKey,
  SETTINGS_KEY,
  TEMPLATE_RANGE,
  templateKey,
} from '../storage/records.js';
import type { Entry, Storage } from '../storage/storage.js';
import { type Version, versionFrom } from '../storage/versions.js';
import { ClusterBlocks } from './blocks.js';
import { wildcard } from './names.js';
import { decideVersion, type Operation, type Place } from './operation.js';
import { shardOf } from './routing.js';
import type { FlatSettings } from './settings.js';
import { checkTemplate, type IndexTemplate, MAX_NAME_BYTES } from './templates.js';

/** A stored script or search template. */
export interface StoredScript {
  version: Version;
  script: string;
}

/** The same as it is kept: a version beyond 2^53 is the text of its digits. */
export interface SavedScript {
  version: number | string;
  script: string;
}

function savedScript({ version, script }: StoredScript): SavedScript {
  return { version: typeof version === 'bigint' ? String(version) : version, script };
}

function readScript({ version, script }: SavedScript): StoredScript {
  return { version: typeof version === 'string' ? versionFrom(BigInt(version)) : version, script };
}

/** What snapshots may hold beside indices. */
export interface GlobalState {
  settings: FlatSettings;
  templates: Record<string, IndexTemplate>;
  /** Stored scripts and search templates, by language and id: `mustache/mine`. */
  scripts: Record<string, SavedScript>;
}

/** Where 1.7 keeps scripts; answers name it. */
export const SCRIPT_INDEX = '.scripts';

/** What a write of a script asks of the version that is there. */
export type ScriptWrite = Pick<Operation, 'version' | 'versionType' | 'create'>;

const MAX_DELETED = 10_000;

/** Runs a change when those before it are done. */
type Exclusive = <T>(change: () => Promise<T>) => Promise<T>;

/** Kept in memory, written through to the store. */
export class Stored {
  readonly #storage: Storage;
  readonly #exclusive: Exclusive;
  readonly #templates = new Map<string, IndexTemplate>();
  readonly #scripts = new Map<string, StoredScript>();
  /** Versions of scripts that were deleted, as long as the process lives. */
  readonly #deleted = new Map<string, Version>();
  /** What the settings forbid everywhere. */
  readonly blocks = new ClusterBlocks();
  /** Called when settings have changed. */
  settingsChanged: () => void = () => {};
  #persistent: FlatSettings = {};
  #transient: FlatSettings = {};

  constructor(storage: Storage, exclusive: Exclusive) {
    this.#storage = storage;
    this.#exclusive = exclusive;
    const nameOf = (key: Uint8Array) => new TextDecoder().decode(key.subarray(2));
    for (const [key, value] of storage.range(...TEMPLATE_RANGE))
      this.#templates.set(nameOf(key), decodeJson(value));
    for (const [key, value] of storage.range(...SCRIPT_RANGE))
      this.#scripts.set(nameOf(key), readScript(decodeJson(value)));
    const settings = storage.get(SETTINGS_KEY);
    if (settings !== undefined) this.#persistent = decodeJson(settings);
    this.blocks.set(this.#persistent, this.#transient);
  }

  get templates(): ReadonlyMap<string, IndexTemplate> {
    return this.#templates;
  }

  /** Settings of the cluster; the transient ones are forgotten at the end of the process. */
  get settings(): { persistent: FlatSettings; transient: FlatSettings } {
    return { persistent: this.#persistent, transient: this.#transient };
  }

  /** A setting as it stands; transient ones go before. */
  setting(name: string): string | undefined {
    return this.#transient[name] ?? this.#persistent[name];
  }

  /** Refuses what means more than the indices it names, where the settings of the cluster say that what's done can't be undone. */
  checkNamed(expression: string | undefined): void {
    if (this.setting('action.destructive_requires_name') !== 'true') return;
    const names = expression === undefined ? ['_all'] : expression.split(',');
    if (names.some((name) => name === '_all' || name.includes('*')))
      throw illegalArgument('Wildcard expressions or all indices are not allowed');
  }

  /** The templates whose names fit, sorted. */
  matchingTemplates(patterns: readonly string[] | undefined): [string, IndexTemplate][] {
    const tests = patterns?.map(wildcard);
    return [...this.#templates]
      .filter(([name]) => tests === undefined || tests.some((test) => test(name)))
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  putTemplate(name: string, template: IndexTemplate, create: boolean): Promise<void> {
    return this.#exclusive(async () => {
      this.blocks.check('metadata_write');
      checkTemplate(name, template);
      if (create && this.#templates.has(name)) {
        const detail = `index_template [${name}] already exists`;
        throw new ElasticsearchError('IndexTemplateAlreadyExistsException', detail);
      }
      await this.#storage.commit([[templateKey(name), encodeJson(template)]], []);
      this.#templates.set(name, template);
    });
  }

  /** Forgets templates; 404 if a name or pattern finds none. */
  deleteTemplates(pattern: string): Promise<void> {
    return this.#exclusive(async () => {
      this.blocks.check('metadata_write');
      const names = this.matchingTemplates([pattern]).map(([name]) => name);
      if (names.length === 0 && pattern !== '*') {
        const detail = `index_template [${pattern}] missing`;
        throw new ElasticsearchError('IndexTemplateMissingException', detail);
      }
      await this.#storage.commit([], names.map(templateKey));
      for (const name of names) this.#templates.delete(name);
    });
  }

  /** What there is. */
  get global(): GlobalState {
    return {
      settings: this.#persistent,
      templates: Object.fromEntries(this.#templates),
      scripts: Object.fromEntries([...this.#scripts].map(([name, script]) => [name, savedScript(script)])),
    };
  }

  /** The rows of these settings, templates and scripts, which take the place of those of the same name. */
  globalEntries({ settings, templates, scripts }: GlobalState): Entry[] {
    return [
      [SETTINGS_KEY, encodeJson(settings)],
      ...Object.entries(templates).map(
        ([name, template]): Entry => [templateKey(name), encodeJson(template)],
      ),
      ...Object.entries(scripts).map(([name, script]): Entry => [scriptKey(name), encodeJson(script)]),
    ];
  }

  /** They are committed. */
  adoptGlobal({ settings, templates, scripts }: GlobalState): void {
    this.#persistent = settings;
    for (const [name, template] of Object.entries(templates)) this.#templates.set(name, template);
    for (const [name, script] of Object.entries(scripts)) {
      this.#scripts.set(name, readScript(script));
      this.#deleted.delete(name);
    }
    this.#settingsAre();
  }

  putSettings(persistent: FlatSettings, transient: FlatSettings): Promise<void> {
    return this.#exclusive(async () => {
      const next = { ...this.#persistent, ...persistent };
      await this.#storage.commit([[SETTINGS_KEY, encodeJson(next)]], []);
      this.#persistent = next;
      this.#transient = { ...this.#transient, ...transient };
      this.#settingsAre();
    });
  }

  #settingsAre(): void {
    this.blocks.set(this.#persistent, this.#transient);
    this.settingsChanged();
  }

  /** Whether 1.7 would have an index of scripts: a script was put or deleted since all indices were. */
  get hasScriptIndex(): boolean {
    return this.#scripts.size > 0 || this.#deleted.size > 0;
  }

  script(language: string, id: string): StoredScript | undefined {
    return this.#scripts.get(`${language}/${id}`);
  }

  /** Keeps a script; returns its version, and whether there was none. */
  putScript(
    language: string,
    id: string,
    script: string,
    wanted: ScriptWrite = {},
  ): Promise<{ version: Version; created: boolean }> {
    return this.#exclusive(async () => {
      const name = `${language}/${id}`;
      if (bytesOver(MAX_NAME_BYTES, name) > 0)
        throw illegalArgument(`the id of a script may take ${MAX_NAME_BYTES} bytes in UTF-8`);
      const version = this.#nextVersion(language, id, { ...wanted, kind: 'index' });
      const created = !this.#scripts.has(name);
      await this.#storage.commit([[scriptKey(name), encodeJson(savedScript({ version, script }))]], []);
      this.#scripts.set(name, { version, script });
      this.#deleted.delete(name);
      return { version, created };
    });
  }

  /** The version that a write of a script gets; throws where it may not be. */
  #nextVersion(language: string, id: string, op: ScriptWrite & Pick<Operation, 'kind'>): Version {
    const name = `${language}/${id}`;
    const known = this.#scripts.get(name)?.version;
    const version = known ?? this.#deleted.get(name);
    const current =
      version === undefined ? undefined : { seq: known === undefined ? 0 : 1, version, deletedAt: 0 };
    const next = decideVersion({ ...op, type: language, id }, current, placeOfScript(language, id));
    if (next instanceof ElasticsearchError) throw next;
    return next;
  }

  /** Forgets all scripts; part of a change that is going on. */
  async dropScripts(): Promise<void> {
    await this.#storage.commit([], [...this.#scripts.keys()].map(scriptKey));
    this.#scripts.clear();
    this.#deleted.clear();
  }

  /** Forgets a script; says whether there was one, and the version of the deletion. */
  deleteScript(
    language: string,
    id: string,
    wanted: ScriptWrite = {},
  ): Promise<{ found: boolean; version: Version }> {
    return this.#exclusive(async () => {
      const name = `${language}/${id}`;
      const known = this.#scripts.get(name);
      const version = this.#nextVersion(language, id, { ...wanted, kind: 'delete' });
      if (known !== undefined) await this.#storage.commit([], [scriptKey(name)]);
      this.#scripts.delete(name);
      if (this.#deleted.size < MAX_DELETED) this.#deleted.set(name, version);
      return { found: known !== undefined, version };
    });
  }
}

/** Where 1.7 keeps a script, which errors name: an index of five shards. */
export function placeOfScript(language: string, id: string): Place {
  return { index: SCRIPT_INDEX, shard: shardOf(id, 5), type: language, id };
}
