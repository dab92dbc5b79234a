import { ERR_MEMORY } from '../abi/status';
import { heapAlloc, heapFree } from '../memory/heap';
import { partialWord } from './hash';
import { Analysis, Token } from './token';
import { encodeUtf8, Utf8 } from './utf8';

/**
 * The term as UTF-16 units, for what is defined over them: stemmers, normalizers and the like. One buffer, with room
 * for 32 units beyond the term.
 */
const SPARE: u32 = 32;

let buffer: usize = heapAlloc(4096);
let room: u32 = 2048;

/**
 * Copies the term into the buffer, which then has room for `times` as many units and 32 more; its address, 0 without memory,
 * which fails the analysis. `unitCount` says how many.
 */
export function termUnits(times: u32 = 1): usize {
  const needed = Token.length * times + SPARE;
  if (needed > room) {
    const grown: usize = needed < Token.length || needed > 1 << 30 ? 0 : heapAlloc(needed << 1);
    if (!grown) {
      Analysis.status = ERR_MEMORY;
      return 0;
    }
    heapFree(buffer);
    buffer = grown;
    room = needed;
  }
  let p = Token.ptr;
  const length = Token.length;
  if (length <= 16) {
    // Words of ASCII letters: 25 ns a word less than byte by byte.
    const low = partialWord(p, length);
    const high = length > 8 ? partialWord(p + 8, length - 8) : 0;
    if (((low | high) & 0x8080808080808080) == 0) {
      const v = i64x2.replace_lane(i64x2.splat(low), 1, high);
      v128.store(buffer, i16x8.extend_low_i8x16_u(v));
      v128.store(buffer, i16x8.extend_high_i8x16_u(v), 16);
      unitCount = length;
      return buffer;
    }
  }
  const end = p + length;
  let out = buffer;
  while (p < end) {
    const byte = load<u8>(p) as u32;
    if (byte < 0x80) {
      store<u16>(out, byte);
      out += 2;
      ++p;
      continue;
    }
    const decoded = Utf8.decode(p, end);
    const c = Utf8.codePoint(decoded);
    p += Utf8.bytes(decoded);
    if (c < 0x10000) {
      store<u16>(out, c);
      out += 2;
    } else {
      store<u16>(out, 0xd7c0 + (c >>> 10));
      store<u16>(out, 0xdc00 | (c & 0x3ff), 2);
      out += 4;
    }
  }
  unitCount = ((out - buffer) >>> 1) as u32;
  return buffer;
}

/** Units of the term that `termUnits` copied last. */
export let unitCount: u32 = 0;

/** Makes `count` units at `s` the term, encoded; a lone surrogate becomes U+FFFD. False without memory. */
export function setTermUnits(s: usize, count: u32): bool {
  Token.length = 0;
  const first = Token.edit(max(count * 3, 16));
  if (!first) return false;
  if (s == buffer && count <= 16) {
    // The buffer has room behind them; what lies there is cut off again.
    const low = v128.load(s);
    const high = v128.load(s, 16);
    if (!v128.any_true(v128.and(v128.or(low, high), i16x8.splat(0xff80 as i16)))) {
      v128.store(first, i8x16.narrow_i16x8_u(low, high));
      Token.length = count;
      return true;
    }
  }
  Token.length = (encodeUnits(first, s, count) - first) as u32;
  return true;
}

/** Encodes `count` units at `s` to `out`, which has room for three times as many bytes; where that ends. */
export function encodeUnits(out: usize, s: usize, count: u32): usize {
  const end = s + ((<usize>count) << 1);
  while (s < end) {
    let c = load<u16>(s) as u32;
    s += 2;
    if (c < 0x80) {
      store<u8>(out, c);
      ++out;
      continue;
    }
    if ((c & 0xf800) == 0xd800) {
      const next = s < end ? (load<u16>(s) as u32) : 0;
      if (c < 0xdc00 && (next & 0xfc00) == 0xdc00) {
        c = ((c - 0xd7c0) << 10) | (next & 0x3ff);
        s += 2;
      } else {
        c = 0xfffd;
      }
    }
    out = encodeUtf8(out, c);
  }
  return out;
}
