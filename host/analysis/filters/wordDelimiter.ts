import { ElasticsearchError } from '../../errors.js';
import { StageKind } from '../../core/abi/stages.js';
import { type CorePart, corePart } from '../part.js';
import type { DefinitionSettings } from '../settings.js';
import { inlineList, writeWordList } from './words.js';
import { ownValue } from '../../ownNames.js';

/** The settings, their bits in the core's flags and their defaults. */
const FLAGS: readonly (readonly [setting: string, flag: number, byDefault: boolean])[] = [
  ['generate_word_parts', 1, true],
  ['generate_number_parts', 2, true],
  ['catenate_words', 4, false],
  ['catenate_numbers', 8, false],
  ['catenate_all', 16, false],
  ['preserve_original', 32, false],
  ['split_on_case_change', 64, true],
  ['split_on_numerics', 128, true],
  ['stem_english_possessive', 256, true],
];
const OWN_KINDS = 512;

/** What a rule of `type_table` may make of a character. */
const KINDS: Readonly<Record<string, number>> = {
  LOWER: 1,
  UPPER: 2,
  ALPHA: 3,
  DIGIT: 4,
  ALPHANUM: 7,
  SUBWORD_DELIM: 8,
};

/** The filter `word_delimiter`: the settings above, `type_table`, `protected_words`. */
export function wordDelimiter(settings: DefinitionSettings): CorePart {
  const rules = inlineList(settings, 'type_table');
  const kinds = rules === undefined ? [] : typeTable(rules);
  const words = inlineList(settings, 'protected_words') ?? [];
  let flags = rules === undefined ? 0 : OWN_KINDS;
  for (const [setting, flag, byDefault] of FLAGS) if (settings.flag(setting, byDefault)) flags |= flag;
  return corePart(StageKind.wordDelimiter, (args) => {
    args.u16(flags).u32(kinds.length);
    for (const [unit, kind] of kinds) args.u16(unit).u8(kind);
    writeWordList(args, words, settings.flag('protected_words_case', false));
  });
}

/** Rules such as `$ => DIGIT` or `\u200D => ALPHANUM`: UTF-16 units, ascending, and their kinds. */
function typeTable(rules: readonly string[]): [unit: number, kind: number][] {
  const table = new Map<number, number>();
  for (const rule of rules) {
    const arrow = rule.lastIndexOf('=>');
    if (arrow < 0) throw invalid(rule);
    const left = unescaped(rule.slice(0, arrow).trim());
    const kind = ownValue(KINDS, rule.slice(arrow + 2).trim());
    if (left.length !== 1) throw invalid(rule, '. Only a single character is allowed.');
    if (kind === undefined) throw invalid(rule, '. Illegal type.');
    table.set(left.charCodeAt(0), kind);
  }
  return [...table].sort(([a], [b]) => a - b);
}

function invalid(rule: string, why = ''): ElasticsearchError {
  return new ElasticsearchError('RuntimeException', `Invalid Mapping Rule : [${rule}]${why}`);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|(.?))/gs, (_, digits?: string, letter?: string) => {
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
    if (letter === '' || letter === 'u') {
      throw new ElasticsearchError('RuntimeException', `Invalid escaped char in [${text}]`);
    }
    return ESCAPES[letter!] ?? letter!;
  });
}
