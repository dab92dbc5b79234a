/** The parser of what is not strict JSON, or has keys that stand several times: it reads as 1.7's does, character by character. */
import type { ElasticsearchError } from '../errors.js';
import type { Turns, WorkLimit } from '../workLimit.js';
import { badNumber, between, BrokenJson, described } from './brokenJson.js';
import { MAX_JSON_DEPTH, TooDeep } from './jsonDepth.js';
import { JsonPlaces } from './jsonPlaces.js';
import { numberOfToken } from './jsonText.js';
import { repeatKey } from './repeatedKeys.js';
import type { RawNumber } from './values.js';

/** What a value costs, in steps of a work limit. */
const VALUE_STEPS = 8;
const SPACE = ' \t\r\n';
/** What stands for itself in a string. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
/** What may follow in a token that is no string: the letters, digits and signs of Java's names. */
const IDENTIFIER = /[\p{L}\p{N}\p{Sc}\p{Pc}\p{Mn}\p{Mc}]/u;
/** Characters beyond the first plane are none for Java, which sees their halves. */
const IDENTIFIERS = new RegExp(`(?:(?![\\u{10000}-\\u{10ffff}])${IDENTIFIER.source})*`, 'uy');

/** A scalar of a text, or the end of a list: the names around it, and its own text, without quotes or escapes. */
export type Scalar = (path: readonly string[], text: string) => boolean;

export class LaxParser {
  /** Where the scalar that is looked for has been found. */
  place: string | undefined;
  readonly #text: string;
  readonly #places: JsonPlaces;
  readonly #isMeant: Scalar | undefined;
  readonly #work: WorkLimit | undefined;
  #at = 0;
  /** The names around what is read. */
  readonly #path: string[] = [];
  /** Whether a string is read that is a value. */
  #inString = false;
  #outermost: Record<string, unknown> | undefined;
  /** How many objects and lists are open. */
  #open = 0;
  /** The token that was read last. */
  #token = 'START_OBJECT';
  /** How often the end was met before the one that is an error. */
  #ends = 0;

  /** @param work counts the steps; without it nobody else waits for their turn */
  constructor(text: string, offset: number, isMeant?: Scalar, work?: WorkLimit) {
    this.#text = text;
    this.#places = new JsonPlaces(text, offset);
    this.#isMeant = isMeant;
    this.#work = work;
  }

  /** `named` is where the name in front of the value begins. */
  *value(depth: number, named?: number): Turns<unknown> {
    if (this.#work?.isDue(VALUE_STEPS) === true) yield;
    if (depth > MAX_JSON_DEPTH) throw new TooDeep();
    const around = named === undefined ? 'ARRAY' : 'OBJECT';
    if (named !== undefined) this.#token = 'FIELD_NAME';
    const c = this.#next(depth === 0 ? 'Unexpected end-of-input' : between(around));
    // What stands behind a name begins, for the parser, where the name does.
    const start = named ?? this.#at;
    if (c === '{') return yield* this.#object(depth, start);
    if (c === '[') return yield* this.#array(depth, start);
    if (c === '"') return this.#stringValue();
    if (c === '-' || (c >= '0' && c <= '9')) return this.#found(this.#number());
    if (c === '+') {
      this.#at++;
      if (this.#text[this.#at] === undefined) throw this.#ended('Unexpected end-of-input in a value');
      throw this.#unsigned('+');
    }
    if (/[\p{L}$_]/u.test(c)) return this.#found(this.#word());
    if (c === '}' || c === ']') throw this.#unexpected(c, 'expected a value');
    throw this.#unexpected(
      c,
      "expected a valid value (number, String, array, object, 'true', 'false' or 'null')",
    );
  }

  *#object(depth: number, start: number): Turns<unknown> {
    this.#at++;
    this.#open++;
    const out: Record<string, unknown> = {};
    if (depth === 0) this.#outermost = out;
    const first = this.#next(() => this.#unclosed('OBJECT', start));
    if (first === ']') throw this.#mismatch(']', '}', 'OBJECT', start);
    if (first === '}') return this.#ending('END_OBJECT', out);
    for (;;) {
      const name = this.#at;
      const key = this.#name();
      const colon = this.#next(between('OBJECT'));
      if (colon !== ':')
        throw this.#unexpected(colon, 'was expecting a colon to separate field name and value');
      this.#at++;
      this.#path.push(key);
      const value = yield* this.value(depth + 1, name);
      this.#path.pop();
      if (Object.hasOwn(out, key)) repeatKey(out, key, value);
      else Object.defineProperty(out, key, { value, enumerable: true, writable: true, configurable: true });
      const c = this.#next(() => this.#unclosed('OBJECT', start));
      if (c === '}') return this.#ending('END_OBJECT', out);
      if (c === ']') throw this.#mismatch(']', '}', 'OBJECT', start);
      if (c !== ',') throw this.#unexpected(c, 'was expecting comma to separate OBJECT entries');
      this.#at++;
      this.#next(between('OBJECT'));
    }
  }

