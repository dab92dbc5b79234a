/**
 * One core instance with many shards, and the order of work in it: what is asked comes first, flushes and merges run
 * in slices of a few milliseconds between. Used in the caller's thread and, in the server, in worker threads.
 */
import { Core, type CoreField, type Interrupted, Work } from '../core/instance.js';
import type { SegmentInfo } from '../core/result.js';
import { SearchMemory, searchMemoryOf } from '../core/searchMemory.js';
import { CoreError, CoreLost, CoreTrap, type ShardHandle } from '../core/status.js';
import type { Turn } from '../turn.js';
import { Definitions, isWasteful, moving, NOTHING, type Past, pastOf, withPast } from './renewal.js';
import type { Checkpoint, CheckpointSegment, SegmentKeys, ShardStats } from './shardClient.js';
import { ShardLost } from './shardClient.js';

/** A slice of background work aims at this many milliseconds. */
const SLICE_MS = 3;
/** A batch is applied in pieces of about so many bytes. */
const PIECE_BYTES = 32 * 1024;
/** So long nothing has been done before shards are moved to an instance with less memory. */
const QUIET_MS = 10_000;
/** Image bytes that are copied out in one turn. */
const COPY_BYTES = 8 * 1024 * 1024;

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/** Something to do when its turn comes; the waiter is told if it can't be done. */
interface Task {
  run(): void;
  waiter: Waiter;
  /** A piece of a batch: never dropped as long as the shard lives. */
  piece: boolean;
}

export interface Hosted {
  readonly number: number;
  core: Core;
  handle: ShardHandle;
  /** Definitions of its fields, as they were given last. */
  readonly fields: Definitions;
  /** What the instances before this one had counted. */
  past: Past;
  appliedSeq: number;
  /** Milliseconds that merging took, and whether it goes on. */
  mergeTime: number;
  merging: boolean;
  /** Every operation up to this one is in a segment. */
  flushedSeq: number;
  /** No piece is applied before the flush that is going on has made room. */
  paused: boolean;
  /** Why the piece at the head could not be applied; nothing after it is, until a refresh tries again. */
  refused: CoreError | undefined;
  /** Pieces of batches, and refreshes behind them, in the order they were asked for. */
  tasks: Task[];
  flush: { seq: number; waiters: Waiter[] } | undefined;
  /** Refreshes asked for while a flush was going on. */
  again: Waiter[];
  mergeWaiters: Waiter[];
  busy: boolean;
}

/** Hosts shards by number. Every method throws {@link ShardLost} for a shard of an instance that trapped. */
export class ShardHost {
  readonly #module: WebAssembly.Module;
  protected readonly turn: Turn;
  readonly searchMemory: SearchMemory;
  readonly #shards = new Map<number, Hosted>();
  #core: Core | undefined;
  #next = 1;
  #scheduled = false;
  #budget = 20_000;
  #round = 0;
  #fielddataLimit = Number.POSITIVE_INFINITY;
  /** Whether it will be looked soon whether the instance has too much memory. */
  #renewing = false;

  /** @param memory where it is counted what searches take */
  constructor(module: WebAssembly.Module, turn: Turn, memory = new SearchMemory(searchMemoryOf(1, false))) {
    this.#module = module;
    this.turn = turn;
    this.searchMemory = memory;
  }

