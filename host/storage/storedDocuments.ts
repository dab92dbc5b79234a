/**
 * Rows of documents:
 *
 *     u8 1, u8 flags, f64 version, u16 + type, u16 + id, (u16 + routing), (u16 + parent), (f64 timestamp), (f64 expires), source
 *
 *     u8 3, u8 flags, u8 number of the dictionary, (f64 version), v + type, v + id, (v + routing), (v + parent), (f64 timestamp), (f64 expires),
 *     v bytes of the source, the source as `packedSources.ts` packs it
 *
 * v is a length as `varints.ts` writes it; flags tell which of the parts in brackets there are. Shards begin with rows of the first kind, and
 * older servers write no others.
 */
import { decodeUtf8 } from '../text/utf8.js';
import type { DictionarySource } from './dictionaries.js';
import { compression } from './dictionary.js';
import { MalformedRow } from './varints.js';
import { getVersion, type Version } from './versions.js';

const text = new TextDecoder();

/** A stored document. */
export interface StoredDocument {
  type: string;
  id: string;
  version: Version;
  routing: string | undefined;
  /** The id of its parent. */
  parent?: string | undefined;
  /** When it was made, and when it expires, in milliseconds since the epoch; where the mapping keeps them. */
  timestamp?: number | undefined;
  expires?: number | undefined;
  /** The bytes as they were sent. */
  source: Uint8Array;
}

/** The first byte of a row. */
export const FORMAT = 1;
/** The format of the same bytes where the store put a checksum behind them. */
export const CHECKED_FORMAT = 2;
/** The format of one whose source is packed, with or without a checksum. */
export const PACKED_FORMAT = 3;
export const ROUTED = 1;
export const OWNED = 2;
export const DATED = 4;
export const EXPIRING = 8;
/** Of packed documents: the first three bytes. */
export const PACKED_HEAD_BYTES = 3;
/** Of packed documents: that their version is not 1. */
export const VERSIONED = 16;

/** The `type#id` of an encoded document, in UTF-8. */
export function documentUid(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === PACKED_FORMAT) return compression.loaded.packedUid(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint16(10);
  const id = view.getUint16(12 + type);
  return uidFrom(bytes.subarray(12, 12 + type), bytes.subarray(14 + type, 14 + type + id));
}

/** Type and id in one. */
export function uidFrom(type: Uint8Array, id: Uint8Array): Uint8Array {
  const uid = new Uint8Array(type.length + 1 + id.length);
  uid.set(type);
  uid[type.length] = 0x23;
  uid.set(id, type.length + 1);
  return uid;
}

/** The version of an encoded document. */
export function documentVersion(bytes: Uint8Array): Version {
  if (bytes[0] !== PACKED_FORMAT) return versionAt(bytes, 2);
  return bytes[1]! & VERSIONED ? versionAt(bytes, PACKED_HEAD_BYTES) : 1;
}

/** The number of the dictionary that a document is packed with; undefined for one that isn't. */
export function dictionaryOf(bytes: Uint8Array): number | undefined {
  return bytes[0] === PACKED_FORMAT ? bytes[2] : undefined;
}

/** The type that was decoded last: the next document is likely of the same. */
let lastType = '';

/**
 * What a document's row holds; `source` is a view of the given bytes, or of others that are the caller's.
 * @throws MalformedRow where the row is none; what `dictionaries` throws
 */
export function decodeDocument(bytes: Uint8Array, dictionaries: DictionarySource): StoredDocument {
  if (bytes[0] === PACKED_FORMAT) return compression.loaded.decodePacked(bytes, dictionaries);
  if (bytes[0] !== FORMAT && bytes[0] !== CHECKED_FORMAT)
    throw new MalformedRow(`a stored document has the unknown format ${bytes[0]}`);
  const flags = bytes[1]!;
  const version = versionAt(bytes, 2);
  const typeEnd = 12 + getU16(bytes, 10);
  const type = typeAt(bytes, 12, typeEnd);
  const at = typeEnd + 2 + getU16(bytes, typeEnd);
  const id = decodeUtf8(bytes, typeEnd + 2, at);
  if (flags !== 0) return withParts(flags, bytes, at, { type, id, version });
  const source = bytes.subarray(at);
  return {
    type,
    id,
    version,
    routing: undefined,
    parent: undefined,
    timestamp: undefined,
    expires: undefined,
    source,
  };
}

/** The type between two places. */
export function typeAt(bytes: Uint8Array, from: number, to: number): string {
  if (!holdsText(bytes, from, to, lastType)) lastType = text.decode(bytes.subarray(from, to));
  return lastType;
}

/** A document with the parts that its flags tell of, from there on. */
function withParts(
  flags: number,
  bytes: Uint8Array,
  start: number,
  { type, id, version }: Pick<StoredDocument, 'type' | 'id' | 'version'>,
): StoredDocument {
  let at = start;
  const part = () => {
    const from = at + 2;
    at = from + getU16(bytes, at);
    return text.decode(bytes.subarray(from, at));
  };
  const time = () => {
    at += 8;
    return getF64(bytes, at - 8);
  };
  const routing = flags & ROUTED ? part() : undefined;
  const parent = flags & OWNED ? part() : undefined;
  const timestamp = flags & DATED ? time() : undefined;
  const expires = flags & EXPIRING ? time() : undefined;
  return { type, id, version, routing, parent, timestamp, expires, source: bytes.subarray(at) };
}

function getU16(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 256 + bytes[at + 1]!;
}

/** The eight bytes of a fraction are read here: a view of its own for each document costs more than they do. */
const fraction = new DataView(new ArrayBuffer(8));

export function getF64(bytes: Uint8Array, at: number): number {
  for (let i = 0; i < 8; i++) fraction.setUint8(i, bytes[at + i]!);
  return fraction.getFloat64(0);
}

export function versionAt(bytes: Uint8Array, at: number): Version {
  for (let i = 0; i < 8; i++) fraction.setUint8(i, bytes[at + i]!);
  return getVersion(fraction, 0);
}

/** Whether these bytes are that text, all of it ASCII. */
function holdsText(bytes: Uint8Array, from: number, to: number, expected: string): boolean {
  if (to - from !== expected.length) return false;
  for (let i = 0; i < expected.length; i++) {
    const byte = bytes[from + i]!;
    if (byte >= 0x80 || byte !== expected.charCodeAt(i)) return false;
  }
  return true;
}
