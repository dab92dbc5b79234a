/** A checksum of bytes of any length that needs no copy of all of them, as the platform's SHA-256 does. */
import { sha256 } from '../../snapshot/sha256.js';

/** Bytes that are copied and read at once. */
const SLICE = 1024 * 1024;
const DIGEST_BYTES = 32;

/** The SHA-256, in hexadecimal digits, of the SHA-256s of all slices of 1 MB. */
export async function slicedDigest(bytes: Uint8Array): Promise<string> {
  const slices = Math.max(1, Math.ceil(bytes.length / SLICE));
  const digests = new Uint8Array(slices * DIGEST_BYTES);
  for (let i = 0; i < slices; i++) {
    const slice = bytes.subarray(i * SLICE, (i + 1) * SLICE) as Uint8Array<ArrayBuffer>;
    digests.set(new Uint8Array(await crypto.subtle.digest('SHA-256', slice)), i * DIGEST_BYTES);
  }
  return sha256(digests);
}
