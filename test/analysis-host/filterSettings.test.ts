import { describe, expect, it } from 'vitest';
import type { FilterContext } from '../../host/analysis/filterFactory.js';
import { filters } from '../../host/analysis/filters.js';
import { DefinitionSettings } from '../../host/analysis/settings.js';
import { ElasticsearchError } from '../../host/errors.js';

const context: FilterContext = { tokenize: (_tokenizer, text) => text.split(' ') };

/** The error of a definition, rendered; undefined if it can be made. */
function errorOf(definition: { type: string; [setting: string]: unknown }): string | undefined {
  try {
    filters.get(definition.type)!(new DefinitionSettings('x', definition), context);
    return undefined;
  } catch (e) {
    if (e instanceof ElasticsearchError) return e.render();
    throw e;
  }
}

const ILLEGAL = 'ElasticsearchIllegalArgumentException';

describe('the settings of token filters', () => {
  it.each([
    [
      { type: 'synonym' },
      `${ILLEGAL}[synonym requires either \`synonyms\` or \`synonyms_path\` to be configured]`,
    ],
    // Millions of them are refused before any is made, and not while the heap lasts.
    [
      { type: 'synonym', synonyms: [Array.from({ length: 60_000 }, (_, i) => `w${i}`).join(',')] },
      `${ILLEGAL}[failed to build synonyms]; nested: ParseException[Invalid synonym rule at line 1]; nested: IllegalArgumentException[more than 2000000 pairs of synonyms]; `,
    ],
    [
      {
        type: 'synonym',
        synonyms: Array.from({ length: 9 }, () => `${'a,'.repeat(500)}=>${'b,'.repeat(500)}`),
      },
      `${ILLEGAL}[failed to build synonyms]; nested: ParseException[Invalid synonym rule at line 9]; nested: IllegalArgumentException[more than 2000000 pairs of synonyms]; `,
    ],
    [
      { type: 'synonym', synonyms: ['a=>b=>c'] },
      `${ILLEGAL}[failed to build synonyms]; nested: ParseException[Invalid synonym rule at line 1]; nested: IllegalArgumentException[more than one explicit mapping specified on the same line]; `,
    ],
    [
      { type: 'synonym', synonyms: ['# nothing', 'a,,b', 'b, ,c'] },
      `${ILLEGAL}[failed to build synonyms]; nested: ParseException[Invalid synonym rule at line 3]; nested: IllegalArgumentException[term:  was completely eliminated by analyzer]; `,
    ],
    [
      { type: 'pattern_replace' },
      `${ILLEGAL}[pattern is missing for [x] token filter of type 'pattern_replace']`,
    ],
    [
      { type: 'pattern_replace', pattern: '(', replacement: '' },
      'PatternSyntaxException[Unclosed group near index 1\n(]',
    ],
    [{ type: 'pattern_capture' }, `${ILLEGAL}[required setting 'patterns' is missing for token filter [x]]`],
    [
      { type: 'keyword_marker' },
      `${ILLEGAL}[keyword filter requires either \`keywords\` or \`keywords_path\` to be configured]`,
    ],
    [
      { type: 'stemmer_override' },
      `${ILLEGAL}[stemmer override filter requires either \`rules\` or \`rules_path\` to be configured]`,
    ],
    [{ type: 'stemmer_override', rules: ['mice'] }, 'RuntimeException[Invalid Keyword override Rule:mice]'],
    [
      { type: 'common_grams' },
      `${ILLEGAL}[mising or empty [common_words] or [common_words_path] configuration for common_grams token filter]`,
    ],
    [
      { type: 'keep' },
      `${ILLEGAL}[keep requires either \`keep_words\` or \`keep_words_path\` to be configured]`,
    ],
    [{ type: 'keep_types' }, `${ILLEGAL}[keep_types requires \`types\` to be configured]`],
    [{ type: 'truncate' }, `${ILLEGAL}[length parameter must be provided]`],
    [{ type: 'edge_ngram', side: 'top' }, `${ILLEGAL}[invalid side: top]`],
    [
      { type: 'dictionary_decompounder' },
      `${ILLEGAL}[word_list must be provided for [x], either as a path to a file, or directly]`,
    ],
    [
      { type: 'hunspell' },
      `${ILLEGAL}[missing [locale | language | lang] configuration for hunspell token filter]`,
    ],
    [
      { type: 'ngram', min_gram: 'four' },
      'SettingsException[Failed to parse int setting [min_gram] with value [four]]; nested: NumberFormatException[For input string: "four"]; ',
    ],
    [{ type: 'stemmer', name: 'nosuch' }, undefined],
    [{ type: 'ngram', min_gram: 3, max_gram: 2 }, undefined],
    [{ type: 'shingle', max_shingle_size: 1 }, undefined],
    [{ type: 'lowercase', language: 'klingon' }, undefined],
    [
      { type: 'shingle', max_shingle_size: 5000 },
      `${ILLEGAL}[[max_shingle_size] of [x] is [5000] and can be at most 256]`,
    ],
    [
      { type: 'word_delimiter', type_table: ['ab => DIGIT'] },
      'RuntimeException[Invalid Mapping Rule : [ab => DIGIT]. Only a single character is allowed.]',
    ],
  ])('%j', (definition, error) => {
    expect(errorOf(definition)).toBe(error);
  });
});
