import { ERR_MEMORY } from '../abi/status';
import { requestAllocZeroed } from '../memory/arena';
import { Query } from '../plan/query';
import { Shard } from '../segment/shards';
import { fail } from '../requestStatus';
import { Plan } from './plan';
import { Thinning } from './thin';

/** What a search knows: handed to all that rewrites, weighs, compiles and collects. Lives in the request arena. */
@unmanaged
export class Search {
  shard: Shard;
  plan: Plan;
  /** Documents of the shard, deleted ones included. */
  maxDoc: u32;
  /** The plan's query and its post filter, rewritten for the shard. */
  root: Query;
  postFilter: Query | null;
  /** What thins its matches out. */
  thinning: Thinning;
  /** The largest score among the matches of a sorted search that tracks scores; NaN if there were none. */
  largestScore: f32;
  /** A weight of the query weighed last is negative, enormous or no number: bounds don't hold, nothing may be skipped. */
  unbounded: bool;
  /** The queries being weighed know this shard alone. */
  localOnly: bool;
  /** The terms that the root scores by (statistics.ts): array of QueryTerm pointers, its room, their number. */
  terms: usize;
  termRoom: u32;
  termCount: u32;

  /** Null where the request fails. */
  static make(shard: Shard, plan: Plan): Search | null {
    const at = requestAllocZeroed(offsetof<Search>() + offsetof<Thinning>());
    if (!at) {
      fail(ERR_MEMORY);
      return null;
    }
    const search = changetype<Search>(at);
    search.shard = shard;
    search.plan = plan;
    search.thinning = changetype<Thinning>(at + offsetof<Search>());
    search.thinning.start(plan);
    search.largestScore = NaN;
    for (let i: u32 = 0; i < shard.segmentCount; i++) search.maxDoc += shard.segment(i).docCount;
    return search;
  }
}
