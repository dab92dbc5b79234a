/** Which function makes a stage of which kind. Every one takes the address and the end of its arguments and returns the stage, 0 if they are malformed or memory is short. */
import { makeKeywordMarker } from './filters/keywordMarker';
import { makeLowercase } from './filters/lowercase';
import { makeStem } from './filters/stem';
import { makeStop } from './filters/stop';
import {
  KIND_GIVEN,
  KIND_KEYWORD,
  KIND_KEYWORD_MARKER,
  KIND_LOWERCASE,
  KIND_STANDARD,
  KIND_STEM,
  KIND_STOP,
} from './kinds';
import { makeGiven } from './tokenizers/given';
import { makeKeyword } from './tokenizers/keyword';
import { makeStandard } from './tokenizers/standard';

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
