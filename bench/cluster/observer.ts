/** Clients that write and search all the time, each request at the next node where one doesn't answer, and when each was answered. */
import { performance } from 'node:perf_hooks';
import { Unanswered } from '../../test/torture/peer.js';
import type { TestNode } from '../../test/cluster/harness/testCluster.js';

/** Milliseconds between two requests of a client. */
const PAUSE_MS = 10;
/** Milliseconds after which a client asks the next node. */
const PATIENCE_MS = 1000;
/** The same for writes, which wait for a log's leader: sent again, by its id, a write isn't doubled. */
const WRITE_PATIENCE_MS = 2000;

/** A request, by `performance.now()`. */
export interface Observed {
  readonly sent: number;
  readonly ended: number;
  /** What went wrong at the node that was asked last; nothing when it was answered rightly. */
  readonly problem?: string;
}

/** Writes and searches until it is stopped. */
export class Observer {
  readonly writes: Observed[] = [];
  readonly searches: Observed[] = [];
  /** Ids that were acknowledged. */
  readonly acknowledged: string[] = [];
  readonly #nodes: readonly TestNode[];
  readonly #index: string;
  #stopped = false;
  readonly #running: Promise<unknown>;
  #number = 0;

  constructor(nodes: readonly TestNode[], index: string) {
    this.#nodes = nodes;
    this.#index = index;
    this.#running = Promise.all([this.#writeOn(), this.#writeOn(), this.#searchOn(), this.#searchOn()]);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Milliseconds from a moment until the first write that was sent after it was acknowledged. */
  writesResumed(at: number): number {
    const next = this.writes.filter(({ sent, problem }) => sent >= at && problem === undefined);
    return next.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...next.map(({ ended }) => ended)) - at;
  }

  /** Searches that failed and ended so long after a moment, or later. */
  failedSearches(at: number, afterMs: number): Observed[] {
    return this.searches.filter(({ ended, problem }) => problem !== undefined && ended - at >= afterMs);
  }

  async #writeOn(): Promise<void> {
    while (!this.#stopped) {
      const id = String(++this.#number);
      const path = `/${this.#index}/t/o${id}`;
      const observed = await this.#anywhere(
        'PUT',
        path,
        { n: this.#number, text: 'observed' },
        WRITE_PATIENCE_MS,
      );
      this.writes.push(observed);
      if (observed.problem === undefined) this.acknowledged.push(`o${id}`);
      await pause(PAUSE_MS);
    }
  }

  async #searchOn(): Promise<void> {
    while (!this.#stopped) {
      const query = { query: { match: { text: 'observed' } }, size: 1 };
      this.searches.push(await this.#anywhere('POST', `/${this.#index}/_search`, query, PATIENCE_MS));
      await pause(PAUSE_MS);
    }
  }

  /** Asks one node after the other until one answers. */
  async #anywhere(method: string, path: string, body: unknown, patience: number): Promise<Observed> {
    const sent = performance.now();
    const first = this.#number++ % this.#nodes.length;
    let problem = '';
    for (let i = 0; i < this.#nodes.length; i++) {
      const node = this.#nodes[(first + i) % this.#nodes.length]!;
      try {
        const answer = await inTime(node.send(method, path, body), patience);
        const failed = (answer.body as { _shards?: { failed?: number } })._shards?.failed ?? 0;
        if (answer.status < 300 && failed === 0) return { sent, ended: performance.now() };
        problem = `${answer.status} ${JSON.stringify(answer.body).slice(0, 1000)}`;
        // Another node may answer a search rightly; that this one did not is a failure.
        break;
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        problem = error.message;
      }
    }
    return { sent, ended: performance.now(), problem };
  }
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unanswered(`no answer in ${ms} ms`)), ms);
  });
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Resolves after so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
