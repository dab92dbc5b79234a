/**
 * The calls of a data worker, in their order. A search that takes long doesn't keep light ones waiting: whenever its slice is over, it waits
 * while others are carried out within it (assembly/nesting.ts). These get little time. One that needs more is given up, and waits for its
 * turn, or for the time when the search that goes on has taken so long that others may take longer, too.
 */
import { NotNested } from '../core/status.js';
import type { Call } from './protocol.js';

/** What a search has for itself before others are carried out, and what those have together, in milliseconds. */
const SLICE_MS = 8;
/** What one of the others has at least, and at most: as much as it may keep light ones waiting. */
const LEAST_MS = 8;
const MOST_MS = 50;
/** Between these it has this part of the time that the search has taken. */
const SHARE = 1 / 8;

/** Calls that can be stopped, and leave others of their shard their turn. */
const READS: ReadonlySet<string> = new Set(['search', 'terms', 'matches']);
/** Those that can be carried out while another one waits. */
const LIGHT: ReadonlySet<string> = new Set(['search', 'terms']);

/** What the queue needs of the worker. */
export interface QueueContext<C extends Call> {
  /** Carries a call out and answers it. @param stop ends it; when it has answered true, what comes of the call is `ended` */
  carryOut(call: C, stop: () => boolean, ended?: () => boolean): void;
  /** Whether the time of a call is over, or nobody waits for it any more. */
  isOver(call: C): boolean;
  /** Pushes what has arrived meanwhile. */
  receive(): void;
  /** Sends what has been answered. */
  send(): void;
  /** Milliseconds of a clock. */
  now(): number;
}

/** Calls that wait. */
export class CallQueue<C extends Call = Call> {
  readonly #context: QueueContext<C>;
  readonly #calls: C[] = [];
  /** Milliseconds that a call has had in vain. */
  readonly #tried = new WeakMap<C, number>();
  /** When the search that is being carried out began, and when its slice is over. */
  #began = 0;
  #sliceEnds = 0;
  #lending = false;

  constructor(context: QueueContext<C>) {
    this.#context = context;
  }

  get length(): number {
    return this.#calls.length;
  }

  push(call: C): void {
    this.#calls.push(call);
  }

  /** Carries the first one out. */
  next(): void {
    const call = this.#calls.shift()!;
    const { carryOut, isOver, now } = this.#context;
    this.#began = now();
    this.#sliceEnds = this.#began + SLICE_MS;
    carryOut(call, () => {
      if (isOver(call)) return true;
      if (this.#lending || now() < this.#sliceEnds) return false;
      this.#lend();
      return isOver(call);
    });
  }

  /** Carries light ones out while another one waits. */
  #lend(): void {
    const { receive, send, now } = this.#context;
    const started = now();
    receive();
    const most = Math.min(MOST_MS, Math.max(LEAST_MS, (started - this.#began) * SHARE));
    this.#lending = true;
    try {
      for (let at = this.#light(most); at >= 0; at = this.#light(most)) {
        this.#carryOutNested(at, most);
        if (now() >= started + SLICE_MS) break;
      }
    } finally {
      this.#lending = false;
    }
    send();
    this.#sliceEnds = now() + SLICE_MS;
  }

  /** The first call that may be carried out now, in so many milliseconds; -1: there is none. */
  #light(most: number): number {
    const changing = new Set<unknown>();
    return this.#calls.findIndex((call) => {
      // What comes after a change of its shard waits for it.
      if (!READS.has(call.method)) changing.add(call.args[0]);
      const tried = this.#tried.get(call) ?? 0;
      return LIGHT.has(call.method) && !changing.has(call.args[0]) && most >= 2 * tried;
    });
  }

  #carryOutNested(at: number, most: number): void {
    const { carryOut, isOver, now } = this.#context;
    const [call] = this.#calls.splice(at, 1) as [C];
    const ends = now() + most;
    let ended = false;
    const stop = () => {
      if (isOver(call)) return true;
      ended = now() >= ends;
      return ended;
    };
    const again = (tried: number) => {
      this.#tried.set(call, tried);
      this.#calls.splice(at, 0, call);
    };
    try {
      carryOut(call, stop, () => ended);
      if (ended) again(most);
    } catch (e) {
      if (!(e instanceof NotNested)) throw e;
      again(Number.POSITIVE_INFINITY);
    }
  }
}
