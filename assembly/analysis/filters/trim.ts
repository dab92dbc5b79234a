import { heapAllocZeroed } from '../../memory/heap';
import { isWhitespace, loadCategories } from '../categories';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { Utf8 } from '../utf8';

/** Lucene's TrimFilter: takes white space off both ends of a term; its offsets stay. Arguments: none. */
export function makeTrim(_args: usize, _end: usize): usize {
  if (!loadCategories()) return 0;
  const at = heapAllocZeroed(offsetof<Stage>());
  if (at) changetype<Stage>(at).behave(pull, nothing, nothing);
  return at;
}

function pull(at: usize): bool {
  if (!changetype<Stage>(at).pullInput()) return false;
  let p = Token.ptr;
  let end = p + Token.length;
  while (p < end) {
    const decoded = Utf8.decode(p, end);
    if (!isWhitespace(Utf8.codePoint(decoded))) break;
    p += Utf8.bytes(decoded);
  }
  while (p < end) {
    const last = Utf8.previous(end, p);
    if (!isWhitespace(Utf8.codePoint(Utf8.decode(last, end)))) break;
    end = last;
  }
  Token.setTerm(p, (end - p) as u32);
  return true;
}
