import { type MsgHdrs, headers } from '@nats-io/transport-node';
import type { ChecksummedMessage, Place } from '../../cluster/checksum.js';
import { MAX_MESSAGE_BYTES } from '../../cluster/errors.js';
import { xxh32 } from '../../storage/xxh32.js';

const ID = 'Nats-Msg-Id';
/** Position and checksum of what the writer had read last. */
const LINK = 'Resilin-Link';
/** Says that the payload names the parts of the message. */
const PARTS = 'Resilin-Parts';
/** Parts of a message, at most. */
const MAX_PARTS = 4096;
const LONGEST_ID = 512;
/** Longer messages come in several reads of a connection, which are put together in memory of their own. */
const LONG_BYTES = 64 * 1024;

/** Where the parts of a long message are. */
export interface Parts {
  /** Positions in the stream, in order. */
  readonly positions: readonly number[];
  readonly bytes: number;
  /** Checksum of all bytes. */
  readonly checksum: number;
}

/** A message as a stream has it. */
export interface StoredMessage extends ChecksummedMessage {
  /** The position that its writer expected before it, where it expected one. */
  readonly after: number | undefined;
  /** The parts that it is made of; its own bytes are what names them. */
  readonly parts: Parts | undefined;
}

/**
 * What a message is published to: what it is about, and what its writer expected. One that expects a last message has a subject that only one
 * message can have, for servers of 2.9 that form a cluster check of concurrent messages nothing but whether a subject is new.
 */
export function publishedSubject(prefix: string, subject: string, expectLast: number | undefined): string {
  return `${prefix}${subject}.${expectLast === undefined ? 'any' : `after-${expectLast}`}`;
}

/** The subjects of all messages about something. */
export function publishedSubjects(prefix: string, subject: string | undefined): string {
  return subject === undefined ? `${prefix}>` : `${prefix}${subject}.*`;
}

/** The position that a message expected before it, as what it was published to says; undefined where it expected none. */
export function expectedLast(published: string): number | undefined {
  const expected = /\.after-(\d{1,16})$/.exec(published)?.[1];
  return expected === undefined ? undefined : Number(expected);
}

/** The headers of a message. */
export function headersOf(link: Place | undefined, inParts: boolean): MsgHdrs {
  const result = headers();
  if (link) result.set(LINK, `${link.position}:${link.checksum}`);
  if (inParts) result.set(PARTS, '1');
  return result;
}

/** The payload that names parts. */
export function partsPayload({ positions, bytes, checksum }: Parts): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ positions, bytes, checksum }));
}

/** Reads a message of a stream; nothing when it isn't one that a log has written. */
export function storedMessage(
  message: { seq: number; subject: string; data: Uint8Array; headers?: MsgHdrs | undefined },
  prefix: string,
): StoredMessage | undefined {
  const { seq: position, subject, headers: head } = message;
  const id = head?.get(ID) ?? '';
  const end = subject.lastIndexOf('.');
  if (!subject.startsWith(prefix) || end <= prefix.length || id === '' || id.length > LONGEST_ID)
    return undefined;
  const bytes = ownBytes(message.data);
  const parts = head?.has(PARTS) ? readParts(bytes, position) : undefined;
  if (head?.has(PARTS) && !parts) return undefined;
  const link = head?.has(LINK) ? readLink(head.get(LINK)) : undefined;
  if (head?.has(LINK) && !link) return undefined;
  const after = expectedLast(subject);
  return { position, subject: subject.slice(prefix.length, end), id, bytes, link, parts, after };
}

/** Bytes that keep little else in memory: those of a short message are among what the connection read with it, a long one has its own. */
function ownBytes(data: Uint8Array): Uint8Array {
  return data.length < LONG_BYTES ? new Uint8Array(data) : data;
}

/** Whether two servers have the same message at a position. */
export function isSameMessage(
  one: { subject: string; data: Uint8Array; headers?: MsgHdrs | undefined },
  other: { subject: string; data: Uint8Array; headers?: MsgHdrs | undefined },
): boolean {
  const isSameHead = [ID, LINK, PARTS].every((name) => one.headers?.get(name) === other.headers?.get(name));
  return isSameHead && one.subject === other.subject && Buffer.compare(one.data, other.data) === 0;
}

/** The id that a message was published with. */
export function idOf(head: MsgHdrs | undefined): string {
  return head?.get(ID) ?? '';
}

export function contentChecksum(bytes: Uint8Array): number {
  return xxh32(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length) >>> 0;
}

function readLink(text: string): Place | undefined {
  const [, position, checksum] = /^(\d{1,16}):(\d{1,10})$/.exec(text) ?? [];
  return position === undefined ? undefined : { position: Number(position), checksum: Number(checksum) };
}

function readParts(payload: Uint8Array, position: number): Parts | undefined {
  const { positions, bytes, checksum } = json(payload);
  const isPosition = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < position;
  if (!Array.isArray(positions) || positions.length > MAX_PARTS || !positions.every(isPosition))
    return undefined;
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0 || Number(bytes) > MAX_MESSAGE_BYTES)
    return undefined;
  if (!Number.isSafeInteger(checksum)) return undefined;
  return { positions, bytes: Number(bytes), checksum: Number(checksum) };
}

function json(payload: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(payload));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
