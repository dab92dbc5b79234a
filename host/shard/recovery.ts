/** How a shard comes back: segments from their blobs, then everything newer from the documents in the store. */
import { BatchWriter } from '../core/batch.js';
import type { CoreField } from '../core/instance.js';
import { CoreError, Status } from '../core/status.js';
import { MalformedRow } from '../storage/varints.js';
import { decodeDocument } from '../storage/storedDocuments.js';
import type { StoredDocument } from '../storage/storedDocuments.js';
import type { Dictionaries } from '../storage/dictionaries.js';
import {
  decodeIdRecord,
  decodeSeq,
  kindRange,
  liveKey,
  newestSeq,
  seqKey,
  seqOfKey,
} from '../storage/records.js';
import { type Blobs, DamagedRow, type Storage } from '../storage/storage.js';
import { nameOfDocument } from './damage.js';
import { DefinedFields } from './definedFields.js';
import { type Manifest, numberOfBlob, readManifest } from './manifest.js';
import type { RecoveryProgress } from './recoveryProgress.js';
import { type ShardClient, ShardLost, type ShardTransport } from './shardClient.js';

/** What recovery needs to know of the shard. */
export interface RecoveryContext {
  storage: Storage;
  blobs: Blobs;
  transport: ShardTransport;
  /** The shard's number in the store. */
  uid: number;
  dictionaries: Dictionaries;
  /** All fields of the index, in the order they were defined. */
  fields(): readonly CoreField[];
  /** Writes the document with the number `seq` into a batch; nested ones have numbers from `from` on. Throws if it can't be indexed. */
  encode(batch: BatchWriter, from: number, doc: StoredDocument, seq: number): void;
  progress: RecoveryProgress;
  /** Whether nobody wants the shard any more. */
  ended(): boolean;
  /** Told of what could not be recovered as it was, and of a replay that takes long. */
  warn(message: string): void;
}

/** A shard that is back. */
export interface Recovered {
  client: ShardClient;
  /** What it knows of the index's fields. */
  defined: DefinedFields;
  manifest: Manifest;
  /** Blob names by the ids that the segments have now. */
  names: Map<number, string>;
  /** The newest operation in the store. */
  lastSeq: number;
  /** The newest operation that replaced or deleted a document; with `purged`, those documents' rows are gone. */
  lastKill: number;
  /** Whether that is so: the disk may have had no room for it. */
  purged: boolean;
}

type Opened = Pick<Recovered, 'client' | 'defined'>;

const REPLAY = 1000;
const REPLAY_BYTES = 8 * 1024 * 1024;
/** A replay that takes longer tells how far it is; then after twice that time, and so on, but for each {@link MOST_NOTICE_MS}. */
const NOTICE_MS = 2000;
const MOST_NOTICE_MS = 60_000;

/** Opens the shard and fills it with what the store holds. */
export async function recoverShard(context: RecoveryContext): Promise<Recovered> {
  const { progress, warn } = context;
  progress.stage = 'INDEX';
  const began = performance.now();
  let manifest = (await soundManifest(context)) ?? { seq: 0, next: 1, segments: [] };
  let { client, defined } = await openWith(context);
  let loaded = await loadSegments(context, client, manifest);
  if (loaded === undefined) {
    await client.close();
    ({ client, defined } = await openWith(context));
    loaded = { names: new Map(), covered: 0 };
    manifest = { seq: 0, next: manifest.next, segments: [] };
    Object.assign(progress.files, { reused: 0, reusedBytes: 0 });
  }
  const { names, covered } = loaded;
  const { dead, fresh, lastKill } = readKills(context, manifest.seq, covered);
  const purged = await purge(context, dead);
  progress.indexMs = Math.round(performance.now() - began);
  progress.stage = 'TRANSLOG';
  const lastSeq = Math.max(lastKill, await replay(context, { client, defined }, covered, dead));
  // Commits go on meanwhile, and some of theirs have been replayed: what these have replaced was indexed before them.
  const replaced = [...fresh, ...killsOf(context, lastKill, lastSeq)];
  if (replaced.length > 0) {
    const batch = new BatchWriter();
    for (const old of replaced) batch.delete(old);
    await client.apply(batch.copy(), lastSeq);
  }
  await client.refresh();
  progress.replayMs = Math.round(performance.now() - began) - progress.indexMs;
  if (progress.replayMs > NOTICE_MS && progress.operations.recovered > 0)
    warn(
      `has indexed ${progress.operations.recovered} operations again, in ${Math.round(progress.replayMs / 1000)} s`,
    );
  return { client, defined, manifest, names, lastSeq, lastKill, purged };
}

