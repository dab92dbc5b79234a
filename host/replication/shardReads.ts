/** Reads of shards that this node has no copy of, and what others read of its copies. */
import { MAX_MESSAGE_BYTES } from '../cluster/errors.js';
import type { Breakers, SettingLookup } from '../limits/breakers.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { RemoteShard } from '../shard/remoteShard.js';
import type { SearchedShard } from '../shard/searchedShard.js';
import type { Clock } from '../time/clock.js';
import type { Barriers } from './barriers.js';
import type { CountedPeers } from './countedPeers.js';
import type { Followers } from './followers.js';
import type { KnownCopies } from './knownCopies.js';
import type { RegisterQuestion } from './message.js';
import { ReadAnswers } from './readAnswers.js';
import { ReadAsker, READ } from './readAsker.js';
import type { AskedShard } from './readMessages.js';
import { RemoteReads } from './remoteReads.js';
import { ALIVE } from './silentNodes.js';

/** What reads need of the node. */
export interface ShardReadsContext {
  clock: Clock;
  peers: CountedPeers;
  /** The process, as others name what they keep for it. */
  incarnation: string;
  followers: Followers;
  barriers: Barriers;
  copies: KnownCopies;
}

const NOTHING = new Uint8Array(0);

export class ShardReads {
  readonly #context: ShardReadsContext;
  readonly #asker: ReadAsker;
  readonly #answers: ReadAnswers;

  constructor(context: ShardReadsContext) {
    this.#context = context;
    const { peers, clock, incarnation, barriers } = context;
    this.#asker = new ReadAsker(peers, clock, incarnation);
    this.#answers = new ReadAnswers({
      clock,
      index: (at, asked) => this.#indexAt(at, asked),
      current: (index, shard, asked) => barriers.current(index, asked, shard),
    });
  }

  serve(register: RegisterQuestion): void {
    register(ALIVE, async () => NOTHING);
    register(READ, (bytes, signal) => this.#answers.answer(bytes, signal), MAX_MESSAGE_BYTES);
  }

  /** See {@link ReadAnswers.letGo}. */
  letGo(lives: (incarnation: string) => boolean): void {
    this.#answers.letGo(lives);
  }

  /** See {@link ReadAnswers.refreshed}. */
  refreshed(): void {
    this.#answers.refreshed();
  }

  /** See {@link ReadAnswers.configure}. */
  configure(setting: SettingLookup, breakers: Breakers): void {
    this.#answers.configure(setting, breakers);
  }

  /** Lets go of all that is kept for others, or by others for this node. */
  close(): void {
    this.#asker.close();
    this.#answers.close();
  }

  /** The shard as one request sees the copy of another node. @param preferred the only nodes that may be asked, in their order */
  elsewhere(
    index: OpenIndex,
    shard: Pick<SearchedShard, 'number' | 'uid' | 'counters'>,
    preferred?: readonly string[],
  ): SearchedShard {
    const { followers, copies } = this.#context;
    const { name, metadata } = index;
    const { uuid } = metadata;
    const { number } = shard;
    const reads = new RemoteReads(
      {
        name: `[${name}][${number}]`,
        at: () => {
          const mapping = followers.find(uuid)?.mappingPosition ?? 0;
          return { index: name, uuid, shard: number, mapping };
        },
        copies: () => {
          const all = copies.leastBusy(index, number).map(({ id }) => id);
          return preferred === undefined ? all : preferred.filter((id) => all.includes(id));
        },
      },
      this.#asker,
    );
    return new RemoteShard(shard, reads);
  }

  /** The index that another node asks about, with at least the mapping that it asks by; undefined where it has gone. */
  async #indexAt({ uuid, mapping }: AskedShard, signal: AbortSignal): Promise<OpenIndex | undefined> {
    const { followers } = this.#context;
    const follower = followers.find(uuid) ?? (await followers.known(uuid, signal));
    if (follower === undefined) return undefined;
    if (follower.mappingPosition < mapping) await follower.reachMapping(mapping, signal);
    return follower.index;
  }
}
