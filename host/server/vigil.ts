/**
 * Staying awake between messages. A thread that sleeps until the next message takes 30 to 60 microseconds to wake, and its processor has
 * turned to other things meanwhile. Where one client asks one thing after another, that is most of what its requests take; where many
 * ask at the same time, threads hardly sleep, and one that stays awake would only take the processor from others.
 */

/** Microseconds a thread stays awake at most. */
export const LONGEST_US = 500;

/** A turn of the event loop that takes so long although there is nothing to do: somebody else had the processor. */
export const DELAY_US = 200;

/** That long nothing is watched afterwards. */
export const PAUSE_US = 1_000_000;

/** So many requests must have come one after the other. */
export const IN_A_ROW = 32;

/** What a vigil needs of its thread. */
export interface Turning {
  /** Microseconds, of any origin. */
  now(): number;
  /** Calls back in the next turn of the event loop, which doesn't sleep before it. */
  next(callback: () => void): void;
}

/**
 * Waits for messages awake: the event loop keeps turning, so that whatever else comes is served as ever. No wait is watched that is
 * likely to be long: whoever waited longer than {@link LONGEST_US} doesn't watch again until a wait turns out to have been short. Nor
 * where others want the processor: then a thread that stays awake gets less of it when it has something to do.
 */
export class Vigil {
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
    const waits = now - this.#since < LONGEST_US;
    if (waits && now - this.#lastTurn > DELAY_US) this.#resumes = now + PAUSE_US;
    this.#lastTurn = now;
    this.#turns = waits && now >= this.#resumes;
    if (this.#turns) this.#turning.next(this.#turn);
  };
}

/** A vigil of this thread. */
export function threadVigil(): Vigil {
  return new Vigil({
    now: () => performance.now() * 1000,
    next: (callback) => void setImmediate(callback),
  });
}

/** Whether requests come one after the other. */
export class Procession {
  #underWay = 0;
  #inARow = 0;

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
}
