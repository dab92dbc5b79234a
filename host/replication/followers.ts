/** The indices whose logs this node follows. */
import { indexMissing } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { type FollowerContext, IndexFollower, notFollowing } from './indexFollower.js';

/** What followers need of the node. */
export interface FollowersContext extends FollowerContext {
  /** Resolves when this node has all changes of the metadata that were made before. */
  current(signal: AbortSignal): Promise<void>;
}

export class Followers {
  readonly #context: FollowersContext;
  readonly #byUuid = new Map<string, IndexFollower>();

  constructor(context: FollowersContext) {
    this.#context = context;
  }

  get all(): readonly IndexFollower[] {
    return [...this.#byUuid.values()];
  }

  /** Begins to follow the log of an index. */
  open(index: OpenIndex): void {
    this.#byUuid.set(index.metadata.uuid, new IndexFollower(index, this.#context));
  }

  /** Follows the log of an index no longer; returns whether it did. */
  end({ name, metadata }: OpenIndex): boolean {
    const follower = this.#byUuid.get(metadata.uuid);
    if (follower === undefined) return false;
    this.#byUuid.delete(metadata.uuid);
    void follower.stop(indexMissing(name));
    return true;
  }

  /** Follows nothing any more. @param reason what those who wait are told */
  async stop(reason: Error): Promise<void> {
    await Promise.all(this.all.map((follower) => follower.stop(reason)));
  }

  /** The follower of an index by its uuid; undefined where there is none. */
  find(uuid: string): IndexFollower | undefined {
    return this.#byUuid.get(uuid);
  }

  /** The follower of an index. Throws where that is gone, or can't be followed any more. */
  of({ name, metadata }: OpenIndex): IndexFollower {
    const follower = this.#byUuid.get(metadata.uuid);
    if (follower === undefined) throw indexMissing(name);
    if (follower.failure !== undefined) throw notFollowing(name, follower.failure);
    return follower;
  }

  /** The follower of an index that another node knows; undefined where the index has gone. */
  async known(uuid: string, signal: AbortSignal): Promise<IndexFollower | undefined> {
    const follower = this.#byUuid.get(uuid);
    if (follower !== undefined) return follower;
    await this.#context.current(signal);
    return this.#byUuid.get(uuid);
  }
}
