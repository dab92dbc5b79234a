/** Whether other programs leave processors free. */
import { availableParallelism, cpus } from 'node:os';

/** What the system tells, in milliseconds since some moment. */
export interface ProcessorTimes {
  now: number;
  /** That all processors of the machine were busy. */
  busy: number;
  /** Of that, for this process. */
  own: number;
}

/** The system is asked so often at most: that takes it some 50 microseconds and more with many processors. */
export const EVERY_MS = 200;

/**
 * Two threads of this process stay awake, and a client asks. Where the others together, the client among them, leave less than that
 * of a processor free, somebody has to wait. Measured on two processors, beside a program that keeps one of them busy: 3,075 requests a
 * second with 1.1, 2,441 with 0.9, 3,083 to 3,313 where no thread ever stays awake.
 */
export const ROOM = 1.1;

/** Looks at what the others do, while it is asked; nobody knows at first. */
export class CpuHeadroom {
  readonly #read: () => ProcessorTimes;
  readonly #processors: number;
  #last: ProcessorTimes | undefined;
  #leaveRoom = false;

  constructor(read: () => ProcessorTimes = systemTimes, processors: number = availableParallelism()) {
    this.#read = read;
    this.#processors = processors;
  }

  /**
   * Whether the other programs left room when they were looked at last.
   * @param now milliseconds, as `performance.now()` counts them
   */
  leaveRoom(now: number): boolean {
    const last = this.#last;
    if (last !== undefined && now - last.now < EVERY_MS) return this.#leaveRoom;
    const times = this.#read();
    this.#last = times;
    // What was long ago says nothing of now.
    if (last === undefined || times.now - last.now > 5 * EVERY_MS) this.#leaveRoom = false;
    else {
      const others = (times.busy - last.busy - (times.own - last.own)) / (times.now - last.now);
      this.#leaveRoom = others <= this.#processors - ROOM;
    }
    return this.#leaveRoom;
  }
}

function systemTimes(): ProcessorTimes {
  let busy = 0;
  for (const { times } of cpus()) busy += times.user + times.nice + times.sys + times.irq;
  const { user, system } = process.cpuUsage();
  return { now: performance.now(), busy, own: (user + system) / 1000 };
}
