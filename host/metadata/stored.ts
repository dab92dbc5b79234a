/** What the cluster keeps beside its indices: templates of indices and settings. */
import { ElasticsearchError, illegalArgument } from '../errors.js';
import { ownValue } from '../ownNames.js';
import { ClusterBlocks } from '../settings/blocks.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import {
  decodeJson,
  decodeText,
  encodeJson,
  encodeText,
  nameInKey,
  SCRIPT_RANGE,
  SECURITY_KEY,
  SETTINGS_KEY,
  SETTINGS_RANGE,
  TEMPLATE_RANGE,
  templateKey,
} from '../storage/records.js';
import type { DamagedRow, Entry, Storage } from '../storage/storage.js';
import { wildcard } from '../text/wildcard.js';
import type { MetadataSize } from './metadataSize.js';
import { checkTemplate, type IndexTemplate } from './templates.js';

/** A stored script as older servers kept it, beside the indices: a version beyond 2^53 is the text of its digits. */
export interface SavedScript {
  version: number | string;
  script: string;
}

/** What snapshots may hold beside indices. */
export interface GlobalState {
  settings: FlatSettings;
  templates: Record<string, IndexTemplate>;
}

/** Settings of the cluster; the transient ones are forgotten at the end of the process. */
export interface ClusterSettings {
  persistent: FlatSettings;
  transient: FlatSettings;
}

/** Under this key settings that aren't stored are counted. */
const TRANSIENT_KEY = Uint8Array.of(...SETTINGS_KEY, 0);

/** Runs a change when those before it are done. */
type Exclusive = <T>(change: () => Promise<T>) => Promise<T>;

/** Kept in memory, written through to the store. */
export class Stored {
  readonly #storage: Storage;
  readonly #size: MetadataSize;
  readonly #exclusive: Exclusive;
  readonly #keepsTransient: boolean;
  readonly #templates = new Map<string, IndexTemplate>();
  /** What the settings forbid everywhere. */
  readonly blocks = new ClusterBlocks();
  /** Called when settings have changed. */
  settingsChanged: () => void = () => {};
  /** Called when users of the cluster have changed. */
  usersChanged: () => void = () => {};
  #persistent: FlatSettings = {};
  #transient: FlatSettings = {};
  #users: string | undefined;

  /**
   * @param warn told of what is damaged and left out
   * @param keepsTransient whether transient settings outlive the process, as they do on a cluster of which other nodes go on
   */
  constructor(
    storage: Storage,
    size: MetadataSize,
    exclusive: Exclusive,
    warn: (message: string) => void,
    keepsTransient = false,
  ) {
    this.#keepsTransient = keepsTransient;
    this.#storage = storage;
    this.#size = size;
    this.#exclusive = exclusive;
    const without = (what: string) => (row: DamagedRow) => warn(`${what} is left out: ${row.message}`);
    const damaged = (row: DamagedRow) => without(`the template [${nameInKey(row.key)}]`)(row);
    for (const [key, value] of storage.range(...TEMPLATE_RANGE, { damaged }))
      this.#templates.set(nameInKey(key), decodeJson(value));
    const range = storage.range(...SETTINGS_RANGE, { damaged: without('what the settings are') });
    for (const [, settings] of range) this.#persistent = decodeJson(settings);
    const passing = keepsTransient ? storage.get(TRANSIENT_KEY) : undefined;
    if (passing !== undefined) this.#transient = decodeJson(passing);
    this.blocks.set(this.#persistent, this.#transient);
    const users = storage.get(SECURITY_KEY);
    if (users !== undefined) this.#users = decodeText(users);
  }

  /** Users and API keys that all nodes of the cluster know, as the text of a users file; undefined for none. */
  get users(): string | undefined {
    return this.#users;
  }

  /** Changes them. @param change makes the text that is to be; undefined leaves it as it is */
  changeUsers(change: (users: string | undefined) => string | undefined): Promise<void> {
    return this.#exclusive(async () => {
      const next = change(this.#users);
      if (next === undefined) return;
      await this.#commit([[SECURITY_KEY, encodeText(next)]], []);
      this.#users = next;
      this.usersChanged();
    });
  }

