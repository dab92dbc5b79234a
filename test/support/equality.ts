import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** Said once to each worker, which may run many files. */
const worker = globalThis as { comparesByNode?: boolean };

/**
 * What is strictly equal is equal. Of bytes and long lists Node knows that in a fraction of the time that vitest takes, which is most of what
 * some tests take.
 */
export function compareByNode(): void {
  if (worker.comparesByNode) return;
  worker.comparesByNode = true;
  expect.addEqualityTesters([
    (a, b) =>
      (ArrayBuffer.isView(a) || (Array.isArray(a) && a.length > 64)) && isDeepStrictEqual(a, b)
        ? true
        : undefined,
  ]);
}
