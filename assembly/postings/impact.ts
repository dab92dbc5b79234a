import { normTable } from '../codec/norm';

/** The norm of a document, as a float. */
class Norm {
  @inline static of(table: usize, norms: usize, doc: u32): f32 {
    return load<f32>(table + ((<usize>load<u8>(norms + doc)) << 2));
  }
}

/**
 * The largest sqrt(freq) * norm, in f32, of `count` documents (u32 each at `docs`). `freqs` 0: all are 1; `norms` 0: all are 1.
 */
export function largestImpact(docs: usize, freqs: usize, norms: usize, count: u32): f32 {
  if (!norms && !freqs) return 1;
  const table = normTable();
  let best = f32x4.splat(0);
  let i: usize = 0;
  for (const whole = (<usize>(count & ~3)) << 2; i < whole; i += 16) {
    let value = freqs ? f32x4.sqrt(f32x4.convert_i32x4_u(v128.load(freqs + i))) : f32x4.splat(1);
    if (norms) {
      let norm = f32x4.splat(Norm.of(table, norms, load<u32>(docs + i)));
      norm = f32x4.replace_lane(norm, 1, Norm.of(table, norms, load<u32>(docs + i, 4)));
      norm = f32x4.replace_lane(norm, 2, Norm.of(table, norms, load<u32>(docs + i, 8)));
      norm = f32x4.replace_lane(norm, 3, Norm.of(table, norms, load<u32>(docs + i, 12)));
      value = f32x4.mul(value, norm);
    }
    best = f32x4.pmax(best, value);
  }
  let result = max(
    max(f32x4.extract_lane(best, 0), f32x4.extract_lane(best, 1)),
    max(f32x4.extract_lane(best, 2), f32x4.extract_lane(best, 3)),
  );
  for (const end = (<usize>count) << 2; i < end; i += 4) {
    let value: f32 = freqs ? f32.sqrt(<f32>load<u32>(freqs + i)) : 1;
    if (norms) value *= Norm.of(table, norms, load<u32>(docs + i));
    if (value > result) result = value;
  }
  return result;
}
