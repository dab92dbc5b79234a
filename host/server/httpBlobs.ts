/** {@link Blobs} that are read over http or https: files of a folder, of which `index` names those that can be listed. */
import { setTimeout as wait } from 'node:timers/promises';
import type { RepositoryIndex } from '../snapshot/repository.js';
import { decodeJson } from '../storage/records.js';
import { slicedSha256 } from '../storage/slicedSha256.js';
import type { Blobs } from '../storage/storage.js';

/** How long is waited, in milliseconds, and how often is asked. */
export interface HttpPatience {
  /** In which nothing comes. */
  idleMs: number;
  /** Before it is tried again; twice as long before the next time. */
  backoffMs: number;
  tries: number;
}

const PATIENCE: HttpPatience = { idleMs: 60_000, backoffMs: 200, tries: 4 };
/** No blob is longer: a segment is in a memory of 4 GB. */
const MOST_BYTES = 2 ** 32;
const INDEX = 'index';

/** An answer that another try may make better. */
class Passing extends Error {}

/** Files below an address. */
export class HttpBlobs implements Blobs {
  readonly #base: URL;
  readonly #patience: HttpPatience;

  /** @param base the address of a folder, with a slash at its end */
  constructor(base: URL, patience = PATIENCE) {
    this.#base = base;
    this.#patience = patience;
  }

  async put(): Promise<void> {
    throw new Error(`${this.#base} can only be read`);
  }

  async delete(): Promise<void> {
    throw new Error(`${this.#base} can only be read`);
  }

  readonly handsOver = true;
  readonly sha256 = slicedSha256;

  async get(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    if (!/^[\w.-]+$/.test(name)) throw new Error(`not a blob name: ${name}`);
    const url = new URL(name, this.#base);
    const { tries, backoffMs } = this.#patience;
    for (let failures = 0; ; ) {
      try {
        return await this.#read(url, signal);
      } catch (e) {
        const isLast = !(e instanceof Passing) || signal?.aborted === true || ++failures === tries;
        if (isLast) throw new Error(`can't read ${url}: ${(e as Error).message}`, { cause: e });
        await wait(backoffMs * 2 ** (failures - 1), undefined, { signal });
      }
    }
  }

  /** The names of snapshots' records. */
  async list(prefix = '', signal?: AbortSignal): Promise<string[]> {
    const index = await this.get(INDEX, signal);
    if (index === undefined) return [];
    const { snapshots } = decodeJson<Partial<RepositoryIndex>>(index);
    if (!Array.isArray(snapshots))
      throw new Error(`${new URL(INDEX, this.#base)} is no index of a repository`);
    return snapshots.filter((name) => name.startsWith(prefix));
  }

  async #read(url: URL, signal: AbortSignal | undefined): Promise<Uint8Array | undefined> {
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(), this.#patience.idleMs);
    const ends = signal === undefined ? idle.signal : AbortSignal.any([signal, idle.signal]);
    try {
      // Where it is led to is nobody's choice but the operator's.
      const answer = await fetch(url, {
        redirect: 'manual',
        signal: ends,
        headers: { 'accept-encoding': 'identity' },
      });
      if (answer.status !== 200) await answer.body?.cancel();
      if (answer.status === 404 || answer.status === 410) return undefined;
      if (answer.status >= 500 || answer.status === 429) throw new Passing(`the answer is ${answer.status}`);
      if (answer.status !== 200) throw new Error(`the answer is ${answer.status}`);
      return await readBody(answer, () => timer.refresh());
    } catch (e) {
      if (signal?.aborted === true) throw new Error('given up');
      if (idle.signal.aborted) throw new Passing('nothing comes');
      // What fetch says is in its cause.
      const { message, cause } = e as Error;
      throw e instanceof TypeError ? new Passing((cause as Error | undefined)?.message ?? message) : e;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function readBody(answer: Response, came: () => void): Promise<Uint8Array> {
  const length = Number(answer.headers.get('content-length') ?? Number.NaN);
  if (!Number.isInteger(length)) throw new Error('the answer has no length');
  if (length > MOST_BYTES) throw new Error(`${length} bytes are none of ours`);
  const bytes = new Uint8Array(length);
  let at = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (at + chunk.length > length) throw new Error('the answer is longer than it says');
    bytes.set(chunk, at);
    at += chunk.length;
    came();
  }
  if (at < length) throw new Passing('the answer was cut off');
  return bytes;
}
