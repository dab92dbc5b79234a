/** What the main thread and a data worker say to each other. */
import { CoreError, CoreTrap } from '../core/status.js';
import { ShardLost } from '../index/shardClient.js';
import type { ShardHost } from '../index/shardHost.js';

/** What a worker can be asked: the methods of a {@link ShardHost}. */
export type Method = {
  [K in keyof ShardHost]: ShardHost[K] extends (...args: never[]) => unknown ? K : never;
}[Exclude<keyof ShardHost, 'limitFielddata'>];

/** A call; `args` are the method's. */
export interface Call {
  id: number;
  method: Method;
  args: readonly unknown[];
}

/** Calls that are made together. */
export interface Calls {
  list: Call[];
  /** What the worker's searches may need of fields' values, in bytes. */
  fielddataLimit: number;
}

/** An error on its way between threads. */
export interface WireError {
  name: string;
  message: string;
  code?: number;
}

/** What became of a call. */
export type Answer = { id: number; value: unknown } | { id: number; error: WireError };

/** Where in the bytes of a message the value of a call is. */
export interface Piece {
  id: number;
  at: number;
  length: number;
}

/** Answers that are sent together: small values that are bytes lie behind one another, since a buffer of its own costs more. */
export interface Answers {
  list: (Answer | Piece)[];
  bytes: Uint8Array;
  /** Bytes of fields' values that the worker's searches have needed. */
  fielddata: number;
}

/** What a worker is started with. */
export interface WorkerData {
  module: WebAssembly.Module;
}

export function toWire(thrown: unknown): WireError {
  if (thrown instanceof CoreError) return { name: thrown.name, message: thrown.message, code: thrown.code };
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message };
  return { name: 'Error', message: String(thrown) };
}

export function fromWire({ name, message, code }: WireError): Error {
  switch (name) {
    case 'CoreError':
      return new CoreError(code ?? 0, message.split(':')[0] ?? '');
    case 'CoreTrap':
      return new CoreTrap('core', message);
    case 'ShardLost':
      return new ShardLost(message);
    default:
      return new Error(message);
  }
}
