/** Which function makes a token filter of which kind; charFilters.ts and tokenizers.ts say so of the others. Every one takes the address and the end of its arguments and returns the stage, 0 if they are malformed or memory is short. */

import {
  KIND_APOSTROPHE,
  KIND_ASCIIFOLDING,
  KIND_CJK_BIGRAM,
  KIND_CJK_WIDTH,
  KIND_CLASSIC_FILTER,
  KIND_COMMON_GRAMS,
  KIND_COMMON_GRAMS_QUERY,
  KIND_DELIMITED_PAYLOAD,
  KIND_EDGE_NGRAM,
  KIND_ELISION,
  KIND_KEEP_TYPES,
  KIND_KEYWORD_MARKER,
  KIND_KEYWORD_REPEAT,
  KIND_LENGTH,
  KIND_LIMIT,
  KIND_LOWERCASE,
  KIND_NGRAM,
  KIND_NORMALIZE,
  KIND_REVERSE,
  KIND_SHINGLE,
  KIND_STEM,
  KIND_STEMMER_OVERRIDE,
  KIND_STOP,
  KIND_SUGGEST_STOP,
  KIND_SYNONYM,
  KIND_TRIM,
  KIND_TRUNCATE,
  KIND_UNIQUE,
  KIND_UPPERCASE,
  KIND_WORD_DELIMITER,
} from '../abi/stages';
import { makeApostrophe } from './filters/apostrophe';
import { makeAsciifolding } from './filters/asciifolding';
import { makeCjkWidth } from './filters/cjkWidth';
import { makeDelimitedPayload } from './filters/delimitedPayload';
import { makeEdgeNgram } from './filters/edgeNgram';
import { makeElision } from './filters/elision';
import { makeKeepTypes } from './filters/keepTypes';
import { makeKeywordMarker } from './filters/keywordMarker';
import { makeKeywordRepeat } from './filters/keywordRepeat';
import { makeLength } from './filters/length';
import { makeLimit } from './filters/limit';
import { makeLowercase } from './filters/lowercase';
import { makeNgram } from './filters/ngram';
import { makeNormalize } from './filters/normalize';
import { makeReverse } from './filters/reverse';
import { makeStem } from './filters/stem';
import { makeStemmerOverride } from './filters/stemmerOverride';
import { makeStop } from './filters/stop';
import { makeSuggestStop } from './filters/suggestStop';
import { makeSynonym } from './filters/synonym';
import { makeUnique } from './filters/unique';
import { makeCommonGrams } from './filters/commonGrams';
import { makeCommonGramsQuery } from './filters/commonGramsQuery';
import { makeClassicFilter } from './filters/classic';
import { makeCjkBigram } from './filters/cjkBigram';
import { makeShingle } from './filters/shingle';
import { makeWordDelimiter } from './filters/wordDelimiter';
import { makeTrim } from './filters/trim';
import { makeTruncate } from './filters/truncate';
import { makeUppercase } from './filters/uppercase';

export function makeFilter(kind: u32, args: usize, end: usize): usize {
  switch (kind) {
    case KIND_LOWERCASE:
      return makeLowercase(args, end);
    case KIND_STEM:
      return makeStem(args, end);
    case KIND_STOP:
      return makeStop(args, end);
    case KIND_UPPERCASE:
      return makeUppercase(args, end);
    case KIND_ASCIIFOLDING:
      return makeAsciifolding(args, end);
    case KIND_NGRAM:
      return makeNgram(args, end);
    case KIND_EDGE_NGRAM:
      return makeEdgeNgram(args, end);
    case KIND_LENGTH:
      return makeLength(args, end);
    case KIND_TRUNCATE:
      return makeTruncate(args, end);
    case KIND_REVERSE:
      return makeReverse(args, end);
    case KIND_SYNONYM:
      return makeSynonym(args, end);
    case KIND_UNIQUE:
      return makeUnique(args, end);
    case KIND_COMMON_GRAMS:
      return makeCommonGrams(args, end);
    case KIND_COMMON_GRAMS_QUERY:
      return makeCommonGramsQuery(args, end);
    case KIND_CJK_BIGRAM:
      return makeCjkBigram(args, end);
    case KIND_SHINGLE:
      return makeShingle(args, end);
    case KIND_WORD_DELIMITER:
      return makeWordDelimiter(args, end);
    case KIND_TRIM:
      return makeTrim(args, end);
    case KIND_LIMIT:
      return makeLimit(args, end);
    case KIND_ELISION:
      return makeElision(args, end);
    case KIND_APOSTROPHE:
      return makeApostrophe(args, end);
    case KIND_STEMMER_OVERRIDE:
      return makeStemmerOverride(args, end);
    case KIND_KEYWORD_REPEAT:
      return makeKeywordRepeat(args, end);
    case KIND_CJK_WIDTH:
      return makeCjkWidth(args, end);
    case KIND_KEEP_TYPES:
      return makeKeepTypes(args, end);
    case KIND_DELIMITED_PAYLOAD:
      return makeDelimitedPayload(args, end);
    case KIND_SUGGEST_STOP:
      return makeSuggestStop(args, end);
    case KIND_NORMALIZE:
      return makeNormalize(args, end);
    case KIND_CLASSIC_FILTER:
      return makeClassicFilter(args, end);
    case KIND_KEYWORD_MARKER:
      return makeKeywordMarker(args, end);
    default:
      return 0;
  }
}
