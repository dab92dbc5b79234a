/**
 * What one request may still do: until when, with how much memory, and whether anybody waits for its answer. Everything that works for a request gets its limit
 * handed down: loops on the host count their steps, and let others have the event loop; the core asks between blocks of postings.
 */
import { ElasticsearchError } from './errors.js';
import { defaultTurn, type Turn } from './turn.js';

/** Steps between two looks at the clock: about 0.1 ms of the cheapest steps. */
const STEPS = 1024;
/** Milliseconds that work may keep the event loop for at a time. */
const SLICE_MS = 5;

/** What goes on so soon behind the end of a slice is taken for the same turn of the event loop. */
const SAME_TURN_MS = 1;
/** When the last slice of anybody's ended. */
let sliceEnded = 0;

/** When this thread's clock began, by that of the epoch. */
const ORIGIN = performance.timeOrigin;

/** Milliseconds since the epoch by the clock that never goes back: the same in all threads of a process. */
export function clockNow(): number {
  return ORIGIN + performance.now();
}

/** Told of bytes that work is about to take in memory, or, where negative, lets go; throws when that is too much. */
export type Weigh = (bytes: number) => void;

/** Work elsewhere that ends with the request. */
export interface CancelListener {
  /** Nobody waits for the answer any more. Called once. */
  cancelled(): void;
}

/** Who asked; all requests of a connection may share one. */
export interface Asking {
  /** Whether nobody waits for answers any more, where that can be asked. */
  readonly isGone: boolean;
  /** Whether answers are wanted at once. */
  readonly isHurried: boolean;
}

const somebody: Asking = { isGone: false, isHurried: false };

/** The asker of work that nobody in particular has asked for. */
export const NOBODY = 0;

/** The part of a limit that is shared by those made from it. */
class Wanted {
  readonly #asking: Asking;
  readonly asker: number;
  /** Most requests have one listener at a time: a set for each would be a tenth of what the limit of a short search costs. */
  #listener: CancelListener | undefined;
  #others: Set<CancelListener> | undefined;
  /** How often work for the request has let others have the event loop. */
  turns = 0;
  /** Where it isn't said, memory isn't counted. */
  weigh: Weigh | undefined;
  #gone = false;

  constructor(asking: Asking, asker: number) {
    this.#asking = asking;
    this.asker = asker;
  }

  get gone(): boolean {
    return this.#gone || this.#asking.isGone;
  }

  get hurried(): boolean {
    return this.#asking.isHurried;
  }

  add(listener: CancelListener): void {
    if (this.#listener === undefined) {
      this.#listener = listener;
      return;
    }
    this.#others ??= new Set();
    this.#others.add(listener);
  }

  remove(listener: CancelListener): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others?.delete(listener);
  }

  cancel(): void {
    if (this.#gone) return;
    this.#gone = true;
    const first = this.#listener;
    const others = this.#others;
    this.#listener = undefined;
    this.#others = undefined;
    first?.cancelled();
    if (others !== undefined) for (const each of [...others]) each.cancelled();
  }
}

/** The limit of one request. */
export class WorkLimit {
  /** Milliseconds since the epoch, of {@link clockNow}. */
  readonly deadline: number;
  /** When the request came, by the same clock. */
  readonly #began: number;
  readonly #wanted: Wanted;
  /** Steps until the clock is looked at. */
  #left = STEPS;
  /** When this request got the event loop, by {@link clockNow}. */
  #since: number;

  private constructor(deadline: number, wanted: Wanted, began: number, since: number) {
    this.deadline = deadline;
    this.#began = began;
    this.#wanted = wanted;
    this.#since = since;
  }

  /**
   * A limit from now on.
   * @param ms milliseconds; Infinity for none
   * @param asking who wants the answer; without it somebody who waits
   * @param asker a number of those whose requests share what one client may have
   */
  static of(ms: number, asking: Asking = somebody, asker: number = NOBODY): WorkLimit {
    const now = clockNow();
    return new WorkLimit(now + ms, new Wanted(asking, asker), now, now);
  }

  /** For work that nobody waits for, such as upkeep. */
  static readonly none: WorkLimit = WorkLimit.of(Number.POSITIVE_INFINITY);

