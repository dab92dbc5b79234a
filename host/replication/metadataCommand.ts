/**
 * Commands on metadata: the rows that a change puts and deletes, as the store of every node takes them.
 *
 *     u32 puts   u32 deletes   of each put u32, u32 lengths of key and value, of each delete u32 length of its key   all keys and values
 */
import type { Entry } from '../storage/storage.js';
import { MalformedCommand } from './documentCommand.js';

export interface MetadataCommand {
  puts: readonly Entry[];
  deletes: readonly Uint8Array[];
}

export function encodeMetadata({ puts, deletes }: MetadataCommand): Uint8Array {
  const parts = [...puts.flat(), ...deletes];
  const head = 8 + 4 * parts.length;
  const bytes = new Uint8Array(head + parts.reduce((sum, { length }) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, puts.length);
  view.setUint32(4, deletes.length);
  let at = head;
  parts.forEach((part, i) => {
    view.setUint32(8 + 4 * i, part.length);
    bytes.set(part, at);
    at += part.length;
  });
  return bytes;
}

/** Throws {@link MalformedCommand}. */
export function decodeMetadata(bytes: Uint8Array): MetadataCommand {
  if (bytes.length < 8) throw new MalformedCommand('a change of metadata that ends too early');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [puts, deletes] = [view.getUint32(0), view.getUint32(4)];
  const count = 2 * puts + deletes;
  let at = 8 + 4 * count;
  if (at > bytes.length) throw new MalformedCommand('a change of metadata that ends too early');
  const parts: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const length = view.getUint32(8 + 4 * i);
    if (length > bytes.length - at) throw new MalformedCommand('a row that ends too early');
    parts.push(bytes.slice(at, at + length));
    at += length;
  }
  if (at !== bytes.length) throw new MalformedCommand('more bytes than rows');
  const rows = Array.from({ length: puts }, (_, i): Entry => [parts[2 * i]!, parts[2 * i + 1]!]);
  return { puts: rows, deletes: parts.slice(2 * puts) };
}
