/** Reads all that a data folder has, which no server may use meanwhile, and says what of it is damaged. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { IndexMetadata } from '../metadata/openIndex.js';
import { nameOfRow } from '../shard/damage.js';
import type { Manifest } from '../shard/manifest.js';
import { isSound } from '../snapshot/segmentImage.js';
import { compression } from '../storage/compression.js';
import { FileBlobs } from '../storage/files.js';
import { LmdbStorage } from '../storage/lmdb.js';
import { damageOf, faultsOf, isUnbegun } from '../storage/lmdbFile.js';
import { decodeJson, nameInKey, shardOfKey } from '../storage/records.js';
import type { DamagedRow, Storage } from '../storage/storage.js';
import { lockPath } from './dataFolder.js';
import { LockFile } from './lockFile.js';

/** What was found. */
export interface FolderCheck {
  pages: number;
  rows: number;
  segments: number;
  /** What is damaged, by its name and the folder's file. */
  damaged: string[];
}

const FIRST = new Uint8Array(0);
const LAST = Uint8Array.of(0xff);
/** Kinds of rows that name documents, manifests, indices. */
const [DOCUMENT, ID, DICTIONARY, MANIFEST, LIVE, DROPPED, METADATA, INDEX] = Array.from('dizcbgmi', (kind) =>
  kind.charCodeAt(0),
);

/** Checks a folder; throws where that can't be done: there is none, or a server uses it. */
export async function checkFolder(folder: string): Promise<FolderCheck> {
  const path = resolve(folder);
  const file = join(path, 'store', 'data.mdb');
  if (!existsSync(file)) throw new Error(`${path} is no data folder: it has no store/data.mdb`);
  await compression.load();
  const lock = LockFile.take(lockPath(path));
  try {
    const found: FolderCheck = { pages: 0, rows: 0, segments: 0, damaged: [] };
    if (statSync(file).size === 0 || isUnbegun(file)) return found;
    const damage = damageOf(file);
    if (damage !== undefined) {
      found.damaged.push(`store/data.mdb: ${damage}`);
      return found;
    }
    const { pages, faults } = faultsOf(file);
    found.pages = pages;
    found.damaged.push(...faults.map((fault) => `store/data.mdb: ${fault}`));
    // LMDB can't walk through such a file.
    if (faults.length > 0) return found;
    const storage = new LmdbStorage(join(path, 'store'));
    try {
      const manifests = checkRows(storage, found);
      await checkSegments(path, manifests, found);
    } finally {
      await storage.close();
    }
    return found;
  } finally {
    lock.release();
  }
}

/** A shard's manifest, and what the shard is called. */
interface NamedManifest {
  shard: string;
  manifest: Manifest;
}

function checkRows(storage: Storage, found: FolderCheck): NamedManifest[] {
  const shards = new Map<number, string>();
  const manifests = new Map<number, Manifest>();
  const dropped: number[] = [];
  const rows: DamagedRow[] = [];
  const damaged = (row: DamagedRow) => void rows.push(row);
  for (const [key, value] of storage.range(FIRST, LAST, { damaged })) {
    found.rows++;
    try {
      if (key[0] === DROPPED) dropped.push(shardOfKey(key));
      if (key[0] === MANIFEST) manifests.set(shardOfKey(key), decodeJson<Manifest>(value));
      if (key[0] === METADATA && key[1] === INDEX) {
        const { name, shardUids } = decodeJson<IndexMetadata>(value);
        for (const [i, uid] of shardUids.entries()) shards.set(uid, `[${name}][${i}]`);
      }
    } catch (e) {
      found.damaged.push(`store/data.mdb: ${rowName(key, shards)}: ${(e as Error).message}`);
    }
  }
  for (const row of rows) found.damaged.push(`store/data.mdb: ${damagedName(storage, row, shards)}`);
  found.rows += rows.length;
  // Their segments are removed before their rows; the next start goes on with that.
  for (const uid of dropped) manifests.delete(uid);
  return [...manifests].map(([uid, manifest]) => ({ shard: shardName(uid, shards), manifest }));
}

function shardName(uid: number, shards: ReadonlyMap<number, string>): string {
  return shards.get(uid) ?? `shard ${uid} of no index`;
}

function damagedName(storage: Storage, row: DamagedRow, shards: ReadonlyMap<number, string>): string {
  const { key } = row;
  const isNamed = key[0] === DOCUMENT || key[0] === ID || key[0] === DICTIONARY;
  return isNamed ? `${shardName(shardOfKey(key), shards)} ${nameOfRow(storage, row)}` : rowName(key, shards);
}

function rowName(key: Uint8Array, shards: ReadonlyMap<number, string>): string {
  if (key[0] === METADATA)
    return key[1] === INDEX ? `[${nameInKey(key)}] the metadata` : `the row m ${nameInKey(key)}`;
  const shard = shardName(shardOfKey(key), shards);
  if (key[0] === MANIFEST) return `${shard} the manifest`;
  if (key[0] === LIVE) return `${shard} the live documents of a segment`;
  return `${shard} a row of kind ${String.fromCharCode(key[0]!)}`;
}

async function checkSegments(
  path: string,
  manifests: readonly NamedManifest[],
  found: FolderCheck,
): Promise<void> {
  const blobs = await FileBlobs.open(join(path, 'segments'));
  for (const { shard, manifest } of manifests) {
    for (const { name, bytes } of manifest.segments) {
      found.segments++;
      const image = await blobs.get(name);
      if (image === undefined) found.damaged.push(`segments/${name}: ${shard} it is not there`);
      else if (image.length !== bytes)
        found.damaged.push(`segments/${name}: ${shard} it has ${image.length} bytes and must have ${bytes}`);
      else if (!(await isSound(image, setImmediate)))
        found.damaged.push(`segments/${name}: ${shard} its checksum is another`);
    }
  }
}
