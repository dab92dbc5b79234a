/** Bringing indices back from a snapshot: all that was asked for, or nothing. */
import { ElasticsearchError } from '../errors.js';
import type { AliasMetadata } from '../metadata/aliases.js';
import type { Cluster } from '../metadata/cluster.js';
import { randomId } from '../shard/ids.js';
import { checkIndexName } from '../metadata/names.js';
import { wildcard } from '../text/wildcard.js';
import type { IndexMetadata } from '../metadata/openIndex.js';
import type { SavedScript } from '../metadata/stored.js';
import { type FlatSettings, readSettings } from '../settings/indexSettings.js';
import { regularExpressions } from '../regex/lateRegex.js';
import type { Blobs, Storage } from '../storage/storage.js';
import { chosenIndices } from './names.js';
import { checkShards, readerOf, readShard } from './reading.js';
import type { ShardRecord, SnapshotRecord } from './record.js';
import type { Repository } from './repository.js';
import { putOwn } from '../ownNames.js';
import { atOnce } from '../workLimit.js';

/** What is to come back, and how. */
export interface RestoreRequest {
  /** Names, patterns and exclusions; all without any. */
  indices: readonly string[];
  ignoreUnavailable: boolean;
  allowNoIndices: boolean;
  renamePattern: string | undefined;
  renameReplacement: string | undefined;
  includeGlobalState: boolean;
  includeAliases: boolean;
  /** Indices of which not every shard was kept may come back too. */
  partial: boolean;
  indexSettings: FlatSettings;
  ignoreIndexSettings: readonly string[];
}

/** What came back. */
export interface RestoreResult {
  snapshot: string;
  indices: string[];
  shards: number;
}

/** What a restore needs of the engine. */
export interface RestoreServices {
  storage: Storage;
  blobs: Blobs;
  cluster: Cluster;
  /** Takes over the scripts of an older snapshot. */
  moveScripts(scripts: Readonly<Record<string, SavedScript>>): Promise<void>;
}

/** An index on its way. */
interface Coming {
  name: string;
  from: SnapshotRecord['indices'][number];
}

/** What a request restores, when it is known that the snapshot has it and nothing there is in its way; `check` looks again whether anything is. */
export async function whatComes(
  repository: Repository,
  record: SnapshotRecord,
  request: RestoreRequest,
  cluster: RestoreServices['cluster'],
) {
  const failed = restoreFailed(repository, record);
  const coming = choose(record, request, failed);
  if (record.state === 'FAILED') throw failed(`unsupported snapshot state [${record.state}]`);
  const check = () => checkTargets(coming, cluster, request, failed);
  check();
  const shards = coming.flatMap(({ from }) => from.shards.filter((shard) => shard !== null));
  await checkShards(repository, record, shards);
  return { failed, coming, check };
}

/**
 * Restores; resolves when the indices are open.
 * @param accepted called when nothing speaks against it any more
 */
export async function restore(
  repository: Repository,
  record: SnapshotRecord,
  request: RestoreRequest,
  { storage, blobs, cluster, moveScripts }: RestoreServices,
  accepted: () => void,
): Promise<RestoreResult> {
  const { failed, coming, check } = await whatComes(repository, record, request, cluster);
  const made = coming.map(({ name, from }) => metadataOf(name, from.metadata, request, cluster, failed));
  const uids = await cluster.reserveShards(made.reduce((sum, { settings }) => sum + settings.shards, 0));
  if (coming.length > 0) accepted();
  const { stored } = cluster;
  const global = request.includeGlobalState ? record.global : undefined;
  const read = readerOf(repository, record.snapshot);
  try {
    let at = 0;
    for (const [i, { from }] of coming.entries()) {
      const own = uids.slice(at, at + from.shards.length);
      at += own.length;
      made[i]!.shardUids = own;
      for (const [number, uid] of own.entries()) {
        const shard: ShardRecord | null = from.shards[number] ?? null;
        if (shard !== null) await readShard(shard, read, uid, { storage, blobs });
      }
    }
    const rows = global === undefined ? [] : stored.globalEntries(global);
    await cluster.adopt(made, rows, check, (index) => {
      const source = coming.find(({ name }) => name === index.name)!.from.metadata.name;
      index.restoredFrom = { repository: repository.name, snapshot: record.snapshot, index: source };
    });
  } catch (e) {
    // Unless they have been adopted, nobody knows them.
    if (made.every(({ name, shardUids }) => cluster.find(name)?.metadata.shardUids !== shardUids))
      await cluster.abandonShards(uids);
    throw e;
  }
  if (global !== undefined) stored.adoptGlobal(global);
  if (global?.scripts !== undefined) await moveScripts(global.scripts);
  const total = coming.reduce((sum, { from }) => sum + from.shards.length, 0);
  return { snapshot: record.snapshot, indices: coming.map(({ name }) => name), shards: total };
}

