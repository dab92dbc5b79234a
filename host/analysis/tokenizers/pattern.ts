import type { Token } from '../../core/result.js';
import { compilePattern } from '../javaPattern.js';
import type { HostTokenizer } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

/**
 * The tokenizer `pattern`: what is between the matches of `pattern`, or where `group` is not negative what that group
 * captured. Empty tokens are left out.
 */
export function patternTokenizer(settings: DefinitionSettings): HostTokenizer {
  const pattern = compilePattern(settings.text('pattern', '\\W+'), settings.text('flags'));
  const group = settings.int('group', -1);
  const groups = pattern.groupCount();
  if (group > groups) {
    return failing(`invalid group specified: pattern only has: ${groups} capturing groups`);
  }
  return {
    tokenize(text) {
      const tokens: Token[] = [];
      const add = (startOffset: number, endOffset: number) => {
        if (endOffset <= startOffset) return;
        const term = text.slice(startOffset, endOffset);
        tokens.push({ term, startOffset, endOffset, position: tokens.length + 1, type: 'word' });
      };
      const matcher = pattern.matcher(text);
      let from = 0;
      while (text !== '' && matcher.find()) {
        if (group >= 0) {
          add(matcher.start(group), matcher.end(group));
        } else {
          add(from, matcher.start());
          from = matcher.end();
        }
      }
      if (group < 0) add(from, text.length);
      return { tokens, rest: 0 };
    },
  };
}
