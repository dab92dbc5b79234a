/** The garbage collections of the main thread: how many there were, and how long they took. */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import type { Collected } from '../rest/cluster/node.js';

/** Kinds of collections that only look through what was made last; 2 has no name. */
const YOUNG = new Set<unknown>([constants.NODE_PERFORMANCE_GC_MINOR, 2]);

/** Counts from when it is made until it is stopped. */
export class Collections {
  readonly stats: { young: Collected; old: Collected } = {
    young: { count: 0, ms: 0 },
    old: { count: 0, ms: 0 },
  };
  readonly #observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { detail?: { kind?: number } })[]) {
      const generation = YOUNG.has(entry.detail?.kind) ? this.stats.young : this.stats.old;
      generation.count++;
      generation.ms += entry.duration;
    }
  });

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  stop(): void {
    this.#observer.disconnect();
  }
}
