import type { Token } from '../../core/result.js';
import { compileRegex } from '../../regex/regex.js';
import type { HostTokenizer } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

/**
 * The tokenizer `pattern`: what is between the matches of `pattern`, or where `group` is not negative what that group
 * captured. Empty tokens are left out.
 */
export function patternTokenizer(settings: DefinitionSettings): HostTokenizer {
  const pattern = compileRegex(settings.text('pattern', '\\W+'), settings.text('flags'));
  const group = settings.int('group', -1);
  const groups = pattern.groupCount;
  if (group > groups) {
    return failing(`invalid group specified: pattern only has: ${groups} capturing groups`);
  }
  return {
    stepsOfCharacter: pattern.stepsOf('a'),
    *tokenize(text) {
      const tokens: Token[] = [];
      const add = (startOffset: number, endOffset: number) => {
        if (endOffset <= startOffset) return;
        const term = text.slice(startOffset, endOffset);
        tokens.push({ term, startOffset, endOffset, position: tokens.length + 1, type: 'word' });
      };
      let from = 0;
      // An empty text has no tokens, though a pattern may match it.
      for (const match of text === '' ? [] : pattern.findAllInTurns(text)) {
        if (match === undefined) {
          yield;
          continue;
        }
        if (group >= 0) {
          const span = match.group(group);
          if (span !== undefined) add(...span);
        } else {
          add(from, match.start);
          from = match.end;
        }
      }
      if (group < 0) add(from, text.length);
      return { tokens, rest: 0 };
    },
  };
}
