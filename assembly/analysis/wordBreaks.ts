import { Categories } from './categories';

/** Kinds of UTF-16 units, as bits. */
export const LOWER: u32 = 1;
export const UPPER: u32 = 2;
export const ALPHA: u32 = 3;
export const DIGIT: u32 = 4;
export const ALPHANUM: u32 = 7;
export const DELIMITER: u32 = 8;

export const SPLIT_ON_CASE_CHANGE: u32 = 64;
export const SPLIT_ON_NUMERICS: u32 = 128;
export const STEM_POSSESSIVE: u32 = 256;

/** There is no further part. */
export const DONE: i32 = -1;

const APOSTROPHE: u32 = 0x27;
const SMALL_S: u32 = 0x73;

/** The kind of a unit by its general category. */
export function kindOfUnit(unit: u32): u32 {
  const category = Categories.of(unit);
  if (category == 1) return UPPER;
  if (category == 2) return LOWER;
  if (category - 3 < 6) return ALPHA;
  if (category - 9 < 3) return DIGIT;
  // Halves of a character stay together.
  return category == 19 ? ALPHANUM : DELIMITER;
}

/** The kind below U+0100 where no table is given: letters by their case, of numbers only digits. */
export function kindOfLatin(unit: u32): u32 {
  if (unit == 0xaa || unit == 0xba) return LOWER;
  const category = Categories.of(unit);
  return category == 1 ? UPPER : category == 2 ? LOWER : category == 9 ? DIGIT : DELIMITER;
}

/** Lucene's WordDelimiterIterator: the parts of a term between delimiters and changes of kind. */
@unmanaged
export class WordBreaks {
  /** The term's units. */
  text: usize;
  private startBounds: i32;
  private endBounds: i32;
  /** The part, [current, end); `end` is DONE behind the last one. */
  current: i32;
  end: i32;
  private finalPossessive: bool;
  private skipPossessive: bool;
  /** What to split on. */
  flags: u32;
  /** u8 per unit below `kindsLimit`. */
  kinds: usize;
  kindsLimit: u32;

  kindAt(i: i32): u32 {
    const unit = load<u16>(this.text + ((i as usize) << 1)) as u32;
    return unit < this.kindsLimit ? load<u8>(this.kinds + unit) : kindOfUnit(unit);
  }

  private delimits(i: i32): bool {
    return (this.kindAt(i) & DELIMITER) != 0;
  }

  /** Begins with a term. */
  setText(text: usize, length: i32): void {
    this.text = text;
    this.startBounds = 0;
    this.endBounds = length;
    this.skipPossessive = false;
    while (this.startBounds < length && this.delimits(this.startBounds)) ++this.startBounds;
    while (this.endBounds > this.startBounds && this.delimits(this.endBounds - 1)) --this.endBounds;
    this.finalPossessive = this.endsWithPossessive(this.endBounds);
    this.current = this.startBounds;
    this.end = 0;
  }

  /** Moves to the next part. */
  next(): void {
    this.current = this.end;
    if (this.current == DONE) return;
    if (this.skipPossessive) {
      this.current += 2;
      this.skipPossessive = false;
    }
    let before: u32 = 0;
    while (this.current < this.endBounds) {
      before = this.kindAt(this.current);
      if ((before & DELIMITER) == 0) break;
      ++this.current;
    }
    if (this.current >= this.endBounds) {
      this.end = DONE;
      return;
    }
    let end = this.current + 1;
    while (end < this.endBounds) {
      const kind = this.kindAt(end);
      if (this.breaks(before, kind)) break;
      before = kind;
      ++end;
    }
    this.end = end;
    if (end < this.endBounds - 1 && this.endsWithPossessive(end + 2)) this.skipPossessive = true;
  }

  private breaks(before: u32, kind: u32): bool {
    if ((before & kind) != 0) return false;
    const alphaBefore = (before & ALPHA) != 0;
    const alpha = (kind & ALPHA) != 0;
    if ((this.flags & SPLIT_ON_CASE_CHANGE) == 0 && alphaBefore && alpha) return false;
    if ((before & UPPER) != 0 && alpha) return false;
    if ((this.flags & SPLIT_ON_NUMERICS) != 0) return true;
    return !((alphaBefore && (kind & DIGIT) != 0) || ((before & DIGIT) != 0 && alpha));
  }

  /** The kind of the part: that of its first unit, without case. */
  kind(): u32 {
    if (this.end == DONE) return 0;
    const kind = this.kindAt(this.current);
    return kind == LOWER || kind == UPPER ? ALPHA : kind;
  }

  /** Whether the part is all there is between leading and trailing delimiters. */
  isSingleWord(): bool {
    return (
      this.current == this.startBounds &&
      this.end == (this.finalPossessive ? this.endBounds - 2 : this.endBounds)
    );
  }

  private endsWithPossessive(at: i32): bool {
    if ((this.flags & STEM_POSSESSIVE) == 0 || at <= 2) return false;
    const last = this.text + ((at as usize) << 1) - 2;
    return (
      load<u16>(last - 2) == APOSTROPHE &&
      ((load<u16>(last) as u32) | 0x20) == SMALL_S &&
      (this.kindAt(at - 3) & ALPHA) != 0 &&
      (at == this.endBounds || this.delimits(at))
    );
  }
}
