/** Whether the image of a segment is what was written, by the checksum in its header (assembly/segment/README.md). */
import { Xxh64 } from '../storage/xxh64.js';
import { compareBytes } from '../storage/storage.js';

const CHECKSUM = 16;
const CHECKED = 24;
/** Bytes that are checked before others get the event loop; a multiple of 32. */
const PIECE = 256 * 1024;

/** @param turn gives others the event loop */
export async function isSound(image: Uint8Array, turn: (callback: () => void) => void): Promise<boolean> {
  if (image.length < CHECKED) return false;
  const sum = new Xxh64();
  for (let at = CHECKED; at < image.length; at += PIECE) {
    sum.update(image.subarray(at, at + PIECE));
    await new Promise<void>((resolve) => turn(resolve));
  }
  return compareBytes(sum.digest(), image.subarray(CHECKSUM, CHECKED)) === 0;
}
