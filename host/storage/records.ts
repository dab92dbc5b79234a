/**
 * The store's keys and values.
 *
 *     d  shard u32  seq u48                → a document, see `documentFormat.ts`
 *     z  shard u32  number u8              → what sources of documents are compressed with, see `dictionaries.ts`
 *     i  shard u32  type#id in UTF-8       → where the newest version of an id is, see {@link encodeIdRecord}
 *     k  shard u32  seq u48                → the seq of the document that this operation replaced or deleted
 *     t  shard u32  time u48  seq u48      → type#id of a deletion whose version is still remembered
 *     c  shard u32                         → the shard's manifest, JSON
 *     b  shard u32  blob name              → the bitset of live documents of a segment of the manifest
 *     p  shard u32                         → how far the shard has followed its index's log, see `logRows.ts`
 *     w  shard u32  writer                 → the last message of a writer of the log, see `logRows.ts`
 *     h  shard u32                         → a hash of what the shard has made of its log, see `logDigest.ts`
 *     g  shard u32                         → nothing: a dropped shard whose rows are being swept
 *     o  shard u32                         → nothing: a copy that counts no more, in whose place another one is fetched
 *     m  i  index name                     → an index's metadata, JSON
 *     m  n                                 → the node's metadata, JSON
 *     m  s                                 → the cluster's persistent settings, JSON
 *     m  t  template name                  → an index template, JSON
 *     m  x  language/id                    → a stored script of an older server, JSON; they are documents now
 *     m  r  repository name                → a repository of snapshots, JSON
 *     m  a                                 → users and API keys of the cluster, JSON: hashes, no passwords
 *     m  b                                 → the snapshot of the cluster that is being made or deleted, JSON
 *     m  u                                 → the node's id in its cluster
 *     m  p                                 → how far the node has followed the cluster's log of metadata, JSON
 *     m  l  index name                     → an index's mapping, and how far its log has been followed for that, JSON
 *     m  k                                 → the other nodes with data that the node has known last, JSON
 *
 * Numbers in keys are big endian, so that keys sort by number.
 */

import { jsonText, parseOwnJson } from '../json/jsonText.js';
import type { Storage } from './storage.js';
import { getVersion, putVersion, type Version } from './versions.js';

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Rows of one kind of one shard: `[from, to)` for a range over all of them. */
export type Kind = 'd' | 'i' | 'k' | 't' | 'c' | 'b' | 'g' | 'z' | 'p' | 'w' | 'h' | 'o';

/** The longest `type#id` that can be stored, in UTF-8 bytes: it is a key, and LMDB's keys are short. */
export const MAX_UID_BYTES = 1800;
/** The longest routing value, in UTF-8 bytes: as long as a term can be, as in 1.7. */
export const MAX_ROUTING_BYTES = 32_766;

/** The length of a text in UTF-8 bytes if that is more than `most`, else 0. */
export function bytesOver(most: number, value: string): number {
  if (3 * value.length <= most) return 0;
  const bytes = utf8.encode(value).length;
  return bytes > most ? bytes : 0;
}

function prefix(kind: Kind, shard: number, rest: number): Uint8Array {
  const key = new Uint8Array(PREFIX_BYTES + rest);
  putPrefix(key, 0, kind, shard);
  return key;
}

/** The length of kind and shard. */
export const PREFIX_BYTES = 5;
/** The length of a key of kind d or k. */
export const SEQ_KEY_BYTES = PREFIX_BYTES + 6;

/** Writes what the keys of a kind of a shard begin with. */
export function putPrefix(key: Uint8Array, at: number, kind: Kind, shard: number): void {
  key[at] = kind.charCodeAt(0);
  putU32(key, at + 1, shard);
}

export function putU48(key: Uint8Array, at: number, value: number): void {
  const high = Math.floor(value / 0x1_0000_0000);
  key[at] = high >>> 8;
  key[at + 1] = high;
  putU32(key, at + 2, value);
}

function putU32(key: Uint8Array, at: number, value: number): void {
  key[at] = value >>> 24;
  key[at + 1] = value >>> 16;
  key[at + 2] = value >>> 8;
  key[at + 3] = value;
}

function getU48(key: Uint8Array, at: number): number {
  const view = new DataView(key.buffer, key.byteOffset);
  return view.getUint16(at) * 0x1_0000_0000 + view.getUint32(at + 2);
}

/** The key of a row numbered by an operation: kinds d and k. */
export function seqKey(kind: 'd' | 'k', shard: number, seq: number): Uint8Array {
  const key = prefix(kind, shard, 6);
  putU48(key, 5, seq);
  return key;
}

