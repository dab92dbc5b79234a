/** Reading rows of documents, which `documentFormat.ts` draws. */
import { decodeUtf8 } from '../text/utf8.js';
import { compression } from './compression.js';
import type { DictionarySource } from './dictionary.js';
import {
  CHECKED_FORMAT,
  DATED,
  EXPIRING,
  FORMAT,
  OWNED,
  PACKED_FORMAT,
  PACKED_HEAD_BYTES,
  ROUTED,
  VERSIONED,
  getF64,
  typeAt,
  uidFrom,
  versionAt,
  type StoredDocument,
} from './documentFormat.js';
import { MalformedRow } from './varints.js';
import type { Version } from './versions.js';

export type { StoredDocument } from './documentFormat.js';

const text = new TextDecoder();

/** The `type#id` of an encoded document, in UTF-8. */
export function documentUid(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === PACKED_FORMAT) return compression.loaded.packedUid(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint16(10);
  const id = view.getUint16(12 + type);
  return uidFrom(bytes.subarray(12, 12 + type), bytes.subarray(14 + type, 14 + type + id));
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
