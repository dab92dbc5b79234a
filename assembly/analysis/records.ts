import {
  PLANES,
  RECORD_CLASS,
  RECORD_DISTANCE,
  RECORD_INDEX,
  RECORDS,
  TAGS,
  TAGS_LENGTH,
} from './standardTables';

/** The number of a code point's record, for `Records`. */
export function recordOf(codePoint: u32): u32 {
  if (codePoint < 0x80) return load<u8>(RECORDS + codePoint);
  if (codePoint >= PLANES) {
    if (codePoint - TAGS >= TAGS_LENGTH) return 0;
    codePoint = codePoint - TAGS + PLANES;
  }
  const block = load<u8>(RECORD_INDEX + (codePoint >>> 6)) as u32;
  return load<u8>(RECORDS + ((block << 6) | (codePoint & 63)));
}

/** What the records say. */
export class Records {
  /** The word-break class of code points with this record. */
  @inline static classOf(record: u32): u32 {
    return load<u8>(RECORD_CLASS + record);
  }

  /** What to add to such a code point for its lower-case letter. */
  @inline static toLowerCase(record: u32): u32 {
    return load<u32>(RECORD_DISTANCE + (record << 2));
  }
}
