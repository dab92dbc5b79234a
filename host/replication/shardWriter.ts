/**
 * What this node writes to one shard: operations wait in a queue, and go into the log of their index one message after the other, each when it
 * is known what became of the one before. So operations stay in the order in which they came, whatever has to be done again.
 */
import { LogMissing, LogUnavailable, MessageTooLarge } from '../cluster/errors.js';
import { OVER } from '../cluster/over.js';
import {
  ElasticsearchError,
  indexClosed,
  indexMissing,
  toElasticsearchError,
  writeFailed,
} from '../errors.js';
import { MappingNeeded } from '../mappingNeeded.js';
import type { OpenIndex } from '../metadata/openIndex.js';
import { AGAIN, CHANGED, type Operation } from '../shard/operation.js';
import type { IndexOperation } from '../shard/chunk.js';
import type { Shard } from '../shard/shard.js';
import type { Outcome } from '../shard/writeQueue.js';
import { uidOf } from '../storage/records.js';
import type { Clock } from '../time/clock.js';
import type { Turn } from '../turn.js';
import { Passes } from '../passes.js';
import { WorkLimit } from '../workLimit.js';
import type { Confirmation } from './confirmations.js';
import { type DocumentCommand, encodeCommand } from './documentCommand.js';
import { type DecidedUpdate, decideUpdate } from './documentUpdates.js';
import { type IndexFollower, notFollowing } from './indexFollower.js';
import { shardSubject } from './indexLog.js';
import type { MappingChanges } from './mappingChanges.js';
import { AnswersDiffer } from './nodes.js';
import { StoreStalled } from './storeStall.js';
import { withDeadline, withSignals } from './withSignals.js';
import type { WriterQuestions } from './writerQuestions.js';

/** What a writer needs of the node. */
export interface WriterContext {
  clock: Clock;
  turn: Turn;
  /** The process, as messages name it. */
  writer: string;
  follower: IndexFollower;
  mappings: MappingChanges;
  /** Resolves with what becomes of a message of this process when its shard has carried it out here. */
  outcomes(number: number, signal: AbortSignal): Promise<{ outcomes: Outcome[]; position: number }>;
  /** Why no copy of the shard can be written now; undefined where one can. */
  refusal(index: OpenIndex, shard: number): ElasticsearchError | undefined;
  /** Whether this node has a copy of the shard that is as far as others. */
  isHere(index: OpenIndex, shard: number): boolean;
  /** Whether all living nodes know messages by all of which copies are compared. */
  knowCompared(): boolean;
  /** What nodes that have a copy are asked by this one, where it has none. */
  elsewhere: WriterQuestions;
  /** Numbers of messages ascend, also where a shard is given another writer. */
  nextNumber(): number;
  /** Resolves when enough copies have carried it out, and have come to the same. */
  copied(
    index: OpenIndex,
    shard: number,
    written: Written,
    level: 'QUORUM' | 'ALL',
    signal: AbortSignal,
  ): Promise<void>;
  /** The last position of the log of the index. */
  last(follower: IndexFollower): Promise<number>;
}

/** The message that operations have come to their ends with. */
export interface Written {
  readonly position: number;
  /** What the copy has come to that said what became of it, where that is another node's. */
  readonly digest?: Confirmation | undefined;
}

/** The same with what became of its operations. */
interface Outcomes extends Written {
  readonly outcomes: Outcome[];
}

/** Of operations of which the log says nothing. */
const NOWHERE: Written = { position: 0 };

/** An operation with its request. */
interface Item {
  readonly request: Request;
  readonly at: number;
  readonly op: Operation;
  /** How often it was written without effect. */
  attempts: number;
  /** What the operation comes to, of an update. */
  decided: DecidedUpdate | undefined;
}

interface Request {
  readonly outcomes: Outcome[];
  left: number;
  /** The last message of its operations. */
  written: Written;
  readonly level: 'QUORUM' | 'ALL';
  resolve(outcomes: Outcome[]): void;
}

