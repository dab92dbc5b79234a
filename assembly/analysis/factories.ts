/** Which function makes a stage of which kind. Every one takes the address and the end of its arguments and returns the stage, 0 if they are malformed or memory is short. */
import { makeKeywordMarker } from './filters/keywordMarker';
import { makeLowercase } from './filters/lowercase';
import { makeStem } from './filters/stem';
import { makeStop } from './filters/stop';
import {
  KIND_EDGE_NGRAM_TOKENIZER,
  KIND_GIVEN,
  KIND_KEYWORD,
  KIND_KEYWORD_MARKER,
  KIND_LETTER,
  KIND_LOWERCASE,
  KIND_NGRAM_TOKENIZER,
  KIND_PATH_HIERARCHY,
  KIND_STANDARD,
  KIND_STANDARD_LIMITED,
  KIND_STEM,
  KIND_STOP,
  KIND_WHITESPACE,
} from './kinds';
import { makeCharacters } from './tokenizers/characters';
import { makeGiven } from './tokenizers/given';
import { makeGrams } from './tokenizers/grams';
import { makeKeyword } from './tokenizers/keyword';
import { makePathHierarchy } from './tokenizers/pathHierarchy';
import { makeStandard } from './tokenizers/standard';
import { makeStandardLimited } from './tokenizers/standardLimited';

export function makeCharFilter(_kind: u32, _args: usize, _end: usize): usize {
  return 0;
}

export function makeTokenizer(kind: u32, args: usize, end: usize): usize {
  switch (kind) {
    case KIND_STANDARD:
      return makeStandard(args, end);
    case KIND_GIVEN:
      return makeGiven(args, end);
    case KIND_KEYWORD:
      return makeKeyword(args, end);
    case KIND_WHITESPACE:
    case KIND_LETTER:
      return makeCharacters(kind, args, end);
    case KIND_NGRAM_TOKENIZER:
    case KIND_EDGE_NGRAM_TOKENIZER:
      return makeGrams(kind, args, end);
    case KIND_PATH_HIERARCHY:
      return makePathHierarchy(args, end);
    case KIND_STANDARD_LIMITED:
      return makeStandardLimited(args, end);
    default:
      return 0;
  }
}

export function makeFilter(kind: u32, args: usize, end: usize): usize {
  switch (kind) {
    case KIND_LOWERCASE:
      return makeLowercase(args, end);
    case KIND_STEM:
      return makeStem(args, end);
    case KIND_STOP:
      return makeStop(args, end);
    case KIND_KEYWORD_MARKER:
      return makeKeywordMarker(args, end);
    default:
      return 0;
  }
}
