/** Work in passes whose memory is counted while it lasts. */
import { Passes } from '../passes.js';
import type { WorkLimit } from '../workLimit.js';
import type { Breakers } from './breakers.js';

/**
 * Carries work out in passes; what it comes to at once if one is enough.
 * @param label what the breakers call it
 * @param goesOn whether others have not had the event loop since the last work
 */
export function inCountedPasses<T>(
  work: () => T,
  limit: WorkLimit,
  breakers: Breakers,
  label: string,
  goesOn = false,
): T | Promise<T> {
  const held = breakers.hold('request', 0, label);
  const passes = new Passes(limit, (bytes) => breakers.grow('request', held, bytes, label));
  let done: T | Promise<T>;
  try {
    done = passes.run(work, goesOn);
  } catch (e) {
    held.release();
    throw e;
  }
  if (done instanceof Promise) return done.finally(() => held.release());
  held.release();
  return done;
}