/** The operation that a key of kind d or k is numbered by. */
export function seqOfKey(key: Uint8Array): number {
  return getU48(key, 5);
}

/** The one row of a kind: c, g, h and p. */
export function shardKey(kind: 'c' | 'g' | 'h' | 'o' | 'p', shard: number): Uint8Array {
  return prefix(kind, shard, 0);
}

/** The shard that a row belongs to. */
export function shardOfKey(key: Uint8Array): number {
  return new DataView(key.buffer, key.byteOffset).getUint32(1);
}

/** The bounds of all rows of a kind of a shard; with `fromSeq`, of kinds d and k from that operation on. */
export function kindRange(kind: Kind, shard: number, fromSeq?: number): [Uint8Array, Uint8Array] {
  const from = fromSeq === undefined ? prefix(kind, shard, 0) : seqKey(kind as 'd' | 'k', shard, fromSeq);
  return [from, prefix(kind, shard + 1, 0)];
}

/** The newest operation that has a row of a kind: that wrote a document that is there, or replaced or deleted one; 0 where none has. */
export function newestSeq(storage: Storage, kind: 'd' | 'k', shard: number): number {
  const [newest] = storage.range(...kindRange(kind, shard), { reverse: true, limit: 1, keysOnly: true });
  return newest === undefined ? 0 : seqOfKey(newest[0]);
}

/** Type and id in one string: ids of different types are different documents. */
export function uidOf(type: string, id: string): string {
  return `${type}#${id}`;
}

/** The longest key of an id's record. */
export const MAX_ID_KEY_BYTES = 5 + MAX_UID_BYTES;

/** The key of an id's record. */
export function idKey(shard: number, uid: string): Uint8Array {
  return withText('i', shard, uid);
}

/** The bounds of the records of all ids whose uid begins so. */
export function idRange(shard: number, prefix: string): [Uint8Array, Uint8Array] {
  const from = idKey(shard, prefix);
  const to = from.slice();
  // No byte of a key is beyond those of UTF-8 text, so the last one can grow.
  to[to.length - 1]! += 1;
  return prefix === '' ? kindRange('i', shard) : [from, to];
}

/** The uid that a key of an id's record is of. */
export function uidOfKey(key: Uint8Array): string {
  return text.decode(key.subarray(5));
}

/** The key of a segment's bitset of live documents. */
export function liveKey(shard: number, blob: string): Uint8Array {
  return withText('b', shard, blob);
}

/** The key of a row of a shard that is named by a text. */
export function textKey(kind: 'w', shard: number, text: string): Uint8Array {
  return withText(kind, shard, text);
}

/** The text of such a key. */
export function decodeKeyText(key: Uint8Array): string {
  return text.decode(key.subarray(PREFIX_BYTES));
}

function withText(kind: Kind, shard: number, rest: string): Uint8Array {
  const length = lengthOf(rest);
  const key = prefix(kind, shard, length);
  putText(key, 5, rest, length);
  return key;
}

/** The length of a text in UTF-8 bytes. */
export function lengthOf(value: string): number {
  for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) >= 0x80) return utf8.encode(value).length;
  return value.length;
}

/** Writes a text whose length in UTF-8 bytes is known. */
export function putText(into: Uint8Array, at: number, value: string, length: number): void {
  // Most are short and ASCII; a call of the encoder costs more than they do.
  if (length === value.length) for (let i = 0; i < length; i++) into[at + i] = value.charCodeAt(i);
  else utf8.encodeInto(value, into.subarray(at, at + length));
}

/** The key of a remembered deletion. */
export function tombstoneKey(shard: number, time: number, seq: number): Uint8Array {
  const key = prefix('t', shard, 12);
  putU48(key, 5, time);
  putU48(key, 11, seq);
  return key;
}

/** The key of a dictionary. */
export function dictionaryKey(shard: number, number: number): Uint8Array {
  const key = prefix('z', shard, 1);
  key[PREFIX_BYTES] = number;
  return key;
}

/** The number of a dictionary's key. */
export function numberOfDictionary(key: Uint8Array): number {
  return key[PREFIX_BYTES]!;
}

/** The key of an index's metadata. */
export function indexKey(name: string): Uint8Array {
  return utf8.encode(`mi${name}`);
}

/** The key of an index template. */
export function templateKey(name: string): Uint8Array {
  return utf8.encode(`mt${name}`);
}

