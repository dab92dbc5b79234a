/**
 * Questions of this node about copies of other nodes. What one request asks of a node in one turn goes in one message. A node that shows no
 * life is not waited for: it may be slow, but something small it answers at once.
 */
import { MessageTooLarge, PeerFailed, PeerRejected, PeerUnreachable } from '../cluster/errors.js';
import { OVER } from '../cluster/over.js';
import type { Peers } from '../cluster/peers.js';
import { SpareSignals } from '../cluster/spareSignals.js';
import { ElasticsearchError } from '../errors.js';
import type { CopyAnswer } from '../shard/copyReads.js';
import type { Clock } from '../time/clock.js';
import { elapsed } from '../time/elapsed.js';
import { clockNow, type WorkLimit, WorkOver } from '../workLimit.js';
import { pause } from './pause.js';
import { ALIVE } from './silentNodes.js';
import {
  type AskedItem,
  decodeAnswers,
  encodeQuestions,
  type ItemAnswer,
  MOST_LEASES,
} from './readMessages.js';

/** The kind of the messages. */
export const READ = 'read';

/** After so long without an answer a node is asked whether it lives, and then again and again. */
const SILENT_MS = 300;
const AGAIN_MS = 1000;
/** How long it has for that. */
const SIGN_MS = 500;
/** A node that didn't answer is asked after others for so long. */
const SUSPECT_MS = 5000;
/** Leases end with the next message to the node, or after so long. */
const RELEASE_MS = 1000;
/** A node that doesn't answer is told of the end of a lease so often. */
const MOST_TRIES = 20;
/** Leases of searches that go on are renewed so often; {@link LEASE_MS} is how long they last. */
const RENEW_MS = 30_000;
export const LEASE_MS = 120_000;

const NOTHING = new Uint8Array(0);

/** A node can't be asked, or doesn't have the copy. */
export class CopyLost extends Error {
  /** Whether the node answers, so that it may have the copy in a moment. */
  readonly isThere: boolean;
  /** Whether the node has too much to do. */
  readonly isRejected: boolean;

  constructor(reason: string, isThere = false, isRejected = false) {
    super(reason);
    this.isThere = isThere;
    this.isRejected = isRejected;
  }
}

/** A lease that has ended. */
interface Released {
  readonly lease: string;
  /** How often its node is still told. */
  readonly tries: number;
}

interface Waiting {
  item: AskedItem;
  resolve(answer: CopyAnswer): void;
  reject(error: unknown): void;
}

/** What one request asks of one node in this turn. */
interface Batch {
  readonly node: string;
  readonly limit: WorkLimit;
  readonly waiting: Waiting[];
}

/** Asks other nodes about their copies. */
export class ReadAsker {
  readonly #peers: Peers;
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #signals = new SpareSignals();
  readonly #batches = new Map<string, Map<WorkLimit, Batch>>();
  /** When nodes didn't answer. */
  readonly #suspects = new Map<string, number>();
  /** Leases that are open, by node, and those that have ended and nobody has been told of. */
  readonly #open = new Map<string, Set<string>>();
  readonly #released = new Map<string, readonly Released[]>();
  #leases = 0;
  #cancelRenewal: (() => void) | undefined;
  #cancelRelease: (() => void) | undefined;

  /** @param incarnation of this process: names of leases begin so */
  constructor(peers: Peers, clock: Clock, incarnation: string) {
    this.#peers = peers;
    this.#clock = clock;
    this.#prefix = incarnation;
  }

