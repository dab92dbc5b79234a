import { heapAllocZeroed } from '../../memory/heap';
import { releaseRoom, shrinkRoom, TermStage } from '../termStage';
import { Token } from '../token';
import { Utf8 } from '../utf8';

/** Lucene's ReverseStringFilter: the term's code points from last to first. Arguments: none. */
export function makeReverse(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<TermStage>());
  if (at) changetype<TermStage>(at).behave(pull, shrinkRoom, releaseRoom);
  return at;
}

function pull(at: usize): bool {
  const stage = changetype<TermStage>(at);
  if (!stage.pullInput()) return false;
  const buffer = stage.room(Token.length);
  if (!buffer) return false;
  let p = Token.ptr;
  const end = p + Token.length;
  let out = buffer + Token.length;
  while (p < end) {
    const next = Utf8.next(p, end);
    out -= next - p;
    for (let to = out; p < next; ++p, ++to) store<u8>(to, load<u8>(p));
  }
  Token.ptr = buffer;
  return true;
}
