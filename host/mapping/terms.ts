/**
 * The terms that values are indexed as. Whole numbers, dates and fractions become eight bytes whose order is the order
 * of the values: big endian, the sign bit flipped, and of a negative fraction all bits.
 */

import { encodeUtf8 } from '../text/utf8.js';

const scratch = new DataView(new ArrayBuffer(8));

/** The most bytes a term may have. */
export const MAX_TERM_BYTES = 32_766;

/** The two halves of an encoded value, most significant first; the object is reused by the next call. */
export const halves = { high: 0, low: 0 };

/** Sets {@link halves} to the encoding of a whole number of at most 64 bits. */
export function encodeLong(value: number | bigint): void {
  if (typeof value === 'bigint' || !Number.isSafeInteger(value)) {
    scratch.setBigInt64(0, BigInt.asIntN(64, typeof value === 'bigint' ? value : BigInt(Math.trunc(value))));
    halves.high = (scratch.getUint32(0) ^ 0x8000_0000) >>> 0;
    halves.low = scratch.getUint32(4);
    return;
  }
  halves.high = (Math.floor(value / 0x1_0000_0000) ^ 0x8000_0000) >>> 0;
  halves.low = value >>> 0;
}

/** Sets {@link halves} to the encoding of a fraction. */
export function encodeDouble(value: number): void {
  scratch.setFloat64(0, value);
  const high = scratch.getUint32(0);
  const low = scratch.getUint32(4);
  if (high >= 0x8000_0000) {
    halves.high = ~high >>> 0;
    halves.low = ~low >>> 0;
  } else {
    halves.high = (high | 0x8000_0000) >>> 0;
    halves.low = low;
  }
}

/** The term of a whole number. */
export function longTerm(value: number | bigint): Uint8Array {
  encodeLong(value);
  return fromHalves();
}

/** The term of a fraction. */
export function doubleTerm(value: number): Uint8Array {
  encodeDouble(value);
  return fromHalves();
}

/** The term of a text that is not analyzed, or of a token. */
export function textTerm(text: string): Uint8Array {
  return encodeUtf8(text);
}

function fromHalves(): Uint8Array {
  const term = new Uint8Array(8);
  const view = new DataView(term.buffer);
  view.setUint32(0, halves.high);
  view.setUint32(4, halves.low);
  return term;
}
