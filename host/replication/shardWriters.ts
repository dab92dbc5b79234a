/** The writers of this node, one for each shard that it writes to, whether it has a copy or not. */
import { ElasticsearchError, indexClosed } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { DigestMark } from '../shard/digestMark.js';
import type { Operation } from '../shard/operation.js';
import type { Outcome } from '../shard/writeQueue.js';
import type { Clock } from '../time/clock.js';
import type { Turn } from '../turn.js';
import type { AwaitedOutcomes } from './awaitedOutcomes.js';
import type { Barriers } from './barriers.js';
import {
  agree,
  type Confirmation,
  decodeConfirmation,
  encodeConfirmation,
  readConfirmation,
  writtenConfirmation,
} from './confirmations.js';
import type { Followers } from './followers.js';
import { type IndexPlace, readIndexPlace } from './indexPlace.js';
import type { KnownCopies } from './knownCopies.js';
import type { MappingChanges } from './mappingChanges.js';
import { countOf, questionOf, type RegisterQuestion } from './message.js';
import { AnswersDiffer, everyone, majority, type Nodes } from './nodes.js';
import { ShardWriter, type Written } from './shardWriter.js';
import type { StoreStall } from './storeStall.js';
import { withSignals } from './withSignals.js';
import type { WriterQuestions } from './writerQuestions.js';

/** What the writers need of the node. */
export interface ShardWritersContext {
  clock: Clock;
  turn: Turn;
  /** The process, as messages name it. */
  writer: string;
  stall: StoreStall;
  nodes: Nodes;
  followers: Followers;
  barriers: Barriers;
  mappings: MappingChanges;
  outcomes: AwaitedOutcomes;
  elsewhere: WriterQuestions;
  copies: KnownCopies;
  /** Whether all living nodes know messages by all of which copies are compared. */
  knowCompared(): boolean;
  /** The copy of another node has confirmed a write with another hash than that one which the write was answered by. */
  differs(index: OpenIndex, shard: number, node: string, confirmed: Confirmation): void;
  /** The copy of this node has another hash there than the one that a write was answered by. */
  marked(index: OpenIndex, shard: number, mark: DigestMark): void;
  /** Whether this node's copy may be searched. */
  isSearchable(index: OpenIndex, shard: number): boolean;
}

const REACHED = 'reached';

export class ShardWriters {
  readonly #context: ShardWritersContext;
  readonly #writers = new Map<string, ShardWriter>();
  #number = 0;

  constructor(context: ShardWritersContext) {
    this.#context = context;
  }

  /** How many messages this process has appended. */
  get appended(): number {
    return this.#number;
  }

  /** Tells other nodes when copies of this one have carried out what they wrote, and what these have come to. */
  serve(register: RegisterQuestion): void {
    register(REACHED, async (bytes, signal) => {
      const question = questionOf(bytes);
      const { uuid, position } = readIndexPlace(question.place);
      const number = countOf(question.shard);
      const follower = await this.#context.followers.known(uuid, signal);
      if (follower === undefined) return encodeConfirmation(undefined);
      const copy = follower.index.copyOf(number);
      if (copy === undefined) throw new Error('it has no copy of the shard');
      // Who asks may have answered by the others before this copy is there.
      const answered = readConfirmation(question);
      const other = answered && copy.compareDigest(answered);
      if (other !== undefined) this.#context.marked(follower.index, number, other);
      await follower.reach(number, position, signal);
      // One that is made in its place has been fetched from a node that may not have carried it out yet.
      if (follower.index.copyOf(number) !== copy) throw new Error('it has no copy of the shard any more');
      return encodeConfirmation(copy.digestAt(position));
    });
  }

  /** Writes in the given order; resolves with what became of the operations when enough copies have them. */
  write(index: OpenIndex, number: number, ops: readonly Operation[]): Promise<Outcome[]> {
    if (index.closed) throw indexClosed(index.name);
    const follower = this.#context.followers.of(index);
    const key = shardKeyOf(index, number);
    let writer = this.#writers.get(key);
    if (writer === undefined) {
      const {
        clock,
        turn,
        writer: process,
        mappings,
        outcomes,
        elsewhere,
        barriers,
        stall,
        knowCompared,
        isSearchable,
      } = this.#context;
      writer = new ShardWriter(number, {
        clock,
        turn,
        writer: process,
        follower,
        mappings,
        outcomes: (message, signal) =>
          withSignals([signal, stall.begun], (either) => outcomes.of(key, message, either)),
        refusal: (of, at) => this.#refusal(of, at),
        nextNumber: () => ++this.#number,
        copied: (of, at, written, level, signal) => this.#copied(of, at, written, level, signal),
        isHere: isSearchable,
        knowCompared,
        elsewhere,
        last: (of) => barriers.lastOf(of),
      });
      this.#writers.set(key, writer);
    }
    return writer.write(ops);
  }

  /** An index is gone, or closed. */
  gone(index: OpenIndex): void {
    for (const shard of index.shards.keys()) this.#writers.delete(shardKeyOf(index, shard));
  }

  #refusal(index: OpenIndex, shard: number): ElasticsearchError | undefined {
    const reason = this.#context.copies.stalled(index, shard);
    if (reason === undefined) return undefined;
    const detail = `[${index.name}][${shard}] can not be written: ${reason}`;
    return new ElasticsearchError('UnavailableShardsException', detail, { status: 503 });
  }

  /** Whether anything is waited for that a shard is to carry out. */
  isWaiting(index: OpenIndex, shard: number): boolean {
    return this.#context.outcomes.areAwaited(shardKeyOf(index, shard));
  }

  async #copied(
    index: OpenIndex,
    shard: number,
    { position, digest }: Written,
    level: 'QUORUM' | 'ALL',
    signal: AbortSignal,
  ): Promise<void> {
    const { nodes, copies: known, followers, differs } = this.#context;
    const { name, metadata } = index;
    const place: IndexPlace = { name, uuid: metadata.uuid, position };
    // Where nobody has a copy, somebody will.
    const all = (copies: number) => Math.max(1, everyone(copies));
    const needed = level === 'ALL' ? all : majority;
    const among = () => known.leastBusy(index, shard).map(({ id }) => id);
    const follower = followers.of(index);
    const ownDigest = () => follower.index.copyOf(shard)?.digestAt(position);
    // That of the copy which has said what became of the write.
    const answered = digest ?? ownDigest();
    const counts = (node: string, bytes: Uint8Array) => {
      const confirmed = decodeConfirmation(bytes);
      if (confirmed === undefined || agree(answered, confirmed)) return true;
      differs(index, shard, node, confirmed);
      return false;
    };
    const own = follower.reach(shard, position, signal).then(() => {
      if (!agree(answered, ownDigest())) throw new AnswersDiffer();
    });
    own.catch(() => {});
    const question = { place, shard, ...writtenConfirmation(answered) };
    await nodes.ask(REACHED, question, needed, signal, { among, own, counts });
  }
}

function shardKeyOf({ metadata }: OpenIndex, shard: number): string {
  return `${metadata.uuid}/${shard}`;
}
