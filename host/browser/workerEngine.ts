/**
 * The engine off the page's thread.
 *
 *     import { createWorkerEngine } from 'resilin/worker';
 *     const resilin = await createWorkerEngine();
 */
import type { EngineResponse, WorkerEngine } from '../library/options.js';
import { type Ask, engineBehind } from './asking.js';
import type { Opening, Question, Reply, WorkerEngineOptions } from './protocol.js';

export { RequestError } from '../library/answers.js';
export type { Caller, EngineResponse, ImportOptions, WorkerEngine } from '../library/options.js';
export type { Imported } from '../snapshot/imported.js';
export type { Grants } from '../security/grants.js';
export { Principal } from '../security/principal.js';
export type { WorkerEngineOptions } from './protocol.js';

interface Waiting {
  resolve(answer: EngineResponse | undefined): void;
  reject(error: Error): void;
}

/** The name that this file has in the package, and of the worker beside it: no name that a bundler should follow. */
const OWN_FILE = '/worker.js';
const LATE_WORKER = './lateWorker.js';

/** Starts the worker whose engine loads late what few need, or, in a bundle, the one that has all in it. */
function startWorker(): Worker {
  const { url } = import.meta;
  if (/^https?:/.test(url) && new URL(url).pathname.endsWith(OWN_FILE))
    return new Worker(new URL(LATE_WORKER, url), { type: 'module' });
  // Bundlers look for just this expression.
  return new Worker(new URL('./engineWorker.js', import.meta.url), { type: 'module' });
}

/** Makes an engine in a worker of its own. Rejects where there are no Web Workers, and where the engine can't be made. */
export async function createWorkerEngine(options: WorkerEngineOptions = {}): Promise<WorkerEngine> {
  if (typeof Worker === 'undefined')
    throw new Error('there are no Web Workers here; in Node, resilin/server has the engine in threads');
  const { warn, ...sent } = options;
  const worker = startWorker();
  const waiting = new Map<number, Waiting>();
  let broken: Error | undefined;
  const fail = (why: string) => {
    broken = new Error(`the worker of the engine failed: ${why}`);
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };
  worker.onerror = ({ message }) => fail(message ?? 'its script could not be loaded');
  worker.onmessage = ({ data }: MessageEvent<Reply>) => {
    if ('warning' in data) {
      warn?.(data.warning);
      return;
    }
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) asked?.reject(new Error(data.error));
    else asked?.resolve(data.answer);
  };
  let last = 0;
  const send = (id: number, message: Opening | Question, transfer: Transferable[] = []) =>
    new Promise<EngineResponse | undefined>((resolve, reject) => {
      if (broken !== undefined) throw broken;
      waiting.set(id, { resolve, reject });
      worker.postMessage(message, transfer);
    });
  try {
    await send(0, { options: sent });
  } catch (e) {
    worker.terminate();
    throw e;
  }
  const ask: Ask = async (asked, moved) => {
    const id = ++last;
    return (await send(id, { id, asked }, moved))!;
  };
  return engineBehind(ask, async () => {
    const id = ++last;
    await send(id, { id });
    worker.terminate();
    fail('it is closed');
  });
}
