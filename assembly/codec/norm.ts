/**
 * Norm bytes: Lucene's SmallFloat "315", 3 bits of mantissa, zero exponent 15.
 *
 *     byte    | 5 bits exponent | 3 bits mantissa |
 *
 * Decoding adds 48 to the exponent and moves both to the top of an IEEE single; byte 0 is 0. Encoding truncates the mantissa,
 * so it rounds down; positive numbers too small become 1, numbers too large 255, zero and negative ones 0.
 */

/** Bits of a single's mantissa that a norm byte drops. */
const SHIFT: u32 = 24 - 3;
/** What the shifted single of byte 0 would be: (63 - zero exponent) and no mantissa. */
const ZERO: i32 = (63 - 15) << 3;

export function floatToByte315(f: f32): u8 {
  const bits = reinterpret<i32>(f);
  const small = bits >> SHIFT;
  if (small <= ZERO) return bits <= 0 ? 0 : 1;
  if (small >= ZERO + 0x100) return 0xff;
  return <u8>(small - ZERO);
}

export function byte315ToFloat(b: u8): f32 {
  if (b === 0) return 0;
  return reinterpret<f32>((<i32>b + ZERO) << SHIFT);
}

const table: usize = memory.data(1024, 16);

/** Address of the 256 decoded values, f32 each. */
export function normTable(): usize {
  return table;
}

for (let b: u32 = 0; b < 256; b++) store<f32>(table + (b << 2), byte315ToFloat(<u8>b));
