/**
 * JSON as 1.7 reads it: strict JSON goes to JSON.parse; what that refuses is read again here, where names may stand
 * without quotes, comments are skipped, and whatever follows the first value is ignored. Errors have the parser's texts.
 */
import { type ElasticsearchError, jsonParse } from '../errors.js';

const MAX_DEPTH = 1000;
const SPACE = ' \t\r\n';

/** Whether bytes are taken for content at all: a brace among the first twenty. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 20).includes(0x7b);
}

/** The value of a text; throws a `JsonParseException`. */
export function parseLax(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return new LaxParser(text).value(0);
  }
}

class LaxParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.#error(`Too deep: more than ${MAX_DEPTH} levels`);
    const c = this.#next(
      depth === 0 ? 'Unexpected end-of-input' : 'Unexpected end-of-input within/between OBJECT entries',
    );
    if (c === '{') return this.#object(depth);
    if (c === '[') return this.#array(depth);
    if (c === '"') return this.#string();
    if (c === '-' || (c >= '0' && c <= '9')) return this.#number();
    if (/[a-z$_]/i.test(c)) return this.#word();
    if (c === '}' || c === ']') throw this.#unexpected(c, 'expected a value');
    throw this.#unexpected(
      c,
      "expected a valid value (number, String, array, object, 'true', 'false' or 'null')",
    );
  }

  #object(depth: number): unknown {
    this.#at++;
    const out: Record<string, unknown> = {};
    if (this.#next(unclosed('OBJECT')) === '}') return this.#step(out);
    for (;;) {
      const key = this.#name();
      const colon = this.#next('Unexpected end-of-input within/between OBJECT entries');
      if (colon !== ':')
        throw this.#unexpected(colon, 'was expecting a colon to separate field name and value');
      this.#at++;
      Object.defineProperty(out, key, {
        value: this.value(depth + 1),
        enumerable: true,
        writable: true,
        configurable: true,
      });
      const c = this.#next(unclosed('OBJECT'));
      if (c === '}') return this.#step(out);
      if (c === ']') throw this.#error("Unexpected close marker ']': expected '}' (for OBJECT)");
      if (c !== ',') throw this.#unexpected(c, 'was expecting comma to separate OBJECT entries');
      this.#at++;
      this.#next('Unexpected end-of-input within/between OBJECT entries');
    }
  }

  #array(depth: number): unknown {
    this.#at++;
    const out: unknown[] = [];
    if (this.#next(unclosed('ARRAY')) === ']') return this.#step(out);
    for (;;) {
      out.push(this.value(depth + 1));
      const c = this.#next(unclosed('ARRAY'));
      if (c === ']') return this.#step(out);
      if (c === '}') throw this.#error("Unexpected close marker '}': expected ']' (for ARRAY)");
      if (c !== ',') throw this.#unexpected(c, 'was expecting comma to separate ARRAY entries');
      this.#at++;
    }
  }

  #name(): string {
    const c = this.#text[this.#at]!;
    if (c === '"') return this.#string();
    const match = /[\p{L}\p{N}_$@*#-]+/uy;
    match.lastIndex = this.#at;
    const found = match.exec(this.#text);
    if (found === null || /^\p{N}/u.test(found[0])) {
      throw this.#unexpected(
        c,
        'was expecting either valid name character (for unquoted name) or double-quote (for quoted) to start field name',
      );
    }
    this.#at += found[0].length;
    return found[0];
  }

  #string(): string {
    const start = this.#at++;
    for (;;) {
      const c = this.#text[this.#at];
      if (c === undefined) throw this.#error('Unexpected end-of-input in VALUE_STRING');
      if (c === '"') break;
      if (c < ' ') {
        throw this.#error(
          `Illegal unquoted character ((CTRL-CHAR, code ${c.charCodeAt(0)})): has to be escaped using backslash to be included in string value`,
        );
      }
      if (c === '\\') {
        const escaped = this.#text[this.#at + 1] ?? '';
        if (!'"\\/bfnrtu'.includes(escaped)) {
          throw this.#error(`Unrecognized character escape '${escaped}' (code ${escaped.charCodeAt(0)})`);
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
      throw this.#unexpected(c, 'expected a hex-digit for character escape sequence');
    }
  }

  #number(): number {
    const match = /-?\d*(\.\d*)?([eE][+-]?\d*)?/y;
    match.lastIndex = this.#at;
    const text = match.exec(this.#text)![0];
    if (/^-?0\d/.test(text)) throw this.#error('Invalid numeric value: Leading zeroes not allowed');
    if (/\.(?!\d)/.test(text)) {
      this.#at += text.length;
      throw this.#unexpected(
        this.#text[this.#at] ?? '',
        'in numeric value: Decimal point not followed by a digit',
        ' ',
      );
    }
    const value = Number(text);
    if (text === '-' || Number.isNaN(value)) throw this.#error(`Invalid numeric value: ${text}`);
    this.#at += text.length;
    return value;
  }

  #word(): unknown {
    const match = /[\p{L}\p{N}_$]+/uy;
    match.lastIndex = this.#at;
    const word = match.exec(this.#text)![0];
    this.#at += word.length;
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    if (word === 'NaN') {
      throw this.#error(
        "Non-standard token 'NaN': enable JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS to allow",
      );
    }
    throw this.#error(`Unrecognized token '${word}': was expecting 'null', 'true', 'false' or NaN`);
  }

  /** The next character that counts; comments and blanks are skipped. */
  #next(atEnd: string): string {
    for (;;) {
      const c = this.#text[this.#at];
      if (c === undefined) throw this.#error(atEnd);
      if (SPACE.includes(c) || c === '\ufeff') this.#at++;
      else if (this.#text.startsWith('//', this.#at) || c === '#') this.#skipTo('\n', atEnd);
      else if (this.#text.startsWith('/*', this.#at)) this.#skipTo('*/', atEnd);
      else return c;
    }
  }

  #skipTo(end: string, atEnd: string): void {
    const at = this.#text.indexOf(end, this.#at);
    if (at < 0) throw this.#error(atEnd);
    this.#at = at + end.length;
  }

  #step<T>(value: T): T {
    this.#at++;
    return value;
  }

  #unexpected(c: string, expected: string, joint = ': '): ElasticsearchError {
    return this.#error(`Unexpected character ('${c}' (code ${c.charCodeAt(0)}))${joint}${expected}`);
  }

  #error(problem: string): ElasticsearchError {
    const before = this.#text.slice(0, this.#at).split('\n');
    return jsonParse(
      `${problem}\n at [Source: line: ${before.length}, column: ${before.at(-1)!.length + 1}]`,
    );
  }
}

function unclosed(kind: string): string {
  return `Unexpected end-of-input: expected close marker for ${kind}`;
}
