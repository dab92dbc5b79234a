import { heapAllocZeroed } from '../../memory/heap';
import { releaseRoom, TermStage } from '../termStage';
import { Token } from '../token';
import { TYPE_WORD } from '../tokenTypes';
import { Utf8 } from '../utf8';

/**
 * Lucene's EdgeNGramTokenFilter: the beginnings of a term that are `min` to `max` code points long, shortest first, or its
 * ends. Shorter terms are dropped and leave their positions as gaps. Arguments:
 *
 *     u32 min, at least 1 | u32 max, not below min | u8 flags: bit 0 ends
 */
@unmanaged
class EdgeNgramStage extends TermStage {
  minGram: u32;
  maxGram: u32;
  fromBack: bool;
  /** Whether grams of the term are left. */
  going: bool;
  /** The term, and the inner edge of the next gram. */
  term: usize;
  termEnd: usize;
  edge: usize;
  /** Code points of the next gram. */
  size: u32;
  startOffset: u32;
  endOffset: u32;
  increment: u32;
}

export function makeEdgeNgram(args: usize, end: usize): usize {
  if (end - args < 9) return 0;
  const minGram = load<u32>(args);
  const maxGram = load<u32>(args, 4);
  if (minGram == 0 || maxGram < minGram) return 0;
  const at = heapAllocZeroed(offsetof<EdgeNgramStage>());
  if (!at) return 0;
  const stage = changetype<EdgeNgramStage>(at);
  stage.minGram = minGram;
  stage.maxGram = maxGram;
  stage.fromBack = (load<u8>(args, 8) & 1) != 0;
  stage.behave(pull, start, releaseRoom);
  return at;
}

function start(at: usize): void {
  const stage = changetype<EdgeNgramStage>(at);
  stage.going = false;
  stage.shrink();
}

function pull(at: usize): bool {
  const stage = changetype<EdgeNgramStage>(at);
  if (!stage.going && !nextTerm(stage)) return false;
  const edge = stage.edge;
  const from = stage.fromBack ? edge : stage.term;
  const to = stage.fromBack ? stage.termEnd : edge;
  Token.setTerm(from, (to - from) as u32);
  Token.start = stage.startOffset;
  Token.end = stage.endOffset;
  Token.increment = stage.increment;
  Token.type = TYPE_WORD;
  Token.keyword = false;
  stage.increment = 0;
  if (stage.size < stage.maxGram && edge != inner(stage)) {
    ++stage.size;
    stage.edge = further(stage, edge);
  } else {
    stage.going = false;
  }
  return true;
}

/** The furthest inner edge: the gram is the whole term. */
function inner(stage: EdgeNgramStage): usize {
  return stage.fromBack ? stage.term : stage.termEnd;
}

/** The inner edge of the gram that is a code point longer. */
function further(stage: EdgeNgramStage, edge: usize): usize {
  return stage.fromBack ? Utf8.previous(edge, stage.term) : Utf8.next(edge, stage.termEnd);
}

/** Takes the next term that is long enough. */
function nextTerm(stage: EdgeNgramStage): bool {
  let skipped: u32 = 0;
  while (stage.pullInput()) {
    const term = stage.room(Token.length);
    if (!term) return false;
    memory.copy(term, Token.ptr, Token.length);
    stage.term = term;
    stage.termEnd = term + Token.length;
    let edge = stage.fromBack ? stage.termEnd : term;
    let size: u32 = 0;
    while (size < stage.minGram && edge != inner(stage)) {
      edge = further(stage, edge);
      ++size;
    }
    if (size < stage.minGram) {
      skipped += Token.increment;
      continue;
    }
    stage.going = true;
    stage.edge = edge;
    stage.size = size;
    stage.startOffset = Token.start;
    stage.endOffset = Token.end;
    stage.increment = Token.increment + skipped;
    return true;
  }
  Token.rest += skipped;
  return false;
}
