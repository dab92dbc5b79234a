/** How fast an import is, and how long it will take. */
import type { Progress } from './importing';

/** Documents in a second. */
export function rateOf({ taken, refused, ms }: Pick<Progress, 'taken' | 'refused' | 'ms'>): number {
  return ms <= 0 ? 0 : ((taken + refused) * 1000) / ms;
}

/** Seconds for the rest of the file, by what was read in the time so far. Undefined while that says little. */
export function secondsLeft({ read, size, ms }: Pick<Progress, 'read' | 'size' | 'ms'>): number | undefined {
  return read === 0 || ms < 1000 ? undefined : ((size - read) / read) * (ms / 1000);
}
