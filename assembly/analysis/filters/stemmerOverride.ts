import { ERR_MEMORY } from '../../abi/status';
import { heapAllocZeroed } from '../../memory/heap';
import { nothing, Stage } from '../stage';
import { Analysis, Token } from '../token';
import { WordSet } from '../wordSet';

/**
 * Lucene's StemmerOverrideFilter: gives words their stems and makes them keywords. Arguments:
 *
 *     word set: the values are places in what follows
 *     at each place: u32 length, the stem
 */
@unmanaged
class StemmerOverrideStage extends Stage {
  words: WordSet;
  stems: usize;
  stemsEnd: usize;
}

export function makeStemmerOverride(args: usize, end: usize): usize {
  const words = WordSet.make(args, end);
  if (!words) return 0;
  const at = heapAllocZeroed(offsetof<StemmerOverrideStage>());
  if (!at) {
    words.free();
    Analysis.status = ERR_MEMORY;
    return 0;
  }
  const stage = changetype<StemmerOverrideStage>(at);
  stage.words = words;
  stage.stems = args + words.bytes;
  stage.stemsEnd = end;
  stage.behave(pull, nothing, drop);
  return at;
}

function drop(at: usize): void {
  changetype<StemmerOverrideStage>(at).words.free();
}

function pull(at: usize): bool {
  const stage = changetype<StemmerOverrideStage>(at);
  if (!stage.pullInput()) return false;
  if (Token.keyword) return true;
  const entry = stage.words.find(Token.ptr, Token.length);
  if (!entry) return true;
  Token.keyword = true;
  const room = stage.stemsEnd - stage.stems;
  const place = load<u32>(entry) as usize;
  if (room < 4 || place > room - 4) return true;
  const stem = stage.stems + place;
  const length = load<u32>(stem);
  if (<usize>length <= room - 4 - place) Token.setTerm(stem + 4, length);
  return true;
}
