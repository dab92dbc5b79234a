/**
 * Busy polling: staying awake between messages. A thread that sleeps until the next message takes 30 to 60 microseconds to wake, and its processor has
 * turned to other things meanwhile. Where one client asks one thing after another, that is most of what its requests take; where many
 * ask at the same time, threads hardly sleep, and one that stays awake would only take the processor from others.
 */

import { CpuHeadroom } from './cpuHeadroom.js';

/** Microseconds a thread stays awake at most. */
export const LONGEST_US = 1000;

/** A turn of the event loop that takes so long although there is nothing to do: somebody else had the processor. */
export const DELAY_US = 300;

/** That long nothing is watched after polling in vain. */
export const PAUSE_US = 5000;

/** So many requests must have come one after the other. */
export const IN_A_ROW = 32;

/** What polling needs of its thread. */
export interface Turning {
  /** Microseconds, of any origin. */
  now(): number;
  /** Calls back in the next turn of the event loop, which doesn't sleep before it. */
  next(callback: () => void): void;
}

/**
 * Waits for messages awake: the event loop keeps turning, so that whatever else comes is served as ever. No wait is watched that is
 * likely to be longer than {@link LONGEST_US}, as the last one was. Nor where others want the processor: a thread that stays awake
 * gets less of it when it has something to do, and it may be what the sender of the message waits for. So polling that was
 * interrupted, or lasted too long, is the last for a while.
 */
export class BusyPolling {
  readonly #turning: Turning;
  /** When the wait began; no number where none is going on. */
  #since = Number.NaN;
  #short = false;
  #turns = false;
  #lastTurn = 0;
  /** No wait is watched before. */
  #resumes = 0;

  constructor(turning: Turning) {
    this.#turning = turning;
  }

  /** The thread has nothing to do until a message comes. */
  begin(): void {
    const now = this.#turning.now();
    this.#since = now;
    this.#lastTurn = now;
    if (!this.#short || this.#turns || now < this.#resumes) return;
    this.#turns = true;
    this.#turning.next(this.#turn);
  }

  /** It has come. */
  end(): void {
    if (Number.isNaN(this.#since)) return;
    this.#short = this.#turning.now() - this.#since < LONGEST_US;
    this.#since = Number.NaN;
  }

  readonly #turn = (): void => {
    const now = this.#turning.now();
    const waits = !Number.isNaN(this.#since);
    const inVain = now - this.#since >= LONGEST_US || now - this.#lastTurn > DELAY_US;
    if (waits && inVain) this.#resumes = now + PAUSE_US;
    this.#lastTurn = now;
    this.#turns = waits && !inVain;
    if (this.#turns) this.#turning.next(this.#turn);
  };
}

/** Polling of this thread. */
export function threadPolling(): BusyPolling {
  return new BusyPolling({
    now: () => performance.now() * 1000,
    next: (callback) => void setImmediate(callback),
  });
}

/** Whether requests come one after the other. */
export class SequentialRequests {
  readonly #headroom: Pick<CpuHeadroom, 'leaveRoom'>;
  #underWay = 0;
  #inARow = 0;

  constructor(headroom: Pick<CpuHeadroom, 'leaveRoom'> = new CpuHeadroom()) {
    this.#headroom = headroom;
  }

  /** A request has come. */
  enter(): void {
    this.#underWay++;
    if (this.#underWay > 1) this.#inARow = 0;
  }

  /** It is answered. */
  leave(): void {
    this.#underWay--;
    this.#inARow++;
  }

  /** Whether there is one request now, and those before it were alone as well. */
  get single(): boolean {
    return this.#underWay === 1 && this.#inARow >= IN_A_ROW;
  }

  /** And whether other programs leave processors to the threads that serve it, so that these may stay awake. */
  get undisturbed(): boolean {
    return this.single && this.#headroom.leaveRoom(performance.now());
  }
}
