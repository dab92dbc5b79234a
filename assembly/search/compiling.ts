import { setPointer } from '../memory/pointers';
import { Matcher } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { Segment } from '../segment/segment';
import { ERR_MEMORY, OK } from '../status';

// What compiling a query for one segment shares: the segment, and whether the arena had room.

export let segment: Segment = changetype<Segment>(0);
/** The segment's number in its shard. */
export let ordinal: u32 = 0;
/** ERR_MEMORY where the arena ran out while compiling. */
export let compileStatus: i32 = OK;

/** Queries are compiled for that segment from now on. */
export function startCompiling(compiled: Segment, index: u32): void {
  segment = compiled;
  ordinal = index;
  compileStatus = OK;
}

/** The arena ran out. */
export function noRoom(): Matcher | null {
  compileStatus = ERR_MEMORY;
  return null;
}

/** An array of `n` pointers; 0 where the arena ran out. */
export function pointers(n: u32): usize {
  const at = requestAlloc(n * <u32>sizeof<usize>());
  if (!at) noRoom();
  return at;
}

/** Adds a clause to an array kept in ascending order of cost, equal costs in the order they come. */
export function insertByCost(array: usize, n: u32, m: Matcher): void {
  let k = n;
  while (k > 0 && Matcher.at(array, k - 1).cost > m.cost) {
    setPointer(array, k, changetype<usize>(Matcher.at(array, k - 1)));
    k--;
  }
  setPointer(array, k, changetype<usize>(m));
}
