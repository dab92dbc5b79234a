import { heapAllocZeroed } from '../../memory/heap';
import { bytesOfUnits, countUnits } from '../source';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { encodeUtf8, REPLACEMENT } from '../utf8';

/**
 * Lucene's TruncateTokenFilter: cuts terms to their first UTF-16 units, unless they are keywords. Half a character at the
 * end becomes U+FFFD, as it does in Lucene where the term turns to UTF-8. Arguments:
 *
 *     u32 units
 */
@unmanaged
class TruncateStage extends Stage {
  units: u32;
}

export function makeTruncate(args: usize, end: usize): usize {
  if (end - args < 4) return 0;
  const at = heapAllocZeroed(offsetof<TruncateStage>());
  if (!at) return 0;
  const stage = changetype<TruncateStage>(at);
  stage.units = load<u32>(args);
  stage.behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<TruncateStage>(at);
  if (!stage.pullInput()) return false;
  const units = stage.units;
  if (Token.keyword || Token.length <= units) return true;
  const bytes = bytesOfUnits(Token.ptr, Token.ptr + Token.length, units);
  if (bytes == Token.length) return true;
  const halved = countUnits(Token.ptr, Token.ptr + bytes) < units;
  Token.length = bytes;
  if (!halved) return true;
  const buffer = Token.edit(bytes + 3);
  if (!buffer) return false;
  Token.length = (encodeUtf8(buffer + bytes, REPLACEMENT) - buffer) as u32;
  return true;
}
