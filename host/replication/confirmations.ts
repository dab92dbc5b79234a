/**
 * What a copy says when it has carried out a write: how far its hash is there. A copy that has read something else in the log, or made something
 * else of it, has another one, and confirms nothing. Older versions say nothing, and are believed.
 */
import { isObject } from '../json/values.js';
import type { Digest } from '../shard/digestMark.js';
import { decodeJson, encodeJson } from '../storage/records.js';
import { isCount } from './message.js';

/** What a copy has come to. */
export type Confirmation = Digest;

/** What is said; nothing where it isn't known any more. */
export function writtenConfirmation(digest: Confirmation | undefined): { digest?: Confirmation } {
  return digest === undefined ? {} : { digest: { messages: digest.messages, hash: digest.hash } };
}

export function encodeConfirmation(digest: Confirmation | undefined): Uint8Array {
  return encodeJson(writtenConfirmation(digest));
}

/** What another node has said, whatever its shape. */
export function readConfirmation(answer: unknown): Confirmation | undefined {
  if (!isObject(answer) || !isObject(answer.digest)) return undefined;
  const { messages, hash } = answer.digest;
  return isCount(messages) && isCount(hash) ? { messages, hash } : undefined;
}

export function decodeConfirmation(bytes: Uint8Array): Confirmation | undefined {
  return readConfirmation(decodeJson(bytes));
}

/** Whether two copies have read and made the same, as far as both say. */
export function agree(one: Confirmation | undefined, other: Confirmation | undefined): boolean {
  return (
    one === undefined || other === undefined || (one.messages === other.messages && one.hash === other.hash)
  );
}
