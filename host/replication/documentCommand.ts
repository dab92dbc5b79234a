/**
 * Commands on documents: the operations of one shard that one message of its index's log holds.
 *
 *     u32 length of the header   header in JSON   the sources of all operations, one behind the other
 *
 * All that isn't the same everywhere, ids and times, was decided by the writer. What is read comes from the log: its shape is checked.
 */

import { isObject } from '../json/values.js';
import { writtenVersion } from '../shard/documentMessage.js';
import type { Operation, VersionType } from '../shard/operation.js';
import { type Version, versionFrom } from '../storage/versions.js';
import { COMPARED_FORMAT, NEWEST_FORMAT, PLAIN_FORMAT } from './formats.js';
import { isCount } from './message.js';
import { newOperation, OPS, plainHeadsOf } from './plainHeads.js';

/** A message of a log as its writer made it. */
export interface DocumentCommand {
  /** The process that wrote it, and the number of the message among those that it wrote for the shard. */
  writer: string;
  number: number;
  /** When it was made, in milliseconds. */
  time: number;
  /** Deletions from before count no more. */
  horizon: number;
  /** Whether its writer has no copy of the shard: copies keep for a while what becomes of it. */
  isDistant?: boolean;
  /** Whether copies are compared by all that it says, and not by its outcomes alone. Its format says so: older versions can't read it. */
  isCompared?: boolean;
  ops: readonly Operation[];
}

/** A message that no node makes: it is nothing, on every node alike. */
export class MalformedCommand extends Error {}

/** A message of a newer version than this one: this node must not go on, since it would leave out what others carry out. */
export class NewerCommand extends Error {
  constructor() {
    super(
      'the log has messages of a newer version of Resilin than this node has: start the node with that version',
    );
  }
}

/** Later ones are counted up by one: what has a larger number is no message of another version. */
const LAST_FORMAT = 1000;

/** Refuses a message of another format. */
export function checkFormat(format: unknown): void {
  const isNumber = Number.isSafeInteger(format) && (format as number) >= PLAIN_FORMAT;
  if (isNumber && (format as number) <= NEWEST_FORMAT) return;
  if (isNumber && (format as number) <= LAST_FORMAT) throw new NewerCommand();
  throw new MalformedCommand('a message of no format');
}

const KINDS: readonly unknown[] = ['index', 'delete'];
const TYPES: readonly unknown[] = [undefined, 'internal', 'external', 'external_gte', 'force'];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export function encodeCommand(command: DocumentCommand): Uint8Array {
  const { writer, number, time, horizon, isDistant, isCompared, ops } = command;
  const format = isCompared === true ? COMPARED_FORMAT : PLAIN_FORMAT;
  // Field by field: to copy the rest of an object took 7 us (Node 20).
  const head = JSON.stringify({ format, writer, number, time, horizon, isDistant });
  const header = encoder.encode(`${head.slice(0, -1)}${OPS}${writtenHeads(ops)}]}`);
  const sources = ops.reduce((sum, { source }) => sum + (source?.length ?? 0), 0);
  const bytes = new Uint8Array(4 + header.length + sources);
  new DataView(bytes.buffer).setUint32(0, header.length);
  bytes.set(header, 4);
  let at = 4 + header.length;
  for (const { source } of ops) {
    if (source === undefined) continue;
    bytes.set(source, at);
    at += source.length;
  }
  return bytes;
}

/** The heads of all operations in JSON. Those that are plain are put together of texts: an object for each took four times as long. */
function writtenHeads(ops: readonly Operation[]): string {
  let heads = '';
  let type: string | undefined;
  let typeText = '';
  for (const op of ops) {
    if (heads !== '') heads += ',';
    if (!isPlain(op)) {
      heads += JSON.stringify(headOf(op));
      continue;
    }
    if (op.type !== type) {
      type = op.type;
      typeText = JSON.stringify(type);
    }
    const create = op.create === true ? ',"create":true' : '';
    heads += `{"kind":"index","type":${typeText},"id":${JSON.stringify(op.id)}${create},"bytes":${op.source!.length}}`;
  }
  return heads;
}

/** Whether an operation says nothing but which document it indexes, and whether there may be none before. */
function isPlain(op: Operation): boolean {
  return (
    op.kind === 'index' &&
    op.source !== undefined &&
    op.routing === undefined &&
    op.parent === undefined &&
    op.timestamp === undefined &&
    op.forgotten !== true &&
    op.version === undefined &&
    isInternal(op.versionType) &&
    op.expected === undefined &&
    op.ttl === undefined
  );
}