/** Removes the rows of dead documents. Where the disk has no room even for that, they stay, and the next start tries again. */
async function purge({ storage, uid, warn }: RecoveryContext, dead: ReadonlySet<number>): Promise<boolean> {
  const rows = Array.from(dead, (seq) => seqKey('d', uid, seq));
  try {
    await storage.commit([], rows, { freeing: true });
    return true;
  } catch (e) {
    warn(`rows of deleted documents can't be removed: ${e instanceof Error ? e.message : e}`);
    return false;
  }
}

/** A client that knows the fields, and holds nothing. */
async function openWith(context: RecoveryContext): Promise<Opened> {
  const client = await context.transport.open();
  const defined = new DefinedFields();
  const fields = defined.changed(context.fields());
  if (fields.length > 0) await client.define(fields);
  return { client, defined };
}

/**
 * The blob names by segment id, and up to which operation the segments hold every document: that may be more than the
 * manifest promises. Undefined if a segment is missing or damaged.
 */
async function loadSegments(
  { storage, blobs, uid, warn, progress, ended }: RecoveryContext,
  client: ShardClient,
  manifest: Manifest,
): Promise<{ names: Map<number, string>; covered: number } | undefined> {
  const names = new Map<number, string>();
  let covered = manifest.seq;
  const { files } = progress;
  files.total = manifest.segments.length;
  files.bytes = manifest.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  Object.assign(files, { reused: 0, reusedBytes: 0 });
  const unusable = (name: string, problem: string): undefined => {
    progress.problems.push(`segment ${name} ${problem}`);
    warn(`segment ${name} ${problem}; the shard is rebuilt from its documents`);
  };
  for (const { name, bytes } of manifest.segments) {
    if (ended()) throw new ShardLost('the shard was closed');
    const image = await blobs.get(name);
    if (image === undefined) return unusable(name, 'is missing');
    try {
      const live = storage.get(liveKey(uid, name)) ?? new Uint8Array(0);
      const { id, lastKey } = await client.load(image, live, blobs.handsOver);
      names.set(id, name);
      covered = Math.max(covered, lastKey);
    } catch (e) {
      const isDamaged = e instanceof DamagedRow || (e instanceof CoreError && e.code !== Status.memory);
      if (!isDamaged) throw e;
      return unusable(name, `can't be used: ${e.message}`);
    }
    files.reused++;
    files.reusedBytes += bytes;
  }
  return { names, covered };
}

/**
 * The manifest of the shard. One that is damaged counts as none: what the store has of its segments is removed, so that nothing of them
 * is taken for what belongs to those which are made now.
 */
async function soundManifest({
  storage,
  blobs,
  uid,
  warn,
  progress,
}: RecoveryContext): Promise<Manifest | undefined> {
  try {
    return readManifest(storage, uid);
  } catch (e) {
    if (!(e instanceof DamagedRow)) throw e;
    progress.problems.push('the manifest is damaged');
    warn(`the manifest is damaged; the shard is rebuilt from its documents`);
    const live = [...storage.range(...kindRange('b', uid), { keysOnly: true })].map(([key]) => key);
    await storage.commit([], live, { freeing: true });
    const numbers = (await blobs.list()).map((name) => numberOfBlob(uid, name));
    return { seq: 0, next: 1 + Math.max(0, ...numbers), segments: [] };
  }
}

/** Documents that newer operations replaced or deleted; `fresh` are those that the segments may still hold as live. */
function readKills({ storage, uid, warn }: RecoveryContext, checkpoint: number, covered: number) {
  const dead = new Set<number>();
  const fresh: number[] = [];
  let lastKill = 0;
  let damaged = 0;
  const count = ({ key }: DamagedRow) => {
    lastKill = seqOfKey(key);
    damaged++;
  };
  for (const [key, value] of storage.range(...kindRange('k', uid), { damaged: count })) {
    const old = decodeSeq(value);
    lastKill = seqOfKey(key);
    dead.add(old);
    if (lastKill > checkpoint && old <= covered) fresh.push(old);
  }
  if (damaged > 0) {
    warn(`${damaged} rows of deleted documents are damaged; they are told by the ids that are there`);
    for (const old of withoutId(storage, uid)) {
      if (!dead.has(old) && old <= covered) fresh.push(old);
      dead.add(old);
    }
  }
  return { dead, fresh, lastKill };
}

