import type { Clock } from './clock.js';

/** Milliseconds since some moment, by a clock that isn't set: for what lasts, where {@link Clock.now} may leap. */
export function elapsed(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now();
}