  /** A part of the work that has at most so many milliseconds from now on. */
  within(ms: number): WorkLimit {
    const now = clockNow();
    return new WorkLimit(Math.min(this.deadline, now + ms), this.#wanted, this.#began, now);
  }

  /** The same, but over at most so many milliseconds after the request came; without a request, from now on. */
  lasting(ms: number): WorkLimit {
    if (this === WorkLimit.none) return this.within(ms);
    return new WorkLimit(Math.min(this.deadline, this.#began + ms), this.#wanted, this.#began, this.#since);
  }

  /** The same for a request within this one, which comes now. */
  fresh(): WorkLimit {
    const now = clockNow();
    return new WorkLimit(this.deadline, this.#wanted, now, now);
  }

  /** Counts the memory of the request from now on, for all limits made from this one. */
  countMemory(weigh: Weigh): void {
    this.#wanted.weigh = weigh;
  }

  /** Counts bytes that the request is about to take in memory, or lets go. */
  weigh(bytes: number): void {
    this.#wanted.weigh?.(bytes);
  }

  /** Whose turn it takes where several wait. */
  get asker(): number {
    return this.#wanted.asker;
  }

  /** Whether the time is over. */
  get late(): boolean {
    return clockNow() >= this.deadline;
  }

  /** Whether nobody waits for the answer any more. */
  get cancelled(): boolean {
    return this.#wanted.gone;
  }

  /** Whether the request may wait for something that others do. */
  get mayWait(): boolean {
    return !this.cancelled && !this.#wanted.hurried;
  }

  /** Whether the work should end. */
  get over(): boolean {
    return this.late || this.cancelled;
  }

  /** Nobody waits for the answer any more. */
  cancel(): void {
    this.#wanted.cancel();
  }

  /** Tells a listener when nobody waits any more, until it is removed. */
  onCancel(listener: CancelListener): void {
    this.#wanted.add(listener);
  }

  /** The listener's work has ended. */
  removeListener(listener: CancelListener): void {
    this.#wanted.remove(listener);
  }

  /** Counts steps, each of about 0.1 us; throws {@link WorkOver} when the work should end. */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left > 0) return;
    this.#left = STEPS;
    this.check();
  }

  /** Counts steps as {@link spend} does; whether others should get the event loop by {@link yield}, which ends what is over. */
  isDue(steps = 1): boolean {
    this.#left -= steps;
    if (this.#left > 0) return false;
    this.#left = STEPS;
    return this.due;
  }

  /**
   * The request has waited, so that others had the event loop; unless it was just one of several that waited for the same: where another
   * one's slice has ended just now, this one's is over at its first steps.
   */
  resume(): void {
    const now = clockNow();
    this.#since = now - sliceEnded < SAME_TURN_MS ? now - SLICE_MS : now;
  }

  /** The same, but with at least so many milliseconds from now on. */
  atLeast(ms: number): WorkLimit {
    const now = clockNow();
    return new WorkLimit(Math.max(this.deadline, now + ms), this.#wanted, this.#began, now);
  }

  /** The same for what must be done in any case as long as anybody waits: its time is never over. */
  untimed(): WorkLimit {
    return new WorkLimit(Number.POSITIVE_INFINITY, this.#wanted, this.#began, this.#since);
  }

  /** Throws {@link WorkOver} when the work should end. */
  check(): void {
    if (this.over) throw new WorkOver();
  }

  /** Milliseconds since others had the event loop. */
  get elapsed(): number {
    return clockNow() - this.#since;
  }

  /** Whether others should get the event loop. */
  get due(): boolean {
    const now = clockNow();
    if (now - this.#since < SLICE_MS) return false;
    sliceEnded = now;
    return true;
  }

  /** Lets others have the event loop; for loops: `if (limit.due) await limit.yield();`. Throws like {@link check}. */
  async yield(): Promise<void> {
    const isYoung = this.#wanted.turns++ < YOUNG_TURNS;
    await new Promise<void>((resolve) => wait(isYoung ? young : line, resolve));
    this.#since = clockNow();
    this.check();
  }
}

/** Work that stops where others should get the event loop, and goes on from there. */
export type Turns<T> = Generator<undefined, T, undefined>;

/** Carries work out, and lets others have the event loop where it stops. */
export async function inTurns<T>(work: Turns<T>, limit: WorkLimit): Promise<T> {
  return inTurnsIfLong(work, limit);
}

/** The same, but a promise only where it stops at all: each promise costs a short search some 2 % of its time. */
export function inTurnsIfLong<T>(work: Turns<T>, limit: WorkLimit): T | Promise<T> {
  limit.resume();
  const { done, value } = work.next();
  return done === true ? value : restInTurns(work, limit);
}

/** Goes on with work that has stopped; where its limit is over, what it has to clean up is cleaned up. */
async function restInTurns<T>(work: Turns<T>, limit: WorkLimit): Promise<T> {
  try {
    for (;;) {
      await limit.yield();
      const { done, value } = work.next();
      if (done === true) return value;
    }
  } catch (e) {
    work.return(undefined as never);
    throw e;
  }
}

/** Carries work out at once. */
export function atOnce<T>(work: Turns<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** 503: the time of a request is over, or its client has gone. */
export class WorkOver extends ElasticsearchError {
  constructor() {
    super('ElasticsearchTimeoutException', 'the request took longer than it may', { status: 503 });
  }
}

/** Made by the first who lets others have the event loop. */
let turn: Turn | undefined;

function nextTurn(callback: () => void): void {
  turn ??= defaultTurn();
  turn(callback);
}

/** Turns in which the work of a request goes before that of requests which have had more of them: a short one isn't behind long ones. */
const YOUNG_TURNS = 4;

/** Those who have let others have the event loop. Each gets it back in a turn of its own: many would keep it for long together. */
const line: (() => void)[] = [];
/** Those of them who go before the others. */
const young: (() => void)[] = [];

function wait(queue: (() => void)[], resolve: () => void): void {
  queue.push(resolve);
  if (line.length + young.length === 1) nextTurn(goOn);
}

/**
 * The next turn of the event loop that nobody else has who has waited for longer, requests in {@link WorkLimit.yield} among them: the slices
 * of several bulks and searches would otherwise follow each other within one turn.
 */
export const turnInLine: Turn = (callback) => wait(line, callback);

function goOn(): void {
  const first = young.shift() ?? line.shift();
  if (line.length + young.length > 0) nextTurn(goOn);
  first?.();
}