/** The key of a stored script of an older server. */
export function scriptKey(name: string): Uint8Array {
  return utf8.encode(`mx${name}`);
}

/** The key of a repository of snapshots. */
export function repositoryKey(name: string): Uint8Array {
  return utf8.encode(`mr${name}`);
}

/** The name that a key of metadata holds. */
export function nameInKey(key: Uint8Array): string {
  return text.decode(key.subarray(2));
}

/** The key of the cluster's persistent settings. */
export const SETTINGS_KEY = utf8.encode('ms');

/** The bounds of that one row. */
export const SETTINGS_RANGE: [Uint8Array, Uint8Array] = [SETTINGS_KEY, utf8.encode('ms\0')];

/** The key of the users that all nodes of the cluster know. */
export const SECURITY_KEY = utf8.encode('ma');

/** The key of the place in the log of metadata. */
export const METADATA_PLACE_KEY = utf8.encode('mp');

/** The key of what an index's log has made of its mapping. */
export function loggedMappingKey(name: string): Uint8Array {
  return utf8.encode(`ml${name}`);
}

/** The key of the node's id in its cluster. */
export const NODE_ID_KEY = utf8.encode('mu');

/** The key of the node's metadata. */
export const NODE_KEY = utf8.encode('mn');

/** The key of the snapshot that some node of a cluster makes or deletes. */
export const SNAPSHOT_KEY = utf8.encode('mb');

/** The bounds of all index templates. */
export const TEMPLATE_RANGE: [Uint8Array, Uint8Array] = [utf8.encode('mt'), utf8.encode('mu')];

/** The bounds of all repositories. */
export const REPOSITORY_RANGE: [Uint8Array, Uint8Array] = [utf8.encode('mr'), utf8.encode('ms')];

/** The bounds of all of them. */
export const SCRIPT_RANGE: [Uint8Array, Uint8Array] = [utf8.encode('mx'), utf8.encode('my')];

/** The bounds of all indices' metadata. */
export const INDEX_RANGE: readonly [Uint8Array, Uint8Array] = [utf8.encode('mi'), utf8.encode('mj')];

/** A value that is JSON. */
export function encodeJson(value: unknown): Uint8Array {
  return utf8.encode(jsonText(value));
}

export function decodeJson<T>(bytes: Uint8Array): T {
  return parseOwnJson(text.decode(bytes)) as T;
}

/** The value of kind i. */
export interface IdRecord {
  /** The operation that wrote the newest version; 0 if that was a deletion. */
  seq: number;
  version: Version;
  /** When it was deleted, in milliseconds; 0 for a document that is there. */
  deletedAt: number;
}

const FIRST_VERSION_BYTES = 6;
const ID_RECORD_BYTES = 24;

/** How many bytes a record takes: there is one for each document, and most documents have one version. */
export function idRecordBytes({ version, deletedAt }: IdRecord): number {
  return version === 1 && deletedAt === 0 ? FIRST_VERSION_BYTES : ID_RECORD_BYTES;
}

/**
 * A record where there is room for its bytes:
 *
 *     u48 seq                                   of a first version that is there; folders of older servers have none of these
 *     f64 seq, version, f64 deletedAt           of others; `versions.ts` says how a version is written
 */
export function putIdRecord(into: DataView, at: number, record: IdRecord): void {
  const { seq, version, deletedAt } = record;
  if (idRecordBytes(record) === FIRST_VERSION_BYTES) {
    into.setUint16(at, Math.floor(seq / 0x1_0000_0000));
    into.setUint32(at + 2, seq >>> 0);
    return;
  }
  into.setFloat64(at, seq);
  putVersion(into, at + 8, version);
  into.setFloat64(at + 16, deletedAt);
}

export function encodeIdRecord(record: IdRecord): Uint8Array {
  const bytes = new Uint8Array(idRecordBytes(record));
  putIdRecord(new DataView(bytes.buffer), 0, record);
  return bytes;
}

export function decodeIdRecord(bytes: Uint8Array): IdRecord {
  if (bytes.length === FIRST_VERSION_BYTES) return { seq: getU48(bytes, 0), version: 1, deletedAt: 0 };
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { seq: view.getFloat64(0), version: getVersion(view, 8), deletedAt: view.getFloat64(16) };
}

/** The value of kind k. */
export function encodeSeq(seq: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, seq);
  return bytes;
}

export function decodeSeq(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0);
}

export function encodeText(value: string): Uint8Array {
  return utf8.encode(value);
}

export function decodeText(bytes: Uint8Array): string {
  return text.decode(bytes);
}
