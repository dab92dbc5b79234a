import { type Answer, type Peer, Unanswered } from '../../torture/peer.js';

/** How often it asks all nodes before it gives up. */
const ROUNDS = 50;
const PAUSE_MS = 100;
/** Failures that are kept in words. */
const KEPT = 20;

/** A client that begins with one node, and goes on to the next where a connection is refused or ends. */
export class RetryingPeer implements Peer {
  readonly #nodes: readonly Peer[];
  readonly #first: number;
  /** Requests that had to be sent again. */
  retried = 0;
  /** Requests that failed, in words: the status says so, or no node could be reached. */
  readonly failures: string[] = [];

  constructor(nodes: readonly Peer[], first: number) {
    this.#nodes = nodes;
    this.#first = first;
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    let reason = '';
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < this.#nodes.length; i++) {
        const node = this.#nodes[(this.#first + i) % this.#nodes.length]!;
        try {
          const answer = await node.send(method, path, body);
          const failed = failureOf(answer);
          if (failed !== undefined) this.#failed(`${method} ${path}: ${failed}`);
          return answer;
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          reason = error.message;
          this.retried++;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.#failed(`${method} ${path}: no node can be reached: ${reason}`);
    throw new Unanswered(reason);
  }

  #failed(what: string): void {
    if (this.failures.length < KEPT) this.failures.push(what);
  }
}

/** What an answer says went wrong through no fault of the client's; of bulk requests the first such item. */
function failureOf({ status, body }: Answer): string | undefined {
  if (status >= 500 || status === 429) return `${status} ${JSON.stringify(body).slice(0, 300)}`;
  const { items, _shards } = body as {
    items?: Record<string, { status: number }>[];
    _shards?: { failed: number };
  };
  if ((_shards?.failed ?? 0) > 0) return JSON.stringify(_shards);
  const item = items
    ?.flatMap((each) => Object.values(each))
    .find(({ status: of }) => of >= 500 || of === 429);
  return item === undefined ? undefined : JSON.stringify(item).slice(0, 300);
}
