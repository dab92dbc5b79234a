/** Work without the clock and the random numbers of the machine, so that it is the same each time. */
import type { Clock } from '../../../host/time/clock.js';
import type { Random } from '../../torture/random.js';

/** Carries out work while the runtime's time is that of a clock, and its random bytes are those of a seed. */
export async function withoutChance<T>(random: Random, clock: Clock, work: () => Promise<T>): Promise<T> {
  const { performance, crypto } = globalThis;
  const now = performance.now;
  const getRandomValues = crypto.getRandomValues;
  performance.now = () => clock.now();
  crypto.getRandomValues = <A extends ArrayBufferView | null>(array: A): A => {
    const { buffer, byteOffset, byteLength } = array!;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
    return array;
  };
  try {
    return await work();
  } finally {
    performance.now = now;
    crypto.getRandomValues = getRandomValues;
  }
}
