/** Whole numbers below 2^35 in as few bytes as they need: seven bits a byte, low ones first; all but the last byte have the eighth set. */

/** Bytes are not what they should be, whatever checksum they have. */
export class MalformedRow extends Error {
  override readonly name = 'MalformedRow';
}

const MOST_BYTES = 5;
let end = 0;

/** Bytes that a number takes. */
export function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

/** Writes a number; returns where it ends. */
export function putVarint(into: Uint8Array, at: number, value: number): number {
  let to = at;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) into[to++] = (rest % 0x80) | 0x80;
  into[to++] = rest;
  return to;
}

/** Reads a number; {@link varintEnd} tells where it ended. */
export function varintAt(bytes: Uint8Array, at: number): number {
  let value = 0;
  let unit = 1;
  for (let from = at; from < at + MOST_BYTES && from < bytes.length; unit *= 0x80) {
    const byte = bytes[from++]!;
    value += (byte & 0x7f) * unit;
    if (byte >= 0x80) continue;
    end = from;
    return value;
  }
  throw new MalformedRow(`no number at byte ${at} of ${bytes.length}`);
}

/** Where the number ended that was read last. */
export function varintEnd(): number {
  return end;
}
