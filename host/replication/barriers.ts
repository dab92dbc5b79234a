/** Waiting until this node has all that was acknowledged before, by whatever node: the ends of logs are asked for, and reached. */
import { LogMissing } from '../cluster/errors.js';
import type { Log } from '../cluster/log.js';
import { onAbort } from '../cluster/onAbort.js';
import { OVER } from '../cluster/over.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Clock } from '../time/clock.js';
import type { Followers } from './followers.js';
import type { IndexFollower } from './indexFollower.js';
import { MAPPING } from './indexLog.js';
import type { StoreStall } from './storeStall.js';

/** What barriers need of the node. */
export interface BarriersContext {
  clock: Clock;
  followers: Followers;
  stall: StoreStall;
  /** Resolves when this node has all changes of the metadata that were made before. */
  currentMetadata(signal: AbortSignal): Promise<void>;
  /** All indices. */
  indices(): readonly OpenIndex[];
  /** Copies of an index that will be read here in a moment. */
  arriving(index: OpenIndex): readonly number[];
}

/** How long logs are waited for that only tell how long they are, and how many are asked at once. */
const LAG_MS = 1000;
const MOST_ASKED = 32;

export class Barriers {
  readonly #context: BarriersContext;
  /** Questions for the ends of logs, and for their last changes of mappings, that others may share. */
  readonly #asked = new Map<Log, Promise<number>>();
  readonly #askedMappings = new Map<Log, Promise<number>>();

  constructor(context: BarriersContext) {
    this.#context = context;
  }

  /** Resolves when this node has all of the metadata. */
  currentMetadata(signal: AbortSignal): Promise<void> {
    return this.#context.currentMetadata(signal);
  }

  /** The last position of an index's log, asked for after the call; who comes meanwhile shares the next question. */
  async lastOf(follower: IndexFollower): Promise<number> {
    return shared(this.#asked, await follower.log(), (log) => log.lastPosition());
  }

  /** The last position of what this node reads of it. */
  async #lastRead(follower: IndexFollower): Promise<number> {
    if (follower.readsDocuments) return this.lastOf(follower);
    return shared(this.#askedMappings, await follower.log(), (log) => log.lastPosition(MAPPING));
  }

  /** Resolves when this node has all of the metadata, and of all indices. */
  async catchUp(signal: AbortSignal): Promise<void> {
    const { currentMetadata, indices } = this.#context;
    await currentMetadata(signal);
    // What is being restored may not be there for long.
    const all = indices().filter(({ filling }) => !filling);
    await Promise.all(all.map((index) => this.current(index, signal)));
  }

  /** Resolves when this node has all of an index. @param shard the only one that it is wanted of */
  async current(index: OpenIndex, signal: AbortSignal, shard?: number): Promise<void> {
    const { followers, stall, arriving } = this.#context;
    const follower = followers.find(index.metadata.uuid);
    if (follower === undefined || follower.failure !== undefined || stall.reason !== undefined) return;
    let last: number;
    try {
      last = await (shard === undefined ? this.#lastRead(follower) : this.lastOf(follower));
    } catch (e) {
      // Its documents are read nevertheless; it takes no writes.
      if (e instanceof LogMissing) return;
      throw e;
    }
    const reach = (either: AbortSignal) => {
      if (shard !== undefined) return follower.reach(shard, last, either);
      // Whoever waits reads a copy that has arrived by then, which has only what was acknowledged before it began to arrive.
      return follower.reachAll(last, either, arriving(index));
    };
    await stall.unlessStalled(reach, signal).catch((e) => {
      if (follower.failure === undefined) throw e;
    });
  }

  /** The index of a uuid, when a shard of it here has all that was acknowledged before; undefined where there is none. */
  async upToDate(uuid: string, shard: number, signal: AbortSignal): Promise<OpenIndex | undefined> {
    const { currentMetadata, followers } = this.#context;
    await currentMetadata(signal);
    const follower = followers.find(uuid);
    if (follower === undefined || follower.index.shards[shard] === undefined) return undefined;
    // What has been carried out is still there where the log isn't.
    if (follower.failure === undefined) await follower.reach(shard, await this.lastOf(follower), signal);
    return follower.index;
  }

  /**
   * Positions between the end of what this node reads of an index's log and what it has carried out of that, by the index's name: messages,
   * and parts of long ones. An index whose log doesn't answer within a second is left out.
   */
  async lags(): Promise<Map<string, number>> {
    const { clock, followers } = this.#context;
    const found = new Map<string, number>();
    const over = new AbortController();
    const cancel = clock.after(LAG_MS, () => over.abort(OVER));
    const ended = new Promise<void>((resolve) => {
      onAbort(over.signal, resolve);
    });
    const waiting = [...followers.all];
    const ask = async () => {
      for (let next = waiting.pop(); next !== undefined && !over.signal.aborted; next = waiting.pop())
        try {
          const last = await this.#lastRead(next);
          found.set(next.index.name, Math.max(0, last - next.carriedOut));
        } catch {
          // Health says which logs can't be reached.
        }
    };
    await Promise.race([ended, Promise.all(Array.from({ length: MOST_ASKED }, ask))]);
    cancel();
    return new Map(found);
  }
}

/** Asks in a turn of its own, so that all requests of this one share the question. */
function shared(
  questions: Map<Log, Promise<number>>,
  log: Log,
  ask: (log: Log) => Promise<number>,
): Promise<number> {
  const waiting = questions.get(log);
  if (waiting !== undefined) return waiting;
  const asked = Promise.resolve().then(() => {
    questions.delete(log);
    return ask(log);
  });
  questions.set(log, asked);
  return asked;
}