/** Documents that operations after one, up to another, have replaced or deleted. */
function killsOf({ storage, uid }: RecoveryContext, after: number, last: number): number[] {
  const rows = storage.range(seqKey('k', uid, after + 1), seqKey('k', uid, last + 1));
  return Array.from(rows, ([, value]) => decodeSeq(value));
}

/** Documents that no id has any more. Where a record of an id is damaged, nobody knows that of any. */
function withoutId(storage: Storage, uid: number): number[] {
  const live = new Set<number>();
  let damaged = 0;
  for (const [, value] of storage.range(...kindRange('i', uid), { damaged: () => void damaged++ }))
    live.add(decodeIdRecord(value).seq);
  if (damaged > 0) return [];
  return [...storage.range(...kindRange('d', uid), { keysOnly: true })]
    .map(([key]) => seqOfKey(key))
    .filter((seq) => !live.has(seq));
}

/** A document; undefined, and told, where it can't be read. */
function decoded(
  { storage, dictionaries, warn }: RecoveryContext,
  key: Uint8Array,
  row: Uint8Array,
): StoredDocument | undefined {
  try {
    return decodeDocument(row, dictionaries);
  } catch (e) {
    if (!(e instanceof DamagedRow || e instanceof MalformedRow)) throw e;
    warn(`${nameOfDocument(storage, new DamagedRow(key, row))} can't be indexed again: ${e.message}`);
    return undefined;
  }
}

/**
 * Indexes the documents after those of the segments, but for dead ones; returns the newest operation there is. Of what was committed together
 * meanwhile either all is up to there, or nothing.
 */
async function replay(
  context: RecoveryContext,
  { client, defined }: Opened,
  covered: number,
  dead: ReadonlySet<number>,
): Promise<number> {
  const { storage, uid, encode, warn, progress, ended } = context;
  const { operations } = progress;
  operations.total = Math.max(0, newestSeq(storage, 'd', uid) - covered);
  operations.recovered = 0;
  let last = covered;
  let applying: Promise<unknown> = Promise.resolve();
  let noticed = performance.now();
  let notice = NOTICE_MS;
  for (;;) {
    if (ended()) throw new ShardLost('the shard was closed');
    const batch = new BatchWriter();
    const before = last;
    // In the turn in which no document is found behind it: the last of what was committed together may be a deletion.
    const kill = newestSeq(storage, 'k', uid);
    const [from, to] = kindRange('d', uid, last + 1);
    const damaged = (row: DamagedRow) => {
      last = seqOfKey(row.key);
      if (!dead.has(last)) warn(`${nameOfDocument(storage, row)} can't be indexed again: ${row.message}`);
    };
    for (const [key, value] of storage.range(from, to, { limit: REPLAY, damaged })) {
      const from = last + 1;
      last = seqOfKey(key);
      if (dead.has(last)) continue;
      const doc = decoded(context, key, value);
      if (doc === undefined) continue;
      try {
        encode(batch, from, doc, last);
      } catch (e) {
        warn(`document ${doc.type}/${doc.id} can't be indexed again: ${e instanceof Error ? e.message : e}`);
      }
      if (batch.length > REPLAY_BYTES) break;
    }
    // The core takes a batch while the next one is parsed.
    await applying;
    if (last === before) return Math.max(last, kill);
    operations.recovered = last - covered;
    // Commits that go on meanwhile may bring fields.
    const fields = defined.changed(context.fields());
    const told = fields.length > 0 ? client.define(fields) : undefined;
    applying = Promise.all([told, client.apply(batch.copy(), last)]);
    applying.catch(() => {});
    if (performance.now() - noticed < notice) continue;
    noticed = performance.now();
    notice = Math.min(2 * notice, MOST_NOTICE_MS);
    const { recovered, total } = operations;
    warn(`${recovered} of ${total} operations are indexed again, ${Math.floor((100 * recovered) / total)} %`);
  }
}
