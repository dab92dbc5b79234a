/**
 * The tokens of Lucene's classic query syntax. The longest token wins, of equally long ones the first in the order of
 * the kinds. `^` is followed by a number alone, and within `[…]` and `{…}` other tokens are read than outside.
 */

/** The kinds, as messages print them; the order is that of the lists of what was expected. */
export const KINDS = [
  '<EOF> ',
  '<AND> ...',
  '<OR> ...',
  '<NOT> ...',
  '"+" ...',
  '"-" ...',
  '<BAREOPER> ...',
  '"(" ...',
  '")" ...',
  '":" ...',
  '"*" ...',
  '"^" ...',
  '<QUOTED> ...',
  '<TERM> ...',
  '<FUZZY_SLOP> ...',
  '<PREFIXTERM> ...',
  '<WILDTERM> ...',
  '<REGEXPTERM> ...',
  '"[" ...',
  '"{" ...',
  '<NUMBER> ...',
  '"TO" ...',
  '"]" ...',
  '"}" ...',
  '<RANGE_QUOTED> ...',
  '<RANGE_GOOP> ...',
] as const;

export const Kind = {
  End: 0,
  And: 1,
  Or: 2,
  Not: 3,
  Plus: 4,
  Minus: 5,
  BareOperator: 6,
  Open: 7,
  Close: 8,
  Colon: 9,
  Star: 10,
  Caret: 11,
  Quoted: 12,
  Term: 13,
  Slop: 14,
  Prefix: 15,
  Wildcard: 16,
  Regexp: 17,
  OpenIncluded: 18,
  OpenExcluded: 19,
  Number: 20,
  To: 21,
  CloseIncluded: 22,
  CloseExcluded: 23,
  RangeQuoted: 24,
  RangeWord: 25,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** One token. `column` counts UTF-16 units from 0; line breaks don't count. */
export interface Token {
  kind: Kind;
  image: string;
  column: number;
}

/** A text that is no query. The message is Lucene's; `cause17` is the exception there, undefined where there is none. */
export class SyntaxFailure extends Error {
  override readonly name = 'SyntaxFailure';
  readonly cause17: string | undefined;

  constructor(message: string, cause17: string | undefined = 'ParseException') {
    super(message);
    this.cause17 = cause17;
  }
}

const SINGLE = new Map<string, Kind>([
  ['(', Kind.Open],
  [')', Kind.Close],
  [':', Kind.Colon],
  ['^', Kind.Caret],
  ['[', Kind.OpenIncluded],
  ['{', Kind.OpenExcluded],
  ['+', Kind.Plus],
  ['-', Kind.Minus],
  ['!', Kind.Not],
]);
const WORDS = new Map<string, Kind>([
  ['AND', Kind.And],
  ['&&', Kind.And],
  ['OR', Kind.Or],
  ['||', Kind.Or],
  ['NOT', Kind.Not],
]);
const SPACES = ' \t\n\r\u3000';
/** What ends a term, and what only a backslash lets begin one. */
const SPECIAL = `${SPACES}+-!():^[]"{}~*?\\/`;
const NUMBER = /\d+(?:\.\d+)?/y;
const RANGE_WORD = /[^ \]}]+/y;

