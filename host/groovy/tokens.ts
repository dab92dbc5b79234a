/** The words of a Groovy script. */

/** Why a script can't be read or run, as Groovy would call it. */
export class GroovyError extends Error {
  readonly exception: string;

  constructor(exception: string, message: string) {
    super(message);
    this.exception = exception;
  }
}

/** A script that can't be read. @param at the place in the text */
export function syntaxError(text: string, at: number, problem: string): GroovyError {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  return new GroovyError(
    'MultipleCompilationErrorsException',
    `startup failed: Script1.groovy: ${line}: ${problem} @ line ${line}, column ${column}.`,
  );
}

/** A part of a text between double quotes: letters, or a script whose value stands there. */
export type TextPart = string | { script: string; at: number };

export interface Token {
  kind: 'name' | 'number' | 'text' | 'operator' | 'line' | 'end';
  /** A name, an operator, the digits of a number with their suffix. */
  text: string;
  /** Of a text. */
  parts?: readonly TextPart[];
  /** Where it begins. */
  at: number;
}

/** Longer ones first. */
const OPERATORS = [
  ...['>>>=', '<<=', '>>=', '>>>', '**=', '..<', '<=>', '===', '!==', '==~', '?:=', '*.@'],
  ...[
    '**',
    '++',
    '--',
    '+=',
    '-=',
    '*=',
    '/=',
    '%=',
    '&=',
    '|=',
    '^=',
    '==',
    '!=',
    '<=',
    '>=',
    '&&',
    '||',
    '<<',
    '>>',
  ],
  ...['?.', '?:', '*.', '..', '->', '=~', '.&', '.@', '::'],
  ...'+-*/%=<>!?:.,;()[]{}&|^~@',
];

const isNameStart = (char: string) => /[A-Za-z_$\u0080-\uffff]/.test(char);
const isNamePart = (char: string) => isNameStart(char) || (char >= '0' && char <= '9');
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\\': '\\',
  "'": "'",
  '"': '"',
  $: '$',
};

/** Reads all words of a script. Line ends between brackets and parentheses are none, and neither are those behind an operator or a comma. */
export function tokensOf(text: string): Token[] {
  return new Lexer(text).all();
}

class Lexer {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  /** The brackets that are open. */
  readonly #open: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  all(): Token[] {
    while (this.#at < this.#text.length) this.#next();
    this.#push('end', '', this.#at);
    return this.#tokens;
  }

  #push(kind: Token['kind'], text: string, at: number): void {
    this.#tokens.push({ kind, text, at });
  }

  #next(): void {
    const text = this.#text;
    const at = this.#at;
    const char = text[at]!;
    if (char === '\n') {
      this.#at++;
      const inside = this.#open.at(-1);
      if (inside !== '(' && inside !== '[') this.#push('line', '\n', at);
    } else if (char === ' ' || char === '\t' || char === '\r') this.#at++;
    else if (text.startsWith('//', at)) this.#at = endOr(text.indexOf('\n', at), text.length);
    else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) throw syntaxError(text, at, 'a comment without its end');
      this.#at = end + 2;
    } else if (char === "'" || char === '"') this.#quoted(char);
    else if (char >= '0' && char <= '9') this.#number();
    else if (isNameStart(char)) {
      while (this.#at < text.length && isNamePart(text[this.#at]!)) this.#at++;
      this.#push('name', text.slice(at, this.#at), at);
    } else this.#operator();
  }

  #operator(): void {
    const at = this.#at;
    const found = OPERATORS.find((each) => this.#text.startsWith(each, at));
    if (found === undefined) throw syntaxError(this.#text, at, `unexpected char: '${this.#text[at]}'`);
    this.#at += found.length;
    if (found === '(' || found === '[' || found === '{') this.#open.push(found);
    else if (found === ')' || found === ']' || found === '}') this.#open.pop();
    this.#push('operator', found, at);
  }

  /** Digits, a fraction if a digit follows its point, an exponent, a suffix. */
  #number(): void {
    const text = this.#text;
    const at = this.#at;
    const digits = (isDigit: (char: string) => boolean) => {
      while (this.#at < text.length && (isDigit(text[this.#at]!) || text[this.#at] === '_')) this.#at++;
    };
    const decimal = (char: string) => char >= '0' && char <= '9';
    if (/^0[xX]/.test(text.slice(at, at + 2))) {
      this.#at += 2;
      digits((char) => /[0-9a-fA-F]/.test(char));
    } else {
      digits(decimal);
      if (text[this.#at] === '.' && decimal(text[this.#at + 1] ?? '')) {
        this.#at++;
        digits(decimal);
      }
      if (/^[eE][-+]?[0-9]/.test(text.slice(this.#at, this.#at + 3))) {
        this.#at += 2;
        digits(decimal);
      }
    }
    if (/[lLiIgGdDfF]/.test(text[this.#at] ?? '')) this.#at++;
    if (isNamePart(text[this.#at] ?? ' '))
      throw syntaxError(text, this.#at, `unexpected char: '${text[this.#at]}'`);
    this.#push('number', text.slice(at, this.#at).replaceAll('_', ''), at);
  }

  /** A text between quotes, one or three; between double ones `$name` and `${script}` stand for values. */
  #quoted(quote: string): void {
    const text = this.#text;
    const at = this.#at;
    const end = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
    const parts: TextPart[] = [];
    let letters = '';
    this.#at += end.length;
    while (!text.startsWith(end, this.#at)) {
      const char = text[this.#at];
      if (char === undefined || (char === '\n' && end.length === 1))
        throw syntaxError(text, at, 'a text without its end');
      if (char === '\\') letters += this.#escape();
      else if (char === '$' && quote === '"') {
        if (letters !== '') parts.push(letters);
        letters = '';
        parts.push(this.#inserted());
      } else {
        letters += char;
        this.#at++;
      }
    }
    this.#at += end.length;
    if (letters !== '' || parts.length === 0) parts.push(letters);
    this.#tokens.push({ kind: 'text', text: '', parts, at });
  }

  #escape(): string {
    const text = this.#text;
    const char = text[this.#at + 1] ?? '';
    if (char === 'u') {
      const hex = text.slice(this.#at + 2, this.#at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex))
        throw syntaxError(text, this.#at, 'four hexadecimal digits belong behind \\u');
      this.#at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const found = Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined;
    if (found === undefined) throw syntaxError(text, this.#at, `unexpected char: '\\'`);
    this.#at += 2;
    return found;
  }

  #inserted(): TextPart {
    const text = this.#text;
    const at = this.#at + 1;
    if (text[at] === '{') {
      const end = endOfBraces(text, at);
      if (end < 0) throw syntaxError(text, at, 'a value in a text without its }');
      this.#at = end + 1;
      return { script: text.slice(at + 1, end), at: at + 1 };
    }
    if (!isNameStart(text[at] ?? ' ')) throw syntaxError(text, at, 'a name or { belongs behind $');
    let end = at;
    // Names with points between, as in $ctx.op.
    while (
      (text[end] !== '$' && isNamePart(text[end] ?? ' ')) ||
      (text[end] === '.' && isNameStart(text[end + 1] ?? ' '))
    )
      end++;
    this.#at = end;
    return { script: text.slice(at, end), at };
  }
}

function endOr(found: number, end: number): number {
  return found < 0 ? end : found;
}

/** The brace that closes the one at a place; -1 where there is none. Texts within are skipped. */
function endOfBraces(text: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at;
  }
  return -1;
}
