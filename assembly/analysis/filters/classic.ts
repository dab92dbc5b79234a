import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { TYPE_ACRONYM, TYPE_APOSTROPHE } from '../tokenTypes';

/** Lucene's ClassicFilter: takes `'s` from words with an apostrophe, and the full stops from acronyms. Arguments: none. */
export function makeClassicFilter(_args: usize, _end: usize): usize {
  const at = heapAllocZeroed(offsetof<Stage>());
  if (at) changetype<Stage>(at).behave(pull, nothing, nothing);
  return at;
}

const APOSTROPHE: u32 = 0x27;
const FULL_STOP: u32 = 0x2e;

function pull(at: usize): bool {
  if (!changetype<Stage>(at).pullInput()) return false;
  const length = Token.length;
  if (Token.type == TYPE_APOSTROPHE) {
    const end = Token.ptr + length;
    if (length >= 2 && load<u8>(end - 2) == APOSTROPHE && (load<u8>(end - 1) | 0x20) == 0x73) {
      Token.length = length - 2;
    }
  } else if (Token.type == TYPE_ACRONYM) {
    const term = Token.edit(length);
    if (!term) return false;
    let kept: u32 = 0;
    for (let i: u32 = 0; i < length; i++) {
      const byte = load<u8>(term + i) as u32;
      store<u8>(term + kept, byte);
      kept += u32(byte != FULL_STOP);
    }
    Token.length = kept;
  }
  return true;
}
