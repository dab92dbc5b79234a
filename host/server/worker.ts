/** A data worker: one instance of the core with many shards. */
import { parentPort, type TransferListItem, workerData } from 'node:worker_threads';
import type { Checkpoint } from '../index/shardClient.js';
import { ShardHost } from '../index/shardHost.js';
import {
  type Answer,
  type Answers,
  type Call,
  type Calls,
  type Piece,
  toWire,
  type WorkerData,
} from './protocol.js';

/** Calls are carried out for so long before what is answered is sent, and others get their turn. */
const TURN_MS = 5;
/** Values of more bytes are sent for themselves. */
const SMALL_BYTES = 16 * 1024;

const { module } = workerData as WorkerData;
const host = new ShardHost(module, (callback) => void setImmediate(callback));
const port = parentPort!;

const calls: Call[] = [];
let answers: (Answer | { id: number; small: Uint8Array })[] = [];
let running = false;

port.on('message', ({ list, fielddataLimit }: Calls) => {
  host.limitFielddata(fielddataLimit);
  for (const call of list) calls.push(call);
  if (!running) run();
});

/** Carries calls out in their order. */
function run(): void {
  running = true;
  const ends = performance.now() + TURN_MS;
  let at = 0;
  while (at < calls.length && performance.now() < ends) void answer(calls[at++]!);
  calls.splice(0, at);
  if (calls.length > 0) setImmediate(run);
  else running = false;
}

async function answer({ id, method, args }: Call): Promise<void> {
  try {
    const call = host[method] as (...args: unknown[]) => unknown;
    const value = await call.apply(host, [...args]);
    const small = value instanceof Uint8Array && value.length <= SMALL_BYTES;
    tell(small ? { id, small: value } : { id, value });
  } catch (error) {
    tell({ id, error: toWire(error) });
  }
}

/** Answers that are there at the same time go in one message. */
function tell(answer: (typeof answers)[number]): void {
  if (answers.length === 0) queueMicrotask(flush);
  answers.push(answer);
}

function flush(): void {
  const sent = answers;
  answers = [];
  const bytes = new Uint8Array(
    sent.reduce((sum, each) => sum + ('small' in each ? each.small.length : 0), 0),
  );
  const transfer: TransferListItem[] = [bytes.buffer];
  let at = 0;
  const list = sent.map((each): Answer | Piece => {
    if (!('small' in each)) {
      if ('value' in each) transfer.push(...transferable(each.value));
      return each;
    }
    const { id, small } = each;
    bytes.set(small, at);
    at += small.length;
    return { id, at: at - small.length, length: small.length };
  });
  port.postMessage({ list, bytes, fielddata: host.fielddata } satisfies Answers, transfer);
}

/** Buffers that the host has no more use for move instead of being copied. */
function transferable(value: unknown): TransferListItem[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  if (typeof value !== 'object' || value === null || !('segments' in value)) return [];
  const { segments } = value as Partial<Checkpoint>;
  return (segments ?? []).flatMap(({ image }) => (image === undefined ? [] : [image.buffer as ArrayBuffer]));
}
