/** What this node asks the others, and who answers what they ask it. */
import { LogUnavailable } from '../cluster/errors.js';
import { ElasticsearchError } from '../errors.js';
import { encodeJson } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import type { CountedPeers } from './countedPeers.js';
import { QUESTION_BYTES, type QuestionHandler } from './message.js';
import { answersOf, everyone, type Nodes } from './nodes.js';

/** What questions need of the node. */
export interface NodeQuestionsContext {
  nodes: Nodes;
  peers: CountedPeers;
  clock: Clock;
  warn(message: string): void;
}

const QUESTION_MS = 30_000;
/** How long nodes are waited for that only tell of themselves. */
const BRIEF_MS = 5000;

export class NodeQuestions {
  readonly #context: NodeQuestionsContext;
  readonly #handlers = new Map<string, { handler: QuestionHandler; mostBytes: number }>();

  constructor(context: NodeQuestionsContext) {
    this.#context = context;
  }

  /** Answers questions of a kind, which other nodes ask: see {@link RegisterQuestion}. */
  register(kind: string, handler: QuestionHandler, mostBytes = QUESTION_BYTES): void {
    this.#handlers.set(kind, { handler, mostBytes });
  }

  /** Begins to answer other nodes. */
  async serve(): Promise<void> {
    const mostBytes = (kind: string) => this.#handlers.get(kind)?.mostBytes ?? QUESTION_BYTES;
    await this.#context.peers.serve(async (kind, bytes, signal) => {
      const handler = this.#handlers.get(kind)?.handler;
      if (handler === undefined) throw new Error(`nobody knows what [${kind}] asks`);
      return handler(bytes, signal);
    }, mostBytes);
  }

  /** What a node answers; rejects with the signal's reason, `PeerUnreachable` or `PeerFailed`. */
  ask(node: string, kind: string, question: unknown, signal: AbortSignal): Promise<Uint8Array> {
    return this.#context.peers.ask(node, kind, encodeJson(question), signal);
  }

  /** The same; rejects where it doesn't in some seconds. */
  askBriefly(node: string, kind: string, question: unknown): Promise<Uint8Array> {
    return this.#briefly((signal) => this.ask(node, kind, question, signal));
  }

  /** What all other nodes answer to a question, by their ids; those that don't answer in some seconds are left out. */
  askOthers(kind: string, question: unknown): Promise<Map<string, Uint8Array>> {
    const { nodes, peers } = this.#context;
    return this.#briefly((signal) => answersOf(nodes, peers, kind, question, signal));
  }

  /** Throws a 503 where another living node is not among those that have answered. */
  demandAll(answered: ReadonlySet<string>): void {
    const { nodes } = this.#context;
    const silent = nodes.all.find(({ id }) => id !== nodes.self && !answered.has(id));
    if (silent === undefined) return;
    const detail = `the node [${silent.name}] lives and does not answer: try again when it does, or end it if what it has is not to count`;
    throw new ElasticsearchError('UnavailableShardsException', detail, { status: 503 });
  }

  /** Resolves when all living nodes have confirmed a change that is in force; one that doesn't in time will hear of it later. */
  async tellAll(kind: string, question: unknown): Promise<void> {
    const { nodes, warn } = this.#context;
    try {
      await this.within((signal) => nodes.ask(kind, question, everyone, signal));
    } catch (e) {
      warn(`not every node has confirmed a change of the metadata: ${(e as Error).message}`);
    }
  }

  /** Does what the cluster has to answer in time; throws a 503 where it doesn't. */
  async within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = new AbortController();
    const late = new ElasticsearchError(
      'UnavailableShardsException',
      `the cluster did not answer within ${QUESTION_MS / 1000}s`,
      { status: 503 },
    );
    const cancel = this.#context.clock.after(QUESTION_MS, () => timeout.abort(late));
    try {
      return await work(timeout.signal);
    } catch (e) {
      if (e instanceof LogUnavailable)
        throw new ElasticsearchError('UnavailableShardsException', e.message, { status: 503 });
      throw e;
    } finally {
      cancel();
    }
  }

  async #briefly<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = new AbortController();
    const late = () => timeout.abort(new Error('it took too long'));
    const cancel = this.#context.clock.after(BRIEF_MS, late);
    try {
      return await work(timeout.signal);
    } finally {
      cancel();
    }
  }
}
