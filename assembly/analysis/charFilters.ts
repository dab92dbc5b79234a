/** Which function makes a char filter of which kind. Every one takes the address and the end of its arguments and returns the stage, 0 if they are malformed or memory is short. */
import { KIND_HTML_STRIP, KIND_MAPPING } from '../abi/stages';
import { makeHtmlStrip } from './charFilters/htmlStrip';
import { makeMapping } from './charFilters/mapping';

export function makeCharFilter(kind: u32, args: usize, end: usize): usize {
  switch (kind) {
    case KIND_MAPPING:
      return makeMapping(args, end);
    case KIND_HTML_STRIP:
      return makeHtmlStrip(args, end);
    default:
      return 0;
  }
}