/** Whether versions are of the type that they have where nothing is said: nothing is written of it. */
function isInternal(type: VersionType | undefined): boolean {
  return type === undefined || type === 'internal';
}

/** What JSON leaves out is undefined. */
function headOf(op: Operation): Record<string, unknown> {
  const { kind, type, id, version, versionType, expected, ttl, source } = op;
  return {
    kind,
    type,
    id,
    routing: op.routing,
    parent: op.parent,
    timestamp: op.timestamp,
    create: op.create === true ? true : undefined,
    forgotten: op.forgotten === true ? true : undefined,
    version: version === undefined ? undefined : writtenVersion(version),
    versionType: isInternal(versionType) ? undefined : versionType,
    expected: expected === undefined || expected === null ? expected : writtenVersion(expected),
    ttl,
    bytes: source?.length,
  };
}

/** Throws {@link MalformedCommand}. */
export function decodeCommand(bytes: Uint8Array): DocumentCommand {
  const length = bytes.length < 4 ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (length < 0 || length > bytes.length - 4) throw new MalformedCommand('a header that ends too early');
  const text = textOfHeader(bytes.subarray(4, 4 + length));
  const plain = plainHeadsOf(text);
  const header = parsed(plain === undefined ? text : `${text.slice(0, plain.from)}]}`);
  const { format, writer, number, time, horizon, ops } = header;
  checkFormat(format);
  if (typeof writer !== 'string' || !/^[\w-]{1,128}$/.test(writer)) throw new MalformedCommand('no writer');
  if (!isCount(number) || !isTime(time) || !isTime(horizon) || !Array.isArray(ops))
    throw new MalformedCommand('a header with something missing');
  const read = plain?.ops ?? ops.map(operationOf);
  const sizes = plain?.sizes ?? ops.map((each: { bytes?: unknown }) => each.bytes);
  let at = 4 + length;
  for (let i = 0; i < read.length; i++) {
    const op = read[i]!;
    if (op.kind !== 'index') continue;
    const size = sizes[i];
    if (!isCount(size) || size > bytes.length - at)
      throw new MalformedCommand('a source that ends too early');
    op.source = bytes.subarray(at, at + size);
    at += size;
  }
  if (at !== bytes.length) throw new MalformedCommand('more bytes than sources');
  const command: DocumentCommand = { writer, number, time, horizon, ops: read };
  if (header.isDistant === true) command.isDistant = true;
  if ((format as number) >= COMPARED_FORMAT) command.isCompared = true;
  return command;
}

function textOfHeader(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw notJson();
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told of below.
  }
  throw notJson();
}

function notJson(): MalformedCommand {
  return new MalformedCommand('a header that is no JSON');
}

function operationOf(given: unknown): Operation {
  if (!isObject(given)) throw new MalformedCommand('an operation that is none');
  const { kind, type, id, version, versionType, expected, ttl } = given;
  if (
    !KINDS.includes(kind) ||
    typeof type !== 'string' ||
    typeof id !== 'string' ||
    !TYPES.includes(versionType)
  )
    throw new MalformedCommand('an operation of an unknown kind');
  if (ttl !== undefined && typeof ttl !== 'number') throw new MalformedCommand('a time to live that is none');
  const op = newOperation(kind as Operation['kind'], type, id, given.create === true);
  if (given.forgotten === true) op.forgotten = true;
  op.routing = textOf(given, 'routing');
  op.parent = textOf(given, 'parent');
  op.timestamp = textOf(given, 'timestamp');
  op.ttl = ttl;
  if (version !== undefined) op.version = versionOf(version);
  op.versionType = versionType as VersionType | undefined;
  op.expected = expected === undefined || expected === null ? expected : versionOf(expected);
  return op;
}

function textOf(
  given: Record<string, unknown>,
  name: 'routing' | 'parent' | 'timestamp',
): string | undefined {
  const text = given[name];
  if (text === undefined || typeof text === 'string') return text;
  throw new MalformedCommand(`${name} is no text`);
}

function versionOf(value: unknown): Version {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return versionFrom(BigInt(value));
  throw new MalformedCommand('a version that is none');
}

/** The store has 48 bits for times. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= -(2 ** 47) && value < 2 ** 47;
}
