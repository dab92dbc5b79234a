/** Making copies of shards on this node: the store is filled, the log is caught up with, and the copy is searched. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Shard } from '../shard/shard.js';
import { hasCopy, isOutdated } from '../shard/shardCopy.js';
import { placeRow, readPlace } from '../storage/logRows.js';
import type { Storage } from '../storage/storage.js';
import type { Clock } from '../time/clock.js';
import type { FetchedCopy } from './copies.js';
import type { CopyStates } from './copyStates.js';
import type { IndexFollower } from './indexFollower.js';
import { shardSubject } from './indexLog.js';
import type { ClusterNode, Nodes } from './nodes.js';
import { withSignals } from './withSignals.js';

/** What making copies needs of the node. */
export interface CopyMakerContext {
  nodes: Nodes;
  clock: Clock;
  storage: Storage;
  follower(uuid: string): IndexFollower | undefined;
  /** Has a copy written into the store. */
  fetch(
    index: OpenIndex,
    shard: number,
    from: readonly ClusterNode[],
    atLeast: number,
    signal: AbortSignal,
  ): Promise<FetchedCopy>;
  /** Resolves when a copy that counts no more is closed: what it still writes must not come among the rows of another. */
  closed(uuid: string, shard: number): Promise<void>;
}

/** Thrown where a copy is in the store and can't be opened, as where the core has no memory for it. */
export class Unopened extends Error {
  constructor() {
    super('its copy could not be opened');
  }
}

/** How often a copy is begun that the mapping gets ahead of meanwhile, before that is told. */
const MOST_FETCHES = 10;

export class CopyMaker {
  readonly #context: CopyMakerContext;
  readonly #states: CopyStates;

  constructor(context: CopyMakerContext, states: CopyStates) {
    this.#context = context;
    this.#states = states;
  }

  /** Makes a copy, and has it searched here; false where that isn't possible now. */
  async make(index: OpenIndex, shard: number, signal: AbortSignal): Promise<boolean> {
    const follower = this.#context.follower(index.metadata.uuid);
    if (follower === undefined) return false;
    return withSignals([signal, follower.ending], async (either) => {
      const position = await this.#filled(follower, shard, either);
      if (position === undefined) return false;
      // In the turn in which it was found that the mapping is no newer than the copy.
      const copy = index.join(shard);
      follower.join(shard, position);
      try {
        await copy.open();
        if (!copy.active) throw new Unopened();
        await this.arrive(follower, shard, copy, either);
        return true;
      } catch (e) {
        // What is in the store is opened again the next time.
        if (index.copyOf(shard) === copy && !index.shards[shard]!.isHeld) follower.leave(shard);
        await copy.close(false);
        throw e;
      }
    });
  }

  /** Has a copy that follows the log searched, when it has caught up. */
  async arrive(follower: IndexFollower, shard: number, copy: Shard, signal: AbortSignal): Promise<void> {
    const { index } = follower;
    const { uuid } = index.metadata;
    const log = await follower.log();
    await follower.reach(shard, await log.lastPosition(), signal);
    // From now on it takes part in whatever is asked of all copies.
    this.#states.addArriving(uuid, shard);
    try {
      await follower.reach(shard, await log.lastPosition(), signal);
      await copy.refresh();
      signal.throwIfAborted();
      index.arrive(shard);
      this.#states.addSearchable(uuid, shard);
    } finally {
      this.#states.removeArriving(uuid, shard);
    }
  }

  /**
   * Has the store filled with a copy that is no older than the mapping here; resolves with its position in the log, and in the same turn it still is so.
   * Undefined where there is nobody to fetch it from.
   */
  async #filled(follower: IndexFollower, shard: number, signal: AbortSignal): Promise<number | undefined> {
    const { storage, nodes } = this.#context;
    const { index } = follower;
    const { uuid, shardUids } = index.metadata;
    const uid = shardUids[shard]!;
    await this.#context.closed(uuid, shard);
    for (let attempt = 1; attempt <= MOST_FETCHES; attempt++) {
      signal.throwIfAborted();
      const adopted = follower.adopted;
      let place = hasCopy(storage, uid) ? readPlace(storage, uid) : undefined;
      if (place === undefined || place.position < adopted.position) {
        const { continued } = index.metadata;
        if (!isOutdated(storage, uid) && continued === undefined && (await this.#isEmpty(follower, shard))) {
          // The next process reads the log from there: the mapping must be in the store before.
          await follower.reachMapping(adopted.position, signal);
          if (follower.adopted !== adopted) continue;
          // Its documents are those of a snapshot: it is filled with them when it is opened.
          if ('origin' in index.metadata) return 0;
          const empty = { ...adopted, time: 0, horizon: 0 };
          await storage.commit([placeRow(uid, empty)], []);
        } else {
          const from = nodes.othersWith(uuid, shard);
          if (from.length === 0) return undefined;
          await this.#context.fetch(index, shard, from, adopted.position, signal);
        }
        place = readPlace(storage, uid);
      }
      if (place !== undefined && place.position >= follower.adopted.position) return place.position;
    }
    throw new Error(
      `its mapping changed ${MOST_FETCHES} times while a copy was made: it is made again in a moment`,
    );
  }

  /** Whether the log has never had anything of a shard. */
  async #isEmpty(follower: IndexFollower, shard: number): Promise<boolean> {
    const log = await follower.log();
    if ((await log.firstPosition()) > 1) return false;
    return (await log.lastPosition(shardSubject(shard))) === 0;
  }

  /** Has a copy searched that is held, and wasn't open at once; false where that isn't possible now. */
  async catchUp(index: OpenIndex, shard: number, signal: AbortSignal): Promise<boolean> {
    const { uuid } = index.metadata;
    const follower = this.#context.follower(uuid);
    const copy = index.shards[shard]!;
    await copy.ready;
    if (follower === undefined || !copy.active) return false;
    return withSignals([signal, follower.ending], async (either) => {
      const log = await follower.log();
      await follower.reach(shard, await log.lastPosition(), either);
      await copy.refresh();
      this.#states.addSearchable(uuid, shard);
      return true;
    });
  }
}
