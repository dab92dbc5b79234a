/** A data worker: one instance of the core with many shards. */
import { parentPort, receiveMessageOnPort, type TransferListItem, workerData } from 'node:worker_threads';
import type { Checkpoint } from '../shard/shardClient.js';
import { ShardHost } from '../shard/shardHost.js';
import { SearchMemory } from '../core/searchMemory.js';
import { NotNested } from '../core/status.js';
import { allParts } from '../latePart.js';
import { clockNow } from '../workLimit.js';
import { CallQueue } from './callQueue.js';
import {
  type Answer,
  type Answers,
  type Call,
  type Calls,
  decodeSearches,
  encodeSmallValues,
  isCancelled,
  type Searches,
  type SmallValue,
  toWire,
  type WorkerData,
} from './protocol.js';
import { threadPolling } from './busyPolling.js';

/** Calls are carried out for so long before what is answered is sent, and others get their turn. */
const TURN_MS = 5;
/**
 * So many small answers are sent while further calls wait, so that the main thread writes them meanwhile. With 64 connections that is
 * 10 to 20 % more requests a second and a fifth less to wait than where all wait for the last one.
 */
const AT_ONCE = 8;
/** Values of more bytes are sent for themselves. */
const SMALL_BYTES = 16 * 1024;

await allParts();
const { module, cancelled, searchMemory, thread } = workerData as WorkerData;
const memory = new SearchMemory(searchMemory, thread);
const host = new ShardHost(module, (callback) => void setImmediate(callback), memory);
const port = parentPort!;

const polling = threadPolling();
const calls = new CallQueue({
  carryOut,
  isOver: ({ id, deadline }) => clockNow() >= deadline || isCancelled(cancelled, id),
  receive,
  send: tell,
  now: () => performance.now(),
});
let answers: Answer[] = [];
let smallValues: SmallValue[] = [];
let running = false;

port.on('message', (message: Calls | Searches) => {
  const single = take(message);
  if (!running) run();
  if (single && !running) polling.begin();
});

/** Lets the calls of a message wait for their turn; whether they are all that there is. */
function take(message: Calls | Searches): boolean {
  polling.end();
  const { list, fielddataLimit, single } = message instanceof Uint8Array ? decodeSearches(message) : message;
  host.limitFielddata(fielddataLimit);
  for (const call of list) calls.push(call);
  return single;
}

/** Takes messages in while a call is being carried out. */
function receive(): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    take(next.message as Calls | Searches);
}

/** Carries calls out in their order. */
function run(): void {
  running = true;
  const ends = performance.now() + TURN_MS;
  while (calls.length > 0 && performance.now() < ends) {
    calls.next();
    if (smallValues.length >= AT_ONCE) tell();
  }
  if (calls.length > 0) setImmediate(run);
  else running = false;
}

/** Methods that a stop may end, which is their last argument. */
const STOPPED: readonly string[] = ['search', 'terms', 'matches'];

function carryOut({ id, method, args }: Call, stop: () => boolean, ended = () => false): void {
  const call = host[method] as (...args: unknown[]) => unknown;
  const fails = (error: unknown) => {
    if (error instanceof NotNested) throw error;
    if (ended()) return;
    willTell();
    answers.push({ id, error: toWire(error) });
  };
  try {
    const value = call.apply(host, STOPPED.includes(method) ? [...args, stop] : [...args]);
    if (value instanceof Promise) value.then((each) => answer(id, each), fails);
    else if (!ended()) answer(id, value);
  } catch (error) {
    fails(error);
  }
}

function answer(id: number, value: unknown): void {
  willTell();
  if (value instanceof Uint8Array && value.length <= SMALL_BYTES) smallValues.push({ id, small: value });
  else answers.push({ id, value });
}

/** Answers that are there at the same time go together. */
function willTell(): void {
  if (answers.length + smallValues.length === 0) queueMicrotask(tell);
}

function tell(): void {
  if (smallValues.length > 0) port.postMessage(encodeSmallValues(smallValues, host.fielddata));
  smallValues = [];
  if (answers.length === 0) return;
  const list = answers;
  answers = [];
  const transfer = list.flatMap((each) => ('value' in each ? transferable(each.value) : []));
  port.postMessage({ list, fielddata: host.fielddata } satisfies Answers, transfer);
}

/** Buffers that the host has no more use for move instead of being copied. */
function transferable(value: unknown): TransferListItem[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  if (typeof value !== 'object' || value === null || !('segments' in value)) return [];
  const { segments } = value as Partial<Checkpoint>;
  return (segments ?? []).flatMap(({ image }) => (image === undefined ? [] : [image.buffer as ArrayBuffer]));
}
