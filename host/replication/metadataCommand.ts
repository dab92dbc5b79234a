/**
 * Commands on metadata: the rows that a change puts and deletes, as the store of every node takes them.
 *
 *     u32 format   u32 puts   u32 deletes   of each put u32, u32 lengths of key and value, of each delete u32 length of its key   all keys and values
 */
import { isObject } from '../json/values.js';
import { decodeJson, nameInKey } from '../storage/records.js';
import type { Entry } from '../storage/storage.js';
import { checkFormat, MalformedCommand } from './documentCommand.js';
import { PLAIN_FORMAT } from './formats.js';
import { isCount } from './message.js';
import { isChosen } from './reroute/nodeChoice.js';

/** Names of logs are made of them. */
const UUID = /^[\w-]{1,100}$/;
/** Shards of an index. */
const MOST_SHARDS = 100_000;
/** Bytes of format and counts. */
const HEAD = 12;
/** Kinds of metadata that all nodes have: indices with their mappings, templates, settings, users, repositories, the numbers of shards, what older servers kept. */
const SHARED = /^m[abilnrstx]$/;

export interface MetadataCommand {
  puts: readonly Entry[];
  deletes: readonly Uint8Array[];
}

export function encodeMetadata({ puts, deletes }: MetadataCommand): Uint8Array {
  const parts = [...puts.flat(), ...deletes];
  const head = HEAD + 4 * parts.length;
  const bytes = new Uint8Array(head + parts.reduce((sum, { length }) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, PLAIN_FORMAT);
  view.setUint32(4, puts.length);
  view.setUint32(8, deletes.length);
  let at = head;
  parts.forEach((part, i) => {
    view.setUint32(HEAD + 4 * i, part.length);
    bytes.set(part, at);
    at += part.length;
  });
  return bytes;
}

/** Throws {@link MalformedCommand}. */
export function decodeMetadata(bytes: Uint8Array): MetadataCommand {
  if (bytes.length < HEAD) throw new MalformedCommand('a change of metadata that ends too early');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkFormat(view.getUint32(0));
  const [puts, deletes] = [view.getUint32(4), view.getUint32(8)];
  const count = 2 * puts + deletes;
  let at = HEAD + 4 * count;
  if (at > bytes.length) throw new MalformedCommand('a change of metadata that ends too early');
  const parts: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const length = view.getUint32(HEAD + 4 * i);
    if (length > bytes.length - at) throw new MalformedCommand('a row that ends too early');
    parts.push(bytes.slice(at, at + length));
    at += length;
  }
  if (at !== bytes.length) throw new MalformedCommand('more bytes than rows');
  const rows = Array.from({ length: puts }, (_, i): Entry => [parts[2 * i]!, parts[2 * i + 1]!]);
  const isSwept = (key: Uint8Array) => key[0] === SWEPT;
  const keys = [...rows.map(([key]) => key), ...parts.slice(2 * puts)];
  if (!keys.every((key) => isSwept(key) || isShared(key)))
    throw new MalformedCommand('a row that nodes do not share');
  for (const [key, row] of rows) if (isOfIndex(key) && !isIndexMetadata(nameInKey(key), row)) throw noIndex();
  return { puts: rows, deletes: parts.slice(2 * puts) };
}

function noIndex(): MalformedCommand {
  return new MalformedCommand('an index that is none');
}

function isOfIndex(key: Uint8Array): boolean {
  return String.fromCharCode(key[0]!, key[1]!) === 'mi';
}

/** Whether a row has what makes an index, and of the name that it is kept under. */
function isIndexMetadata(name: string, row: Uint8Array): boolean {
  let value: unknown;
  try {
    value = decodeJson(row);
  } catch {
    return false;
  }
  if (!isObject(value) || value.name !== name || name === '') return false;
  const { uuid, created, settings, shardUids, mapping = {}, aliases = {}, chosen = {} } = value;
  const { begun = {}, turn = 0 } = value;
  return (
    typeof uuid === 'string' &&
    UUID.test(uuid) &&
    typeof created === 'number' &&
    isObject(settings) &&
    isObject(settings.flat) &&
    isCount(settings.replicas) &&
    Array.isArray(shardUids) &&
    shardUids.length > 0 &&
    shardUids.length <= MOST_SHARDS &&
    shardUids.every(isCount) &&
    isObject(mapping) &&
    isObject(aliases) &&
    isObject(begun) &&
    isCount(turn) &&
    isChosen(chosen)
  );
}

/** Rows of shards that are being swept. */
const SWEPT = 'g'.charCodeAt(0);

/** Whether a row is of metadata, and not what a node says of itself. */
export function isShared(key: Uint8Array): boolean {
  return SHARED.test(String.fromCharCode(key[0] ?? 0, key[1] ?? 0));
}
