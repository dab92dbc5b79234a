import { heapAllocZeroed } from '../../memory/heap';
import { asciiFolding } from '../characters';
import { TermStage } from '../termStage';
import { SavedToken, Token } from '../token';
import { Utf8 } from '../utf8';

/**
 * Lucene's ASCIIFoldingFilter: letters of other alphabets, ligatures and signs become the ASCII characters they look like.
 * Arguments:
 *
 *     u8 flags: bit 0 a term with other characters is followed by itself as it was
 */
@unmanaged
class FoldingStage extends TermStage {
  original: SavedToken;
  preserve: bool;
  /** The original is still to come. */
  waiting: bool;
}

export function makeAsciifolding(args: usize, end: usize): usize {
  if (args >= end) return 0;
  const original = SavedToken.make();
  const at = heapAllocZeroed(offsetof<FoldingStage>());
  if (!original || !at) return 0;
  const stage = changetype<FoldingStage>(at);
  stage.original = original;
  stage.preserve = (load<u8>(args) & 1) != 0;
  stage.behave(pull, start, drop);
  return at;
}

function start(at: usize): void {
  const stage = changetype<FoldingStage>(at);
  stage.waiting = false;
  stage.shrink();
}

function drop(at: usize): void {
  const stage = changetype<FoldingStage>(at);
  stage.original.free();
  stage.release();
}

function pull(at: usize): bool {
  const stage = changetype<FoldingStage>(at);
  if (stage.waiting) {
    stage.waiting = false;
    stage.original.restore();
    Token.increment = 0;
    return true;
  }
  if (!stage.pullInput()) return false;
  let p = Token.ptr;
  const end = p + Token.length;
  while (p < end && load<u8>(p) < 0x80) ++p;
  if (p == end) return true;
  if (stage.preserve) {
    if (!stage.original.save()) return false;
    stage.waiting = true;
  }
  // At most 4 bytes for 3.
  const buffer = stage.room(Token.length + (Token.length >>> 1) + 4);
  if (!buffer) return false;
  const kept = (p - Token.ptr) as u32;
  memory.copy(buffer, Token.ptr, kept);
  let out = buffer + kept;
  while (p < end) {
    const byte = load<u8>(p) as u32;
    if (byte < 0x80) {
      store<u8>(out, byte);
      ++out;
      ++p;
      continue;
    }
    const decoded = Utf8.decode(p, end);
    const bytes = Utf8.bytes(decoded);
    let ascii = asciiFolding(Utf8.codePoint(decoded));
    if (ascii) {
      for (; ascii; ascii >>>= 8) {
        store<u8>(out, ascii);
        ++out;
      }
    } else {
      memory.copy(out, p, bytes);
      out += bytes;
    }
    p += bytes;
  }
  Token.setTerm(buffer, (out - buffer) as u32);
  return true;
}
