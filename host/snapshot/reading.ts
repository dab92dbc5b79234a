/** Takes shards out of a repository, or of an exported file. */
import { blobName, type Manifest } from '../shard/manifest.js';
import { documentUid, documentVersion } from '../storage/storedDocuments.js';
import { compression } from '../storage/compression.js';
import {
  decodeText,
  dictionaryKey,
  encodeIdRecord,
  encodeJson,
  encodeSeq,
  idKey,
  liveKey,
  seqKey,
  shardKey,
} from '../storage/records.js';
import type { Blobs, Entry, Storage } from '../storage/storage.js';
import { NO_OPERATION, unpack } from './packedBlobs.js';
import { type DataRef, type ShardParts, type ShardRecord, type SnapshotRecord, shardRefs } from './record.js';
import type { Repository } from './repository.js';

const CHUNK = 1000;
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Throws unless everything that these shards need is there as it was written. */
export async function checkShards(
  repository: Repository,
  { snapshot }: SnapshotRecord,
  shards: readonly ShardRecord[],
): Promise<void> {
  const refs = new Map(shards.flatMap(shardRefs).map((ref) => [ref.hash, ref]));
  for (const ref of refs.values()) await need(repository, snapshot, ref);
}

/** Reads data of a snapshot. */
export function readerOf(repository: Repository, snapshot: string): (ref: DataRef) => Promise<Uint8Array> {
  return (ref) => need(repository, snapshot, ref);
}

/** Writes a shard's rows and segments under a new number. @param read what references are of */
export async function readShard<Ref extends { bytes: number }>(
  record: ShardParts<Ref>,
  read: (ref: Ref) => Promise<Uint8Array>,
  uid: number,
  { storage, blobs }: { storage: Storage; blobs: Blobs },
): Promise<void> {
  for (const ref of record.packs) await writeRows(await read(ref), uid, storage);
  const manifest: Manifest = { seq: record.checkpoint, next: 1, segments: [] };
  const puts: Entry[] = record.kills.map(([seq, old]) => [seqKey('k', uid, seq), encodeSeq(old)]);
  for (const { image, live, documents } of record.segments) {
    const name = blobName(uid, manifest.next++);
    await blobs.put(name, await read(image));
    if (live !== undefined) puts.push([liveKey(uid, name), await read(live)]);
    manifest.segments.push({ name, documents, bytes: image.bytes });
  }
  puts.push([shardKey('c', uid), encodeJson(manifest)]);
  await storage.commit(puts, []);
}

/** The documents of a pack, and where their ids are. */
async function writeRows(pack: Uint8Array, uid: number, storage: Storage): Promise<void> {
  let puts: Entry[] = [];
  let bytes = 0;
  for (const [seq, row] of unpack(pack)) {
    if (seq === NO_OPERATION) {
      await compression.load();
      puts.push([dictionaryKey(uid, row[0]!), row.subarray(1)]);
    } else
      puts.push(
        [seqKey('d', uid, seq), row],
        [
          idKey(uid, decodeText(documentUid(row))),
          encodeIdRecord({ seq, version: documentVersion(row), deletedAt: 0 }),
        ],
      );
    bytes += row.length;
    if (puts.length < 2 * CHUNK && bytes < CHUNK_BYTES) continue;
    await storage.commit(puts, []);
    puts = [];
    bytes = 0;
  }
  await storage.commit(puts, []);
}

async function need(repository: Repository, snapshot: string, ref: DataRef): Promise<Uint8Array> {
  const bytes = await repository.get(ref);
  if (bytes === undefined)
    throw repository.error(snapshot, `is damaged: data-${ref.hash} is missing or changed`);
  return bytes;
}