/** Cuts a text into tokens, one at a time. */
export class Tokenizer {
  readonly #text: string;
  #at = 0;
  #state: 'default' | 'boost' | 'range' = 'default';

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token; after the last one, one of kind `End` with the image `<EOF>`. */
  next(): Token {
    if (this.#state !== 'boost') {
      while (this.#at < this.#text.length && SPACES.includes(this.#text[this.#at]!)) this.#at++;
    }
    const start = this.#at;
    if (start >= this.#text.length) return { kind: Kind.End, image: '<EOF>', column: this.#text.length };
    const kind =
      this.#state === 'default' ? this.#default() : this.#state === 'boost' ? this.#boost() : this.#range();
    return { kind, image: this.#text.slice(start, this.#at), column: start };
  }

  #default(): Kind {
    const text = this.#text;
    const start = this.#at;
    const first = text[start]!;
    const single = SINGLE.get(first);
    if (single !== undefined) {
      this.#at++;
      if (single === Kind.Caret) this.#state = 'boost';
      if (single === Kind.OpenIncluded || single === Kind.OpenExcluded) this.#state = 'range';
      const operator = single === Kind.Plus || single === Kind.Minus || single === Kind.Not;
      if (!operator || this.#at >= text.length || !SPACES.includes(text[this.#at]!)) return single;
      this.#at++;
      return Kind.BareOperator;
    }
    if (first === '"') return this.#delimited('"', Kind.Quoted);
    if (first === '/') return this.#regexp();
    if (first === '~') {
      this.#at = this.#endOfTerm(start + 1);
      return Kind.Slop;
    }
    return this.#word();
  }

  /** Where the characters that may stand in a term end. */
  #endOfTerm(from: number): number {
    const text = this.#text;
    let at = from;
    for (; at < text.length; at++) {
      const char = text[at]!;
      if (char === '\\' && at + 1 < text.length) at++;
      else if (SPECIAL.includes(char) && char !== '-' && char !== '+') break;
    }
    return at;
  }

  /** A term, or a pattern. */
  #word(): Kind {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    let plain = start;
    while (at < text.length) {
      const char = text[at]!;
      let next = at + 1;
      if (char === '\\') {
        if (next >= text.length) break;
        next++;
      } else if (char !== '*' && char !== '?') {
        if (SPECIAL.includes(char) && (at === start || (char !== '-' && char !== '+'))) break;
      }
      if (plain === at && char !== '*' && char !== '?') plain = next;
      at = next;
    }
    if (at === start) throw this.#failure(start, start + 1);
    this.#at = at;
    const image = text.slice(start, at);
    if (plain === at) return WORDS.get(image) ?? Kind.Term;
    if (image === '*') return Kind.Star;
    return plain > start && at === plain + 1 && image.endsWith('*') ? Kind.Prefix : Kind.Wildcard;
  }

  /** Up to the closing delimiter; a backslash takes the next character with it. */
  #delimited(delimiter: string, kind: Kind): Kind {
    const text = this.#text;
    for (let at = this.#at + 1; at < text.length; at++) {
      if (text[at] === '\\') at++;
      else if (text[at] === delimiter) {
        this.#at = at + 1;
        return kind;
      }
    }
    throw this.#failure(this.#at, text.length);
  }

  /** Up to the last slash that can be meant: one behind a backslash may end it if no other does. */
  #regexp(): Kind {
    const text = this.#text;
    let end = -1;
    for (let at = this.#at + 1; at < text.length; at++) {
      if (text[at] !== '/') continue;
      end = at + 1;
      if (text[at - 1] !== '\\' || at - 1 === this.#at) break;
    }
    if (end < 0) throw this.#failure(this.#at, text.length);
    this.#at = end;
    return Kind.Regexp;
  }

  #boost(): Kind {
    const start = this.#at;
    if (this.#match(NUMBER) === 0) throw this.#failure(start, start + 1);
    this.#state = 'default';
    return Kind.Number;
  }

  #range(): Kind {
    const text = this.#text;
    const start = this.#at;
    const first = text[start]!;
    if (first === ']' || first === '}') {
      this.#at++;
      this.#state = 'default';
      return first === ']' ? Kind.CloseIncluded : Kind.CloseExcluded;
    }
    const word = this.#match(RANGE_WORD);
    const quoted = first === '"' ? this.#rangeQuoted(start) : 0;
    if (quoted >= word) {
      this.#at = start + quoted;
      return Kind.RangeQuoted;
    }
    return text.slice(start, start + word) === 'TO' ? Kind.To : Kind.RangeWord;
  }

  /** The length of a bound in quotation marks, 0 if there is none. */
  #rangeQuoted(start: number): number {
    const text = this.#text;
    let length = 0;
    for (let at = start + 1; at < text.length; at++) {
      if (text[at] !== '"' || at === start + 1) {
        if (text[at] === '"') return 0;
        continue;
      }
      length = at + 1 - start;
      if (text[at - 1] !== '\\') break;
    }
    return length;
  }

  /** The length of what the sticky pattern finds here. */
  #match(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.#at += length;
    return length;
  }

  /** No token between `start` and `end`, the last character read being the one before `end`. */
  #failure(start: number, end: number): SyntaxFailure {
    const text = this.#text;
    const atEnd = end >= text.length;
    const after = end - start <= 1 ? '' : text.slice(start, atEnd ? end : end - 1);
    const char = text[end - 1]!;
    const found = atEnd ? '<EOF> ' : `"${escaped(char)}" (${char.charCodeAt(0)}), `;
    const column = atEnd ? end + 1 : end;
    return new SyntaxFailure(
      `Lexical error at line 1, column ${column}.  Encountered: ${found}after : "${escaped(after)}"`,
      'TokenMgrError',
    );
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
};

/** A text as it stands in messages: ASCII, the rest escaped. */
export function escaped(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    const code = text.charCodeAt(i);
    if (char === '\0') continue;
    if (ESCAPES[char] !== undefined) out += ESCAPES[char];
    else out += code < 0x20 || code > 0x7e ? `\\u${code.toString(16).padStart(4, '0')}` : char;
  }
  return out;
}
