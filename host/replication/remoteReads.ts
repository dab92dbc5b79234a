/** Reads of one shard of other nodes for one request: which copy is asked, and which one next when it doesn't answer. */
import { type ElasticsearchError, rejected } from '../errors.js';
import type { CopyAnswer, CopyQuestion, CopyReads } from '../shard/copyReads.js';
import { CopyGone } from '../shard/copyReads.js';
import { type WorkLimit, WorkOver } from '../workLimit.js';
import { type ReadAsker, CopyLost } from './readAsker.js';
import type { AskedShard } from './readMessages.js';

/** Copies that nodes don't have at the moment are asked for again after so long, then always after the last. */
const AGAIN_MS = [50, 150, 400];
/** Not for longer than this: a node that is dead is no member any more by then. */
const MOST_WAIT_MS = 15_000;

/** What is read, and where. */
export interface ReadPlace {
  /** The shard's name in messages. */
  name: string;
  /** The shard as it is to be asked for now. */
  at(): AskedShard;
  /** Ids of nodes with a copy, the one to be asked first in front. */
  copies(): readonly string[];
}

/** Questions about one shard for one request. */
export class RemoteReads implements CopyReads {
  readonly #place: ReadPlace;
  readonly #asker: ReadAsker;
  #node: string | undefined;
  /** Nodes that didn't answer, with the reasons. */
  readonly #lost = new Map<string, CopyLost>();
  /** How often all copies were asked again, and since when. */
  #again = 0;
  #lostSince: number | undefined;
  #lease: string | undefined;
  /** Whether the node has the lease. */
  #isHeld = false;

  constructor(place: ReadPlace, asker: ReadAsker) {
    this.#place = place;
    this.#asker = asker;
  }

  get node(): string | undefined {
    return this.#node;
  }

  hold(): () => void {
    this.#lease ??= this.#asker.newLease();
    const lease = this.#lease;
    return () => {
      if (this.#isHeld && this.#node !== undefined) this.#asker.release(this.#node, lease);
      this.#isHeld = false;
      this.#lease = undefined;
    };
  }

  async ask(question: CopyQuestion, limit: WorkLimit): Promise<CopyAnswer> {
    for (;;) {
      this.#node ??= this.#next();
      const node = this.#node;
      if (node === undefined) {
        this.#lostSince ??= this.#asker.now;
        const isOver = this.#asker.now - this.#lostSince >= MOST_WAIT_MS;
        if (isOver || !this.#isSomewhere()) throw this.#gone();
        await this.#asker.pause(AGAIN_MS[Math.min(this.#again++, AGAIN_MS.length - 1)]!);
        if (limit.over) throw new WorkOver();
        this.#lost.clear();
        continue;
      }
      try {
        return await this.#askOne(node, question, limit);
      } catch (e) {
        if (!(e instanceof CopyLost)) throw e;
        this.#lost.set(node, e);
        // Of what another copy has nothing was read yet, or there is nothing that goes together.
        if (this.#isHeld && e.isRejected) throw rejected(e.message);
        if (this.#isHeld)
          throw new CopyGone(this.#place.name, `the copy of this search has gone: ${e.message}`, true);
        if (this.#node === node) this.#node = undefined;
      }
    }
  }

  async #askOne(node: string, question: CopyQuestion, limit: WorkLimit): Promise<CopyAnswer> {
    const id = this.#lease;
    const lease = id === undefined ? undefined : { id, begins: !this.#isHeld };
    try {
      const answer = await this.#asker.ask(node, { at: this.#place.at(), lease, question }, limit);
      this.#begun(node, id);
      return answer;
    } catch (e) {
      // A search that fails has its rows kept too.
      if (!(e instanceof CopyLost)) this.#begun(node, id);
      else if (lease?.begins === true) this.#asker.abandon(node, lease.id);
      throw e;
    }
  }

  #begun(node: string, lease: string | undefined): void {
    if (lease === undefined || this.#isHeld || this.#node !== node) return;
    this.#asker.begun(node, lease);
    if (lease === this.#lease) this.#isHeld = true;
    else this.#asker.release(node, lease);
  }

  /** The node that is asked next; one that didn't answer others just now comes last. */
  #next(): string | undefined {
    const left = this.#place.copies().filter((node) => !this.#lost.has(node));
    return left.find((node) => !this.#asker.isSuspect(node)) ?? left[0];
  }

  /** Whether a copy may be there in a moment: one is being opened, or moves from node to node. */
  #isSomewhere(): boolean {
    return [...this.#lost.values()].some(({ isThere }) => isThere);
  }

  /** A node that has too much to do may answer later: that is said first. */
  #gone(): ElasticsearchError {
    const full = [...this.#lost.values()].find(({ isRejected }) => isRejected);
    if (full !== undefined) return rejected(full.message);
    if (this.#lost.size === 0) return new CopyGone(this.#place.name, 'no living node has a copy of it');
    const reasons = [...this.#lost].map(([node, { message }]) => `[${node}] ${message}`);
    return new CopyGone(this.#place.name, `no copy answers: ${reasons.join('; ')}`);
  }
}
