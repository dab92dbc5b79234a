/**
 * Texts as UTF-8. Most that a request brings are short and ASCII: for these the platform's encoder and decoder, which are called
 * across a boundary, cost several times what a loop does.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Arrays up to so many bytes lie within the heap, where making one costs next to nothing. */
const SHORT = 64;
/** Texts of more bytes are decoded faster by the platform. */
const SHORT_DECODED = 24;
const LAST_ASCII = 0x7f;

/** The bytes of a text. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const { length } = text;
  if (length > SHORT) return encoder.encode(text);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > LAST_ASCII) return encoder.encode(text);
    bytes[i] = unit;
  }
  return bytes;
}

/** The text of some of the bytes; what is no UTF-8 becomes U+FFFD, and a byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > SHORT_DECODED) return decoder.decode(bytes.subarray(from, to));
  let text = '';
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const a = bytes[i]!;
    const b = bytes[i + 1]!;
    const c = bytes[i + 2]!;
    const d = bytes[i + 3]!;
    if ((a | b | c | d) > LAST_ASCII) return decoder.decode(bytes.subarray(from, to));
    text += String.fromCharCode(a, b, c, d);
  }
  for (; i < to; i++) {
    const byte = bytes[i]!;
    if (byte > LAST_ASCII) return decoder.decode(bytes.subarray(from, to));
    text += String.fromCharCode(byte);
  }
  return text;
}
