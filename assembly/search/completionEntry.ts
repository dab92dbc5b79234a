import { compareBytes } from '../terms/bytes';

// The terms of completion fields (host/mapping/completionEntry.ts): a reading, a zero byte, u32 weight and u16 length of the output,
// both big endian, the output, a payload.

/** The weight of an entry without one: it weighs as many documents as its segment has under the same reading. */
export const NO_WEIGHT: u32 = 0xffffffff;

/** Bytes between the end of a reading and the output: the zero byte, the weight, the length. */
const HEAD_BYTES: u32 = 7;

/** Where the reading of an entry ends, at the first zero byte; `end` for what is no entry. */
export function readingEnd(ptr: usize, end: u32): u32 {
  let zero: u32 = 0;
  while (zero < end && load<u8>(ptr + zero)) zero++;
  return zero + HEAD_BYTES > end ? end : zero;
}

/**
 * The order of entries of equal weight, as of the paths of Lucene's suggester: by reading; under one reading those without a weight
 * of their own first, then by output and payload.
 */
export function compareEntries(a: usize, aLength: u32, b: usize, bLength: u32): i32 {
  const aZero = readingEnd(a, aLength);
  const bZero = readingEnd(b, bLength);
  const order = compareBytes(a, aZero, b, bZero);
  if (order || aZero == aLength || bZero == bLength) return order;
  const aWeight = load<u32>(a + aZero + 1);
  const bWeight = load<u32>(b + bZero + 1);
  if (aWeight != bWeight) return aWeight == NO_WEIGHT ? -1 : 1;
  const aOutput = a + aZero + HEAD_BYTES;
  const bOutput = b + bZero + HEAD_BYTES;
  const aEnd = min<u32>(aLength - aZero - HEAD_BYTES, <u32>bswap<u16>(load<u16>(a + aZero + 5)));
  const bEnd = min<u32>(bLength - bZero - HEAD_BYTES, <u32>bswap<u16>(load<u16>(b + bZero + 5)));
  const outputs = compareBytes(aOutput, aEnd, bOutput, bEnd);
  if (outputs) return outputs;
  return compareBytes(
    aOutput + aEnd,
    aLength - aZero - HEAD_BYTES - aEnd,
    bOutput + bEnd,
    bLength - bZero - HEAD_BYTES - bEnd,
  );
}
