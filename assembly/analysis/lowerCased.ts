import { ERR_MEMORY } from '../abi/status';
import { heapAlloc, heapFree } from '../memory/heap';
import { recordOf, Records } from './records';
import { Analysis, Token } from './token';
import { encodeUtf8, Utf8 } from './utf8';

let buffer: usize = heapAlloc(1024);
let room: u32 = 1024;

/** The lower-cased form of a term, beside it: each code point on its own, as Java's `Character.toLowerCase(int)`. */
export class LowerCased {
  /** The form that `of` found: the term itself where nothing changes. Valid until the next `of`. */
  static ptr: usize = 0;
  static length: u32 = 0;

  /** Finds the form; false without memory, which fails the analysis. */
  static of(ptr: usize, length: u32): bool {
    const end = ptr + length;
    let p = ptr;
    while (p < end) {
      const byte = load<u8>(p) as u32;
      if (byte >= 0x80 || byte - 0x41 < 26) break;
      ++p;
    }
    LowerCased.ptr = ptr;
    LowerCased.length = length;
    if (p == end) return true;
    // No letter takes more than 3 bytes in lower case for 2 in upper case.
    const needed = length + (length >>> 1) + 16;
    if (needed > room && !grow(needed)) return false;
    const kept = (p - ptr) as u32;
    memory.copy(buffer, ptr, kept);
    let out = buffer + kept;
    while (p < end) {
      const byte = load<u8>(p) as u32;
      if (byte < 0x80) {
        store<u8>(out, byte - 0x41 < 26 ? byte | 0x20 : byte);
        ++out;
        ++p;
        continue;
      }
      const decoded = Utf8.decode(p, end);
      const c = Utf8.codePoint(decoded);
      p += Utf8.bytes(decoded);
      out = encodeUtf8(out, c + Records.toLowerCase(recordOf(c)));
    }
    LowerCased.ptr = buffer;
    LowerCased.length = (out - buffer) as u32;
    return true;
  }
}

/** Lower-cases the term; false without memory, which fails the analysis. */
export function lowerCaseTerm(): bool {
  if (!LowerCased.of(Token.ptr, Token.length)) return false;
  if (LowerCased.ptr == Token.ptr) return true;
  Token.length = 0;
  const at = Token.edit(LowerCased.length);
  if (!at) return false;
  memory.copy(at, LowerCased.ptr, LowerCased.length);
  Token.length = LowerCased.length;
  return true;
}

function grow(needed: u32): bool {
  const grown = heapAlloc(needed << 1);
  if (!grown) {
    Analysis.status = ERR_MEMORY;
    return false;
  }
  heapFree(buffer);
  buffer = grown;
  room = needed << 1;
  return true;
}
