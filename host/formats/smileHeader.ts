/** What bodies in SMILE begin with. */

export const HEADER = [0x3a, 0x29, 0x0a];

/** Whether bytes are SMILE; the upper half of the fourth byte is a version, of which there is one. */
export function looksLikeSmile(bytes: Uint8Array): boolean {
  return HEADER.every((byte, i) => bytes[i] === byte) && bytes.length > 4 && bytes[3]! >> 4 === 0;
}
