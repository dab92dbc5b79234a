import { heapAllocZeroed } from '../../memory/heap';
import { releaseRoom, TermStage } from '../termStage';
import { Token } from '../token';
import { TYPE_WORD } from '../tokenTypes';
import { Utf8 } from '../utf8';

/**
 * Lucene's NGramTokenFilter: all runs of `min` to `max` code points of a term, by their start and then their length, at the
 * term's position and with its offsets. Shorter terms are dropped and leave their positions as gaps. Arguments:
 *
 *     u32 min, at least 1 | u32 max, not below min
 */
@unmanaged
class NgramStage extends TermStage {
  minGram: u32;
  maxGram: u32;
  /** Where the next gram starts, 0 if the term is used up, where it ends and where the shortest one from there ends. */
  gram: usize;
  gramEnd: usize;
  shortestEnd: usize;
  /** The term's end. */
  termEnd: usize;
  /** Code points of the next gram. */
  size: u32;
  startOffset: u32;
  endOffset: u32;
  increment: u32;
}

export function makeNgram(args: usize, end: usize): usize {
  if (end - args < 8) return 0;
  const minGram = load<u32>(args);
  const maxGram = load<u32>(args, 4);
  if (minGram == 0 || maxGram < minGram) return 0;
  const at = heapAllocZeroed(offsetof<NgramStage>());
  if (!at) return 0;
  const stage = changetype<NgramStage>(at);
  stage.minGram = minGram;
  stage.maxGram = maxGram;
  stage.behave(pull, start, releaseRoom);
  return at;
}

function start(at: usize): void {
  const stage = changetype<NgramStage>(at);
  stage.gram = 0;
  stage.shrink();
}

function pull(at: usize): bool {
  const stage = changetype<NgramStage>(at);
  if (!stage.gram && !nextTerm(stage)) return false;
  const gram = stage.gram;
  const gramEnd = stage.gramEnd;
  Token.setTerm(gram, (gramEnd - gram) as u32);
  Token.start = stage.startOffset;
  Token.end = stage.endOffset;
  Token.increment = stage.increment;
  Token.type = TYPE_WORD;
  Token.keyword = false;
  stage.increment = 0;
  const termEnd = stage.termEnd;
  if (stage.size < stage.maxGram && gramEnd < termEnd) {
    ++stage.size;
    stage.gramEnd = Utf8.next(gramEnd, termEnd);
  } else if (stage.shortestEnd < termEnd) {
    stage.gram = Utf8.next(gram, termEnd);
    stage.shortestEnd = Utf8.next(stage.shortestEnd, termEnd);
    stage.gramEnd = stage.shortestEnd;
    stage.size = stage.minGram;
  } else {
    stage.gram = 0;
  }
  return true;
}

/** Takes the next term that is long enough. */
function nextTerm(stage: NgramStage): bool {
  let skipped: u32 = 0;
  while (stage.pullInput()) {
    let p = Token.ptr;
    const end = p + Token.length;
    let left = stage.minGram;
    while (left > 0 && p < end) {
      p = Utf8.next(p, end);
      --left;
    }
    if (left > 0) {
      skipped += Token.increment;
      continue;
    }
    const shortest = p - Token.ptr;
    const term = stage.room(Token.length);
    if (!term) return false;
    memory.copy(term, Token.ptr, Token.length);
    stage.gram = term;
    stage.shortestEnd = term + shortest;
    stage.gramEnd = stage.shortestEnd;
    stage.termEnd = term + Token.length;
    stage.size = stage.minGram;
    stage.startOffset = Token.start;
    stage.endOffset = Token.end;
    stage.increment = Token.increment + skipped;
    return true;
  }
  Token.rest += skipped;
  return false;
}
