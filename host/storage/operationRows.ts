/** The rows that operations on documents leave, written straight to where the store takes them from. */
import { DATED, EXPIRING, FORMAT, OWNED, putTimes, ROUTED, type StoredDocument } from './documentFormat.js';
import {
  type IdRecord,
  idRecordBytes,
  lengthOf,
  PREFIX_BYTES,
  putIdRecord,
  putPrefix,
  putText,
  putU48,
  SEQ_KEY_BYTES,
} from './records.js';
import type { Rows } from './rows.js';
import { putVersion } from './versions.js';

/** Where the newest version of an id is. */
export function addIdRecord(rows: Rows, shard: number, uid: string, record: IdRecord): void {
  const length = lengthOf(uid);
  const key = rows.add(PREFIX_BYTES + length, idRecordBytes(record));
  putPrefix(rows.bytes, key, 'i', shard);
  putText(rows.bytes, key + PREFIX_BYTES, uid, length);
  putIdRecord(rows.view, key + PREFIX_BYTES + length, record);
}

/** Format, flags and version. */
const HEAD_BYTES = 10;

/** A document under its number, as it is; returns which row it is. */
export function addDocument(rows: Rows, shard: number, seq: number, doc: StoredDocument): number {
  const { type, id, routing, parent, timestamp, expires, source } = doc;
  const typeBytes = lengthOf(type);
  const idBytes = lengthOf(id);
  const routingBytes = routing === undefined ? 0 : lengthOf(routing);
  const parentBytes = parent === undefined ? 0 : lengthOf(parent);
  let flags = 0;
  let length = HEAD_BYTES + 2 + typeBytes + 2 + idBytes + source.length;
  if (routing !== undefined) {
    flags |= ROUTED;
    length += 2 + routingBytes;
  }
  if (parent !== undefined) {
    flags |= OWNED;
    length += 2 + parentBytes;
  }
  if (timestamp !== undefined) {
    flags |= DATED;
    length += 8;
  }
  if (expires !== undefined) {
    flags |= EXPIRING;
    length += 8;
  }
  const key = rows.add(SEQ_KEY_BYTES, length);
  const { bytes, view } = rows;
  putPrefix(bytes, key, 'd', shard);
  putU48(bytes, key + PREFIX_BYTES, seq);
  let at = key + SEQ_KEY_BYTES;
  view.setUint8(at, FORMAT);
  view.setUint8(at + 1, flags);
  putVersion(view, at + 2, doc.version);
  at = addText(rows, at + HEAD_BYTES, type, typeBytes);
  at = addText(rows, at, id, idBytes);
  if (routing !== undefined) at = addText(rows, at, routing, routingBytes);
  if (parent !== undefined) at = addText(rows, at, parent, parentBytes);
  at = putTimes(view, at, doc);
  bytes.set(source, at);
  return rows.length - 1;
}

/** Writes the length of a text and the text; returns where it ends. */
function addText({ bytes, view }: Rows, at: number, value: string, length: number): number {
  view.setUint16(at, length);
  putText(bytes, at + 2, value, length);
  return at + 2 + length;
}
