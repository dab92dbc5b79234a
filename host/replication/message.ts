/**
 * Messages between nodes. Most are JSON; where bytes belong to one, it is
 *
 *     u32 length of the head   head in JSON   the bytes of all parts, one behind the other
 *
 * What is read was sent by another node: its shape is checked.
 */
import { isObject } from '../json/values.js';
import { decodeJson, encodeJson } from '../storage/records.js';

/** Answers a question of another node. It checks what it is sent, and bounds what it costs; the signal aborts when nobody waits any more. */
export type QuestionHandler = (bytes: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/**
 * Has questions of a kind answered.
 * @param mostBytes that a question may have; {@link QUESTION_BYTES} without. A longer one is refused before it is taken in
 */
export type RegisterQuestion = (kind: string, handler: QuestionHandler, mostBytes?: number) => void;

/** Bytes of most questions, at most, and of those that name many things, such as every index. */
export const QUESTION_BYTES = 1024 * 1024;
export const LONG_QUESTION_BYTES = 16 * 1024 * 1024;

export function encodeMessage(head: unknown, parts: readonly Uint8Array[]): Uint8Array {
  const json = encodeJson(head);
  const size = parts.reduce((sum, { length }) => sum + length, 4 + json.length);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, json.length);
  bytes.set(json, 4);
  let at = 4 + json.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The head, and the bytes of all parts: a view of the message's. Throws for what is no such message. */
export function decodeMessage(message: Uint8Array): [head: unknown, bytes: Uint8Array] {
  const [head, bytes] = parts(message);
  return [decodeJson(head), bytes];
}

/**
 * The same of a head whose numbers all are plain ones, none with digits that a double doesn't hold: it isn't looked through for such, which took
 * 30 us where a name in it looked like one.
 */
export function decodePlainMessage(message: Uint8Array): [head: unknown, bytes: Uint8Array] {
  const [head, bytes] = parts(message);
  return [JSON.parse(utf8.decode(head)), bytes];
}

const utf8 = new TextDecoder();

function parts(message: Uint8Array): [head: Uint8Array, bytes: Uint8Array] {
  const length = message.length < 4 ? -1 : new DataView(message.buffer, message.byteOffset).getUint32(0);
  if (length < 0 || length > message.length - 4) throw new Error('a message that ends too early');
  return [message.subarray(4, 4 + length), message.subarray(4 + length)];
}

/** A question that is an object in JSON. Throws for another. */
export function questionOf(bytes: Uint8Array): Record<string, unknown> {
  const question: unknown = decodeJson(bytes);
  if (!isObject(question)) throw new Error('a question that is none');
  return question;
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The number, if it is a whole one from 0 on. Throws for what is none. */
export function countOf(value: unknown): number {
  if (!isCount(value)) throw new Error('a number that is none');
  return value;
}
