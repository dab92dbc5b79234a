/**
 * How far the heap of a node may grow between two collections of all of it. V8 counts among its objects the bytes outside of it that have lived
 * through some small collections, as messages of logs do. By its own measure some megabytes of these have 30 MB of objects marked again and again:
 * that was a tenth of what bulk requests cost the processors of a node.
 */
import { setFlagsFromString } from 'node:v8';

/** V8's name of it. */
export const HEAP_GROWTH_FLAG = '--heap-growing-percent';
/** What is added to what is alive after a collection, in percent. V8 keeps to the heap's limit whatever this says. */
const GROWTH_PERCENT = 200;

/** Lets the heaps of this process grow so far, unless whoever started it has said how far. */
export function growHeapFurther(): void {
  if (process.versions.bun !== undefined || process.execArgv.some(isGrowth)) return;
  setFlagsFromString(`${HEAP_GROWTH_FLAG}=${GROWTH_PERCENT}`);
}

function isGrowth(flag: string): boolean {
  return flag.replaceAll('_', '-').startsWith(HEAP_GROWTH_FLAG);
}
