/** Work without the clock and the random numbers of the machine, so that it is the same each time. */
import type { Clock } from '../../../host/time/clock.js';
import type { Random } from '../../torture/random.js';

/**
 * What the runtime's clock says next: it never goes back, so that what was told the time by one run finds it long ago in the next. A whole number,
 * as all times of a run are, so that differences of times are exact.
 */
let nextOrigin = 0;
/** Between two runs, in milliseconds. */
const APART_MS = 60_000;

/** Carries out work while the runtime's time is that of a clock, and its random bytes are those of a seed. */
export async function withoutChance<T>(random: Random, clock: Clock, work: () => Promise<T>): Promise<T> {
  const { performance, crypto } = globalThis;
  const now = performance.now;
  const getRandomValues = crypto.getRandomValues;
  const origin = Math.max(nextOrigin, Math.ceil(now.call(performance)) + APART_MS);
  const began = clock.now();
  performance.now = () => origin + clock.now() - began;
  crypto.getRandomValues = <A extends ArrayBufferView | null>(array: A): A => {
    const { buffer, byteOffset, byteLength } = array!;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
    return array;
  };
  try {
    return await work();
  } finally {
    nextOrigin = performance.now() + APART_MS;
    performance.now = now;
    crypto.getRandomValues = getRandomValues;
  }
}
