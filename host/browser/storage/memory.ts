/** `resilin/storage/memory`: keeps nothing. */
import type { Store } from '../../library/store.js';
import { MemoryBlobs, MemoryRoom, MemoryStorage } from '../../storage/memory.js';

export type { OpenStore, Store } from '../../library/store.js';

/** Bytes that a store in memory may take, about. */
export interface MemoryLimits {
  /** In the heap of JavaScript: keys, short values, and what each row takes besides. */
  heap?: number;
  /** Outside of it: long values, segments. */
  outside?: number;
}

/**
 * A store in memory, as an engine has it without any; each opening is a new one.
 * @param limits what there is no room for is refused as by a full disk
 */
export function memory(limits: MemoryLimits = {}): Store {
  const { heap = Number.POSITIVE_INFINITY, outside = Number.POSITIVE_INFINITY } = limits;
  return {
    name: 'memory',
    async open() {
      const room = new MemoryRoom({ heap, outside });
      return { storage: new MemoryStorage(room), blobs: new MemoryBlobs(room) };
    },
  };
}
