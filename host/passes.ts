/**
 * Work that is functions calling functions, as compilers are, can't stop in the middle. It is carried out in passes: its long parts are
 * remembered, and where one of them comes to the end of a turn the whole ends and begins anew in the next turn, from what it knows.
 * So it must be without effects up to its last long part, and must let {@link TurnOver} through.
 */
import { TurnOver } from './turn.js';
import { atOnce, type Turns, type Weigh, type WorkLimit } from './workLimit.js';

/** Counts steps of a long part, each of about 0.1 us; whether it should stop at a `yield`. */
export type IsDue = (steps?: number) => boolean;

/** A long part: what it has come to, or how it goes on. */
interface Part {
  steps: Turns<unknown> | undefined;
  value: unknown;
  error: unknown;
  failed: boolean;
}

/** The pass ends where something has to be waited for; the next one begins when it is there. */
class Awaiting extends TurnOver {
  readonly settled: Promise<void>;

  constructor(settled: Promise<void>) {
    super();
    this.settled = settled;
  }
}

/** Whose long parts are remembered now. */
let current: Passes | undefined;

/** The passes of one request. What they remember is common to all that they carry out. */
export class Passes {
  readonly #limit: WorkLimit;
  readonly #weigh: Weigh;
  /** Bytes that remembered parts take, as far as they are counted. */
  #weighed = 0;
  /** Made with the first: most searches have none. */
  #parts: Map<unknown, Map<string, Part>> | undefined;
  /** Parts that have begun and not ended. */
  #unfinished = 0;
  #mayStop = true;
  /** How long this pass took to come to where the last one ended; undefined before that. */
  #behind: number | undefined;
  /** What the stages of the work have come to that is carried out now; made with the first. */
  #stages: Map<unknown, Map<string, unknown>> | undefined;
  /** How many there are, and how many this pass has come across. */
  #made = 0;
  #met = 0;

  /** @param weigh told of large parts before they are made, in place of the limit */
  constructor(limit: WorkLimit, weigh?: Weigh) {
    this.#limit = limit;
    this.#weigh = weigh ?? ((bytes) => limit.weigh(bytes));
  }

  /** See {@link weighPart}. */
  weigh(bytes: number): void {
    this.#weigh(bytes);
    this.#weighed += bytes;
  }

  /** What the parts have come to isn't needed any more. */
  forget(): void {
    this.#parts = undefined;
    if (this.#weighed > 0) this.#weigh(-this.#weighed);
    this.#weighed = 0;
  }

  /**
   * What the work comes to: at once if one pass is enough. Throws or rejects as the work does, and where the limit is over.
   * @param goesOn whether others have not had the event loop since the last work
   */
  run<T>(work: () => T, goesOn = false): T | Promise<T> {
    this.#forgetStages();
    try {
      const value = this.#pass(work, goesOn);
      this.#forgetStages();
      return value;
    } catch (e) {
      if (!(e instanceof TurnOver)) throw e;
      return this.#goOn(work, e);
    }
  }

  async #goOn<T>(work: () => T, over: TurnOver): Promise<T> {
    for (let ended = over; ; ) {
      if (ended instanceof Awaiting) await ended.settled;
      else await this.#limit.yield();
      try {
        const value = this.#pass(work);
        this.#forgetStages();
        return value;
      } catch (e) {
        if (!(e instanceof TurnOver)) throw e;
        ended = e;
      }
    }
  }