const MESSAGE_BYTES = 512 * 1024;
const MESSAGE_OPS = 4096;
/** So many operations come of a bulk, which hands over its other slices in the same turn. */
const BULK_OPS = 64;
const OPERATION_BYTES = 128;
/** How long a message may take until it is known what became of it, and until enough copies have it. */
const OUTCOME_MS = 60_000;
const MOST_ATTEMPTS = 50;

/** Writes the operations of this node to one shard. */
export class ShardWriter {
  readonly #context: WriterContext;
  readonly #index: OpenIndex;
  /** The shard's number. */
  readonly #number: number;
  #queue: Item[] = [];
  #pumping = false;
  /** Requests whose operations have come to their ends in this turn. */
  #ended: Request[] = [];

  constructor(number: number, context: WriterContext) {
    this.#context = context;
    this.#index = context.follower.index;
    this.#number = number;
  }

  /** Writes in the given order; resolves when enough copies have all of them. */
  write(ops: readonly Operation[]): Promise<Outcome[]> {
    return new Promise((resolve) => {
      const level = ops.some((op) => (op as { copies?: { level: string } }).copies?.level === 'ALL');
      const outcomes = new Array<Outcome>(ops.length);
      const request: Request = {
        outcomes,
        left: ops.length,
        written: NOWHERE,
        level: level ? 'ALL' : 'QUORUM',
        resolve,
      };
      for (let at = 0; at < ops.length; at++)
        this.#queue.push({ request, at, op: ops[at]!, attempts: 0, decided: undefined });
      if (!this.#pumping) void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    // Each message costs a commit on every copy.
    if (this.#queue.length >= BULK_OPS) await new Promise<void>((resolve) => this.#context.turn(resolve));
    while (this.#queue.length > 0) {
      const batch = this.#take();
      try {
        await this.#send(batch);
      } catch (e) {
        const error = this.#failure(e);
        for (const item of batch) this.#settle(item, error, NOWHERE);
      }
    }
    this.#pumping = false;
  }

  /** The next operations of a message. An update is decided on by what is there before: it begins a message where it would come behind others. */
  #take(): Item[] {
    /** The documents before, and whether they are updated; from the first update on. */
    let touched: Map<string, boolean> | undefined;
    let bytes = 0;
    let count = 0;
    for (const { op } of this.#queue) {
      const isUpdate = op.kind === 'update';
      if (isUpdate) touched ??= documentsOf(this.#queue, count);
      if (touched !== undefined) {
        const uid = uidOf(op.type, op.id);
        const before = touched.get(uid);
        if (before !== undefined && (before || isUpdate)) break;
        touched.set(uid, isUpdate);
      }
      bytes += OPERATION_BYTES + (op.source?.length ?? 0);
      if (count > 0 && (bytes > MESSAGE_BYTES || count >= MESSAGE_OPS)) break;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  /** Sends a message, and puts what has to be done again in front of the queue. */
  async #send(batch: Item[]): Promise<void> {
    const { follower, clock } = this.#context;
    if (this.#index.closed) throw indexClosed(this.#index.name);
    if (follower.failure !== undefined) throw notFollowing(this.#index.name, follower.failure);
    const refusal = this.#context.refusal(this.#index, this.#number);
    if (refusal !== undefined) throw refusal;
    const late = () => this.#unknown('nothing was heard of them');
    await withDeadline(clock, OUTCOME_MS, late, [follower.ending], async (signal) => {
      const ready = await this.#decide(batch, signal);
      if (ready.length === 0) return;
      const again = await this.#sort(ready, await this.#append(ready, signal));
      this.#queue.unshift(...again);
    });
  }

  /** Decides what updates come to, and checks what only one node should; those that have come to an end are settled. */
  async #decide(batch: readonly Item[], signal: AbortSignal): Promise<Item[]> {
    const read = batch.some(({ op }) => op.kind === 'update') ? await this.#reader(signal) : undefined;
    const ready: Item[] = [];
    const work = WorkLimit.of(Number.POSITIVE_INFINITY);
    for (const item of batch) {
      const { op } = item;
      try {
        item.decided = undefined;
        if (op.kind === 'update') {
          const at = { index: this.#index.name, shard: this.#number };
          const document = await read!(op);
          const now = clockTime(this.#context.clock);
          // A stored script may be in a shard of another node.
          const decided = await new Passes(work).run(() => decideUpdate(op, document, at, now));
          if (!('op' in decided)) {
            this.#countNoop(op, decided);
            this.#settle(item, decided, NOWHERE);
            continue;
          }
          item.decided = decided;
        }
        const decided = item.decided?.op ?? op;
        const { source } = decided;
        if (decided.kind === 'index' && source !== undefined && this.#index.watches(decided.type))
          await this.#check({ ...decided, source }, work);
        ready.push(item);
      } catch (e) {
        this.#settle(item, toElasticsearchError(e), NOWHERE);
      }
    }
    return ready;
  }

  /** Refuses a document that holds no query; as on a single node what it brings joins the mapping first. */
  async #check(op: IndexOperation, work: WorkLimit): Promise<void> {
    const { mappings, follower } = this.#context;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#index.check(op, work);
      } catch (e) {
        if (!(e instanceof MappingNeeded)) throw attempt === 1 ? e : writeFailed(toElasticsearchError(e));
      }
      const [refused] = await mappings.admit(follower, [op]);
      if (refused !== undefined) throw refused;
      // Others change it again and again: the shard says what becomes of it.
      if (attempt >= MOST_ATTEMPTS) return;
    }
  }

  /** What reads documents as they are after all that was acknowledged before. */
  async #reader(signal: AbortSignal) {
    const { follower, isHere, last, elsewhere } = this.#context;
    const [index, number] = [this.#index, this.#number];
    const position = await last(follower);
    const wasHere = isHere(index, number);
    if (wasHere) await follower.reach(number, position, signal);
    return async (op: Operation) => {
      // The copy may have gone meanwhile.
      if (wasHere && isHere(index, number)) return this.#shard.documents.committed(op.type, op.id);
      return elsewhere.document(index, number, position, op, signal);
    };
  }

  get #shard(): Shard {
    return this.#index.shards[this.#number]!;
  }

  /** Updates that change nothing are in no log; this node counts them. */
  #countNoop({ type }: Operation, outcome: Outcome): void {
    if (outcome instanceof ElasticsearchError || outcome.noop !== true) return;
    this.#shard.counters.wrote(new Map([[type, { indexed: 0, deleted: 0, noops: 1 }]]), 0);
  }

  async #append(items: readonly Item[], signal: AbortSignal): Promise<Outcomes> {
    const { writer, clock, follower } = this.#context;
    const number = this.#context.nextNumber();
    const time = clockTime(clock);
    const ops = items.map(({ op, decided }) => decided?.op ?? op);
    const isCompared = this.#context.knowCompared();
    const command = { writer, number, time, horizon: time - this.#index.gcDeletes, isCompared, ops };
    if (!this.#context.isHere(this.#index, this.#number)) return this.#appendElsewhere(command, signal);
    const bytes = encodeCommand(command);
    /** Aborts when its outcome is known, or nobody waits for that any more. */
    const known = new AbortController();
    // Nobody waits for what may never have come into the log: the copy could not be let go of.
    const unwritten = new AbortController();
    const done = withSignals([signal, unwritten.signal], (either) => this.#context.outcomes(number, either));
    done.then(
      () => known.abort(OVER),
      () => known.abort(OVER),
    );
    const log = await follower.log();
    try {
      const subject = shardSubject(this.#number);
      const id = `${writer}-write-${number}`;
      await log.append(subject, bytes, { id, signal: known.signal });
    } catch (e) {
      // It was carried out before the log could say that it has it.
      if (!known.signal.aborted) {
        done.catch(() => {});
        unwritten.abort(e);
        throw e;
      }
    }
    return done;
  }

  /** Appends what copies of other nodes carry out, and asks them what becomes of it. */
  async #appendElsewhere(command: DocumentCommand, signal: AbortSignal): Promise<Outcomes> {
    const { follower, elsewhere } = this.#context;
    const { writer, number, ops } = command;
    const log = await follower.log();
    const bytes = encodeCommand({ ...command, isDistant: true });
    const id = `${writer}-write-${number}`;
    const position = await log.append(shardSubject(this.#number), bytes, { id, signal });
    const message = { writer, number, count: ops.length };
    try {
      const answer = await elsewhere.outcomes(this.#index, this.#number, position, message, signal);
      return { ...answer, position };
    } catch (e) {
      throw e instanceof ElasticsearchError ? e : this.#unknown((e as Error).message);
    }
  }

  /** Settles what has an outcome; returns what has to be written again. */
  async #sort(items: readonly Item[], { outcomes, ...written }: Outcomes): Promise<Item[]> {
    const again: Item[] = [];
    items.forEach((item, i) => {
      const outcome = outcomes[i]!;
      const isOver = (outcome !== AGAIN && outcome !== CHANGED) || ++item.attempts >= MOST_ATTEMPTS;
      if (isOver) this.#settle(item, item.decided?.outcome(outcome) ?? outcome, written);
      else again.push(item);
    });
    const needing = items.filter((item, i) => outcomes[i] === AGAIN && again.includes(item));
    if (needing.length === 0) return again;
    const ops = needing.map(({ op, decided }) => decided?.op ?? op);
    const refused = await this.#context.mappings.admit(this.#context.follower, ops).catch((e) => {
      const error = this.#failure(e);
      return needing.map(() => error);
    });
    const left = new Set(again);
    needing.forEach((item, i) => {
      const error = refused[i];
      if (error === undefined) return;
      left.delete(item);
      this.#settle(item, error, written);
    });
    return [...left];
  }

  /** An operation has come to its end; its request is answered when all have, and enough copies have them. */
  #settle({ request, at }: Item, outcome: Outcome, written: Written): void {
    request.outcomes[at] = outcome;
    if (written.position > request.written.position) request.written = written;
    if (--request.left > 0) return;
    this.#ended.push(request);
    if (this.#ended.length === 1) queueMicrotask(() => this.#answerAll());
  }

  /** Answers requests that have ended in this turn: the copies are asked once for all that end with the same message. */
  #answerAll(): void {
    const groups = new Map<string, [Request, ...Request[]]>();
    for (const request of this.#ended) {
      const key = `${request.level} ${request.written.position}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [request]);
      else group.push(request);
    }
    this.#ended = [];
    for (const group of groups.values()) void this.#answer(group);
  }

  /** Answers requests of the same level that end with the same message. */
  async #answer(requests: readonly [Request, ...Request[]]): Promise<void> {
    const [{ written, level }] = requests;
    const { follower, clock } = this.#context;
    const late = () => this.#unknown('not enough copies have carried them out yet');
    try {
      if (written.position > 0)
        await withDeadline(clock, OUTCOME_MS, late, [follower.ending], (signal) =>
          this.#context.copied(this.#index, this.#number, written, level, signal),
        );
      for (const { outcomes, resolve } of requests) resolve(outcomes);
    } catch (e) {
      const error = this.#failure(e);
      for (const { outcomes, resolve } of requests)
        resolve(outcomes.map((outcome) => (outcome instanceof ElasticsearchError ? outcome : error)));
    }
  }

  #failure(e: unknown): ElasticsearchError {
    if (e instanceof ElasticsearchError) return e;
    if (e instanceof LogMissing) return indexMissing(this.#index.name);
    if (e instanceof MessageTooLarge) {
      const detail = `a document of ${e.bytes} bytes is longer than the ${e.limit} bytes that nodes send each other`;
      return new ElasticsearchError('ElasticsearchIllegalArgumentException', detail, { status: 413 });
    }
    if (e instanceof LogUnavailable || e instanceof StoreStalled || e instanceof AnswersDiffer)
      return this.#unknown(e.message);
    return toElasticsearchError(e);
  }

  /** 503: whether operations are carried out isn't known. */
  #unknown(reason: string): ElasticsearchError {
    const detail = `[${this.#index.name}][${this.#number}] it is not known whether the operations are carried out: ${reason}`;
    return new ElasticsearchError('UnavailableShardsException', detail, { status: 503 });
  }
}

/** The first documents of a queue; none of them is updated. */
function documentsOf(queue: readonly Item[], count: number): Map<string, boolean> {
  return new Map(queue.slice(0, count).map(({ op }) => [uidOf(op.type, op.id), false]));
}

function clockTime(clock: Clock): number {
  return Math.floor(clock.now());
}
