/**
 * The regular expressions of Lucene: the usual `|` `?` `*` `+` `{n,m}` `.` `[a-z]` `()` `"text"` and, by flags, `&` (both),
 * `~` (not), `@` (anything), `#` (nothing) and `<1-20>` (numbers). A word must match as a whole.
 */

import { ElasticsearchError } from '../errors.js';
import { MAX_CODE_POINT } from './dfa.js';
import type { Turns } from '../workLimit.js';
import type { Nfa, Part } from './nfa.js';

/** The optional operators, as bits. */
export const RegexpFlag = {
  intersection: 1,
  complement: 2,
  empty: 4,
  anyString: 8,
  automaton: 16,
  interval: 32,
  all: 0xffff,
  none: 0,
} as const;

type Ranges = (readonly [number, number])[];

type Expression =
  | { is: 'union' | 'sequence' | 'both'; parts: Expression[] }
  | { is: 'repeat'; part: Expression; least: number; most: number }
  | { is: 'not'; part: Expression }
  | { is: 'oneOf'; ranges: Ranges }
  | { is: 'text'; text: string }
  | { is: 'nothing' | 'anything' }
  | { is: 'interval'; low: number; high: number; digits: number };

/** Expressions in expressions at most. */
const MAX_DEPTH = 500;
const MAX_INT = 0x7fffffff;
const DIGITS = '0123456789';

class Parser {
  readonly #text: string;
  readonly #flags: number;
  #at = 0;
  #depth = 0;

  constructor(text: string, flags: number) {
    this.#text = text;
    this.#flags = flags;
  }

