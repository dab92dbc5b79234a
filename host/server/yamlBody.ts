/**
 * Bodies in YAML, handed on as JSON. The parser's work grows with more than a body's length (keys in keys with its cube), so it runs in a
 * thread of its own, whose time and memory are bounded, and which is started by the first such body.
 */
import { Worker } from 'node:worker_threads';
import { ElasticsearchError } from '../errors.js';

/** Longer ones are not read. */
const MAX_BYTES = 1024 * 1024;
/** Milliseconds that one body may take. */
const MAX_MS = 2000;
/** Bodies that may wait for their turn. */
const MAX_WAITING = 50;
/** The thread ends when nothing has come for so many milliseconds. */
const KEEP_MS = 10_000;
/** Megabytes of the thread's heap. */
const HEAP_MB = 128;

interface Job {
  body: Uint8Array;
  resolve(json: Uint8Array): void;
  reject(error: Error): void;
}

/** What the thread answers: JSON, or undefined for what is no YAML. */
export type YamlAnswer = Uint8Array | undefined;

/** Reads YAML in a thread; one body at a time. */
export class YamlReader {
  readonly #file: URL;
  readonly #jobs: Job[] = [];
  #worker: Worker | undefined;
  /** Ends the thread: when a body takes too long, or when none comes. */
  #timer: NodeJS.Timeout | undefined;

  /** @param file the thread's program, `yamlWorker.js` */
  constructor(file: URL) {
    this.#file = file;
  }

  /** A body as JSON; one that is no YAML stays as it is. 400 for one that takes too long, 429 where too many wait. */
  read(body: Uint8Array): Promise<Uint8Array> {
    if (body.length > MAX_BYTES) return Promise.resolve(body);
    if (this.#jobs.length >= MAX_WAITING)
      return Promise.reject(refusal('too many bodies in YAML wait to be read; send JSON', 429));
    return new Promise((resolve, reject) => {
      this.#jobs.push({ body, resolve, reject });
      if (this.#jobs.length === 1) this.#start();
    });
  }

  /** Ends the thread; what waits is refused. */
  async close(): Promise<void> {
    for (const { reject } of this.#jobs.splice(0)) reject(refusal('the server is closing', 503));
    await this.#stop();
  }

  #start(): void {
    clearTimeout(this.#timer);
    if (this.#worker === undefined) {
      const worker = new Worker(this.#file, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
      this.#worker = worker;
      worker.unref();
      worker.on('message', (json: YamlAnswer) => this.#done(({ resolve, body }) => resolve(json ?? body)));
      // Its memory did not suffice.
      worker.on('error', () => {
        if (this.#worker === worker) this.#giveUp();
      });
    }
    this.#timer = setTimeout(() => this.#giveUp(), MAX_MS);
    this.#worker.postMessage(this.#jobs[0]!.body);
  }

  /** The body that is being read costs too much. */
  #giveUp(): void {
    void this.#stop();
    this.#done(({ reject }) => reject(refusal('a body in YAML takes too long to read; send JSON', 400)));
  }

  #done(tell: (job: Job) => void): void {
    const job = this.#jobs.shift();
    if (job !== undefined) tell(job);
    if (this.#jobs.length > 0) {
      this.#start();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#stop(), KEEP_MS).unref();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function refusal(detail: string, status: number): ElasticsearchError {
  return new ElasticsearchError('HttpException', detail, { status });
}
