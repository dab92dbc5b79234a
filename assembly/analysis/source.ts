import { correctOffset } from './corrections';
import { Analysis, Token } from './token';
import { Utf8 } from './utf8';

const UNKNOWN: u32 = 0xffffffff;

/**
 * The text that a tokenizer reads: UTF-8, after the char filters. A tokenizer takes `ptr` and `length` when it starts,
 * and translates places in it to offsets of the original text.
 */
export class Source {
  static ptr: usize = 0;
  static length: u32 = 0;
  /** The place up to which units were counted, and how many there were. */
  private static counted: u32 = 0;
  private static units: u32 = 0;
  /** The original text's end where the text is not a text, else `UNKNOWN`. */
  private static end: u32 = UNKNOWN;

  /** Sets the text. */
  static set(ptr: usize, length: u32): void {
    Source.ptr = ptr;
    Source.length = length;
    Source.counted = 0;
    Source.units = 0;
    Source.end = UNKNOWN;
  }

  /** The offset behind the original text: what Lucene's tokenizers give as the last offset. */
  static endOffset(): u32 {
    return Source.end == UNKNOWN ? Source.offset(Source.length) : Source.end;
  }

  /** Says where the original text ends, as far as that is known, if the text itself doesn't tell. */
  static setEndOffset(offset: u32): void {
    Source.end = offset;
  }

  /**
   * The UTF-16 offset in the original text of a byte of this one. Cheapest when asked from left to right; going back
   * counts again from the start of the text only where the distance is long.
   */
  static offset(byte: u32): u32 {
    return correctOffset(Source.unitsBefore(byte));
  }

  /** Describes the token that reaches from one address to another in this text; its term is set apart. */
  @inline static describe(from: usize, to: usize, type: u8): void {
    Token.increment = 1;
    Token.type = type;
    Token.keyword = false;
    if (Analysis.offsets) {
      Token.start = Source.offset((from - Source.ptr) as u32);
      Token.end = Source.offset((to - Source.ptr) as u32);
    }
  }

  /** UTF-16 units of this text before a byte. */
  static unitsBefore(byte: u32): u32 {
    if (byte < Source.counted) {
      const back = countUnits(Source.ptr + byte, Source.ptr + Source.counted);
      Source.units -= back;
    } else {
      Source.units += countUnits(Source.ptr + Source.counted, Source.ptr + byte);
    }
    Source.counted = byte;
    return Source.units;
  }
}

/** UTF-16 units of well-formed UTF-8 from `p` to `end`: a unit per byte that begins a character, one more for four bytes. */
export function countUnits(p: usize, end: usize): u32 {
  let units: u32 = 0;
  while (p + 16 <= end) {
    const v = v128.load(p);
    const continuations = i8x16.bitmask(i8x16.lt_s(v, i8x16.splat(-64)));
    const fours = i8x16.bitmask(i8x16.ge_u(v, i8x16.splat(0xf0 as i8)));
    units += 16 - popcnt(continuations) + popcnt(fours);
    p += 16;
  }
  while (p < end) {
    const byte = load<u8>(p) as u32;
    units += u32((byte & 0xc0) != 0x80) + u32(byte >= 0xf0);
    ++p;
  }
  return units;
}

/** Bytes of the first `units` UTF-16 units of the text from `p` to `end`; a character is never split. */
export function bytesOfUnits(p: usize, end: usize, units: u32): u32 {
  const first = p;
  while (p < end && units > 0) {
    const decoded = Utf8.decode(p, end);
    const needed = Utf8.units(Utf8.codePoint(decoded));
    if (needed > units) break;
    units -= needed;
    p += Utf8.bytes(decoded);
  }
  return (p - first) as u32;
}
