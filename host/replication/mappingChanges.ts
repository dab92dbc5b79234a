/**
 * Changes of an index's mapping: made on a draft of it, and put into the log where nobody else has changed it meanwhile. So changes follow one
 * another, each made of the one before.
 */
import { UnexpectedLast } from '../cluster/errors.js';
import { BatchWriter } from '../core/batch.js';
import { ElasticsearchError, toElasticsearchError, writeFailed } from '../errors.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Operation } from '../shard/operation.js';
import { analysisOf, isSameAnalysis } from '../settings/analysisSettings.js';
import { encodeJson } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import { inTurnsIfLong, WorkLimit } from '../workLimit.js';
import type { Followers } from './followers.js';
import { type IndexPlace, readIndexPlace } from './indexPlace.js';
import { type IndexFollower, notFollowing } from './indexFollower.js';
import { encodeMapping, MAPPING } from './indexLog.js';
import { questionOf, type RegisterQuestion } from './message.js';
import type { NodeQuestions } from './nodeQuestions.js';
import { type StoreStall, StoreStalled } from './storeStall.js';
import { withDeadline } from './withSignals.js';

/** What changes of mappings need of the node. */
export interface MappingContext {
  clock: Clock;
  followers: Followers;
  stall: StoreStall;
  questions: NodeQuestions;
  /** A copy of an index without shards, whose mapping may be changed. */
  draft(index: OpenIndex): OpenIndex;
}

/** How a change is made. */
interface ChangeOptions {
  /** Whether the mapping goes into the log as it is. */
  isRenewal?: boolean;
  /** The turn that the index is in from then on. */
  turn?: number;
}

/** Others may have changed it so often before this one. */
const MOST_ATTEMPTS = 100;
const TIMEOUT_MS = 30_000;
/** The question whether a change is in force. */
const MAPPED = 'mapped';
/** Bytes of a source that is parsed at once. */
const SHORT_SOURCE = 16 * 1024;

/** Changes mappings, those of an index one after the other. */
export class MappingChanges {
  readonly #context: MappingContext;
  readonly #queues = new WeakMap<IndexFollower, Promise<unknown>>();

  constructor(context: MappingContext) {
    this.#context = context;
  }

  /** Tells other nodes when changes that they made are in force here. */
  serve(register: RegisterQuestion): void {
    register(MAPPED, async (bytes, signal) => {
      const { uuid, position } = readIndexPlace(questionOf(bytes).place);
      const { followers, stall } = this.#context;
      const follower = await followers.known(uuid, signal);
      if (follower !== undefined)
        await stall.unlessStalled((either) => follower.reachMapping(position, either), signal);
      return encodeJson({});
    });
  }

  /** Makes a change; resolves when every living node has it, as far as they answer in time. */
  async changeEverywhere(index: OpenIndex, edit: (draft: OpenIndex) => void): Promise<void> {
    await this.tellAll(index, await this.change(this.#context.followers.of(index), edit));
  }

  /** Resolves when every living node has the change at a position of the index's log, as far as they answer in time. */
  async tellAll({ name, metadata: { uuid } }: OpenIndex, position: number): Promise<void> {
    const place: IndexPlace = { name, uuid, position };
    await this.#context.questions.tellAll(MAPPED, { place });
  }

  /**
   * Makes a change; resolves with the position in the log that has it when it is in force on this node.
   * @param edit changes the mapping of a draft; it may be called several times
   */
  change(follower: IndexFollower, edit: (draft: OpenIndex) => Promise<void> | void): Promise<number> {
    return this.#enqueue(follower, () => this.#change(follower, edit));
  }

  /**
   * Has the log say how often the index was closed and opened, unless it does; resolves as {@link change} does.
   * @param turn see {@link IndexMetadata}
   */
  turnTo(follower: IndexFollower, turn: number): Promise<number> {
    return this.#enqueue(follower, () => this.#change(follower, () => {}, { turn }));
  }

  /** Puts the mapping into the log again, as it is: its last change must not be trimmed. Resolves as {@link change} does. */
  renew(follower: IndexFollower): Promise<number> {
    return this.#enqueue(follower, () => this.#change(follower, () => {}, { isRenewal: true }));
  }

  #enqueue(follower: IndexFollower, change: () => Promise<number>): Promise<number> {
    const before = this.#queues.get(follower) ?? Promise.resolve();
    const done = before.then(change);
    this.#queues.set(
      follower,
      done.catch(() => {}),
    );
    return done;
  }

