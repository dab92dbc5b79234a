/** The filters that look for words in words. */
import type { Token, TokenList } from '../../core/result.js';
import { illegalArgument, notOffered } from '../../errors.js';
import type { Turns } from '../../workLimit.js';
import type { HostTokenFilter } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { inlineList, lowerCase } from './words.js';

/** Words looked for at a time. */
const STEPS_AT_ONCE = 1024;

/**
 * The filter `dictionary_decompounder`: `word_list`, `min_word_size`, `min_subword_size`, `max_subword_size`,
 * `only_longest_match`. The words found in a term follow it at its position, with its offsets.
 */
export function dictionaryDecompounder(settings: DefinitionSettings): HostTokenFilter {
  const { words, ignoreCase } = dictionary(settings);
  const minWord = settings.int('min_word_size', 5);
  const minPart = Math.max(settings.int('min_subword_size', 2), 0);
  const longest = Array.from(words).reduce((most, word) => Math.max(most, word.length), 0);
  const maxPart = Math.min(settings.int('max_subword_size', 15), longest);
  const longestOnly = settings.flag('only_longest_match', false);
  return {
    *filterTokens(list: TokenList): Turns<TokenList> {
      const tokens: Token[] = [];
      let steps = 0;
      for (const token of list.tokens) {
        tokens.push(token);
        if (token.term.length < minWord) continue;
        const text = ignoreCase ? lowerCase(token.term) : token.term;
        for (let from = 0; from + minPart <= text.length; from++) {
          const ends: number[] = [];
          for (let end = from + minPart; end <= Math.min(from + maxPart, text.length); end++) {
            if (words.has(text.slice(from, end))) ends.push(end);
            steps += 1 + ((end - from) >>> 4);
            if (steps < STEPS_AT_ONCE) continue;
            steps = 0;
            yield;
          }
          for (const end of longestOnly ? ends.slice(-1) : ends) {
            tokens.push({ ...token, term: token.term.slice(from, end) });
          }
        }
      }
      return { ...list, tokens };
    },
  };
}

/** The filter `hyphenation_decompounder`, whose patterns only come in files. */
export function hyphenationDecompounder(settings: DefinitionSettings): HostTokenFilter {
  dictionary(settings);
  if (!settings.has('hyphenation_patterns_path')) {
    throw illegalArgument('hyphenation_patterns_path is a required setting.');
  }
  throw notOffered('token filter [hyphenation_decompounder]');
}

/** The filter `hunspell`, whose dictionaries only come in files: there is none. */
export function hunspell(settings: DefinitionSettings): HostTokenFilter {
  const locale = settings.text('locale') ?? settings.text('language') ?? settings.text('lang');
  if (locale === undefined) {
    throw illegalArgument('missing [locale | language | lang] configuration for hunspell token filter');
  }
  throw illegalArgument(`Unknown hunspell dictionary for locale [${locale}]`);
}

function dictionary(settings: DefinitionSettings): { words: ReadonlySet<string>; ignoreCase: boolean } {
  const list = inlineList(settings, 'word_list');
  if (list === undefined) {
    throw illegalArgument(
      `word_list must be provided for [${settings.name}], either as a path to a file, or directly`,
    );
  }
  const ignoreCase = settings.flag('word_list_case', false);
  return { words: new Set(ignoreCase ? list.map(lowerCase) : list), ignoreCase };
}
