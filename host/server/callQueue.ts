/**
 * The calls of a data worker, in the order of who asks: each client has an equal share of the time, by start-time fair queueing (Goyal, Vin
 * and Cheng, 1996), however many calls it has waiting. Changes keep their places.
 *
 * A search that takes long doesn't keep light ones waiting: whenever its slice is over, it waits while others are carried out within it
 * (assembly/nesting.ts). These get little time. One that needs more is given up, and waits for its turn, or for the time when the search
 * that goes on has taken so long that others may take longer, too.
 */
import { NotNested } from '../core/status.js';
import type { Call } from './protocol.js';

/** What a search has for itself before others are carried out, and what those have together, in milliseconds. */
const SLICE_MS = 4;
/** What one of the others has the first time: most are through sooner. */
const FIRST_MS = 3;
/** What one has at least, and at most, when it is tried again: as much as it may keep light ones waiting. */
const LEAST_MS = 8;
const MOST_MS = 40;
/** Between these it has this part of the time that the search has taken. */
const SHARE = 1 / 8;

/** Of more askers it is forgotten what they have had. */
const MOST_ASKERS = 10_000;

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
  /** What each asker has had, in milliseconds of the queue's own time; those who are behind it are not kept. */
  readonly #served = new Map<number, number>();
  /** What the asker had of the call that began last. */
  #time = 0;
  /** The asker of the search that is being carried out, and until when its time is counted. */
  #asker = 0;
  #counted = 0;
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

  /** Carries the next one out. */
  next(): void {
    const [call] = this.#calls.splice(this.#first(), 1) as [C];
    const { carryOut, isOver, now } = this.#context;
    this.#began = now();
    this.#sliceEnds = this.#began + SLICE_MS;
    this.#asker = call.asker;
    this.#counted = this.#began;
    this.#time = this.#servedOf(call.asker);
    carryOut(call, () => {
      if (isOver(call)) return true;
      if (this.#lending || now() < this.#sliceEnds) return false;
      this.#lend();
      return isOver(call);
    });
    this.#count(call.asker, now() - this.#counted);
    if (this.#calls.length === 0 || this.#served.size > MOST_ASKERS) this.#forget();
  }

  /** What an asker has had; one that had nothing to ask has lost what it could have had. */
  #servedOf(asker: number): number {
    return Math.max(this.#time, this.#served.get(asker) ?? 0);
  }

  #count(asker: number, ms: number): void {
    this.#served.set(asker, this.#servedOf(asker) + ms);
  }

  #forget(): void {
    for (const [asker, had] of this.#served) if (had <= this.#time) this.#served.delete(asker);
    if (this.#calls.length === 0 || this.#served.size > MOST_ASKERS) this.#served.clear();
  }

  /** The call that is next: of the reads before the first change that of whoever has had the least. */
  #first(): number {
    let first = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < this.#calls.length; at++) {
      const { method, asker } = this.#calls[at]!;
      if (!READS.has(method)) break;
      const had = this.#servedOf(asker);
      if (had >= least) continue;
      least = had;
      first = at;
    }
    return first;
  }

  /** Carries light ones out while another one waits. */
  #lend(): void {
    const { receive, send, now } = this.#context;
    const started = now();
    this.#count(this.#asker, started - this.#counted);
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
    this.#counted = now();
    this.#sliceEnds = this.#counted + SLICE_MS;
  }

  /**
   * The call that is carried out now if it gets so many milliseconds at most: of those that were tried least that of whoever has had the
   * least; -1: there is none.
   */
  #light(most: number): number {
    let changing: Set<unknown> | undefined;
    let best = -1;
    let bestTried = 0;
    let bestHad = 0;
    for (let at = 0; at < this.#calls.length; at++) {
      const call = this.#calls[at]!;
      const [shard] = call.args;
      // What comes after a change of its shard waits for it.
      if (!READS.has(call.method)) {
        changing ??= new Set();
        changing.add(shard);
      }
      const tried = this.#tried.get(call) ?? 0;
      if (!LIGHT.has(call.method) || changing?.has(shard) === true || most < 2 * tried) continue;
      const had = this.#servedOf(call.asker);
      if (best >= 0 && (tried > bestTried || (tried === bestTried && had >= bestHad))) continue;
      best = at;
      bestTried = tried;
      bestHad = had;
    }
    return best;
  }

  #carryOutNested(at: number, most: number): void {
    const { carryOut, isOver, now } = this.#context;
    const [call] = this.#calls.splice(at, 1) as [C];
    const began = now();
    const gets = this.#tried.has(call) ? most : Math.min(FIRST_MS, most);
    let ended = false;
    const stop = () => {
      if (isOver(call)) return true;
      ended = now() >= began + gets;
      return ended;
    };
    const again = (tried: number) => {
      this.#tried.set(call, tried);
      this.#calls.splice(at, 0, call);
    };
    try {
      carryOut(call, stop, () => ended);
      if (ended) again(gets);
    } catch (e) {
      if (!(e instanceof NotNested)) throw e;
      again(Number.POSITIVE_INFINITY);
    }
    this.#count(call.asker, now() - began);
  }
}
