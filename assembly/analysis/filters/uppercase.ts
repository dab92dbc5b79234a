import { heapAllocZeroed } from '../../memory/heap';
import { upperCaseOf } from '../characters';
import { releaseRoom, shrinkRoom, TermStage } from '../termStage';
import { Token } from '../token';
import { encodeUtf8, Utf8 } from '../utf8';

/** Lucene's UpperCaseFilter: each code point on its own. Arguments: none. */
export function makeUppercase(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<TermStage>());
  if (at) changetype<TermStage>(at).behave(pull, shrinkRoom, releaseRoom);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<TermStage>(at);
  if (!stage.pullInput()) return false;
  let p = Token.ptr;
  const end = p + Token.length;
  // No letter takes more than 3 bytes in upper case for 2 in lower case.
  const buffer = stage.room(Token.length + (Token.length >>> 1) + 4);
  if (!buffer) return false;
  let out = buffer;
  while (p < end) {
    const byte = load<u8>(p) as u32;
    if (byte < 0x80) {
      store<u8>(out, byte - 0x61 < 26 ? byte & 0xdf : byte);
      ++out;
      ++p;
      continue;
    }
    const decoded = Utf8.decode(p, end);
    p += Utf8.bytes(decoded);
    out = encodeUtf8(out, upperCaseOf(Utf8.codePoint(decoded)));
  }
  Token.setTerm(buffer, (out - buffer) as u32);
  return true;
}
