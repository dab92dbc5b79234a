/** What the cluster keeps beside its indices: templates of indices and settings. */
import { ElasticsearchError, illegalArgument } from '../errors.js';
import {
  decodeJson,
  encodeJson,
  nameInKey,
  SCRIPT_RANGE,
  SETTINGS_KEY,
  SETTINGS_RANGE,
  TEMPLATE_RANGE,
  templateKey,
} from '../storage/records.js';
import type { DamagedRow, Entry, Storage } from '../storage/storage.js';
import { ClusterBlocks } from '../settings/blocks.js';
import { wildcard } from '../text/wildcard.js';
import type { FlatSettings } from '../settings/indexSettings.js';
import type { MetadataSize } from './metadataSize.js';
import { checkTemplate, type IndexTemplate } from './templates.js';
import { ownValue } from '../ownNames.js';

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
  readonly #templates = new Map<string, IndexTemplate>();
  /** What the settings forbid everywhere. */
  readonly blocks = new ClusterBlocks();
  /** Called when settings have changed. */
  settingsChanged: () => void = () => {};
  #persistent: FlatSettings = {};
  #transient: FlatSettings = {};

  /** @param warn told of what is damaged and left out */
  constructor(storage: Storage, size: MetadataSize, exclusive: Exclusive, warn: (message: string) => void) {
    this.#storage = storage;
    this.#size = size;
    this.#exclusive = exclusive;
    const without = (what: string) => (row: DamagedRow) => warn(`${what} is left out: ${row.message}`);
    const damaged = (row: DamagedRow) => without(`the template [${nameInKey(row.key)}]`)(row);
    for (const [key, value] of storage.range(...TEMPLATE_RANGE, { damaged }))
      this.#templates.set(nameInKey(key), decodeJson(value));
    const range = storage.range(...SETTINGS_RANGE, { damaged: without('what the settings are') });
    for (const [, settings] of range) this.#persistent = decodeJson(settings);
    this.blocks.set(this.#persistent, this.#transient);
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

  putSettings(persistent: FlatSettings, transient: FlatSettings): Promise<void> {
    return this.#exclusive(async () => {
      const next = { ...this.#persistent, ...persistent };
      const passing = { ...this.#transient, ...transient };
      const row: Entry = [SETTINGS_KEY, encodeJson(next)];
      // What isn't stored takes memory as well.
      const counted: Entry[] = [row, [TRANSIENT_KEY, encodeJson(passing)]];
      await this.#size.commit(counted, [], () => this.#storage.commit([row], []));
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