  /** Makes an empty shard; after a trap, in a new instance. */
  open(): number {
    if (this.#core === undefined || this.#core.dead) this.#core = this.#newCore();
    const core = this.#core;
    const handle = this.#guard(core, () => core.createShard());
    const shard = this.#next++;
    this.#shards.set(shard, {
      number: shard,
      core,
      handle,
      fields: new Definitions(),
      past: NOTHING,
      appliedSeq: 0,
      flushedSeq: 0,
      mergeTime: 0,
      merging: false,
      paused: false,
      refused: undefined,
      tasks: [],
      flush: undefined,
      again: [],
      mergeWaiters: [],
      busy: false,
    });
    return shard;
  }

  #newCore(): Core {
    const core = this.makeCore(this.#module);
    core.limitFielddata(this.#fielddataLimit);
    return core;
  }

  /** An instance without shards. */
  protected makeCore(module: WebAssembly.Module): Core {
    return new Core(module, this.searchMemory);
  }

  define(shard: number, fields: readonly CoreField[]): void {
    this.run(shard, ({ core, handle, fields: known }) => {
      for (const field of fields) {
        core.defineField(handle, field);
        known.add(field);
      }
    });
  }

  /**
   * Applied in pieces between which searches get their turn. Where the core has no memory for one, the promise fails, but
   * the rest stays queued: every refresh tries again, and fails as long as it can't be done.
   */
  apply(shard: number, batch: Uint8Array, seq: number): Promise<void> {
    return this.#waiting(shard, (s, waiter) => {
      const pieces = splitBatch(batch, PIECE_BYTES);
      if (pieces.length === 0) waiter.resolve();
      pieces.forEach((piece, i) => {
        const run = () => {
          s.core.apply(s.handle, piece);
          if (i < pieces.length - 1) return;
          s.appliedSeq = Math.max(s.appliedSeq, seq);
          waiter.resolve();
        };
        s.tasks.push({ run, waiter, piece: true });
      });
      if (s.refused !== undefined) waiter.reject(s.refused);
      else this.#schedule(s);
    });
  }

  refresh(shard: number): Promise<void> {
    return this.#waiting(shard, (s, waiter) => {
      const run = () => {
        if (s.flush !== undefined) s.again.push(waiter);
        else this.#startFlush(s, [waiter]);
      };
      s.tasks.push({ run, waiter, piece: false });
      s.refused = undefined;
      this.#schedule(s);
    });
  }

  /** The bytes of a result; see `decodeResult`. */
  search(shard: number, plan: Uint8Array, interrupted?: Interrupted): Uint8Array {
    return this.run(shard, (s) => s.core.search(s.handle, plan, interrupted));
  }

  /** Sets how many units of work lie between two questions whether to go on; for tests. */
  questionEvery(units: number): void {
    this.#core?.questionEvery(units);
  }

  /** The answer to a read of dictionaries. */
  terms(shard: number, request: Uint8Array, interrupted?: Interrupted): Uint8Array {
    return this.run(shard, (s) => s.core.terms(s.handle, request, interrupted));
  }

  /** Which of the plans match anything: a byte each, 2 where the core refuses one, or was stopped before. */
  matches(shard: number, plans: Uint8Array, interrupted?: Interrupted): Uint8Array {
    return this.run(shard, (s) => {
      const view = new DataView(plans.buffer, plans.byteOffset, plans.byteLength);
      const found: number[] = [];
      for (let at = 0; at < plans.length; ) {
        const length = view.getUint32(at, true);
        found.push(matchesAny(s, plans.subarray(at + 4, at + 4 + length), interrupted));
        at += 4 + length;
      }
      return Uint8Array.from(found);
    });
  }

  load(shard: number, image: Uint8Array, liveSet: Uint8Array): SegmentInfo {
    return this.run(shard, (s) => {
      const before = new Set(s.core.segments(s.handle).map((segment) => segment.id));
      s.core.loadSegment(s.handle, image);
      const after = s.core.segments(s.handle);
      const at = after.findIndex((segment) => !before.has(segment.id));
      const loaded = after[at]!;
      if (liveSet.length > 0) s.core.setSegmentLive(s.handle, at, liveSet);
      s.appliedSeq = s.flushedSeq = Math.max(s.flushedSeq, loaded.lastKey);
      return loaded;
    });
  }

  /**
   * The state as of one moment; images are copied in pieces, and all of it again if a merge replaced one meanwhile.
   * @param room makes room for an image
   */
  async checkpoint(
    shard: number,
    known: readonly number[],
    room: (length: number) => Uint8Array = (length) => new Uint8Array(length),
  ): Promise<Checkpoint> {
    const images = new Map<number, Uint8Array>();
    for (;;) {
      const missing = this.run(shard, (s) =>
        s.core.segments(s.handle).filter(({ id }) => !known.includes(id) && !images.has(id)),
      );
      if (missing.length === 0) break;
      for (const { id, bytes } of missing) {
        const image = await this.#copyImage(shard, id, room(bytes));
        if (image !== undefined) images.set(id, image);
      }
    }
    return this.run(shard, (s) => ({
      seq: s.flushedSeq,
      segments: s.core.segments(s.handle).map(
        (info, i): CheckpointSegment => ({
          ...info,
          image: images.get(info.id),
          liveSet: s.core.segmentLive(s.handle, i),
        }),
      ),
    }));
  }

  /** The segments without the uids that some searches need. */
  withoutUids(shard: number): SegmentKeys[] {
    return this.run(shard, ({ core, handle }) =>
      core.segments(handle).flatMap(({ id }, i) => {
        return core.segmentHasUids(handle, i) ? [] : { id, keys: core.segmentKeys(handle, i) };
      }),
    );
  }

  giveUids(shard: number, segment: number, uids: Uint8Array): void {
    this.run(shard, ({ core, handle }) => {
      const i = core.segments(handle).findIndex(({ id }) => id === segment);
      if (i >= 0) core.setSegmentUids(handle, i, uids);
    });
  }

  forceMerge(shard: number, maxSegments: number): Promise<void> {
    return this.#waiting(shard, (s, waiter) => {
      s.core.forceMerge(s.handle, maxSegments);
      s.mergeWaiters.push(waiter);
      this.#schedule(s);
    });
  }

  stats(shard: number, fields: readonly number[]): ShardStats {
    return this.run(shard, ({ core, handle, mergeTime, past }) => ({
      segments: core.segments(handle),
      memoryBytes: core.memoryBytes,
      stats: withPast(core.stats(handle), past),
      mergeTime,
      fielddata: core.fielddata(handle),
      fields: fields.map((field) => core.fieldBytes(handle, field)),
    }));
  }

  clear(shard: number, what: number): void {
    this.run(shard, ({ core, handle }) => core.clear(handle, what));
  }

  /** Bytes of fields' values that searches have needed. */
  get fielddata(): number {
    return this.#core === undefined || this.#core.dead ? 0 : this.#core.fielddataUsed();
  }

  limitFielddata(bytes: number): void {
    if (bytes === this.#fielddataLimit) return;
    this.#fielddataLimit = bytes;
    if (this.#core?.dead === false) this.#core.limitFielddata(bytes);
  }

  close(shard: number): void {
    const s = this.#shards.get(shard);
    if (s === undefined) return;
    this.#shards.delete(shard);
    this.#fail(s, new ShardLost('the shard was closed'));
    // Linear memory never gets smaller: an instance without shards goes, and the next one begins with little.
    if (this.#shards.size === 0) this.#core = undefined;
    else if (!s.core.dead) this.#guard(s.core, () => s.core.dropShard(s.handle));
  }

  async #copyImage(shard: number, id: number, image: Uint8Array): Promise<Uint8Array | undefined> {
    const bytes = image.length;
    for (let at = 0; at < bytes; at += COPY_BYTES) {
      const found = this.run(shard, (s) => {
        const i = s.core.segments(s.handle).findIndex((segment) => segment.id === id);
        if (i < 0) return false;
        image.set(s.core.segmentImage(s.handle, i, at, COPY_BYTES), at);
        return true;
      });
      if (!found) return undefined;
      if (at + COPY_BYTES < bytes) await new Promise<void>((resolve) => this.turn(resolve));
    }
    return image;
  }

  #startFlush(s: Hosted, waiters: Waiter[] = []): void {
    s.flush = { seq: s.appliedSeq, waiters };
    if (!s.core.refresh(s.handle)) this.#endFlush(s);
    this.#schedule(s);
  }

  #endFlush(s: Hosted): void {
    const flush = s.flush!;
    s.flushedSeq = flush.seq;
    s.flush = undefined;
    s.paused = false;
    for (const waiter of flush.waiters) waiter.resolve();
    if (s.again.length > 0) {
      const waiters = s.again;
      s.again = [];
      this.#startFlush(s, waiters);
    }
  }

  #schedule(s: Hosted): void {
    s.busy = true;
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.turn(() => this.#slice());
  }

  /** One slice for one shard: batches and flushes go before merges, and shards take turns. */
  #slice(): void {
    this.#scheduled = false;
    const busy = [...this.#shards.values()].filter((s) => s.busy && !s.core.dead);
    if (busy.length === 0) return;
    const flushing = busy.filter((s) => s.flush !== undefined || canRun(s));
    const from = flushing.length > 0 ? flushing : busy;
    const s = from[this.#round++ % from.length]!;
    this.changing(s.number);
    this.#runTasks(s);
    try {
      if (!s.core.dead) this.#work(s);
    } catch (e) {
      if (e instanceof CoreError) this.#outOfMemory(s, e);
    }
    if (!s.core.dead) this.worked(s.number);
    const next = [...this.#shards.values()].find((each) => each.busy && !each.core.dead);
    if (next !== undefined) this.#schedule(next);
  }

  /** What a shard answers may be something else from now on: it is worked on. */
  protected changing(_shard: number): void {}

  /** A shard has been worked on; who waits for that has not been told yet. */
  protected worked(_shard: number): void {}

  /** A shard is in another instance of the core, and as it was. */
  protected renewed(_shard: number): void {}

  /** A shard is there no more. */
  protected gone(_shard: number): void {}

  #runTasks(s: Hosted): void {
    const started = performance.now();
    while (canRun(s) && performance.now() - started < SLICE_MS) {
      const task = s.tasks.shift()!;
      try {
        this.#guard(s.core, task.run);
      } catch (e) {
        if (task.piece && e instanceof CoreError) this.#makeRoom(s, task, e);
        else task.waiter.reject(e);
      }
    }
  }

  /** The core could not take a piece: flushing what it holds makes room, unless there is nothing to flush. */
  #makeRoom(s: Hosted, task: Task, e: CoreError): void {
    s.tasks.unshift(task);
    try {
      if (s.flush === undefined && this.#guard(s.core, () => s.core.refresh(s.handle)))
        s.flush = { seq: s.appliedSeq, waiters: [] };
    } catch {
      // No memory for that either.
    }
    if (s.flush !== undefined) s.paused = true;
    else if (!s.core.dead) this.#refuse(s, e);
  }

  /** Flushing or merging failed; the core has given the merge up, and goes on with the flush at the next refresh. */
  #outOfMemory(s: Hosted, e: CoreError): void {
    const waiters = [...s.mergeWaiters.splice(0), ...(s.flush?.waiters ?? []), ...s.again.splice(0)];
    s.flush = undefined;
    for (const waiter of waiters) waiter.reject(e);
    if (s.paused) this.#refuse(s, e);
    s.busy = canRun(s);
  }

  /** Tells everybody who waits; pieces stay for the next try. */
  #refuse(s: Hosted, e: CoreError): void {
    s.paused = false;
    s.refused = e;
    for (const { waiter } of s.tasks) waiter.reject(e);
    s.tasks = s.tasks.filter(({ piece }) => piece);
  }

  #work(s: Hosted): void {
    const started = performance.now();
    const flushing = s.flush !== undefined;
    const state = this.#guard(s.core, () => s.core.work(s.handle, this.#budget));
    const took = performance.now() - started;
    if (!flushing && (s.merging || state === Work.merging)) s.mergeTime += took;
    s.merging = state === Work.merging;
    this.#adapt(took, state);
    if (state !== Work.flushing && s.flush !== undefined) this.#guard(s.core, () => this.#endFlush(s));
    if (state !== Work.idle || s.flush !== undefined || canRun(s)) return;
    s.busy = false;
    for (const waiter of s.mergeWaiters.splice(0)) waiter.resolve();
    this.#renewLater();
  }

  /** Keeps slices near their aim, whatever the machine and the data. */
  #adapt(ms: number, state: number): void {
    if (state === Work.idle) return;
    if (ms > 2 * SLICE_MS) this.#budget = Math.max(1000, this.#budget >>> 1);
    else if (ms < SLICE_MS / 2) this.#budget = Math.min(10_000_000, this.#budget * 2);
  }

  /** When nothing has been done for a while, much memory may be of no use any more. */
  #renewLater(): void {
    if (this.#renewing || this.#core === undefined || !isWasteful(this.#core)) return;
    this.#renewing = true;
    const timer = setTimeout(() => {
      this.#renewing = false;
      this.renew().catch(() => {});
    }, QUIET_MS);
    // Nobody stays for that; a browser's timer is a number.
    (timer as { unref?: () => void }).unref?.();
  }

  /**
   * Moves all shards into a new instance of the core if the one they are in has much memory that it doesn't use: linear memory never gets
   * smaller, and merging takes twice what is merged. Made in turns, and given up where something changes meanwhile.
   * @param isWorth whether an instance has that much
   * @returns whether they were moved
   */
  async renew(isWorth: (core: Core) => boolean = isWasteful): Promise<boolean> {
    const old = this.#core;
    if (old === undefined || old.dead || !isWorth(old)) return false;
    const shards = [...this.#shards.values()].filter(({ core }) => core === old);
    const changes = shards.map(({ handle }) => old.changes(handle));
    const fields = shards.map(({ fields: { count } }) => count);
    const asBefore = () =>
      this.#core === old &&
      !old.dead &&
      [...this.#shards.values()].filter(({ core }) => core === old).length === shards.length &&
      shards.every(
        (s, i) =>
          isQuiet(s) &&
          this.#shards.get(s.number) === s &&
          s.fields.count === fields[i] &&
          old.changes(s.handle) === changes[i],
      );
    if (!asBefore()) return false;
    const fresh = this.#newCore();
    const moved: { s: Hosted; handle: ShardHandle }[] = [];
    for (const s of shards) {
      const handle = fresh.createShard();
      moved.push({ s, handle });
      for (const _ of moving(s, fresh, handle)) {
        await new Promise<void>((resolve) => this.turn(resolve));
        if (!asBefore()) return false;
      }
    }
    this.#core = fresh;
    for (const { s, handle } of moved) {
      s.past = pastOf(old.stats(s.handle), s.past);
      s.core = fresh;
      s.handle = handle;
      this.renewed(s.number);
    }
    return true;
  }

  /** Runs `body`, whose work goes on in later turns; the promise is kept by the waiter it is given. */
  #waiting(shard: number, body: (s: Hosted, waiter: Waiter) => void): Promise<void> {
    let waiter!: Waiter;
    const done = new Promise<void>((resolve, reject) => {
      waiter = { resolve, reject };
    });
    done.catch(() => {});
    this.run(shard, (s) => body(s, waiter));
    return done;
  }

  /** Does something with a shard that is there. */
  protected run<T>(shard: number, body: (s: Hosted) => T): T {
    const s = this.#shards.get(shard);
    if (s === undefined || s.core.dead)
      throw new ShardLost('the instance of the core that hosted the shard is gone');
    return this.#guard(s.core, () => body(s));
  }

  /** A trap takes every shard of the instance with it; whoever waits for them is told. */
  #guard<T>(core: Core, body: () => T): T {
    try {
      return body();
    } catch (e) {
      if (e instanceof CoreTrap) {
        for (const [shard, s] of this.#shards) {
          if (s.core !== core) continue;
          this.#shards.delete(shard);
          this.#fail(s, new ShardLost(`the core trapped: ${e.message}`));
        }
        if (this.#core === core) this.#core = undefined;
      }
      if (e instanceof CoreLost) throw new ShardLost(e.message);
      throw e;
    }
  }

  #fail(s: Hosted, error: unknown): void {
    const left = s.tasks.splice(0).map(({ waiter }) => waiter);
    const waiters = [...left, ...(s.flush?.waiters ?? []), ...s.again, ...s.mergeWaiters];
    s.flush = undefined;
    s.again = [];
    s.mergeWaiters = [];
    for (const waiter of waiters) waiter.reject(error);
    this.gone(s.number);
  }
}

