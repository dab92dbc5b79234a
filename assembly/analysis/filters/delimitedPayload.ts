import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { Utf8 } from '../utf8';

/**
 * Lucene's DelimitedPayloadTokenFilter without the payloads, which nothing here reads: cuts a term at the first delimiter.
 * Arguments:
 *
 *     u32 the delimiter, a code point
 */
@unmanaged
class DelimitedPayloadStage extends Stage {
  delimiter: u32;
}

export function makeDelimitedPayload(args: usize, end: usize): usize {
  if (end - args < 4) return 0;
  const at = heapAllocZeroed(offsetof<DelimitedPayloadStage>());
  if (!at) return 0;
  const stage = changetype<DelimitedPayloadStage>(at);
  stage.delimiter = load<u32>(args);
  stage.behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<DelimitedPayloadStage>(at);
  if (!stage.pullInput()) return false;
  let p = Token.ptr;
  const end = p + Token.length;
  while (p < end) {
    const decoded = Utf8.decode(p, end);
    if (Utf8.codePoint(decoded) == stage.delimiter) break;
    p += Utf8.bytes(decoded);
  }
  Token.length = (p - Token.ptr) as u32;
  return true;
}
