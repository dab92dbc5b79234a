/** Replicas by `index.auto_expand_replicas`: as nodes come and go, every node changes the number that it shows, and places by. */
import type { OpenIndex } from '../metadata/openIndex.js';
import type { Placements } from './placements.js';

const REPLICAS = 'index.number_of_replicas';

/** Sets the numbers of indices that follow the nodes. What is stored of an index says what they were when it was changed last. */
export function expandReplicas(indices: readonly OpenIndex[], placements: Placements): void {
  for (const index of indices) {
    const { settings } = index.metadata;
    const replicas = placements.replicas(index);
    if (replicas === settings.replicas) continue;
    const flat = { ...settings.flat, [REPLICAS]: String(replicas) };
    index.change({ settings: { ...settings, replicas, flat } });
  }
}
