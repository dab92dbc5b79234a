/** Processor time of a test worker, divided among its files: for `npm run test:durations`. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';

/** Seconds of a file: until its tests begin, in its tests, and of the processes that it started and has seen the end of. */
export interface ProcessorTime {
  loading: number;
  testing: number;
  children: number;
}

declare module 'vitest' {
  interface TaskMeta {
    processorTime?: ProcessorTime;
  }
}

/** Where the count of the file before ended, for files that share a worker. */
const worker = globalThis as { countedBefore?: { own: number; children: number } };

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Of the processes that have ended. Linux alone tells; the kernel counts in hundredths of a second. */
function childrenSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Counts the time of the file that calls this while it is loaded. */
export function countProcessorTime(): void {
  const before = worker.countedBefore ?? { own: 0, children: 0 };
  let loaded = 0;
  beforeAll(() => {
    loaded = ownSeconds();
  });
  // biome-ignore lint/correctness/noEmptyPattern: vitest asks for a pattern there.
  afterAll(({}, file) => {
    const own = ownSeconds();
    const children = childrenSeconds();
    file.meta.processorTime = {
      loading: loaded - before.own,
      testing: own - loaded,
      children: children - before.children,
    };
    worker.countedBefore = { own, children };
  });
}
