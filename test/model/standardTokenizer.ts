/**
 * The standard tokenizer of Lucene 4.10 in plain TypeScript, lower-casing included: the grammar of its StandardTokenizer
 * (UAX #29 with Unicode 6.3), matched by derivatives of its regular expressions.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Offsets count UTF-16 units, positions start at 1. */
export interface Token {
  token: string;
  start: number;
  end: number;
  position: number;
  type: string;
}

/** Type names by their number in the core. */
export const TYPES = [
  '<ALPHANUM>',
  '<NUM>',
  '<SOUTHEAST_ASIAN>',
  '<IDEOGRAPHIC>',
  '<HIRAGANA>',
  '<KATAKANA>',
  '<HANGUL>',
  'word',
];

/** UTF-16 units that a rule sees from where it begins. */
const WINDOW = 255;

function readLines(name: string): string[] {
  const file = resolve(import.meta.dirname, '../../scripts/data', name);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Ranges of code points, first and last, per word-break class. */
export function readClasses(): Map<string, [number, number][]> {
  const classes = new Map<string, [number, number][]>();
  let ranges: [number, number][] = [];
  for (const line of readLines('word-break-6.3.txt')) {
    const words = line.trim().split(' ');
    if (!line.startsWith(' ')) {
      ranges = [];
      classes.set(words.shift() as string, ranges);
    }
    for (const word of words) {
      const [first, last = first] = word.split('-').map((digits) => Number.parseInt(digits, 16));
      ranges.push([first as number, last as number]);
    }
  }
  return classes;
}

function readLowerCase(): Map<number, number> {
  const lower = new Map<number, number>();
  for (const line of readLines('lower-case.txt')) {
    const [range, distance] = line.split(' ') as [string, string];
    const [span, step = '1'] = range.split('/') as [string, string?];
    const [first, last = first] = span.split('-').map((digits) => Number.parseInt(digits, 16));
    for (let c = first as number; c <= (last as number); c += Number(step))
      lower.set(c, c + Number(distance));
  }
  return lower;
}

const classNames: (string | undefined)[] = [];
for (const [name, ranges] of readClasses())
  for (const [first, last] of ranges) for (let c = first; c <= last; c++) classNames[c] = name;
const lowerCase = readLowerCase();

/**
 * A regular expression over word-break classes. `after(c)`, its derivative, matches what may follow a character of class c
 * in a match of this expression. Equal expressions are one object, so there are finitely many derivatives.
 */
class Expression {
  static readonly #all = new Map<string, Expression>();
  readonly id = Expression.#all.size;
  readonly #derivatives = new Map<string, Expression>();
  readonly isEmptyAllowed: boolean;
  readonly alternatives: readonly Expression[];
  readonly #derive: (c: string) => Expression;

  private constructor(empty: boolean, derive: (c: string) => Expression, alternatives: Expression[] = []) {
    this.isEmptyAllowed = empty;
    this.#derive = derive;
    this.alternatives = alternatives.length === 0 ? [this] : alternatives;
  }

  static of(
    key: string,
    empty: boolean,
    derive: (c: string) => Expression,
    alternatives?: Expression[],
  ): Expression {
    let found = Expression.#all.get(key);
    if (found === undefined) {
      found = new Expression(empty, derive, alternatives);
      Expression.#all.set(key, found);
    }
    return found;
  }

  after(c: string): Expression {
    let next = this.#derivatives.get(c);
    if (next === undefined) {
      next = this.#derive(c);
      this.#derivatives.set(c, next);
    }
    return next;
  }
}

const nothing: Expression = Expression.of('nothing', false, () => nothing);
const empty = Expression.of('empty', true, () => nothing);
const one = (...names: string[]): Expression =>
  Expression.of(`one of ${names}`, false, (c) => (names.includes(c) ? empty : nothing));
const any = Expression.of('any', false, () => empty);

function either(...parts: Expression[]): Expression {
  const all = [...new Set(parts.flatMap((part) => part.alternatives))].filter((part) => part !== nothing);
  all.sort((a, b) => a.id - b.id);
  if (all.length < 2) return all[0] ?? nothing;
  const isEmptyAllowed = all.some((part) => part.isEmptyAllowed);
  const derive = (c: string) => either(...all.map((part) => part.after(c)));
  return Expression.of(`either ${all.map((part) => part.id)}`, isEmptyAllowed, derive, all);
}

function then(a: Expression, b: Expression): Expression {
  if (a === nothing || b === nothing) return nothing;
  if (a === empty) return b;
  if (b === empty) return a;
  return Expression.of(`${a.id} then ${b.id}`, a.isEmptyAllowed && b.isEmptyAllowed, (c) => {
    const inside = then(a.after(c), b);
    return a.isEmptyAllowed ? either(inside, b.after(c)) : inside;
  });
}

const sequence = (...parts: Expression[]): Expression => parts.reduceRight((rest, part) => then(part, rest));
const many = (part: Expression): Expression =>
  Expression.of(`many ${part.id}`, true, (c) => then(part.after(c), many(part)));
const some = (part: Expression): Expression => sequence(part, many(part));

/** How many characters the longest match takes. */
function longestMatch(expression: Expression, classes: readonly string[]): number {
  let longest = 0;
  for (let i = 0; i < classes.length && expression !== nothing; i++) {
    expression = expression.after(classes[i] as string);
    if (expression.isEmptyAllowed) longest = i + 1;
  }
  return longest;
}

/** X (Extend | Format)*, WB4. */
const extended = (...names: string[]): Expression =>
  sequence(one(...names), many(one('Extend', 'Complex_Context_Extend')));

const letter = extended('ALetter', 'Hangul', 'Hebrew_Letter');
const hebrew = extended('Hebrew_Letter');
const numeric = extended('Numeric');
const katakana = extended('Katakana');
const connector = extended('ExtendNumLet');
const midLetter = extended('MidLetter', 'MidNumLet', 'Single_Quote');
const midNumeric = extended('MidNum', 'MidNumLet', 'Single_Quote');
const regional = extended('Regional_Indicator');

const numberPart = sequence(numeric, many(sequence(either(many(connector), midNumeric), numeric)));
const hebrewPart = sequence(
  hebrew,
  either(extended('Single_Quote'), sequence(extended('Double_Quote'), hebrew)),
);
const letterPart = sequence(letter, many(sequence(either(many(connector), midLetter), letter)));
const katakanaPart = sequence(katakana, many(sequence(many(connector), katakana)));
const wordPart = either(katakanaPart, some(either(hebrewPart, numberPart, letterPart)));

/** The longest match wins; among equally long ones, the rule named first. */
const rules: [type: string | null, expression: Expression][] = [
  ['<NUM>', sequence(many(connector), numberPart, many(connector))],
  ['<HANGUL>', some(extended('Hangul'))],
  ['<KATAKANA>', some(katakana)],
  [
    '<ALPHANUM>',
    sequence(many(connector), wordPart, many(sequence(some(connector), wordPart)), many(connector)),
  ],
  ['<SOUTHEAST_ASIAN>', some(extended('Complex_Context', 'Complex_Context_Extend'))],
  ['<IDEOGRAPHIC>', extended('Han')],
  ['<HIRAGANA>', extended('Hiragana')],
  [null, sequence(regional, some(regional))],
  [null, any],
];

/** The characters, as classes, that a rule sees from code point `i` on. */
function windowFrom(characters: readonly string[], i: number): string[] {
  const classes: string[] = [];
  let units = 0;
  for (; i < characters.length; i++) {
    const character = characters[i] as string;
    units += character.length;
    if (units > WINDOW) break;
    classes.push(classNames[character.codePointAt(0) as number] ?? 'Other');
  }
  return classes;
}

function toLowerCase(character: string): string {
  const c = character.codePointAt(0) as number;
  return String.fromCodePoint(lowerCase.get(c) ?? c);
}

/** Lone surrogates become U+FFFD. */
function wellFormed(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

/** The tokens of a text, lower-cased. */
export function standardTokens(text: string): Token[] {
  const characters = [...wellFormed(text)];
  const tokens: Token[] = [];
  let offset = 0;
  for (let i = 0; i < characters.length; ) {
    const classes = windowFrom(characters, i);
    let longest = 0;
    let type: string | null = null;
    for (const [ruleType, expression] of rules) {
      const length = longestMatch(expression, classes);
      if (length > longest) [longest, type] = [length, ruleType];
    }
    const matched = characters.slice(i, i + longest);
    const end = offset + matched.join('').length;
    if (type !== null) {
      const token = matched.map(toLowerCase).join('');
      tokens.push({ token, start: offset, end, position: tokens.length + 1, type });
    }
    offset = end;
    i += longest;
  }
  return tokens;
}
