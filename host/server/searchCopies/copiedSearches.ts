/** Where searches of a shard go: to its owner, or to a copy that is as new and has less to do. */
import type { SearchResult } from '../../core/result.js';
import { CoreError, Status } from '../../core/status.js';
import type { WorkLimit } from '../../workLimit.js';
import type { CallChannel } from '../callChannel.js';
import type { CopyPlace, CopyTable } from './copyTable.js';

/** A shard that may have copies. */
export interface CopiedShard {
  readonly owner: number;
  /** Its number there. */
  readonly shard: number;
  readonly place: CopyPlace;
}

export class CopiedSearches {
  readonly #table: CopyTable;
  readonly #channelOf: (worker: number) => CallChannel | undefined;
  /** Searches that copies were asked for by this thread. */
  sent = 0;

  /** @param channelOf this thread's way to a data worker */
  constructor(table: CopyTable, channelOf: (worker: number) => CallChannel | undefined) {
    this.#table = table;
    this.#channelOf = channelOf;
  }

  /** @param own the way to the shard's owner */
  search(own: CallChannel, shard: CopiedShard, plan: Uint8Array, limit: WorkLimit): Promise<SearchResult> {
    let least = own.searches;
    let found = 0;
    let to: CallChannel | undefined;
    for (let copy = 0; least > 0 && copy < this.#table.copies; copy++) {
      const channel = this.#channelOf(this.#table.workerOf(shard.owner, copy));
      if (channel === undefined || channel.searches >= least) continue;
      const number = this.#table.current(shard.place, copy);
      if (number === 0) continue;
      least = channel.searches;
      found = number;
      to = channel;
    }
    if (to === undefined) return own.search(shard.shard, plan, limit);
    this.sent++;
    return to.search(found, plan, limit).catch((e) => {
      if (e instanceof CoreError && e.code === Status.interrupted) throw e;
      // The copy is gone, or lacks something that only the owner is given; what is wrong with the search itself the owner finds out too.
      return own.search(shard.shard, plan, limit);
    });
  }
}