  get templates(): ReadonlyMap<string, IndexTemplate> {
    return this.#templates;
  }

  /** Settings of the cluster; the transient ones are forgotten at the end of the process. */
  get settings(): ClusterSettings {
    return { persistent: this.#persistent, transient: this.#transient };
  }

  /** A setting as it stands; transient ones go before. */
  setting(name: string): string | undefined {
    return ownValue(this.#transient, name) ?? ownValue(this.#persistent, name);
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
      await this.#commit([[templateKey(name), encodeJson(template)]], []);
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
      await this.#commit([], names.map(templateKey));
      for (const name of names) this.#templates.delete(name);
    });
  }

  /** What there is. */
  get global(): GlobalState {
    return {
      settings: this.#persistent,
      templates: Object.fromEntries(this.#templates),
    };
  }

  /** The rows of these settings and templates, which take the place of those of the same name. */
  globalEntries({ settings, templates }: GlobalState): Entry[] {
    return [
      [SETTINGS_KEY, encodeJson(settings)],
      ...Object.entries(templates).map(
        ([name, template]): Entry => [templateKey(name), encodeJson(template)],
      ),
    ];
  }

  /** They are committed. */
  adoptGlobal({ settings, templates }: GlobalState): void {
    this.#persistent = settings;
    for (const [name, template] of Object.entries(templates)) this.#templates.set(name, template);
    this.#settingsAre();
  }

  /** Settings that another thread has committed. */
  follow({ persistent, transient }: ClusterSettings): void {
    this.#persistent = persistent;
    this.#transient = transient;
    this.#settingsAre();
  }

  /** Rows that another node has committed. */
  followRows(puts: readonly Entry[], deletes: readonly Uint8Array[]): void {
    const isOf = (key: Uint8Array, begin: Uint8Array) => begin.every((byte, i) => key[i] === byte);
    const [templates] = TEMPLATE_RANGE;
    for (const key of deletes) if (isOf(key, templates)) this.#templates.delete(nameInKey(key));
    let { persistent, transient } = this.settings;
    for (const [key, value] of puts) {
      if (isOf(key, templates)) this.#templates.set(nameInKey(key), decodeJson(value));
      else if (isOf(key, SECURITY_KEY)) {
        this.#users = decodeText(value);
        this.usersChanged();
      } else if (isOf(key, TRANSIENT_KEY)) transient = decodeJson(value);
      else if (isOf(key, SETTINGS_KEY)) persistent = decodeJson(value);
    }
    if (persistent !== this.#persistent || transient !== this.#transient)
      this.follow({ persistent, transient });
  }

  putSettings(persistent: FlatSettings, transient: FlatSettings): Promise<void> {
    return this.#exclusive(async () => {
      const next = { ...this.#persistent, ...persistent };
      const passing = { ...this.#transient, ...transient };
      const row: Entry = [SETTINGS_KEY, encodeJson(next)];
      // What isn't stored takes memory as well.
      const counted: Entry[] = [row, [TRANSIENT_KEY, encodeJson(passing)]];
      const kept = this.#keepsTransient ? counted : [row];
      await this.#size.commit(counted, [], () => this.#storage.commit(kept, []));
      this.#persistent = next;
      this.#transient = passing;
      this.#settingsAre();
    });
  }

  #commit(puts: readonly Entry[], removed: readonly Uint8Array[]): Promise<void> {
    return this.#size.commit(puts, removed, () => this.#storage.commit(puts, removed));
  }

  #settingsAre(): void {
    this.blocks.set(this.#persistent, this.#transient);
    this.settingsChanged();
  }

  /** Scripts that an older server kept, by language and id: `mustache/mine`. */
  oldScripts(): Record<string, SavedScript> {
    const rows = [...this.#storage.range(...SCRIPT_RANGE)];
    return Object.fromEntries(rows.map(([key, value]) => [nameInKey(key), decodeJson<SavedScript>(value)]));
  }
}
