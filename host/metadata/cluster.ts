/**
 * The cluster's metadata: indices with their aliases, warmers, mappings and settings, templates, settings of the cluster.
 * Changes are made one after the other; each is one commit, seen whole or not at all.
 */
import { ElasticsearchError, toElasticsearchError } from '../errors.js';
import type { FlatSettings, IndexSettings } from '../settings/indexSettings.js';
import { wildcard } from '../text/wildcard.js';
import type { WorkLimit } from '../workLimit.js';
import { type AliasAction, applyActions, checkActions } from './aliases.js';
import { type CheckFilter, IndexLifecycle } from './indexLifecycle.js';
import { checkTypeName, type NameOptions, resolveNames } from './names.js';
import type { IndexMetadata, OpenIndex, Warmer } from './openIndex.js';
import { changeSettings } from './settingsUpdate.js';

/** The metadata of the one node there is, and how they are changed. */
export class Cluster extends IndexLifecycle {
  /** Changes settings; all of these indices can have them, or none has. */
  putSettings(expression: string | undefined, change: FlatSettings, options?: NameOptions): Promise<void> {
    return this.exclusive(async () => {
      const indices = this.resolve(expression, options);
      const next = changeSettings(
        indices.map(({ name, closed, metadata }) => ({ name, closed, settings: metadata.settings })),
        change,
      );
      // What the settings make is tried before any index has them.
      indices.forEach((index, i) => {
        if (index.closed) this.indexOf({ ...index.saved(), settings: next[i]! });
      });
      await this.#changeAll(indices.map((index, i) => [index, this.settingsOf(index, next[i]!)]));
      for (const index of indices) {
        if (index.closed) this.replace(index);
        // What waits to be refreshed may have to wait no longer.
        for (const shard of index.shards) if (shard.dirty) shard.onDirty();
      }
    });
  }

  /** What becomes of the metadata of an index with other settings. */
  protected settingsOf(_index: OpenIndex, settings: IndexSettings): Partial<IndexMetadata> {
    return { settings };
  }

  /** Merges a mapping into a type of these indices. */
  putMapping(
    indices: readonly OpenIndex[],
    type: string,
    body: unknown,
    options: { ignoreConflicts?: boolean } = {},
  ): Promise<void> {
    return this.exclusive(async () => {
      if (type !== '_default_') checkTypeName(type);
      for (const index of indices) {
        index.checkBlock('metadata_write');
        try {
          index.model.putMapping(type, body, options);
        } catch (e) {
          throw plainly(toElasticsearchError(e));
        }
        await this.#commitMapping(index);
        await index.joinOlder();
        await this.#commitMapping(index);
        for (const shard of index.shards) await shard.tellFields();
      }
    });
  }

  /** Forgets types whose documents are gone. */
  deleteTypes(index: OpenIndex, types: readonly string[]): Promise<void> {
    return this.exclusive(async () => {
      for (const type of types) index.model.deleteType(type);
      await this.#commitMapping(index);
    });
  }

  async #commitMapping(index: OpenIndex): Promise<void> {
    const changed = await index.changedMetadata();
    if (changed !== undefined) await this.size.measure(changed.entry[1]);
    const taken = changed === undefined ? undefined : index.takeMetadata(changed);
    // A document's commit may have taken them, and may not be through yet: nobody is told of them before they are in the store.
    const entry = taken ?? (index.isKeeping ? index.metadataEntry() : undefined);
    if (entry === undefined) return;
    try {
      await this.commit([entry]);
    } catch (e) {
      if (taken !== undefined) index.metadataLost();
      throw e;
    }
    if (taken !== undefined) index.metadataKept();
  }

  /** Does all of these actions, or none. */
  updateAliases(
    actions: readonly AliasAction[],
    options: NameOptions,
    limit: WorkLimit,
    check?: CheckFilter,
  ): Promise<void> {
    return this.exclusive(async () => {
      checkActions(actions);
      const table = new Map(this.all().map(({ name, aliases }) => [name, { ...aliases }]));
      const next = await applyActions(
        table,
        actions,
        (expression) => resolveNames(this.names, expression, options),
        (name, alias, filter) => this.checkFilter(this.index(name), alias, filter, limit, check),
        options.security?.covers,
      );
      const changed = [...next].filter(
        ([name, aliases]) => JSON.stringify(aliases) !== JSON.stringify(table.get(name)),
      );
      for (const [name] of changed) this.index(name).checkBlock('metadata_write');
      await this.#changeAll(changed.map(([name, aliases]) => [this.index(name), { aliases }]));
    });
  }

  putWarmer(indices: readonly OpenIndex[], name: string, warmer: Warmer): Promise<void> {
    return this.exclusive(() => {
      for (const index of indices) index.checkBlock('metadata_write');
      return this.#changeAll(
        indices.map((index) => [index, { warmers: { ...index.warmers, [name]: warmer } }]),
      );
    });
  }

  /** Forgets warmers; 404 if there is none that a pattern matches. */
  deleteWarmers(indices: readonly OpenIndex[], patterns: readonly string[]): Promise<void> {
    return this.exclusive(async () => {
      const tests = patterns.map((pattern) => (pattern === '_all' ? () => true : wildcard(pattern)));
      const kept = (index: OpenIndex) =>
        Object.entries(index.warmers).filter(([name]) => !tests.some((test) => test(name)));
      const changed = indices.filter((index) => kept(index).length < Object.keys(index.warmers).length);
      if (changed.length === 0 && !patterns.includes('_all')) {
        const detail = `index_warmer [[${patterns.join(', ')}]] missing`;
        throw new ElasticsearchError('IndexWarmerMissingException', detail);
      }
      for (const index of changed) index.checkBlock('metadata_write');
      await this.#changeAll(changed.map((index) => [index, { warmers: Object.fromEntries(kept(index)) }]));
    });
  }

  /** Changes several indices in one commit; if that fails, none has changed. */
  async #changeAll(changes: readonly (readonly [OpenIndex, Partial<IndexMetadata>])[]): Promise<void> {
    const before = changes.map(([index]) => index.metadata);
    for (const [index, change] of changes) index.change(change);
    try {
      await this.commit(changes.map(([index]) => index.metadataEntry()));
    } catch (e) {
      changes.forEach(([index], i) => {
        index.change(before[i]!);
      });
      throw e;
    } finally {
      this.indexAliases();
    }
  }
}

/** What Java throws by itself, and 1.7 therefore answers with 500. */
const OF_JAVA = new Set([
  'ClassCastException',
  'IllegalArgumentException',
  'NullPointerException',
  'NumberFormatException',
]);

/** What a mapping is refused with where nothing is wrapped around it. */
export function plainly(cause: ElasticsearchError): ElasticsearchError {
  if (!OF_JAVA.has(cause.exception) || cause.status === 500) return cause;
  const nested = cause.nested === undefined ? {} : { nested: cause.nested };
  return new ElasticsearchError(cause.exception, cause.detail, { status: 500, ...nested });
}
