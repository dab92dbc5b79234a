/** A data worker: one instance of the core with many shards. */
import { parentPort, type TransferListItem, workerData } from 'node:worker_threads';
import type { Checkpoint } from '../index/shardClient.js';
import { ShardHost } from '../index/shardHost.js';
import { type Answer, type Call, toWire, type WorkerData } from './protocol.js';

const { module } = workerData as WorkerData;
const host = new ShardHost(module, (callback) => void setImmediate(callback));
const port = parentPort!;

port.on('message', (call: Call) => {
  answer(call).then(
    ([message, transfer]) => port.postMessage(message, transfer),
    (error) => port.postMessage({ id: call.id, error: toWire(error) } satisfies Answer),
  );
});

async function answer({ id, method, args }: Call): Promise<[Answer, TransferListItem[]]> {
  const call = host[method] as (...args: unknown[]) => unknown;
  const value = await call.apply(host, [...args]);
  return [{ id, value }, transferable(value)];
}

/** Buffers that the host has no more use for move instead of being copied. */
function transferable(value: unknown): TransferListItem[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  if (typeof value !== 'object' || value === null || !('segments' in value)) return [];
  const { segments } = value as Partial<Checkpoint>;
  return (segments ?? []).flatMap(({ image }) => (image === undefined ? [] : [image.buffer as ArrayBuffer]));
}
