/** Requests to an engine in the tab: in a worker, with its documents in files of the page's origin. */
import { type ApiRequest, type RawAnswer, type Transport, Unreachable } from '../api/transport';

/** What of the package `resilin/worker` is used here. */
interface WorkerEngine {
  handle(
    method: string,
    uri: string,
    body?: Uint8Array,
  ): Promise<{ status: number; contentType: string; body: Uint8Array }>;
  close(): Promise<void>;
}

interface WorkerModule {
  createWorkerEngine(options: {
    data?: string;
    groovy?: boolean;
    warn?: (message: string) => void;
  }): Promise<WorkerEngine>;
}

/** Where documents are kept. */
export type Kept = 'files' | 'database' | 'memory';

/** Stores, the best one first: files of the origin, IndexedDB, nothing. */
const STORES: readonly [kept: Kept, data: string | undefined][] = [
  ['files', 'opfs:playground'],
  ['database', 'idb:playground'],
  ['memory', undefined],
];

const NO_BODY = new Uint8Array(0);
const encoder = new TextEncoder();

export class EngineTransport implements Transport {
  readonly address = 'the engine in this tab';
  /** Where the documents of this engine are. */
  readonly kept: Kept;
  readonly #engine: WorkerEngine;

  private constructor(engine: WorkerEngine, kept: Kept) {
    this.#engine = engine;
    this.kept = kept;
  }

  /** Starts the engine. @param folder where the engine's files are, `https://example.org/playground/engine/` */
  static async start(folder: string): Promise<EngineTransport> {
    const { createWorkerEngine } = (await import(/* @vite-ignore */ `${folder}worker.js`)) as WorkerModule;
    let problem: unknown;
    for (const [kept, data] of STORES) {
      try {
        return new EngineTransport(await createWorkerEngine(data === undefined ? {} : { data }), kept);
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }

  async send({ method, path, body }: ApiRequest, signal?: AbortSignal): Promise<RawAnswer> {
    signal?.throwIfAborted();
    const bytes = body === undefined ? NO_BODY : typeof body === 'string' ? encoder.encode(body) : body;
    let answer: Awaited<ReturnType<WorkerEngine['handle']>>;
    try {
      answer = await this.#engine.handle(method, path, bytes);
    } catch (error) {
      throw new Unreachable((error as Error).message);
    }
    // The engine is through with it: whoever asked is gone.
    signal?.throwIfAborted();
    return { status: answer.status, contentType: answer.contentType, bytes: answer.body };
  }
}
