import { ElasticsearchError } from '../../errors.js';
import { readGramSizes } from '../gramSizes.js';
import { StageKind } from '../../core/abi/stages.js';
import { corePart, type TokenizerPart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { failing } from './failing.js';

/** General categories by the names and numbers of the constants of java.lang.Character, in the order of their declaration. */
const CATEGORIES: readonly (readonly [name: string, number: number])[] = [
  ['unassigned', 0],
  ['uppercase_letter', 1],
  ['lowercase_letter', 2],
  ['titlecase_letter', 3],
  ['modifier_letter', 4],
  ['other_letter', 5],
  ['non_spacing_mark', 6],
  ['enclosing_mark', 7],
  ['combining_spacing_mark', 8],
  ['decimal_digit_number', 9],
  ['letter_number', 10],
  ['other_number', 11],
  ['space_separator', 12],
  ['line_separator', 13],
  ['paragraph_separator', 14],
  ['control', 15],
  ['format', 16],
  ['private_use', 18],
  ['surrogate', 19],
  ['dash_punctuation', 20],
  ['start_punctuation', 21],
  ['end_punctuation', 22],
  ['connector_punctuation', 23],
  ['other_punctuation', 24],
  ['math_symbol', 25],
  ['currency_symbol', 26],
  ['modifier_symbol', 27],
  ['other_symbol', 28],
  ['initial_quote_punctuation', 29],
  ['final_quote_punctuation', 30],
];

const bits = (...numbers: number[]) => numbers.reduce((set, number) => set | (1 << number), 0);

/** Sets of categories as the core takes them: a bit per number, bit 31 for whitespace. */
const CHARACTER_SETS: ReadonlyMap<string, number> = new Map([
  ['letter', bits(1, 2, 3, 4, 5)],
  ['digit', bits(9)],
  ['whitespace', bits(31)],
  ['punctuation', bits(20, 21, 22, 23, 24, 29, 30)],
  ['symbol', bits(25, 26, 28)],
  ...CATEGORIES.map(([name, number]) => [name, bits(number)] as const),
]);

/** The set that `token_chars` names, 0 if all characters belong to tokens. */
function tokenCharacters(settings: DefinitionSettings): number {
  let set = 0;
  for (const given of settings.list('token_chars') ?? []) {
    const name = given.toLowerCase();
    const found = CHARACTER_SETS.get(name);
    if (found === undefined) {
      throw new ElasticsearchError(
        'ElasticsearchIllegalArgumentException',
        `Unknown token type: '${name}', must be one of [${[...CHARACTER_SETS.keys()].join(', ')}]`,
      );
    }
    set |= found;
  }
  return set >>> 0;
}

function grams(kind: number, settings: DefinitionSettings): TokenizerPart {
  const { min, max, wrong } = readGramSizes(
    settings,
    { min: 1, max: 2 },
    kind === StageKind.edgeNgramTokenizer,
  );
  const set = tokenCharacters(settings);
  if (wrong !== undefined) return failing(wrong);
  return corePart(kind, (args) => args.u32(min).u32(max).u32(set));
}

export function ngramTokenizer(settings: DefinitionSettings): TokenizerPart {
  return grams(StageKind.ngramTokenizer, settings);
}

/** Grams from the front; those from the back have been refused on every text since 0.90.2. */
export function edgeNgramTokenizer(settings: DefinitionSettings): TokenizerPart {
  const tokenizer = grams(StageKind.edgeNgramTokenizer, settings);
  if (settings.text('side', 'front') !== 'back') return tokenizer;
  return {
    tokenize() {
      throw new ElasticsearchError(
        'ElasticsearchIllegalArgumentException',
        'side=back is not supported anymore. Please fix your analysis chain or use an older compatibility version' +
          ' (<=4.2) but beware that it might cause highlighting bugs. To obtain the same behavior as the previous' +
          ' version please use "edgeNGram" filter which still supports side=back in combination with a "keyword"' +
          ' tokenizer',
      );
    },
  };
}
