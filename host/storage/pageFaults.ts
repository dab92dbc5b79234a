/**
 * Whether reading mapped files waits for a disk. The system counts the pages that it had to read for the process; where it has lately had to,
 * rows are better read by threads that nobody waits for.
 */

/** Milliseconds between two looks, each of which takes 4 microseconds. */
const LOOK_MS = 10;
/** Pages are taken to be in memory again when none has been read for so many milliseconds. */
const WARM_MS = 1000;

/** What is looked at. */
export interface FaultCounter {
  /** Milliseconds, of any origin. */
  now(): number;
  /** Pages of files that had to be read from a disk since the process began. */
  faults(): number;
}

const ofProcess: FaultCounter = {
  now: () => performance.now(),
  faults: () => process.resourceUsage().majorPageFault,
};

export class PageFaults {
  readonly #counter: FaultCounter;
  #looked: number;
  #faults: number;
  /** When pages were read last. */
  #read = Number.NEGATIVE_INFINITY;

  constructor(counter: FaultCounter = ofProcess) {
    this.#counter = counter;
    this.#looked = counter.now();
    this.#faults = counter.faults();
  }

  /** Whether reading is likely to wait for a disk. */
  get areLikely(): boolean {
    const now = this.#counter.now();
    if (now - this.#looked >= LOOK_MS) {
      this.#looked = now;
      const faults = this.#counter.faults();
      if (faults !== this.#faults) this.#read = now;
      this.#faults = faults;
    }
    return now - this.#read < WARM_MS;
  }
}