/** Makes errors of what keeps a snapshot from being restored. */
function restoreFailed(
  { name }: Repository,
  { snapshot }: SnapshotRecord,
): (problem: string) => ElasticsearchError {
  return (problem) => new ElasticsearchError('SnapshotRestoreException', `[${name}:${snapshot}] ${problem}`);
}

/** The indices that are asked for, under their new names. */
function choose(
  record: SnapshotRecord,
  request: RestoreRequest,
  failed: (problem: string) => ElasticsearchError,
): Coming[] {
  const { renamePattern, renameReplacement } = request;
  const available = record.indices.map(({ metadata }) => metadata.name);
  const renamed = new Map<string, string>();
  for (const index of chosenIndices(available, request.indices, request)) {
    let name = index;
    if (renamePattern !== undefined && renameReplacement !== undefined) {
      const { compileRegex, Replacement } = regularExpressions.loaded;
      name = atOnce(new Replacement(renameReplacement, compileRegex(renamePattern)).apply(index));
    }
    const other = renamed.get(name);
    if (other !== undefined)
      throw failed(`indices [${index}] and [${other}] are renamed into the same index [${name}]`);
    renamed.set(name, index);
  }
  return [...renamed].map(([name, index]) => ({
    name,
    from: record.indices.find(({ metadata }) => metadata.name === index)!,
  }));
}

/** Refuses where an index can't come back under its name. */
function checkTargets(
  coming: readonly Coming[],
  cluster: Cluster,
  { partial }: RestoreRequest,
  failed: (problem: string) => ElasticsearchError,
): void {
  for (const { name, from } of coming) {
    if (from.shards.includes(null) && !partial)
      throw failed(`index [${from.metadata.name}] wasn't fully snapshotted - cannot restore`);
    const there = cluster.find(name);
    if (there === undefined) {
      checkIndexName(name);
      continue;
    }
    if (!there.closed) throw failed(`cannot restore index [${name}] because it's open`);
    const own = there.metadata.settings.shards;
    if (partial && from.shards.includes(null))
      throw failed(`cannot restore partial index [${name}] because such index already exists`);
    if (own !== from.shards.length) {
      throw failed(
        `cannot restore index [${name}] with [${own}] shard from snapshot with [${from.shards.length}] shards`,
      );
    }
  }
}

/** The metadata that an index comes back with; its shards have no numbers yet. */
export function metadataOf(
  name: string,
  kept: IndexMetadata,
  request: RestoreRequest,
  cluster: Cluster,
  failed: (problem: string) => ElasticsearchError,
): IndexMetadata {
  const there = cluster.find(name)?.metadata;
  // What a log had made of it is that log's.
  const { origin: _, turn: _turn, begun: _begun, ...rest } = kept;
  const flat = changedSettings(kept.settings.flat, request, failed);
  const aliases: Record<string, AliasMetadata> = request.includeAliases
    ? (kept.aliases ?? {})
    : (there?.aliases ?? {});
  return {
    ...rest,
    name,
    uuid: there?.uuid ?? randomId(),
    settings: readSettings(name, flat),
    aliases,
    closed: false,
    shardUids: [],
  };
}

const UNMODIFIABLE = ['index.number_of_shards', 'index.version.created', 'index.uuid', 'index.creation_date'];
const UNREMOVABLE = [...UNMODIFIABLE, 'index.number_of_replicas', 'index.auto_expand_replicas'];

function changedSettings(
  kept: FlatSettings,
  { indexSettings, ignoreIndexSettings }: RestoreRequest,
  failed: (problem: string) => ElasticsearchError,
): FlatSettings {
  const flat = { ...kept };
  for (const given of ignoreIndexSettings) {
    const setting = given.startsWith('index.') || given.startsWith('*') ? given : `index.${given}`;
    if (UNREMOVABLE.includes(setting)) throw failed(`cannot remove setting [${setting}] on restore`);
    const fits = wildcard(setting);
    for (const key of Object.keys(flat)) if (fits(key) && !UNREMOVABLE.includes(key)) delete flat[key];
  }
  for (const [key, value] of Object.entries(indexSettings)) {
    if (UNMODIFIABLE.includes(key)) throw failed(`cannot modify setting [${key}] on restore`);
    putOwn(flat, key, value);
  }
  return flat;
}
