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

/** Type and id in one. */
export function uidFrom(type: Uint8Array, id: Uint8Array): Uint8Array {
  const uid = new Uint8Array(type.length + 1 + id.length);
  uid.set(type);
  uid[type.length] = 0x23;
  uid.set(id, type.length + 1);
  return uid;
}

/** The type that was decoded last: the next document is likely of the same. */
let lastType = '';

/** The type between two places. */
export function typeAt(bytes: Uint8Array, from: number, to: number): string {
  if (!holdsText(bytes, from, to, lastType)) lastType = text.decode(bytes.subarray(from, to));
  return lastType;
}

/** The eight bytes of a fraction are read here: a view of its own for each document costs more than they do. */
const fraction = new DataView(new ArrayBuffer(8));

export function getF64(bytes: Uint8Array, at: number): number {
  for (let i = 0; i < 8; i++) fraction.setUint8(i, bytes[at + i]!);
  return fraction.getFloat64(0);
}

/** Writes when a document was made and when it expires, as far as it has that; returns where they end. */
export function putTimes(view: DataView, from: number, { timestamp, expires }: StoredDocument): number {
  let at = from;
  if (timestamp !== undefined) {
    view.setFloat64(at, timestamp);
    at += 8;
  }
  if (expires !== undefined) {
    view.setFloat64(at, expires);
    at += 8;
  }
  return at;
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