  *#array(depth: number, start: number): Turns<unknown> {
    this.#at++;
    this.#open++;
    this.#token = 'START_ARRAY';
    const out: unknown[] = [];
    const first = this.#next(() => this.#unclosed('ARRAY', start));
    if (first === '}') throw this.#mismatch('}', ']', 'ARRAY', start);
    if (first === ']') return this.#found(this.#ending('END_ARRAY', out));
    for (;;) {
      out.push(yield* this.value(depth + 1));
      const c = this.#next(() => this.#unclosed('ARRAY', start));
      if (c === ']') return this.#found(this.#ending('END_ARRAY', out));
      if (c === '}') throw this.#mismatch('}', ']', 'ARRAY', start);
      if (c !== ',') throw this.#unexpected(c, 'was expecting comma to separate ARRAY entries');
      this.#at++;
    }
  }

  /** The parser looks into a string only when it is asked for it: until then it stands behind the first quote. */
  #stringValue(): string {
    const start = this.#at;
    this.#inString = true;
    const value = this.#string('string value', 'Unexpected end-of-input in VALUE_STRING');
    this.#inString = false;
    this.#token = 'VALUE_STRING';
    if (this.#isMeant?.(this.#path, value)) this.place ??= this.#places.at(start + 1, 1);
    return value;
  }

  #found<T>(value: T): T {
    if (this.#isMeant !== undefined && this.place === undefined) {
      let start = this.#at;
      if (Array.isArray(value)) start--;
      else while (start > 0 && !',:[ \t\r\n'.includes(this.#text[start - 1]!)) start--;
      if (this.#isMeant(this.#path, this.#text.slice(start, this.#at)))
        this.place = this.#places.at(this.#at, 1);
    }
    return value;
  }

  #name(): string {
    const c = this.#text[this.#at]!;
    if (c === '"') {
      const empty = this.#at + 1 >= this.#text.length;
      const atEnd = empty ? `: was expecting closing '"' for name` : ' in field name';
      return this.#string('name', `Unexpected end-of-input${atEnd}`);
    }
    const match = /[\w$@*#+\-\x80-\u{10ffff}]+/uy;
    match.lastIndex = this.#at;
    const found = match.exec(this.#text);
    if (found === null) {
      throw this.#unexpected(
        c,
        'was expecting either valid name character (for unquoted name) or double-quote (for quoted) to start field name',
      );
    }
    this.#at += found[0].length;
    return found[0];
  }

  /** A text in quotes; `what` it is, and the error of one that is never closed. */
  #string(what: string, atEnd: string): string {
    const start = this.#at++;
    for (;;) {
      PLAIN.lastIndex = this.#at;
      PLAIN.test(this.#text);
      this.#at = PLAIN.lastIndex;
      const c = this.#text[this.#at];
      if (c === undefined) throw this.#ended(atEnd);
      if (c === '"') break;
      if (c < ' ') {
        this.#at++;
        throw this.#error(
          `Illegal unquoted character (${described(c)}): has to be escaped using backslash to be included in ${what}`,
        );
      }
      if (c === '\\') {
        const escaped = this.#text[this.#at + 1] ?? '';
        if (escaped === '') throw this.#ended('Unexpected end-of-input in character escape sequence');
        if (!'"\\/bfnrtu'.includes(escaped)) {
          this.#at += 2;
          throw this.#error(`Unrecognized character escape ${described(escaped)}`);
        }
        if (escaped === 'u') this.#hex(this.#at + 2);
        this.#at++;
      }
      this.#at++;
    }
    this.#at++;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #hex(from: number): void {
    for (let i = from; i < from + 4; i++) {
      const c = this.#text[i] ?? '';
      if (/[\da-f]/i.test(c)) continue;
      this.#at = i;
      if (c === '') throw this.#ended('Unexpected end-of-input in character escape sequence');
      throw this.#unexpected(c, 'expected a hex-digit for character escape sequence');
    }
  }

  #number(): number | RawNumber {
    const match = /-?\d*(\.\d*)?([eE][+-]?\d*)?/y;
    match.lastIndex = this.#at;
    const text = match.exec(this.#text)![0];
    if (text === '-' || /^-\D/.test(text)) {
      this.#at++;
      throw this.#text[this.#at] === undefined ? this.#endedInToken() : this.#unsigned('-');
    }
    if (/^-?0\d/.test(text)) {
      this.#at += text.startsWith('-') ? 2 : 1;
      throw this.#error('Invalid numeric value: Leading zeroes not allowed');
    }
    this.#at += text.length;
    const isLast = this.#at >= this.#text.length;
    if (/\.(?!\d)/.test(text)) {
      // What follows the point is told, and at the end the point itself.
      const point = this.#at - text.length + text.indexOf('.') + 1;
      this.#at = point;
      if (point >= this.#text.length)
        throw this.#ended(badNumber('.', 'Decimal point not followed by a digit'));
      throw this.#badDigit('Decimal point not followed by a digit');
    }
    if (Number.isNaN(Number(text))) {
      throw isLast ? this.#endedInToken() : this.#badDigit('Exponent indicator not followed by a digit');
    }
    // Only what follows tells the parser that a number is over, and a zero that it doesn't lead.
    if (isLast) this.#ends += /^-?0$/.test(text) ? 2 : 1;
    this.#token = /[.eE]/.test(text) ? 'VALUE_NUMBER_FLOAT' : 'VALUE_NUMBER_INT';
    return numberOfToken(text);
  }

  /** What follows a sign, if it isn't a digit: the names of the infinite are known, and refused. */
  #unsigned(sign: string): ElasticsearchError {
    const why = 'expected digit (0-9) to follow minus sign, for valid numeric value';
    if (this.#text[this.#at] !== 'I') return this.#badDigit(why);
    this.#at++;
    const full = { N: `${sign}INF`, n: `${sign}Infinity` }[this.#text[this.#at] ?? ''];
    if (full === undefined)
      return this.#text[this.#at] ? this.#badDigit(why) : this.#ended('Unexpected end-of-input in a value');
    this.#at++;
    return this.#readOn(full) ?? this.#nonStandard(full);
  }

  /** Reads on a token of which three characters have been read; the error of one that goes on in another way. */
  #readOn(full: string): ElasticsearchError | undefined {
    for (let i = 3; i < full.length; i++, this.#at++) {
      if (this.#text[this.#at] !== full[i]) return this.#misspelt(full.slice(0, i));
    }
    const c = this.#text[this.#at];
    return c !== undefined && IDENTIFIER.test(c) ? this.#misspelt(full) : undefined;
  }

  /** The error of a token that begins as a known one, and goes on in another way. */
  #misspelt(begun: string): ElasticsearchError {
    // The parser has met the end once where it expected the known one to go on.
    if (this.#text[this.#at] === undefined) this.#ends++;
    return this.#unrecognized(begun, "'null', 'true', 'false' or NaN");
  }

  /** The error of a token that begins in that way, and goes on in the text. */
  #unrecognized(begun: string, expected: string): ElasticsearchError {
    IDENTIFIERS.lastIndex = this.#at;
    IDENTIFIERS.test(this.#text);
    const token = begun + this.#text.slice(this.#at, IDENTIFIERS.lastIndex);
    this.#at = IDENTIFIERS.lastIndex;
    const problem = `Unrecognized token '${token}': was expecting ${expected}`;
    if (this.#text[this.#at] === undefined) return this.#ended(problem);
    // The character that ends the token has been read.
    this.#at++;
    return this.#error(problem);
  }

  #nonStandard(token: string): ElasticsearchError {
    return this.#error(
      `Non-standard token '${token}': enable JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS to allow`,
    );
  }

  #word(): unknown {
    const first = this.#text[this.#at]!;
    const full = { t: 'true', f: 'false', n: 'null', N: 'NaN', I: 'Infinity' }[first];
    this.#at++;
    if (full === undefined) throw this.#unrecognized(first, "('true', 'false' or 'null')");
    for (let i = 1; i < full.length; i++, this.#at++) {
      if (this.#text[this.#at] !== full[i]) throw this.#misspelt(full.slice(0, i));
    }
    const next = this.#text[this.#at];
    if (next === undefined) this.#ends++;
    else if (IDENTIFIER.test(next)) throw this.#misspelt(full);
    if (full === 'NaN' || full === 'Infinity') throw this.#nonStandard(full);
    this.#token = `VALUE_${full.toUpperCase()}`;
    return full === 'null' ? null : full === 'true';
  }

  /**
   * The next character that counts; comments and blanks are skipped.
   * @param atEnd what is said at the end; a function of what takes long to say
   */
  #next(atEnd: string | (() => string)): string {
    for (;;) {
      const c = this.#text[this.#at];
      if (c === undefined) throw this.#ended(typeof atEnd === 'string' ? atEnd : atEnd());
      if (SPACE.includes(c) || c === '\ufeff') this.#at++;
      else if (c === '/') this.#comment(atEnd);
      else if (c < ' ') {
        this.#at++;
        throw this.#error(
          `Illegal character (${described(c)}): only regular white space (\\r, \\n, \\t) is allowed between tokens`,
        );
      } else return c;
    }
  }

  #comment(atEnd: string | (() => string)): void {
    const kind = this.#text[++this.#at];
    if (kind === undefined) throw this.#ended('Unexpected end-of-input in a comment');
    if (kind !== '/' && kind !== '*')
      throw this.#unexpected(kind, "was expecting either '*' or '/' for a comment");
    const end = kind === '/' ? '\n' : '*/';
    const at = this.#text.indexOf(end, this.#at + 1);
    if (at >= 0) {
      this.#at = at + end.length;
      return;
    }
    // The end of a line's comment is looked for at the end, and then what follows it.
    if (kind === '/') this.#ends++;
    if (kind === '*') throw this.#ended('Unexpected end-of-input in a comment');
    throw this.#ended(typeof atEnd === 'string' ? atEnd : atEnd());
  }

  #ending<T>(token: string, value: T): T {
    this.#at++;
    this.#open--;
    this.#token = token;
    return value;
  }

  /** The character that is next, in a number where it can't stand. */
  #badDigit(why: string): ElasticsearchError {
    return this.#error(badNumber(this.#text[this.#at++]!, why));
  }

  /** The error of a number that lacks its digits at the end: it isn't the token yet. */
  #endedInToken(): ElasticsearchError {
    return this.#ended(`Unexpected end-of-input in ${this.#token}`);
  }

  #unexpected(c: string, expected: string): ElasticsearchError {
    this.#at++;
    return this.#error(`Unexpected character (${described(c)}): ${expected}`);
  }

  #unclosed(kind: string, start: number): string {
    return `Unexpected end-of-input: expected close marker for ${kind} (from ${this.#places.at(start, 0)})`;
  }

  #mismatch(found: string, expected: string, kind: string, start: number): ElasticsearchError {
    this.#at++;
    return this.#error(
      `Unexpected close marker '${found}': expected '${expected}' (for ${kind} starting at ${this.#places.at(start, 0)})`,
    );
  }

  /** An error at the end: each time that the parser meets it, it counts the bytes up to there once more. */
  #ended(problem: string): ElasticsearchError {
    return this.#broken(`${problem}\n at ${this.#places.end(this.#ends)}`);
  }

  /** An error behind what was read last. */
  #error(problem: string): ElasticsearchError {
    return this.#broken(`${problem}\n at ${this.#places.at(this.#at, 1)}`);
  }

  #broken(detail: string): BrokenJson {
    const within = this.#open > 1 ? this.#path[0] : undefined;
    return new BrokenJson(detail, this.#inString ? [...this.#path] : undefined, this.#outermost, within);
  }
}
