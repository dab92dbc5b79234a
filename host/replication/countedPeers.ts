import type { PeerHandler, Peers, QuestionLimit } from '../cluster/peers.js';

/** Questions to other nodes, counted while they are under way. */
export class CountedPeers implements Peers {
  readonly #peers: Peers;
  readonly #underWay = new Map<string, number>();

  constructor(peers: Peers) {
    this.#peers = peers;
  }

  /** How many questions to a node this one waits for. */
  underWay(node: string): number {
    return this.#underWay.get(node) ?? 0;
  }

  serve(handler: PeerHandler, limit?: QuestionLimit): Promise<void> {
    return this.#peers.serve(handler, limit);
  }

  async ask(node: string, kind: string, bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    this.#underWay.set(node, this.underWay(node) + 1);
    try {
      return await this.#peers.ask(node, kind, bytes, signal);
    } finally {
      const left = this.underWay(node) - 1;
      if (left > 0) this.#underWay.set(node, left);
      else this.#underWay.delete(node);
    }
  }
}
