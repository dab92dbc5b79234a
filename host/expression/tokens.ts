/** The tokens of an expression, read one by one as Lucene's lexer reads them, and how its errors call them. */

import { ownValue } from '../ownNames.js';

/** What is no expression. `exception` is the class of Java's error. */
export class ExpressionError extends Error {
  readonly exception: 'ParseException' | 'IllegalArgumentException' | 'NumberFormatException';

  constructor(exception: ExpressionError['exception'], message: string) {
    super(message);
    this.exception = exception;
  }
}

export interface Token {
  kind: 'variable' | 'number' | 'operator' | 'end';
  text: string;
  at: number;
  /** Where it stands in its line. */
  column: number;
}

const OPERATORS = /^(?:>>>|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>!~&|^?:(),.])/;
const ID_START = /[A-Za-z_$]/;
const ID_PART = /[A-Za-z0-9_$]/;
const DIGIT = /[0-9]/;
const HEX_DIGIT = /[0-9a-fA-F]/;
const SPACE = /[ \t\n\r]/;
/** The longest operator. */
const LONGEST = 3;

/** Reads tokens; where none begins or one doesn't end, it throws what Lucene says. */
export class Lexer {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next token; at the end there is one for ever. */
  next(): Token {
    while (this.#is(SPACE)) this.#at++;
    const at = this.#at;
    const kind = this.#read();
    return { kind, text: this.#text.slice(at, this.#at), at, column: this.#column(at) };
  }

  #read(): Token['kind'] {
    if (this.#at >= this.#text.length) return 'end';
    if (this.#is(ID_START)) {
      this.#variable();
      return 'variable';
    }
    if (this.#is(DIGIT) || (this.#here === '.' && DIGIT.test(this.#text[this.#at + 1] ?? ''))) {
      this.#number();
      return 'number';
    }
    const operator = OPERATORS.exec(this.#text.slice(this.#at, this.#at + LONGEST))?.[0];
    if (operator === undefined) {
      // There is but one token that begins so.
      if (this.#here === '=') this.#at++;
      throw this.#unexpected();
    }
    this.#at += operator.length;
    return 'operator';
  }

  get #here(): string {
    return this.#text[this.#at] ?? '';
  }

  #is(characters: RegExp): boolean {
    return this.#at < this.#text.length && characters.test(this.#here);
  }

  #all(characters: RegExp): void {
    while (this.#is(characters)) this.#at++;
  }

  /** Names with dots between them, each with any number of things in brackets. */
  #variable(): void {
    for (;;) {
      if (!this.#is(ID_START)) throw this.#unexpected();
      this.#all(ID_PART);
      while (this.#here === '[') this.#brackets();
      if (this.#here !== '.') return;
      this.#at++;
    }
  }

  #brackets(): void {
    this.#at++;
    const quote = this.#here;
    if (quote === "'" || quote === '"') this.#string(quote);
    else if (quote === '0') this.#at++;
    else if (this.#is(DIGIT)) this.#all(DIGIT);
    else throw this.#unexpected();
    if (this.#here !== ']') throw this.#unexpected();
    this.#at++;
  }

  #string(quote: string): void {
    this.#at++;
    while (this.#here !== quote) {
      if (this.#here === '\\') {
        this.#at++;
        if (this.#here !== quote && this.#here !== '\\') throw this.#unexpected();
      } else if (this.#at >= this.#text.length) throw this.#unexpected();
      this.#at++;
    }
    this.#at++;
  }

  #number(): void {
    const second = this.#text[this.#at + 1] ?? '';
    if (this.#here === '0' && /[xX]/.test(second)) {
      this.#at += 2;
      if (!this.#is(HEX_DIGIT)) throw this.#unexpected();
      this.#all(HEX_DIGIT);
      return;
    }
    if (this.#here === '0' && /[0-7]/.test(second)) {
      this.#at++;
      this.#all(/[0-7]/);
      return;
    }
    if (this.#here === '0') this.#at++;
    else this.#all(DIGIT);
    if (this.#here === '.') {
      this.#at++;
      this.#all(DIGIT);
    }
    if (!this.#is(/[eE]/)) return;
    this.#at++;
    if (this.#is(/[+-]/)) this.#at++;
    if (!this.#is(DIGIT)) throw this.#unexpected();
    this.#all(DIGIT);
  }

  #column(at: number): number {
    return at - (this.#text.lastIndexOf('\n', at - 1) + 1);
  }

  /** The end is a character of its own to Lucene's lexer. */
  #unexpected(): ExpressionError {
    const found = this.#at < this.#text.length ? this.#here : '\uffff';
    return new ExpressionError(
      'ParseException',
      ` unexpected character '${found}' at position (${this.#column(this.#at)}).`,
    );
  }
}

const NAMES: Record<string, string> = {
  '(': 'open parenthesis',
  ')': 'close parenthesis',
  '<': 'less than',
  '<=': 'less than or equal',
  '>': 'greater than',
  '>=': 'greater than or equal',
  '==': 'equal',
  '!': 'boolean not',
  '&&': 'boolean and',
  '||': 'boolean or',
  '?': 'conditional',
  '+': 'addition',
  '-': 'subtraction',
  '*': 'multiplication',
  '/': 'division',
  '%': 'modulo',
  '<<': 'bit shift left',
  '>>': 'bit shift right',
  '>>>': 'unsigned bit shift right',
  '&': 'bitwise and',
  '|': 'bitwise or',
  '^': 'bitwise xor',
  '~': 'bitwise not',
};

/** A token as errors call it. */
export function described({ kind, text }: Token): string {
  if (kind === 'end') return 'end of expression';
  if (kind === 'number') {
    const name = /^0[xX]/.test(text) ? 'hex' : /^0[0-7]/.test(text) ? 'octal' : 'decimal';
    return `${name} '${text}'`;
  }
  const name = ownValue(NAMES, text);
  return name === undefined ? `'${text}'` : `${name} '${text}'`;
}
