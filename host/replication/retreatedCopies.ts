/**
 * Copies that other nodes have too, and that can't follow their log at the moment, since the store takes no commits: the others go on without
 * them, so they aren't searched until they have caught up, or until none of the others is further.
 */
import type { OpenIndex } from '../metadata/openIndex.js';
import { encodeJson } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import type { CopyMaker } from './copyMaker.js';
import type { CopyStates } from './copyStates.js';
import type { CountedPeers } from './countedPeers.js';
import type { IndexFollower } from './indexFollower.js';
import { countOf, questionOf, type RegisterQuestion } from './message.js';
import type { Nodes } from './nodes.js';
import type { Placements } from './placements.js';
import { withSignals } from './withSignals.js';

/** What they need of the node. */
export interface RetreatedCopiesContext {
  nodes: Nodes;
  peers: CountedPeers;
  clock: Clock;
  placements: Placements;
  follower(uuid: string): IndexFollower | undefined;
}

/** The question how far a node's copy has followed the log. */
const CARRIED_OUT = 'carriedOut';
/** How long a node is waited for that is to say that. */
const POSITION_MS = 2000;

export class RetreatedCopies {
  readonly #context: RetreatedCopiesContext;
  readonly #maker: CopyMaker;
  readonly #states: CopyStates;
  /** By shard, with the nodes whose copies may be further. */
  readonly #retreated = new Map<string, ReadonlySet<string>>();

  constructor(context: RetreatedCopiesContext, maker: CopyMaker, states: CopyStates) {
    this.#context = context;
    this.#maker = maker;
    this.#states = states;
  }

  has({ metadata }: OpenIndex, shard: number): boolean {
    return this.#retreated.has(`${metadata.uuid}/${shard}`);
  }

  /** It is searched again, or goes. */
  delete({ metadata }: Pick<OpenIndex, 'metadata'>, shard: number): void {
    this.#retreated.delete(`${metadata.uuid}/${shard}`);
  }

  /** Has a copy searched no more; false where no other node may have one: then it is as new as what was acknowledged. */
  retreat(index: OpenIndex, shard: number): boolean {
    const { placements, nodes } = this.#context;
    const placed = placements.of(index)[shard] ?? [];
    const { uuid } = index.metadata;
    const having = nodes.othersWith(uuid, shard).map(({ id }) => id);
    const others = new Set([...placed, ...having].filter((id) => id !== nodes.self));
    if (others.size === 0) return false;
    this.#retreated.set(`${uuid}/${shard}`, others);
    this.#states.removeSearchable(uuid, shard);
    index.retreat(shard);
    return true;
  }

  /** Whether another living node has a copy that may be searched. */
  isElsewhere({ metadata }: OpenIndex, shard: number): boolean {
    return this.#context.nodes.othersWith(metadata.uuid, shard).length > 0;
  }

  /** Tells other nodes how far the copy of a shard has followed the log; -1 where there is none. */
  serve(register: RegisterQuestion): void {
    register(CARRIED_OUT, async (bytes) => {
      const { uuid, shard } = questionOf(bytes);
      const number = countOf(shard);
      const follower = typeof uuid === 'string' ? this.#context.follower(uuid) : undefined;
      return encodeJson({ position: follower?.has(number) === true ? follower.carriedOutBy(number) : -1 });
    });
  }

  /**
   * Has a copy searched again: when it has caught up, or, while the store takes no commits, when it is found that no other one is further. False
   * where that isn't possible now.
   */
  async comeBack(
    index: OpenIndex,
    shard: number,
    isStalled: () => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { uuid } = index.metadata;
    const follower = this.#context.follower(uuid);
    const copy = index.copyOf(shard);
    if (follower === undefined || copy === undefined) return false;
    return withSignals([signal, follower.ending], async (either) => {
      if (!isStalled()) await this.#maker.arrive(follower, shard, copy, either);
      else {
        if (!(await this.#isFurthest(follower, shard, either)) || index.copyOf(shard) !== copy) return false;
        // No refresh was asked of it meanwhile.
        await copy.refresh();
        if (either.aborted || !isStalled() || index.copyOf(shard) !== copy) return false;
        index.arrive(shard);
        this.#states.addSearchable(uuid, shard);
      }
      this.delete(index, shard);
      return true;
    });
  }

  /**
   * Whether a copy here is as far in the log as all that may have acknowledged something without it, while none of them is searched: all of them
   * have to say so. Of two that are equally far, that of the first node is.
   */
  async #isFurthest(follower: IndexFollower, shard: number, signal: AbortSignal): Promise<boolean> {
    const { nodes, peers, clock } = this.#context;
    const { index } = follower;
    const { uuid } = index.metadata;
    const others = this.#retreated.get(`${uuid}/${shard}`);
    if (others === undefined || this.isElsewhere(index, shard)) return false;
    const timeout = new AbortController();
    const cancel = clock.after(POSITION_MS, () => timeout.abort(new Error('no answer')));
    try {
      const question = encodeJson({ uuid, shard });
      const ask = async (id: string, either: AbortSignal) => {
        const { position } = questionOf(await peers.ask(id, CARRIED_OUT, question, either));
        return { id, position: typeof position === 'number' ? position : Number.POSITIVE_INFINITY };
      };
      const found = await withSignals([signal, timeout.signal], (either) =>
        Promise.all([...others].map((id) => ask(id, either))),
      );
      const own = follower.carriedOutBy(shard);
      if (signal.aborted || this.isElsewhere(index, shard)) return false;
      return found.every(({ id, position }) => position < own || (position === own && id > nodes.self));
    } catch {
      return false;
    } finally {
      cancel();
    }
  }
}
