/** Which function makes a tokenizer of which kind. Every one takes the address and the end of its arguments and returns the stage, 0 if they are malformed or memory is short. */
import {
  KIND_CHINESE,
  KIND_CLASSIC,
  KIND_EDGE_NGRAM_TOKENIZER,
  KIND_FILTERED_TEXT,
  KIND_GIVEN,
  KIND_KEYWORD,
  KIND_LETTER,
  KIND_NGRAM_TOKENIZER,
  KIND_PATH_HIERARCHY,
  KIND_STANDARD,
  KIND_STANDARD_LIMITED,
  KIND_UAX_URL_EMAIL,
  KIND_WHITESPACE,
} from '../abi/stages';
import { makeCharacters } from './tokenizers/characters';
import { makeChinese } from './tokenizers/chinese';
import { makeClassic } from './tokenizers/classic';
import { makeFilteredText } from './tokenizers/filteredText';
import { makeGiven } from './tokenizers/given';
import { makeGrams } from './tokenizers/grams';
import { makeKeyword } from './tokenizers/keyword';
import { makePathHierarchy } from './tokenizers/pathHierarchy';
import { makeStandard } from './tokenizers/standard';
import { makeStandardLimited } from './tokenizers/standardLimited';
import { makeUaxUrlEmail } from './tokenizers/uaxUrlEmail';

export function makeTokenizer(kind: u32, args: usize, end: usize): usize {
  switch (kind) {
    case KIND_STANDARD:
      return makeStandard(args, end);
    case KIND_FILTERED_TEXT:
      return makeFilteredText(args, end);
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
    case KIND_CHINESE:
      return makeChinese(args, end);
    case KIND_CLASSIC:
      return makeClassic(args, end);
    case KIND_UAX_URL_EMAIL:
      return makeUaxUrlEmail(args, end);
    case KIND_STANDARD_LIMITED:
      return makeStandardLimited(args, end);
    default:
      return 0;
  }
}
