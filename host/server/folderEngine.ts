/** The engine of a data folder with data workers, as a server has it, but without HTTP: for commands that work on a folder themselves. */
import { availableParallelism } from 'node:os';
import { collected } from '../rest/bodyStream.js';
import { createRouter } from '../rest/createRouter.js';
import { Principal } from '../security/principal.js';
import { VERSION } from '../version.js';
import { WorkLimit } from '../workLimit.js';
import { openData } from './dataFolder.js';
import { defaultThreads } from './defaultThreads.js';
import { openEngine } from './openEngine.js';
import { WorkerPool } from './pool.js';
import { compileCore } from './wasm.js';

/** An engine that is open. */
export interface FolderEngine {
  /** The interface of 1.7 without HTTP. A body must not be changed afterwards. */
  handle(method: string, uri: string, body: Uint8Array): Promise<{ status: number; body: Uint8Array }>;
  /** Lets go of the folder; what was acknowledged is in it. */
  close(): Promise<void>;
}

/**
 * Opens a folder, which is made if need be. Throws `DataFolderError` where another process has it.
 * @param warn is told of what an operator should know
 */
export async function openFolderEngine(
  folder: string,
  warn: (message: string) => void,
): Promise<FolderEngine> {
  const module = await compileCore();
  const { storage, blobs, places, release } = await openData(folder);
  const threads = defaultThreads(availableParallelism()).data;
  const transport = new WorkerPool(module, new URL('./worker.js', import.meta.url), warn, { threads });
  const engine = await openEngine({ storage, blobs, places, transport, module, warn }, release);
  const router = createRouter(engine, { node: 'Resilin', cluster: 'elasticsearch', version: VERSION });
  return {
    async handle(method, uri, body) {
      const work = WorkLimit.of(Number.POSITIVE_INFINITY);
      const answer = await router.handle(method, uri, body, Principal.unrestricted, work);
      const { status, stream } = answer;
      // Answers share their buffers.
      return { status, body: stream === undefined ? answer.body.slice() : await collected(stream) };
    },
    close: () => engine.close().finally(release),
  };
}
