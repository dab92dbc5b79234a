/**
 * Living nodes that can't be reached. The list of members forgets a node seconds after it has died; who asked it knows before. Writes don't
 * wait for such a node's copies until it answers again.
 */
import { PeerUnreachable } from '../cluster/errors.js';
import type { Peers } from '../cluster/peers.js';
import type { Clock } from '../time/clock.js';
import { pause } from './pause.js';

/** What a node is asked that is to show whether it lives. */
export const ALIVE = 'alive';
/** Silent nodes are asked again after so long. */
const AGAIN_MS = 500;
const NOTHING = new Uint8Array(0);

/** Nodes that were asked in vain, until they answer or aren't members any more. */
export class SilentNodes {
  readonly #peers: Peers;
  readonly #clock: Clock;
  readonly #lives: (node: string) => boolean;
  readonly #silent = new Set<string>();
  readonly #listeners = new Set<() => void>();

  /** @param lives whether a node is a member */
  constructor(peers: Peers, clock: Clock, lives: (node: string) => boolean) {
    this.#peers = peers;
    this.#clock = clock;
    this.#lives = lives;
  }

  has(node: string): boolean {
    return this.#silent.has(node);
  }

  /** Calls back when a node is heard again; the returned function ends that. */
  onHeard(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A node can't be reached. */
  add(node: string): void {
    if (this.#silent.has(node) || !this.#lives(node)) return;
    this.#silent.add(node);
    void this.#listen(node);
  }

  async #listen(node: string): Promise<void> {
    // Each question ends by itself, as unreachable or because this node has ended.
    const signal = new AbortController().signal;
    for (let isSilent = true; isSilent; ) {
      await pause(this.#clock, AGAIN_MS);
      if (!this.#lives(node)) break;
      isSilent = await this.#peers.ask(node, ALIVE, NOTHING, signal).then(
        () => false,
        (e) => e instanceof PeerUnreachable,
      );
    }
    this.#silent.delete(node);
    for (const listener of this.#listeners) listener();
  }
}
