/** What the main thread and a data worker say to each other. */
import type { MessagePort } from 'node:worker_threads';
import { CoreError, CoreTrap } from '../core/status.js';
import { ShardLost } from '../shard/shardClient.js';
import type { CopyingShardHost } from './searchCopies/copyingShardHost.js';
import type { CopyNumbers } from './searchCopies/copyTable.js';

/** What a worker can be asked: the methods of a {@link CopyingShardHost}. */
export type Method = {
  [K in keyof CopyingShardHost]: CopyingShardHost[K] extends (...args: never[]) => unknown ? K : never;
}[Exclude<keyof CopyingShardHost, 'limitFielddata' | 'searchMemory'>];

/** A call; `args` are the method's. */
export interface Call {
  id: number;
  method: Method;
  args: readonly unknown[];
  /** When it is to end, {@link clockNow}; Infinity: never. */
  deadline: number;
  /** For whom: a number that those of one client have in common. */
  asker: number;
}

/**
 * Calls that nobody waits for any more, in memory that both threads see: a call's number stands in the place of its number modulo the
 * length.
 */
export type Cancelled = Int32Array<SharedArrayBuffer>;

const CANCELLED = 4096;

/** Room for them. */
export function newCancelled(): Cancelled {
  return new Int32Array(new SharedArrayBuffer(4 * CANCELLED));
}

/** Says that nobody waits for a call. */
export function cancelCall(cancelled: Cancelled, id: number): void {
  Atomics.store(cancelled, id % CANCELLED, id | 0);
}

/** Whether somebody has said so. */
export function isCancelled(cancelled: Cancelled, id: number): boolean {
  return Atomics.load(cancelled, id % CANCELLED) === (id | 0);
}

/** Calls that are made together. */
export interface Calls {
  list: Call[];
  /** What the worker's searches may need of fields' values, in bytes. */
  fielddataLimit: number;
  /** Whether the next ones are likely to follow soon, and alone. */
  single: boolean;
}

/** An error on its way between threads. */
export interface WireError {
  name: string;
  message: string;
  code?: number;
  detail?: Uint8Array | undefined;
}

/** What became of a call. */
export type Answer = { id: number; value: unknown } | { id: number; error: WireError };

/** A value of few bytes. */
export interface SmallValue {
  id: number;
  small: Uint8Array;
}

/** Answers that are sent together. */
export interface Answers {
  list: Answer[];
  /** Bytes of fields' values that the worker's searches have needed. */
  fielddata: number;
}

/**
 * Searches of one turn, in place of calls: `f64 fielddataLimit, u8 single`, then `u32 id, u32 shard, f64 deadline, u32 asker, u32 length, plan` of each. Bytes cost
 * less than objects that hold them.
 */
export type Searches = Uint8Array<ArrayBuffer>;

const SEARCHES_HEAD = 9;
const SEARCH_HEAD = 24;

/** The bytes of calls that are all searches; undefined where one is not. */
export function encodeSearches(
  calls: readonly Call[],
  fielddataLimit: number,
  single: boolean,
): Searches | undefined {
  let length = SEARCHES_HEAD;
  for (const { method, args } of calls) {
    if (method !== 'search') return undefined;
    length += SEARCH_HEAD + (args[1] as Uint8Array).length;
  }
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, fielddataLimit);
  view.setUint8(8, single ? 1 : 0);
  let at = SEARCHES_HEAD;
  for (const { id, args, deadline, asker } of calls) {
    const plan = args[1] as Uint8Array;
    view.setUint32(at, id);
    view.setUint32(at + 4, args[0] as number);
    view.setFloat64(at + 8, deadline);
    view.setUint32(at + 16, asker);
    view.setUint32(at + 20, plan.length);
    bytes.set(plan, at + SEARCH_HEAD);
    at += SEARCH_HEAD + plan.length;
  }
  return bytes;
}

/** The reverse; plans are views. */
export function decodeSearches(bytes: Searches): Calls {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const list: Call[] = [];
  for (let at = SEARCHES_HEAD; at < bytes.length; ) {
    const plan = at + SEARCH_HEAD;
    const end = plan + view.getUint32(at + 20);
    const args = [view.getUint32(at + 4), bytes.subarray(plan, end)];
    const [deadline, asker] = [view.getFloat64(at + 8), view.getUint32(at + 16)];
    list.push({ id: view.getUint32(at), method: 'search', args, deadline, asker });
    at = end;
  }
  return { list, fielddataLimit: view.getFloat64(0), single: view.getUint8(8) === 1 };
}

/** Small values that are bytes, in place of answers: `f64 fielddata`, then `u32 id, u32 length, value` of each. */
export type SmallValues = Uint8Array<ArrayBuffer>;

const VALUES_HEAD = 8;
const VALUE_HEAD = 8;

/** The bytes of small values. */
export function encodeSmallValues(values: readonly SmallValue[], fielddata: number): SmallValues {
  const length = values.reduce((sum, { small }) => sum + VALUE_HEAD + small.length, VALUES_HEAD);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, fielddata);
  let at = VALUES_HEAD;
  for (const { id, small } of values) {
    view.setUint32(at, id);
    view.setUint32(at + 4, small.length);
    bytes.set(small, at + VALUE_HEAD);
    at += VALUE_HEAD + small.length;
  }
  return bytes;
}

/** Hands out small values one after the other, as views; returns `fielddata`. */
export function readSmallValues(bytes: SmallValues, take: (id: number, value: Uint8Array) => void): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = VALUES_HEAD; at < bytes.length; ) {
    const value = at + VALUE_HEAD;
    const end = value + view.getUint32(at + 4);
    take(view.getUint32(at), bytes.subarray(value, end));
    at = end;
  }
  return view.getFloat64(0);
}

/** A further way to a worker: it takes calls from the port as well, and answers there. */
export interface WorkerPort {
  port: MessagePort;
  cancelled: Cancelled;
}

/** What a worker is started with. */
export interface WorkerData {
  module: WebAssembly.Module;
  cancelled: Cancelled;
  /** What the searches of all workers take, and the number of this one among them. */
  searchMemory: Int32Array;
  thread: number;
  /** Bytes that results may take which are kept for searches that come again; 0 keeps none. */
  resultCache: number;
  /** What is known of copies of shards. */
  copies: CopyNumbers;
}

export function toWire(thrown: unknown): WireError {
  if (thrown instanceof CoreError) {
    const { name, message, code, detail } = thrown;
    return { name, message, code, detail };
  }
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message };
  return { name: 'Error', message: String(thrown) };
}

export function fromWire({ name, message, code, detail }: WireError): Error {
  switch (name) {
    case 'CoreError':
      return new CoreError(code ?? 0, message.split(':')[0] ?? '', detail);
    case 'CoreTrap':
      return new CoreTrap('core', message);
    case 'ShardLost':
      return new ShardLost(message);
    default:
      return new Error(message);
  }
}
