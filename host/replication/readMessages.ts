/**
 * Questions about copies of shards, and their answers: messages whose head has an item for each, which says how many bytes it has. What is read was
 * sent by another node: its shape is checked.
 */
import { CoreError } from '../core/status.js';
import { ElasticsearchError } from '../errors.js';
import { isObject } from '../json/values.js';
import type { CopyAnswer, CopyQuestion, CopyQuestionKind } from '../shard/copyReads.js';
import { decodePlainMessage, encodeMessage, isCount } from './message.js';
import { readError, writtenError } from './errorMessage.js';
import { WorkOver } from '../workLimit.js';

/** A shard of an index, and how new the mapping has to be that it is asked by. */
export interface AskedShard {
  index: string;
  uuid: string;
  shard: number;
  /** The position in the index's log of the mapping that the question was made by. */
  mapping: number;
}

/** Keeps the rows of a copy for a search. */
export interface Lease {
  id: string;
  /** Whether it begins with the question; else the copy must have it. */
  begins: boolean;
}

/** One question of a message. */
export interface AskedItem {
  at: AskedShard;
  lease: Lease | undefined;
  question: CopyQuestion;
}

/** A message with questions. */
export interface AskedMessage {
  items: readonly AskedItem[];
  /** Milliseconds that the answer may take; undefined where nobody said. */
  ms: number | undefined;
  /** Leases that have ended. */
  released: readonly string[];
  /** Leases that go on. */
  renewed: readonly string[];
}

/** What became of a question: an answer, an error of the search, or a copy that isn't there. */
export type ItemAnswer =
  | { answer: CopyAnswer }
  | { error: Error }
  | { lost: string }
  /** It has to be asked alone: the answers of the message are too long together. */
  | { alone: true };

const KINDS: readonly unknown[] = ['search', 'terms', 'rows', 'keys', 'documents', 'queries'];
/** Questions in a message. */
const MOST_ITEMS = 10_000;
/** Leases that are named in a message. */
export const MOST_LEASES = 10_000;

export function encodeQuestions({ items, ms, released, renewed }: AskedMessage): Uint8Array {
  const heads = items.map(({ at, lease, question: { kind, head, bytes } }) => ({
    at,
    lease,
    kind,
    head,
    bytes: bytes.length,
  }));
  return encodeMessage(
    { items: heads, ms, released, renewed },
    items.map(({ question }) => question.bytes),
  );
}

/** Throws for what is no such message. */
export function decodeQuestions(message: Uint8Array): AskedMessage {
  const [head, bytes] = unframed(message);
  const { items, ms, released, renewed } = head;
  if (!Array.isArray(items) || items.length > MOST_ITEMS) throw malformed();
  let at = 0;
  return {
    items: items.map((item: unknown): AskedItem => {
      if (!isObject(item) || !isObject(item.head) || !KINDS.includes(item.kind)) throw malformed();
      const own = take(bytes, at, item.bytes);
      at += own.length;
      const question = { kind: item.kind as CopyQuestionKind, head: item.head, bytes: own };
      return { at: shardOf(item.at), lease: leaseOf(item.lease), question };
    }),
    ms: typeof ms === 'number' && ms >= 0 ? ms : undefined,
    released: names(released),
    renewed: names(renewed),
  };
}

export function encodeAnswers(answers: readonly ItemAnswer[]): Uint8Array {
  const bytes: Uint8Array[] = [];
  const items = answers.map((each) => {
    if ('error' in each) return { error: writtenFailure(each.error) };
    if (!('answer' in each)) return each;
    bytes.push(each.answer.bytes);
    return { head: each.answer.head, bytes: each.answer.bytes.length };
  });
  return encodeMessage({ items }, bytes);
}

/** Throws for what is no such message. */
export function decodeAnswers(message: Uint8Array, count: number): ItemAnswer[] {
  const [{ items }, bytes] = unframed(message);
  if (!Array.isArray(items) || items.length !== count) throw malformed();
  let at = 0;
  return items.map((item: unknown): ItemAnswer => {
    if (!isObject(item)) throw malformed();
    if (item.alone === true) return { alone: true };
    if (typeof item.lost === 'string') return { lost: item.lost };
    if (item.error !== undefined) return { error: readFailure(item.error) };
    if (!isObject(item.head)) throw malformed();
    const own = take(bytes, at, item.bytes);
    at += own.length;
    return { answer: { head: item.head, bytes: own } };
  });
}

function unframed(message: Uint8Array): [head: Record<string, unknown>, bytes: Uint8Array] {
  const [head, bytes] = decodePlainMessage(message);
  if (!isObject(head)) throw malformed();
  return [head, bytes];
}

/** The next bytes. They begin a memory of their own where they are read as numbers: see `decodeResult`. */
function take(bytes: Uint8Array, at: number, size: unknown): Uint8Array {
  if (!isCount(size) || size > bytes.length - at) throw malformed();
  return bytes.subarray(at, at + size);
}

function shardOf(value: unknown): AskedShard {
  if (!isObject(value)) throw malformed();
  const { index, uuid, shard, mapping } = value;
  if (typeof index !== 'string' || typeof uuid !== 'string' || !isCount(shard) || !isCount(mapping))
    throw malformed();
  return { index, uuid, shard, mapping };
}

const LEASE = /^[\w-]{1,128}$/;

function leaseOf(value: unknown): Lease | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value) || typeof value.id !== 'string' || !LEASE.test(value.id)) throw malformed();
  return { id: value.id, begins: value.begins === true };
}

function names(value: unknown): string[] {
  if (!Array.isArray(value) || value.length > MOST_LEASES) throw malformed();
  return value.map((each: unknown) => {
    if (typeof each !== 'string' || !LEASE.test(each)) throw malformed();
    return each;
  });
}

function malformed(): Error {
  return new Error('a message about copies that is none');
}

/** What a search throws: also that its time is over, or what its core says. */
function writtenFailure(error: Error): unknown {
  if (error instanceof WorkOver) return { over: true };
  if (error instanceof CoreError)
    return { code: error.code, message: error.message, detail: error.detail && [...error.detail] };
  if (error instanceof ElasticsearchError) return writtenError(error);
  return { exception: error.name, detail: error.message, status: 500 };
}

function readFailure(value: unknown): Error {
  if (!isObject(value)) throw malformed();
  if (value.over === true) return new WorkOver();
  const { code, message, detail } = value;
  if (typeof code !== 'number') return readError(value);
  const bytes = Array.isArray(detail) ? Uint8Array.from(detail.map(Number)) : undefined;
  return new CoreError(code, String(message).split(':')[0] ?? 'search', bytes);
}