  parse(): Expression {
    if (this.#text === '') return { is: 'text', text: '' };
    const expression = this.#union();
    if (this.#at < this.#text.length) throw illegalArgument(`end-of-string expected at position ${this.#at}`);
    return expression;
  }

  #union(): Expression {
    if (++this.#depth > MAX_DEPTH) throw illegalArgument('the regular expression is nested too deeply');
    const parts = [this.#both()];
    while (this.#match('|')) parts.push(this.#both());
    this.#depth--;
    return parts.length === 1 ? parts[0]! : { is: 'union', parts };
  }

  #both(): Expression {
    const parts = [this.#sequence()];
    while (this.#offers(RegexpFlag.intersection) && this.#match('&')) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { is: 'both', parts };
  }

  #sequence(): Expression {
    const parts = [this.#repeat()];
    while (this.#more() && !this.#peek(')|') && !(this.#offers(RegexpFlag.intersection) && this.#peek('&')))
      parts.push(this.#repeat());
    return parts.length === 1 ? parts[0]! : { is: 'sequence', parts };
  }

  #repeat(): Expression {
    let part = this.#complement();
    while (this.#peek('?*+{')) {
      if (++this.#depth > MAX_DEPTH) throw illegalArgument('the regular expression is nested too deeply');
      if (this.#match('?')) part = { is: 'repeat', part, least: 0, most: 1 };
      else if (this.#match('*')) part = { is: 'repeat', part, least: 0, most: Number.POSITIVE_INFINITY };
      else if (this.#match('+')) part = { is: 'repeat', part, least: 1, most: Number.POSITIVE_INFINITY };
      else {
        this.#next();
        const digits = this.#digits();
        if (digits === '') throw illegalArgument(`integer expected at position ${this.#at}`);
        const least = integer(digits);
        let most = least;
        if (this.#match(',')) {
          const upper = this.#digits();
          most = upper === '' ? Number.POSITIVE_INFINITY : integer(upper);
        }
        if (!this.#match('}')) throw illegalArgument(`expected '}' at position ${this.#at}`);
        part = { is: 'repeat', part, least, most };
      }
    }
    return part;
  }

  #complement(): Expression {
    if (!this.#offers(RegexpFlag.complement) || !this.#match('~')) return this.#characterClass();
    if (++this.#depth > MAX_DEPTH) throw illegalArgument('the regular expression is nested too deeply');
    return { is: 'not', part: this.#complement() };
  }

  #characterClass(): Expression {
    if (!this.#match('[')) return this.#simple();
    const negated = this.#match('^');
    const ranges = [this.#range()];
    while (this.#more() && !this.#peek(']')) ranges.push(this.#range());
    if (!this.#match(']')) throw illegalArgument(`expected ']' at position ${this.#at}`);
    return { is: 'oneOf', ranges: negated ? others(ranges) : ranges };
  }

  #range(): readonly [number, number] {
    const low = this.#character();
    if (!this.#match('-')) return [low, low];
    const high = this.#character();
    if (low > high) throw illegalArgument(`invalid range: from (${low}) cannot be > to (${high})`);
    return [low, high];
  }

  #simple(): Expression {
    if (this.#match('.')) return { is: 'oneOf', ranges: [[0, MAX_CODE_POINT]] };
    if (this.#offers(RegexpFlag.empty) && this.#match('#')) return { is: 'nothing' };
    if (this.#offers(RegexpFlag.anyString) && this.#match('@')) return { is: 'anything' };
    if (this.#match('"')) return { is: 'text', text: this.#until('"') };
    if (this.#match('(')) {
      if (this.#match(')')) return { is: 'text', text: '' };
      const expression = this.#union();
      if (!this.#match(')')) throw illegalArgument(`expected ')' at position ${this.#at}`);
      return expression;
    }
    if (this.#offers(RegexpFlag.automaton | RegexpFlag.interval) && this.#match('<'))
      return this.#interval(this.#until('>'));
    const c = this.#character();
    return { is: 'oneOf', ranges: [[c, c]] };
  }

  #interval(text: string): Expression {
    const place = this.#at - 1;
    const dash = text.indexOf('-');
    if (dash === -1) {
      if (!this.#offers(RegexpFlag.automaton))
        throw illegalArgument(`interval syntax error at position ${place}`);
      throw illegalArgument(`'${text}' not found`);
    }
    if (!this.#offers(RegexpFlag.interval)) throw illegalArgument(`illegal identifier at position ${place}`);
    const [from, to] = [text.slice(0, dash), text.slice(dash + 1)];
    const [a, b] = [Number(from), Number(to)];
    if (!/^[0-9]+$/.test(from) || !/^[0-9]+$/.test(to) || a > MAX_INT || b > MAX_INT)
      throw illegalArgument(`interval syntax error at position ${place}`);
    const digits = from.length === to.length ? from.length : 0;
    return { is: 'interval', low: Math.min(a, b), high: Math.max(a, b), digits };
  }

  /** The text up to a closing character, which is read too. */
  #until(close: string): string {
    const end = this.#text.indexOf(close, this.#at);
    if (end === -1) {
      this.#at = this.#text.length;
      throw illegalArgument(`expected '${close}' at position ${this.#at}`);
    }
    const text = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #digits(): string {
    const start = this.#at;
    while (this.#peek(DIGITS)) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #character(): number {
    this.#match('\\');
    return this.#next();
  }

  #next(): number {
    const c = this.#text.codePointAt(this.#at);
    if (c === undefined) throw illegalArgument('unexpected end-of-string');
    this.#at += c > 0xffff ? 2 : 1;
    return c;
  }

  #match(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #peek(characters: string): boolean {
    const c = this.#text[this.#at];
    return c !== undefined && characters.includes(c);
  }

  #more(): boolean {
    return this.#at < this.#text.length;
  }

  #offers(flags: number): boolean {
    return (this.#flags & flags) !== 0;
  }
}

/** What Lucene's parser throws. */
function illegalArgument(detail: string): ElasticsearchError {
  return new ElasticsearchError('IllegalArgumentException', detail, { status: 400 });
}

function integer(digits: string): number {
  const value = Number(digits);
  if (value > MAX_INT) throw illegalArgument(`For input string: "${digits}"`);
  return value;
}

/** The code points outside of the ranges. */
function others(ranges: Ranges): Ranges {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const gaps: Ranges = [];
  let next = 0;
  for (const [low, high] of sorted) {
    if (low > next) gaps.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= MAX_CODE_POINT) gaps.push([next, MAX_CODE_POINT]);
  return gaps;
}

/** The automaton of a parsed expression, made of parts of `nfa`. */
function* build(expression: Expression, nfa: Nfa): Turns<Part> {
  switch (expression.is) {
    case 'union':
      return nfa.union(yield* buildAll(expression.parts, nfa));
    case 'sequence':
      return nfa.sequence(yield* buildAll(expression.parts, nfa));
    case 'both': {
      const [first, ...others] = yield* buildAll(expression.parts, nfa);
      let all = first!;
      for (const part of others) all = yield* nfa.intersection(all, part);
      return all;
    }
    case 'not':
      return yield* nfa.complement(yield* build(expression.part, nfa));
    case 'repeat':
      return yield* repeated(expression, nfa);
    case 'oneOf':
      return nfa.oneOf(expression.ranges);
    case 'text':
      return nfa.text(expression.text);
    case 'nothing':
      return nfa.nothing();
    case 'anything':
      return nfa.anything();
    case 'interval':
      return interval(expression.low, expression.high, expression.digits, nfa);
  }
}

function* buildAll(expressions: readonly Expression[], nfa: Nfa): Turns<Part[]> {
  const parts: Part[] = [];
  for (const each of expressions) parts.push(yield* build(each, nfa));
  return parts;
}

function* repeated({ part, least, most }: Extract<Expression, { is: 'repeat' }>, nfa: Nfa): Turns<Part> {
  if (most < least) return nfa.nothing();
  const parts: Part[] = [];
  for (let i = 0; i < least; i++) parts.push(yield* build(part, nfa));
  if (most === Number.POSITIVE_INFINITY) parts.push(nfa.repeat(yield* build(part, nfa)));
  else if (most > least) {
    const some: Part[] = [];
    for (let i = least; i < most; i++) some.push(yield* build(part, nfa));
    parts.push(nfa.someOf(some));
  }
  return nfa.sequence(parts);
}

/** Decimal numbers from `low` to `high`, of so many digits, or with any number of leading zeros. */
function interval(low: number, high: number, digits: number, nfa: Nfa): Part {
  const parts: Part[] = [];
  for (let length = `${low}`.length; length <= `${high}`.length; length++) {
    const from = Math.max(low, length === 1 ? 0 : 10 ** (length - 1));
    const to = Math.min(high, 10 ** length - 1);
    const zeros = '0'.repeat(Math.max(0, digits - length));
    const numbers = sameLength(`${from}`, `${to}`, nfa);
    parts.push(nfa.sequence([nfa.text(zeros), numbers]));
  }
  const all = nfa.union(parts);
  return digits > 0 ? all : nfa.sequence([nfa.repeat(nfa.text('0')), all]);
}

/** Numbers of the same number of digits. */
function sameLength(low: string, high: string, nfa: Nfa): Part {
  if (low === '') return nfa.empty();
  const digit = (from: number, to: number) => nfa.oneOf([[48 + from, 48 + to]]);
  const [a, b] = [Number(low[0]), Number(high[0])];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (a === b) return nfa.sequence([digit(a, a), sameLength(lowRest, highRest, nfa)]);
  const nines = '9'.repeat(lowRest.length);
  const zeros = '0'.repeat(lowRest.length);
  return nfa.union([
    nfa.sequence([digit(a, a), sameLength(lowRest, nines, nfa)]),
    nfa.sequence([digit(a + 1, b - 1), ...Array.from(zeros, () => digit(0, 9))]),
    nfa.sequence([digit(b, b), sameLength(zeros, highRest, nfa)]),
  ]);
}

/** The words of a regular expression. Fails with 1.7's text where it is none. */
export function regexpPart(pattern: string, flags: number, nfa: Nfa): Turns<Part> {
  return build(new Parser(pattern, flags).parse(), nfa);
}

/** The words of a wildcard pattern: `*` any word, `?` any character, `\` takes the next one as it is. */
export function wildcardPart(pattern: string, nfa: Nfa): Part {
  const characters = [...pattern];
  const parts: Part[] = [];
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i]!;
    if (c === '*') parts.push(nfa.anything());
    else if (c === '?') parts.push(nfa.oneOf([[0, MAX_CODE_POINT]]));
    else if (c === '\\' && i + 1 < characters.length) parts.push(nfa.text(characters[++i]!));
    else parts.push(nfa.text(c));
  }
  return nfa.sequence(parts);
}