  /** The time that has passed, in milliseconds. */
  get now(): number {
    return elapsed(this.#clock);
  }

  /** Waits. */
  pause(ms: number): Promise<void> {
    return pause(this.#clock, ms);
  }

  /** Whether a node didn't answer a while ago. */
  isSuspect(node: string): boolean {
    const since = this.#suspects.get(node);
    if (since === undefined) return false;
    if (elapsed(this.#clock) - since < SUSPECT_MS) return true;
    this.#suspects.delete(node);
    return false;
  }

  /** A name of a lease that no other one has. */
  newLease(): string {
    return `${this.#prefix}-${++this.#leases}`;
  }

  /** A lease has begun at a node: it is renewed until it is released. */
  begun(node: string, lease: string): void {
    let own = this.#open.get(node);
    if (own === undefined) {
      own = new Set();
      this.#open.set(node, own);
    }
    own.add(lease);
    this.#cancelRenewal ??= this.#clock.after(RENEW_MS, () => this.#renew());
  }

  /** It has ended. */
  release(node: string, lease: string): void {
    const own = this.#open.get(node);
    if (own?.delete(lease) !== true) return;
    if (own.size === 0) this.#open.delete(node);
    this.#release(node, [{ lease, tries: MOST_TRIES }]);
  }

  /** It may have begun, though no answer said so: a copy that is held by it can't go. */
  abandon(node: string, lease: string): void {
    this.#release(node, [{ lease, tries: MOST_TRIES }]);
  }

  /** The node is told with the next message. */
  #release(node: string, leases: readonly Released[]): void {
    const left = leases.filter(({ tries }) => tries > 0);
    if (left.length === 0) return;
    const told = this.#released.get(node) ?? [];
    this.#released.set(node, [...told, ...left].slice(0, MOST_LEASES));
    this.#cancelRelease ??= this.#clock.after(RELEASE_MS, () => this.#tell());
  }

  /** Asks a node; rejects with {@link CopyLost}, with what the search itself comes to, or with `WorkOver` when nobody waits any more. */
  ask(node: string, item: AskedItem, limit: WorkLimit): Promise<CopyAnswer> {
    return new Promise((resolve, reject) => {
      let own = this.#batches.get(node);
      if (own === undefined) {
        own = new Map();
        this.#batches.set(node, own);
      }
      const waiting: Waiting = { item, resolve, reject };
      const batch = own.get(limit);
      if (batch !== undefined) {
        batch.waiting.push(waiting);
        return;
      }
      const made: Batch = { node, limit, waiting: [waiting] };
      own.set(limit, made);
      queueMicrotask(() => {
        own.delete(limit);
        if (own.size === 0 && this.#batches.get(node) === own) this.#batches.delete(node);
        void this.#send(made);
      });
    });
  }

  async #send({ node, limit, waiting }: Batch): Promise<void> {
    let answers: ItemAnswer[];
    try {
      answers = await this.#answersOf(node, limit, waiting);
    } catch (e) {
      for (const { reject } of waiting) reject(e);
      return;
    }
    waiting.forEach((each, i) => {
      const answer = answers[i]!;
      if ('answer' in answer) each.resolve(answer.answer);
      else if ('error' in answer) each.reject(answer.error);
      else if ('lost' in answer) each.reject(new CopyLost(answer.lost, true));
      else if (waiting.length === 1) each.reject(tooLong());
      // Those that are too long together are asked for one after the other.
      else void this.#send({ node, limit, waiting: [each] });
    });
  }

  async #answersOf(node: string, limit: WorkLimit, waiting: readonly Waiting[]): Promise<ItemAnswer[]> {
    if (limit.cancelled) throw new WorkOver();
    const { deadline } = limit;
    const ms = deadline === Number.POSITIVE_INFINITY ? undefined : Math.max(0, deadline - clockNow());
    const items = waiting.map(({ item }) => item);
    const released = this.#released.get(node) ?? [];
    this.#released.delete(node);
    const question = encodeQuestions({ items, ms, released: named(released), renewed: [] });
    const abort = this.#signals.take();
    const listener = { cancelled: () => abort.abort(new WorkOver()) };
    limit.onCancel(listener);
    try {
      const answer = await this.#whileAlive(node, question, abort);
      limit.weigh(answer.length);
      return decodeAnswers(answer, items.length);
    } catch (e) {
      this.#release(node, again(released));
      if (e instanceof WorkOver || e instanceof CopyLost) throw e;
      if (e instanceof MessageTooLarge) throw tooLong();
      if (e instanceof PeerUnreachable) this.#suspects.set(node, elapsed(this.#clock));
      if (e instanceof PeerRejected) throw new CopyLost(e.reason, false, true);
      if (e instanceof PeerUnreachable) throw new CopyLost(e.message, e.isSilent);
      if (e instanceof PeerFailed) throw new CopyLost(e.message);
      throw e;
    } finally {
      limit.removeListener(listener);
      this.#signals.giveBack(abort);
    }
  }

  /** Waits for an answer for as long as the node shows life. */
  async #whileAlive(node: string, question: Uint8Array, abort: AbortController): Promise<Uint8Array> {
    let cancel = () => {};
    const look = async () => {
      const sign = new AbortController();
      const cancelSign = this.#clock.after(SIGN_MS, () => sign.abort(OVER));
      try {
        await this.#peers.ask(node, ALIVE, NOTHING, sign.signal);
        if (!isDone && !abort.signal.aborted) cancel = this.#clock.after(AGAIN_MS, () => void look());
      } catch {
        if (isDone) return;
        this.#suspects.set(node, elapsed(this.#clock));
        // It may be busy with copies of large shards, and answer in a moment: it is asked again where nobody else has the copy.
        abort.abort(new CopyLost(`the node ${node} shows no life`, true));
      } finally {
        cancelSign();
      }
    };
    let isDone = false;
    cancel = this.#clock.after(SILENT_MS, () => void look());
    try {
      return await this.#peers.ask(node, READ, question, abort.signal);
    } finally {
      // Whoever is looking has nothing to look for.
      isDone = true;
      cancel();
    }
  }

  /** Tells nodes of leases that have ended. */
  #tell(): void {
    this.#cancelRelease = undefined;
    const nodes = [...this.#released];
    this.#released.clear();
    for (const [node, released] of nodes) this.#inform(node, released, []);
  }

  #renew(): void {
    this.#cancelRenewal = undefined;
    for (const [node, leases] of this.#open) {
      const all = [...leases];
      for (let at = 0; at < all.length; at += MOST_LEASES)
        this.#inform(node, [], all.slice(at, at + MOST_LEASES));
    }
    if (this.#open.size > 0) this.#cancelRenewal = this.#clock.after(RENEW_MS, () => this.#renew());
  }

  /** A message that no answer is waited for. A renewal that gets lost is made up for by the time that leases last. */
  #inform(node: string, released: readonly Released[], renewed: readonly string[]): void {
    const message = encodeQuestions({ items: [], ms: undefined, released: named(released), renewed });
    const over = new AbortController();
    const cancel = this.#clock.after(SIGN_MS, () => over.abort(OVER));
    this.#peers
      .ask(node, READ, message, over.signal)
      .catch(() => this.#release(node, again(released)))
      .finally(cancel);
  }

  /** Ends what it does by itself. */
  close(): void {
    this.#cancelRenewal?.();
    this.#cancelRelease?.();
    this.#cancelRenewal = () => {};
    this.#cancelRelease = () => {};
  }
}

function named(released: readonly Released[]): string[] {
  return released.map(({ lease }) => lease);
}

/** What a message that got lost was to end. */
function again(released: readonly Released[]): Released[] {
  return released.map(({ lease, tries }) => ({ lease, tries: tries - 1 }));
}

function tooLong(): ElasticsearchError {
  const detail =
    'what a shard of another node answers is longer than nodes send each other: ask for less of it';
  return new ElasticsearchError('ElasticsearchIllegalStateException', detail, { status: 500, isLimit: true });
}
