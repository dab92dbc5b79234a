/** A data worker: one instance of the core with many shards, called by the main thread and by others that have a port to it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { SearchMemory } from '../core/searchMemory.js';
import { NotNested } from '../core/status.js';
import { allParts } from '../latePart.js';
import { threadPolling } from './busyPolling.js';
import { Caller, type CallerMessage, callsOf } from './caller.js';
import { CallQueue } from './callQueue.js';
import type { Call, Cancelled, WorkerData } from './protocol.js';
import { CopyingShardHost } from './searchCopies/copyingShardHost.js';
import { CopyTable } from './searchCopies/copyTable.js';

/** Calls are carried out for so long before what is answered is sent, and others get their turn. */
const TURN_MS = 5;

await allParts();
const {
  module,
  cancelled: ownCancelled,
  searchMemory,
  thread,
  resultCache,
  copies,
} = workerData as WorkerData;
const memory = new SearchMemory(searchMemory, thread);
const turn = (callback: () => void) => void setImmediate(callback);
const host = new CopyingShardHost(module, turn, memory, resultCache, new CopyTable(copies));

/** A call that waits, and who is answered. */
type QueuedCall = Call & { readonly from: Caller };

const polling = threadPolling();
const callers: Caller[] = [];
const calls = new CallQueue<QueuedCall>({
  carryOut,
  isOver: (call) => call.from.isOver(call),
  receive,
  send: tell,
  now: () => performance.now(),
});
let running = false;

listen(parentPort!, ownCancelled);

/** Takes calls from a port. */
function listen(port: MessagePort, cancelled: Cancelled): void {
  const caller = new Caller(port, cancelled, host);
  callers.push(caller);
  port.on('message', (message: CallerMessage) => {
    const single = take(caller, message) && callers.length === 1;
    if (!running) run();
    if (single && !running) polling.begin();
  });
  port.on('close', () => void callers.splice(callers.indexOf(caller), 1));
}

/** Lets the calls of a message wait for their turn; whether they are all that there is. */
function take(from: Caller, message: CallerMessage): boolean {
  polling.end();
  if ('port' in message) {
    listen(message.port, message.cancelled);
    return false;
  }
  const { list, fielddataLimit, single } = callsOf(message);
  host.limitFielddata(fielddataLimit);
  for (const { id, method, args, deadline, asker } of list)
    calls.push({ id, method, args, deadline, asker, from });
  return single;
}

/** Takes messages in while a call is being carried out. */
function receive(): void {
  for (const caller of callers)
    for (let next = caller.receive(); next !== undefined; next = caller.receive()) take(caller, next);
}

/** Carries calls out in their order. */
function run(): void {
  running = true;
  const ends = performance.now() + TURN_MS;
  while (calls.length > 0 && performance.now() < ends) {
    calls.next();
    const waiting = calls.length / callers.length;
    for (const caller of callers) caller.tellIfMany(waiting);
  }
  if (calls.length > 0) setImmediate(run);
  else running = false;
}

function tell(): void {
  for (const caller of callers) caller.tell();
}

/** Methods that a stop may end, which is their last argument. */
const STOPPED: readonly string[] = ['search', 'terms', 'matches'];

function carryOut({ id, method, args, from }: QueuedCall, stop: () => boolean, ended = () => false): void {
  const call = host[method] as (...args: unknown[]) => unknown;
  const fails = (error: unknown) => {
    if (error instanceof NotNested) throw error;
    if (!ended()) from.fail(id, error);
  };
  try {
    const value = call.apply(host, STOPPED.includes(method) ? [...args, stop] : [...args]);
    if (value instanceof Promise) value.then((each) => from.answer(id, each), fails);
    else if (!ended()) from.answer(id, value);
  } catch (error) {
    fails(error);
  }
}
