/**
 * The end of an opening tag, as the longest match of the grammar of Lucene's HTMLStripCharFilter:
 *
 *     tail       (("=" | space) (event attribute | server side include | none of < >)*)? space* "/"? ">"
 *     event      "on…" space* "=" space* quoted, such as onclick="a > b"
 *     include    "<!--#" (quoted | neither quote)* "-->"
 *     quoted     from quote to quote; after a backslash a quote may end it or not
 *
 * These are ambiguous; all readings are followed at once, a flag each.
 */
import { listed, spaceStart } from './htmlCharacters';
import { EVENT_ATTRIBUTES, LONGEST_EVENT_ATTRIBUTE, SHORTEST_EVENT_ATTRIBUTE } from './htmlWords';

/** Readings: between attributes; in an event attribute's single or double quotes; in an include, and in its quotes. */
const PLAIN: u32 = 1;
const SINGLE: u32 = 2;
const DOUBLE: u32 = 4;
const INCLUDE: u32 = 8;
const INCLUDE_SINGLE: u32 = 16;
const INCLUDE_DOUBLE: u32 = 32;

const QUOTE: u32 = 0x22;
const APOSTROPHE: u32 = 0x27;
const BACKSLASH: u32 = 0x5c;
const HYPHEN: u32 = 0x2d;
const LESS: u32 = 0x3c;
const EQUALS: u32 = 0x3d;
const GREATER: u32 = 0x3e;

const INCLUDE_START: usize = memory.data<u8>([0x3c, 0x21, 0x2d, 0x2d, 0x23]);
const INCLUDE_START_BYTES: u32 = 5;

/**
 * Bytes that may still be read in vain in this text. A text made to be read again and again from each of its tags
 * exhausts them, and from then on quotes and includes mean nothing.
 */
let patience: u64 = 0;

/** To be called before a text of so many bytes. */
export function beginTags(length: u32): void {
  patience = ((<u64>length) << 4) + 65536;
}

/** The end of the attributes that begin at `p`, behind the `>`; 0 if the tag doesn't end. */
export function attributesEnd(p: usize, end: usize): usize {
  const first = p;
  let accepted: usize = 0;
  let readings = PLAIN;
  /** Since when the plain reading goes on without a break, and where one of an include begins. */
  let plainSince = p;
  let includeAt: usize = 0;
  const naive = patience == 0;
  for (; p < end; p++) {
    if (p == includeAt) readings |= INCLUDE;
    if (readings == 0 && includeAt <= p) break;
    const c = load<u8>(p) as u32;
    if (readings == PLAIN && c != LESS && c != GREATER && c != QUOTE && c != APOSTROPHE) continue;
    let next: u32 = 0;
    const escaped = p > first && load<u8>(p - 1) == BACKSLASH;
    if (readings & PLAIN) {
      if (c == GREATER) {
        accepted = p + 1;
      } else if (c == LESS) {
        if (
          !naive &&
          end - p > INCLUDE_START_BYTES &&
          memory.compare(p, INCLUDE_START, INCLUDE_START_BYTES) == 0
        ) {
          includeAt = p + INCLUDE_START_BYTES;
        }
      } else {
        next |= PLAIN;
        if ((c == QUOTE || c == APOSTROPHE) && !naive && eventAttributeBefore(p, plainSince)) {
          next |= c == QUOTE ? DOUBLE : SINGLE;
        }
      }
    }
    if (readings & SINGLE) next |= c != APOSTROPHE ? SINGLE : escaped ? SINGLE | PLAIN : PLAIN;
    if (readings & DOUBLE) next |= c != QUOTE ? DOUBLE : escaped ? DOUBLE | PLAIN : PLAIN;
    if (readings & INCLUDE) {
      if (c == APOSTROPHE) next |= INCLUDE_SINGLE;
      else if (c == QUOTE) next |= INCLUDE_DOUBLE;
      else {
        next |= INCLUDE;
        if (c == GREATER && load<u8>(p - 1) == HYPHEN && load<u8>(p - 2) == HYPHEN) next |= PLAIN;
      }
    }
    if (readings & INCLUDE_SINGLE) {
      next |= c != APOSTROPHE ? INCLUDE_SINGLE : escaped ? INCLUDE_SINGLE | INCLUDE : INCLUDE;
    }
    if (readings & INCLUDE_DOUBLE) {
      next |= c != QUOTE ? INCLUDE_DOUBLE : escaped ? INCLUDE_DOUBLE | INCLUDE : INCLUDE;
    }
    const goesOn = (readings & PLAIN) != 0 && c != LESS && c != GREATER;
    if ((next & PLAIN) != 0 && !goesOn) plainSince = p + 1;
    readings = next;
  }
  const vain = <u64>(p - max(accepted, first));
  patience = vain < patience ? patience - vain : 0;
  return accepted;
}

/** Whether an event attribute's name, an equals sign and only spaces beside it come before `p`, not before `from`. */
function eventAttributeBefore(p: usize, from: usize): bool {
  p = spaceStart(p, from);
  if (p <= from || load<u8>(p - 1) != EQUALS) return false;
  p = spaceStart(p - 1, from);
  const room = min((p - from) as u32, LONGEST_EVENT_ATTRIBUTE);
  for (let length = SHORTEST_EVENT_ATTRIBUTE; length <= room; length++) {
    if (listed(EVENT_ATTRIBUTES, p - length, length)) return true;
  }
  return false;
}