  #forgetStages(): void {
    this.#stages = undefined;
    this.#made = 0;
  }

  /** The same in turns, within a turn that may have begun with other work. */
  *inTurns<T>(work: () => T): Turns<T> {
    this.#forgetStages();
    for (let goesOn = true; ; goesOn = false) {
      try {
        return this.#pass(work, goesOn);
      } catch (e) {
        if (!(e instanceof TurnOver)) throw e;
      }
      yield;
    }
  }

  /** Carries work out without an end of a turn within it, so that it may have effects anywhere. */
  atOnce<T>(work: () => T): T {
    this.#mayStop = false;
    try {
      return this.#pass(work);
    } finally {
      this.#mayStop = true;
    }
  }

  /** @param goesOn whether others have not had the event loop just now: many small pieces of work share a turn */
  #pass<T>(work: () => T, goesOn = false): T {
    const outer = current;
    current = this;
    this.#behind = undefined;
    this.#met = 0;
    if (this.#mayStop && !goesOn) this.#limit.resume();
    try {
      return work();
    } finally {
      current = outer;
    }
  }

  part<T>(owner: unknown, key: string, make: (isDue: IsDue) => Turns<T>): T {
    const own = this.#partsOf(owner);
    let part = own.get(key);
    if (part === undefined) {
      const steps = make((count) => this.#limit.isDue(count));
      part = { steps, value: undefined, error: undefined, failed: false };
      own.set(key, part);
      this.#unfinished++;
    }
    while (part.steps !== undefined) this.#step(part, part.steps);
    if (part.failed) throw part.error;
    return part.value as T;
  }

  remembered<T>(owner: unknown, key: string, make: () => T): T {
    const own = this.#partsOf(owner);
    const known = own.get(key);
    if (known !== undefined) return known.value as T;
    const value = make();
    own.set(key, { steps: undefined, value, error: undefined, failed: false });
    return value;
  }

  awaited<T>(owner: unknown, key: string, start: (limit: WorkLimit) => Promise<T>): T {
    const own = this.#partsOf(owner);
    const known = own.get(key);
    if (known === undefined) {
      const part: Part = { steps: undefined, value: undefined, error: undefined, failed: false };
      throw new Awaiting(
        start(this.#limit).then(
          (value) => {
            own.set(key, { ...part, value });
          },
          (error) => {
            own.set(key, { ...part, error, failed: true });
          },
        ),
      );
    }
    if (known.failed) throw known.error;
    return known.value as T;
  }

  stage<T>(owner: unknown, key: string, make: () => T): T {
    this.#stages ??= new Map();
    let own = this.#stages.get(owner);
    if (own === undefined) {
      own = new Map();
      this.#stages.set(owner, own);
    }
    if (own.has(key)) {
      this.#met++;
      return own.get(key) as T;
    }
    // Each pass makes at least one. Those that were not come back to have changed their names, and would do so again.
    if (this.#behind !== undefined && this.#unfinished === 0 && this.#met >= this.#made)
      this.#stop(this.#behind);
    const behind = this.#behind ?? this.#limit.elapsed;
    const value = make();
    own.set(key, value);
    this.#made++;
    this.#met++;
    this.#behind ??= behind;
    return value;
  }

  #partsOf(owner: unknown): Map<string, Part> {
    this.#parts ??= new Map();
    let own = this.#parts.get(owner);
    if (own === undefined) {
      own = new Map();
      this.#parts.set(owner, own);
    }
    return own;
  }

  /** Ends the pass where its turn is over and what is new in it has taken as long as what was known. */
  #stop(behind: number): void {
    if (this.#mayStop && this.#limit.due && this.#limit.elapsed >= 2 * behind) throw new TurnOver();
  }

  /** One step, of which each pass makes at least one. */
  #step(part: Part, steps: Turns<unknown>): void {
    if (this.#behind === undefined) this.#behind = this.#limit.elapsed;
    // A part that was not come back to has changed its name, and would do so again.
    else if (this.#unfinished === 1) this.#stop(this.#behind);
    try {
      const { done, value } = steps.next();
      if (done !== true) return;
      part.value = value;
    } catch (e) {
      part.failed = true;
      part.error = e;
    }
    part.steps = undefined;
    this.#unfinished--;
  }
}

/**
 * A long part of some work: within passes it is remembered and may stop for others, elsewhere it is carried out at once.
 * @param owner what it belongs to, the same in each pass, and `key` which of its parts it is: together they say what it comes to
 * @param make the part, which has no long parts of its own
 */
export function longPart<T>(owner: unknown, key: string, make: (isDue: IsDue) => Turns<T>): T {
  return current === undefined ? atOnce(make(never)) : current.part(owner, key, make);
}

/**
 * A part of some work that is worth remembering for the next pass; it is made at once, but for the long parts that are in it.
 * @param owner what it belongs to, the same in each pass, and `key` which of its parts it is
 */
export function remembered<T>(owner: unknown, key: string, make: () => T): T {
  return current === undefined ? make() : current.remembered(owner, key, make);
}

/** The names of an object's own values; of a million a list takes so long that it is made once in all passes. */
export function namesOf(object: object): readonly string[] {
  return remembered(object, 'names', () => Object.keys(object));
}

/**
 * One of many parts of some work, too short to stop in itself: others may have a turn before it. What it comes to is kept until the work
 * is done, so that no later work finds it.
 * @param owner what it belongs to, the same in each pass, and `key` which of its parts it is
 * @param make the part, which has no effects that a later pass would miss
 */
export function stage<T>(owner: unknown, key: string, make: () => T): T {
  return current === undefined ? make() : current.stage(owner, key, make);
}

/** Tells whose passes these are what a part will take in memory, before it is made; throws when that is too much. */
export function weighPart(bytes: number): void {
  current?.weigh(bytes);
}

const never: IsDue = () => false;

/**
 * Something that has to be waited for, such as a document of another node: the pass ends here, and the next one finds it.
 * @param owner what it belongs to, and `key` which it is: together they say what it comes to
 * @param start begins it; undefined where work isn't carried out in passes, and nothing can be waited for
 */
export function awaitedPart<T>(
  owner: unknown,
  key: string,
  start: (limit: WorkLimit) => Promise<T>,
): { value: T } | undefined {
  return current === undefined ? undefined : { value: current.awaited(owner, key, start) };
}
