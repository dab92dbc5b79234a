/** What malformed bytes stand for. */
export const REPLACEMENT: u32 = 0xfffd;

/** Steps over UTF-8. */
export class Utf8 {
  /**
   * The code point at `p < end` in the low 24 bits, its bytes (1..4) above. Malformed bytes are read as `TextDecoder`
   * reads them: the longest beginning of a character that could have gone on is one U+FFFD, as is any other byte.
   */
  @inline static decode(p: usize, end: usize): u32 {
    const lead = load<u8>(p) as u32;
    if (lead < 0x80) return lead | (1 << 24);
    if (lead - 0xc2 < 0x1e && end - p > 1) {
      const second = load<u8>(p, 1) as u32;
      if ((second & 0xc0) == 0x80) return ((lead & 0x1f) << 6) | (second & 0x3f) | (2 << 24);
    }
    return decodeLong(p, end);
  }

  /** The code point of what `decode` returned. */
  @inline static codePoint(decoded: u32): u32 {
    return decoded & 0xffffff;
  }

  /** The bytes of what `decode` returned. */
  @inline static bytes(decoded: u32): u32 {
    return decoded >>> 24;
  }

  /** The address after the character at `p < end`, told by its first byte alone: for well-formed text. */
  @inline static next(p: usize, end: usize): usize {
    const lead = load<u8>(p) as u32;
    return min(p + 1 + u32(lead >= 0xc0) + u32(lead >= 0xe0) + u32(lead >= 0xf0), end);
  }

  /** The address of the last character before `p > first`: for well-formed text. */
  @inline static previous(p: usize, first: usize): usize {
    do --p;
    while (p > first && (load<u8>(p) & 0xc0) == 0x80);
    return p;
  }

  /** The UTF-16 units of a code point. */
  @inline static units(codePoint: u32): u32 {
    return codePoint > 0xffff ? 2 : 1;
  }
}

/** Decodes what is not ASCII: three and four bytes, and everything malformed. */
function decodeLong(p: usize, end: usize): u32 {
  const lead = load<u8>(p) as u32;
  const available = end - p;
  const broken = REPLACEMENT | (1 << 24);
  if (lead < 0xc2 || lead > 0xf4 || available < 2) return broken;
  const second = load<u8>(p, 1) as u32;
  if (lead < 0xe0) {
    if ((second & 0xc0) != 0x80) return broken;
    return ((lead & 0x1f) << 6) | (second & 0x3f) | (2 << 24);
  }
  // The second byte also excludes overlong forms, surrogates and what lies above U+10FFFF.
  const lowest: u32 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const highest: u32 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return broken;
  if (available < 3) return REPLACEMENT | (2 << 24);
  const third = load<u8>(p, 2) as u32;
  if ((third & 0xc0) != 0x80) return REPLACEMENT | (2 << 24);
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f) | (3 << 24);
  if (available < 4) return REPLACEMENT | (3 << 24);
  const fourth = load<u8>(p, 3) as u32;
  if ((fourth & 0xc0) != 0x80) return REPLACEMENT | (3 << 24);
  return (
    ((lead & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f) | (4 << 24)
  );
}

/** Writes a code point at `p` and returns the following address. */
export function encodeUtf8(p: usize, codePoint: u32): usize {
  if (codePoint < 0x80) {
    store<u8>(p, codePoint);
    return p + 1;
  }
  if (codePoint < 0x800) {
    store<u8>(p, 0xc0 | (codePoint >>> 6));
    store<u8>(p, 0x80 | (codePoint & 0x3f), 1);
    return p + 2;
  }
  if (codePoint < 0x10000) {
    store<u8>(p, 0xe0 | (codePoint >>> 12));
    store<u8>(p, 0x80 | ((codePoint >>> 6) & 0x3f), 1);
    store<u8>(p, 0x80 | (codePoint & 0x3f), 2);
    return p + 3;
  }
  store<u8>(p, 0xf0 | (codePoint >>> 18));
  store<u8>(p, 0x80 | ((codePoint >>> 12) & 0x3f), 1);
  store<u8>(p, 0x80 | ((codePoint >>> 6) & 0x3f), 2);
  store<u8>(p, 0x80 | (codePoint & 0x3f), 3);
  return p + 4;
}