  /**
   * Has the mapping know what these operations need.
   * @returns for each that no mapping makes possible, why
   */
  async admit(
    follower: IndexFollower,
    ops: readonly Operation[],
  ): Promise<(ElasticsearchError | undefined)[]> {
    let refused: (ElasticsearchError | undefined)[] = [];
    await this.change(follower, async (draft) => {
      refused = [];
      for (const op of ops) refused.push(await this.#parse(draft, op));
    });
    return refused;
  }

  /** Parses the document of an operation as a single node would; returns what it is refused with. */
  async #parse(
    draft: OpenIndex,
    { kind, type, id, parent, routing, source, timestamp, ttl, times }: Operation,
  ) {
    if (kind !== 'index' || source === undefined) return undefined;
    const document = { type, id, parent, routing, source };
    const given = times ?? { timestamp, ttl, now: Math.floor(this.#context.clock.now()) };
    const work = WorkLimit.of(Number.POSITIVE_INFINITY);
    const { version } = draft.model;
    try {
      const batch = new BatchWriter(1024);
      if (source.length <= SHORT_SOURCE) draft.encode(batch, 1, document, given);
      else await inTurnsIfLong(draft.encodeInTurns(batch, 1, document, work, given), work);
      return undefined;
    } catch (e) {
      return draft.model.version === version ? toElasticsearchError(e) : writeFailed(toElasticsearchError(e));
    }
  }

  async #change(
    follower: IndexFollower,
    edit: (draft: OpenIndex) => Promise<void> | void,
    how: ChangeOptions = {},
  ): Promise<number> {
    const { clock, stall } = this.#context;
    const { name } = follower.index;
    // It would not be in force here before there is room.
    if (stall.reason !== undefined) throw notFollowing(name, stall.reason);
    const late = new ElasticsearchError(
      'ProcessClusterEventTimeoutException',
      `failed to process cluster event (put-mapping) within ${TIMEOUT_MS / 1000}s`,
      { status: 503 },
    );
    const sources = [follower.ending, stall.begun];
    try {
      return await withDeadline(
        clock,
        TIMEOUT_MS,
        () => late,
        sources,
        (signal) => this.#attempt(follower, edit, signal, late, how),
      );
    } catch (e) {
      throw e instanceof StoreStalled ? notFollowing(name, e.message) : e;
    }
  }

  async #attempt(
    follower: IndexFollower,
    edit: (draft: OpenIndex) => Promise<void> | void,
    signal: AbortSignal,
    late: ElasticsearchError,
    { isRenewal, turn = 0 }: ChangeOptions,
  ): Promise<number> {
    const { index } = follower;
    const log = await follower.log();
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      if (follower.failure !== undefined) throw notFollowing(index.name, follower.failure);
      const expectLast = follower.mappingPosition;
      const draft = this.#context.draft(index);
      const { version } = draft.model;
      await edit(draft);
      // Settings that were changed while it was closed are in force with this.
      const analyses = index.closed && !isSameAnalysis(follower.analysis, draft.settings);
      const isMark = analyses || turn > follower.turn;
      if (draft.model.version === version && !isMark && !isRenewal) {
        // Nothing may have changed the mapping meanwhile either.
        if (follower.mappingPosition === expectLast) return expectLast;
        continue;
      }
      try {
        const said = { ...follower.said };
        if (analyses) said.analysis = analysisOf(draft.settings);
        if (turn > follower.turn) said.turn = turn;
        const bytes = encodeMapping({ mapping: draft.model.save(), ...said });
        const position = await log.append(MAPPING, bytes, { expectLast, signal });
        await follower.reachMapping(position, signal);
        // It came behind another one, of which the log knows no more.
        if (follower.leftOut === position) continue;
        return position;
      } catch (e) {
        if (!(e instanceof UnexpectedLast)) throw e;
        const last = await log.lastPosition(MAPPING);
        // A node that was started anew expects 0 where all that was there has been trimmed.
        await follower.reachMapping(last, signal);
      }
    }
    throw late;
  }
}
