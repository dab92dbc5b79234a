/** The SHA-256 of long bytes in Node: the platform's other function, Web Crypto's, copies them all first. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes that are read in one turn, about a millisecond. */
const SLICE = 1024 * 1024;

/** In hexadecimal digits; others have their turns meanwhile. */
export async function slicedSha256(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += SLICE) {
    if (at > 0) await nextTurn();
    hash.update(bytes.subarray(at, at + SLICE));
  }
  return hash.digest('hex');
}
