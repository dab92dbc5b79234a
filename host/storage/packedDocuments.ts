/** Rows of packed documents, which `documentFormat.ts` draws. Browsers load this when there are any. */
import { decodeUtf8 } from '../text/utf8.js';
import type { Dictionary, DictionarySource } from './dictionary.js';
import { packSource, unpackSource } from './packedSources.js';
import { lengthOf, PREFIX_BYTES, putPrefix, putText, putU48, SEQ_KEY_BYTES } from './records.js';
import type { Rows } from './rows.js';
import {
  DATED,
  EXPIRING,
  getF64,
  OWNED,
  PACKED_FORMAT,
  PACKED_HEAD_BYTES,
  putTimes,
  ROUTED,
  type StoredDocument,
  typeAt,
  uidFrom,
  VERSIONED,
  versionAt,
} from './documentFormat.js';
import { MalformedRow, putVarint, varintAt, varintBytes, varintEnd } from './varints.js';
import { putVersion } from './versions.js';

export { SourceSample } from './sourceSample.js';

const text = new TextDecoder();

/** A document under its number, packed; returns which row it is, or undefined where that takes no less room. */
export function addPackedDocument(
  rows: Rows,
  shard: number,
  seq: number,
  doc: StoredDocument,
  number: number,
  dictionary: Dictionary,
): number | undefined {
  const packed = packSource(dictionary, doc.source);
  if (packed === undefined) return undefined;
  const { type, id, version, routing, parent, timestamp, expires, source } = doc;
  const typeBytes = lengthOf(type);
  const idBytes = lengthOf(id);
  const routingBytes = routing === undefined ? 0 : lengthOf(routing);
  const parentBytes = parent === undefined ? 0 : lengthOf(parent);
  const flags =
    (routing === undefined ? 0 : ROUTED) |
    (parent === undefined ? 0 : OWNED) |
    (timestamp === undefined ? 0 : DATED) |
    (expires === undefined ? 0 : EXPIRING) |
    (version === 1 ? 0 : VERSIONED);
  const length =
    PACKED_HEAD_BYTES +
    (flags & VERSIONED && 8) +
    varintBytes(typeBytes) +
    typeBytes +
    varintBytes(idBytes) +
    idBytes +
    (flags & ROUTED && varintBytes(routingBytes) + routingBytes) +
    (flags & OWNED && varintBytes(parentBytes) + parentBytes) +
    (flags & DATED && 8) +
    (flags & EXPIRING && 8) +
    varintBytes(source.length) +
    packed.length;
  const key = rows.add(SEQ_KEY_BYTES, length);
  const { bytes, view } = rows;
  putPrefix(bytes, key, 'd', shard);
  putU48(bytes, key + PREFIX_BYTES, seq);
  let at = key + SEQ_KEY_BYTES;
  bytes[at] = PACKED_FORMAT;
  bytes[at + 1] = flags;
  bytes[at + 2] = number;
  at += PACKED_HEAD_BYTES;
  if (flags & VERSIONED) {
    putVersion(view, at, version);
    at += 8;
  }
  at = addPackedText(bytes, at, type, typeBytes);
  at = addPackedText(bytes, at, id, idBytes);
  if (routing !== undefined) at = addPackedText(bytes, at, routing, routingBytes);
  if (parent !== undefined) at = addPackedText(bytes, at, parent, parentBytes);
  at = putTimes(view, at, doc);
  at = putVarint(bytes, at, source.length);
  bytes.set(packed, at);
  return rows.length - 1;
}

/** Writes the length of a text, in as few bytes as it needs, and the text; returns where it ends. */
function addPackedText(bytes: Uint8Array, at: number, value: string, length: number): number {
  const from = putVarint(bytes, at, length);
  putText(bytes, from, value, length);
  return from + length;
}

/** The `type#id` of a document, in UTF-8. */
export function packedUid(bytes: Uint8Array): Uint8Array {
  const type = partAt(bytes, headOf(bytes));
  return uidFrom(type, partAt(bytes, partEnd));
}

/** What a packed document's row holds; see `storedDocuments.ts`. */
export function decodePacked(bytes: Uint8Array, dictionaries: DictionarySource): StoredDocument {
  const flags = bytes[1]!;
  const head = headOf(bytes);
  const version = flags & VERSIONED ? versionAt(bytes, PACKED_HEAD_BYTES) : 1;
  const typeBytes = varintAt(bytes, head);
  const typeFrom = varintEnd();
  const idBytes = varintAt(bytes, typeFrom + typeBytes);
  const idFrom = varintEnd();
  let at = idFrom + idBytes;
  const type = typeAt(bytes, typeFrom, typeFrom + typeBytes);
  const id = decodeUtf8(bytes, idFrom, at);
  let routing: string | undefined;
  let parent: string | undefined;
  let timestamp: number | undefined;
  let expires: number | undefined;
  if (flags & ~VERSIONED) {
    if (flags & ROUTED) {
      routing = text.decode(partAt(bytes, at));
      at = partEnd;
    }
    if (flags & OWNED) {
      parent = text.decode(partAt(bytes, at));
      at = partEnd;
    }
    if (flags & DATED) {
      timestamp = getF64(bytes, at);
      at += 8;
    }
    if (flags & EXPIRING) {
      expires = getF64(bytes, at);
      at += 8;
    }
  }
  const length = varintAt(bytes, at);
  const source = unpackSource(dictionaries.get(bytes[2]!), bytes, varintEnd(), length);
  return { type, id, version, routing, parent, timestamp, expires, source };
}

/** Where the part ended that was read last. */
let partEnd = 0;

function partAt(bytes: Uint8Array, at: number): Uint8Array {
  const length = varintAt(bytes, at);
  const from = varintEnd();
  partEnd = from + length;
  if (!(partEnd <= bytes.length)) throw new MalformedRow('a document is cut off');
  return bytes.subarray(from, partEnd);
}

/** Where the type of a packed document is. */
function headOf(bytes: Uint8Array): number {
  return bytes[1]! & VERSIONED ? PACKED_HEAD_BYTES + 8 : PACKED_HEAD_BYTES;
}
