import { ERR_MEMORY } from '../abi/status';
import { Matcher } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { setPointer } from '../memory/pointers';
import { fail } from '../requestStatus';

// Arrays of matchers, and what is said where the arena has no room for them.

/** The arena ran out. */
export function noRoom(): Matcher | null {
  fail(ERR_MEMORY);
  return null;
}

/** An array of `n` pointers; 0 where the arena ran out. */
export function pointerArray(n: u32): usize {
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
