import { heapAllocZeroed } from '../../memory/heap';
import { apostropheBytes, findApostrophe } from '../apostrophes';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import { WordList } from '../wordList';

/**
 * Lucene's ElisionFilter: takes an article and its apostrophe off the beginning of a term. Arguments: a word list
 * (wordList.ts), the articles.
 */
@unmanaged
class ElisionStage extends Stage {
  articles: WordList;
}

export function makeElision(args: usize, end: usize): usize {
  const articles = WordList.make(args, end);
  if (!articles) return 0;
  const at = heapAllocZeroed(offsetof<ElisionStage>());
  if (!at) return 0;
  const stage = changetype<ElisionStage>(at);
  stage.articles = articles;
  stage.behave(pull, nothing, drop);
  return at;
}

function drop(at: usize): void {
  changetype<ElisionStage>(at).articles.free();
}

function pull(at: usize): bool {
  const stage = changetype<ElisionStage>(at);
  if (!stage.pullInput()) return false;
  const end = Token.ptr + Token.length;
  const apostrophe = findApostrophe(Token.ptr, end);
  if (apostrophe == end || !stage.articles.has(Token.ptr, (apostrophe - Token.ptr) as u32)) return true;
  const rest = apostrophe + apostropheBytes(apostrophe);
  Token.setTerm(rest, (end - rest) as u32);
  return true;
}