/** 1 if the plan finds a document, 0 if not, 2 if it can't be carried out. */
function matchesAny(
  { core, handle }: Hosted,
  plan: Uint8Array,
  interrupted: Interrupted | undefined,
): number {
  try {
    const result = core.search(handle, plan, interrupted);
    return new DataView(result.buffer, result.byteOffset).getFloat64(0, true) > 0 ? 1 : 0;
  } catch (e) {
    if (e instanceof CoreError) return 2;
    throw e;
  }
}

/** Whether nothing of a shard is on its way, and all of it is in segments. */
function isQuiet(s: Hosted): boolean {
  return (
    !s.busy &&
    s.tasks.length + s.again.length + s.mergeWaiters.length === 0 &&
    s.flush === undefined &&
    s.refused === undefined &&
    s.appliedSeq === s.flushedSeq
  );
}

/** Whether a task may run. */
function canRun(s: Hosted): boolean {
  return s.tasks.length > 0 && !s.paused && s.refused === undefined;
}

/** Cuts a batch between operations into pieces of about `bytes` bytes. */
function splitBatch(batch: Uint8Array, bytes: number): Uint8Array[] {
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at < batch.length; ) {
    // An index operation says how long it is; a deletion is a byte and a key.
    const next = batch[at] === 1 && at + 13 <= batch.length ? at + 13 + view.getUint32(at + 9, true) : at + 9;
    if (next - from >= bytes || next >= batch.length) {
      pieces.push(batch.subarray(from, next));
      from = next;
    }
    at = next;
  }
  return pieces;
}
