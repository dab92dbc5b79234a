/** How a shard comes back: segments from their blobs, then everything newer from the documents in the store. */
import { BatchWriter } from '../core/batch.js';
import type { CoreField } from '../core/instance.js';
import { CoreError, Status } from '../core/status.js';
import { decodeDocument, decodeSeq, kindRange, liveKey, seqKey, seqOfKey } from '../storage/records.js';
import type { StoredDocument } from '../storage/records.js';
import type { Blobs, Storage } from '../storage/storage.js';
import { type Manifest, readManifest } from './manifest.js';
import type { ShardClient, ShardTransport } from './shardClient.js';

/** What recovery needs to know of the shard. */
export interface RecoveryContext {
  storage: Storage;
  blobs: Blobs;
  transport: ShardTransport;
  /** The shard's number in the store. */
  uid: number;
  fields: readonly CoreField[];
  /** Writes the document with the number `seq` into a batch; hidden ones have numbers from `from` on. Throws if it can't be indexed. */
  encode(batch: BatchWriter, from: number, doc: StoredDocument, seq: number): void;
  /** Told of what could not be recovered as it was. */
  warn(message: string): void;
}

/** A shard that is back. */
export interface Recovered {
  client: ShardClient;
  manifest: Manifest;
  /** Blob names by the ids that the segments have now. */
  names: Map<number, string>;
  /** The newest operation in the store. */
  lastSeq: number;
  /** The newest operation that replaced or deleted a document; those documents' rows are gone. */
  lastKill: number;
}

const REPLAY = 1000;
const REPLAY_BYTES = 8 * 1024 * 1024;

/** Opens the shard and fills it with what the store holds. */
export async function recoverShard(context: RecoveryContext): Promise<Recovered> {
  const { storage, uid } = context;
  let manifest = readManifest(storage, uid) ?? { seq: 0, next: 1, segments: [] };
  let client = await openWith(context);
  let loaded = await loadSegments(context, client, manifest);
  if (loaded === undefined) {
    await client.close();
    client = await openWith(context);
    loaded = { names: new Map(), covered: 0 };
    manifest = { seq: 0, next: manifest.next, segments: [] };
  }
  const { names, covered } = loaded;
  const { dead, fresh, lastKill } = readKills(context, manifest.seq, covered);
  await storage.commit(
    [],
    [...dead].map((seq) => seqKey('d', uid, seq)),
    { freeing: true },
  );
  const lastSeq = Math.max(lastKill, await replay(context, client, covered));
  if (fresh.length > 0) {
    const batch = new BatchWriter();
    for (const old of fresh) batch.delete(old);
    await client.apply(batch.bytes().slice(), lastSeq);
  }
  await client.refresh();
  return { client, manifest, names, lastSeq, lastKill };
}

async function openWith(context: RecoveryContext): Promise<ShardClient> {
  const client = await context.transport.open();
  if (context.fields.length > 0) await client.define(context.fields);
  return client;
}

/**
 * The blob names by segment id, and up to which operation the segments hold every document: that may be more than the
 * manifest promises. Undefined if a segment is missing or damaged.
 */
async function loadSegments(
  { storage, blobs, uid, warn }: RecoveryContext,
  client: ShardClient,
  manifest: Manifest,
): Promise<{ names: Map<number, string>; covered: number } | undefined> {
  const names = new Map<number, string>();
  let covered = manifest.seq;
  for (const { name } of manifest.segments) {
    const image = await blobs.get(name);
    if (image === undefined) {
      warn(`segment ${name} is missing; the shard is rebuilt from its documents`);
      return undefined;
    }
    try {
      const { id, lastKey } = await client.load(image, storage.get(liveKey(uid, name)) ?? new Uint8Array(0));
      names.set(id, name);
      covered = Math.max(covered, lastKey);
    } catch (e) {
      if (!(e instanceof CoreError) || e.code === Status.memory) throw e;
      warn(`segment ${name}: ${e.message}; the shard is rebuilt from its documents`);
      return undefined;
    }
  }
  return { names, covered };
}

/** Documents that newer operations replaced or deleted; `fresh` are those that the segments may still hold as live. */
function readKills({ storage, uid }: RecoveryContext, checkpoint: number, covered: number) {
  const dead = new Set<number>();
  const fresh: number[] = [];
  let lastKill = 0;
  for (const [key, value] of storage.range(...kindRange('k', uid))) {
    const old = decodeSeq(value);
    lastKill = seqOfKey(key);
    dead.add(old);
    if (lastKill > checkpoint && old <= covered) fresh.push(old);
  }
  return { dead, fresh, lastKill };
}

/** Indexes the documents after those of the segments; returns the newest operation there is. */
async function replay(context: RecoveryContext, client: ShardClient, covered: number): Promise<number> {
  const { storage, uid, encode, warn } = context;
  let last = covered;
  for (;;) {
    const batch = new BatchWriter();
    const before = last;
    const [from, to] = kindRange('d', uid, last + 1);
    for (const [key, value] of storage.range(from, to, { limit: REPLAY })) {
      const from = last + 1;
      last = seqOfKey(key);
      const doc = decodeDocument(value);
      try {
        encode(batch, from, doc, last);
      } catch (e) {
        warn(`document ${doc.type}/${doc.id} can't be indexed again: ${e instanceof Error ? e.message : e}`);
      }
      if (batch.length > REPLAY_BYTES) break;
    }
    if (last === before) return last;
    await client.apply(batch.bytes().slice(), last);
  }
}
