/**
 * The syntax of simple query strings: words, `"phrases"~slop`, `prefix*`, `fuzzy~n`, joined by `+` (and), `|` (or), `-`
 * (not) and parentheses. No text is wrong: an operator where it can't be one is read over.
 */

/** The operators, to be switched on and off. */
export const Operator = {
  and: 1,
  not: 2,
  or: 4,
  prefix: 8,
  phrase: 16,
  precedence: 32,
  escape: 64,
  whitespace: 128,
  fuzzy: 256,
  near: 512,
} as const;
/** All of them. */
export const ALL_OPERATORS = -1;

/** Makes the queries; undefined where an analysis left nothing. */
export interface SimpleBuilder<Q> {
  words(text: string): Q | undefined;
  phrase(text: string, slop: number): Q | undefined;
  prefix(text: string): Q | undefined;
  fuzzy(text: string, edits: number): Q | undefined;
  /** All documents but those of the query. */
  not(query: Q): Q;
  /** A query to which others of the same kind will be added. */
  group(first: Q, all: boolean): Group<Q>;
}

/** Queries joined by one operator. */
export interface Group<Q> {
  add(query: Q): void;
  readonly query: Q;
}

const MAX_EDITS = 2;
/** Deeper parentheses are read over. */
const MAX_DEPTH = 64;
const SPACES = ' \t\n\r';

/** The query of a text, undefined if there is none in it. */
export function parseSimple<Q>(
  text: string,
  builder: SimpleBuilder<Q>,
  flags: number,
  allByDefault: boolean,
): Q | undefined {
  const whole = { text, builder, flags, allByDefault, closing: closingIn(text, flags) };
  return new Parser(whole, 0, text.length, 0).parse();
}

/** What the parsers of a text and of its parentheses share. */
interface Whole<Q> {
  readonly text: string;
  readonly builder: SimpleBuilder<Q>;
  readonly flags: number;
  readonly allByDefault: boolean;
  /** Where the parenthesis that is opened somewhere is closed; the length of the text where it never is. */
  readonly closing: Int32Array;
}

/** Where parentheses are closed, all in one pass from the back: a text of nothing but opening ones would be read again for each. */
function closingIn(text: string, flags: number): Int32Array {
  const { length } = text;
  const closing = new Int32Array(text.includes('(') && (flags & Operator.precedence) !== 0 ? length : 0);
  if (closing.length === 0) return closing;
  const escapes = (flags & Operator.escape) !== 0;
  /** Parentheses that are open behind a place, less those that are closed; and where there were so many last. */
  const open = new Int32Array(length + 1);
  let isEscaped = false;
  for (let at = 0; at < length; at++) {
    const char = text[at];
    const step = isEscaped ? 0 : char === '(' ? 1 : char === ')' ? -1 : 0;
    open[at + 1] = open[at]! + step;
    isEscaped = !isEscaped && escapes && char === '\\';
  }
  const next = new Int32Array(2 * length + 1).fill(length);
  for (let at = length - 1; at >= 0; at--) {
    const level = open[at + 1]! + length;
    if (text[at] === '(') closing[at] = next[level - 1]!;
    next[level] = at;
  }
  return closing;
}

class Parser<Q> {
  readonly #whole: Whole<Q>;
  readonly #text: string;
  readonly #builder: SimpleBuilder<Q>;
  readonly #flags: number;
  /** Where the part ends that is read here. */
  readonly #end: number;
  readonly #depth: number;
  /** No phrase is closed that begins from here on. */
  #unclosed = Number.POSITIVE_INFINITY;
  #at = 0;
  #top: Q | undefined;
  #group: Group<Q> | undefined;
  /** Whether all must match: of the next clause, and of the one before. */
  #current: boolean | undefined;
  #previous: boolean | undefined;
  #negations = 0;

  constructor(whole: Whole<Q>, at: number, end: number, depth: number) {
    this.#whole = whole;
    this.#text = whole.text;
    this.#builder = whole.builder;
    this.#flags = whole.flags;
    this.#at = at;
    this.#end = end;
    this.#depth = depth;
  }

  parse(): Q | undefined {
    while (this.#at < this.#end) {
      const char = this.#text[this.#at]!;
      if (char === '(' && this.#has(Operator.precedence)) this.#parentheses();
      else if (char === ')' && this.#has(Operator.precedence)) this.#at++;
      else if (char === '"' && this.#has(Operator.phrase)) this.#phrase();
      else if (char === '+' && this.#has(Operator.and)) this.#operator(true);
      else if (char === '|' && this.#has(Operator.or)) this.#operator(false);
      else if (char === '-' && this.#has(Operator.not)) {
        this.#negations++;
        this.#at++;
        continue;
      } else if (SPACES.includes(char) && this.#has(Operator.whitespace)) this.#at++;
      else this.#word();
      this.#negations = 0;
    }
    return this.#group?.query ?? this.#top;
  }

  #has(operator: number): boolean {
    return (this.#flags & operator) !== 0;
  }

  #operator(all: boolean): void {
    if (this.#current === undefined && this.#top !== undefined) this.#current = all;
    this.#at++;
  }

  #parentheses(): void {
    const at = this.#whole.closing[this.#at]!;
    const start = ++this.#at;
    if (at >= this.#end || this.#depth >= MAX_DEPTH) return;
    this.#at = at + 1;
    if (at === start) {
      this.#current = undefined;
      return;
    }
    this.#add(new Parser(this.#whole, start, at, this.#depth + 1).parse());
  }

  #phrase(): void {
    const text = this.#text;
    const start = ++this.#at;
    if (start >= this.#unclosed) return;
    let phrase = '';
    let at = start;
    for (; at < this.#end; at++) {
      if (text[at] === '\\' && this.#has(Operator.escape)) at++;
      else if (text[at] === '"') break;
      if (at < this.#end) phrase += text[at];
    }
    // Without an end it is no phrase.
    if (at >= this.#end) {
      this.#unclosed = start;
      return;
    }
    this.#at = at;
    if (at === start) {
      this.#current = undefined;
      this.#at++;
      return;
    }
    let slop = 0;
    if (at + 1 < this.#end && text[at + 1] === '~' && this.#has(Operator.near)) {
      this.#at++;
      if (at + 2 < this.#end) slop = this.#number();
    }
    this.#add(this.#builder.phrase(phrase, slop));
    this.#at++;
  }

  #word(): void {
    const text = this.#text;
    let word = '';
    let isPrefix = false;
    let isFuzzy = false;
    while (this.#at < this.#end) {
      let char = text[this.#at]!;
      if (char === '\\' && this.#has(Operator.escape)) {
        isPrefix = false;
        this.#at++;
        if (this.#at >= this.#end) break;
        char = text[this.#at]!;
      } else if (this.#ended()) {
        break;
      } else if (word !== '' && char === '~' && this.#has(Operator.fuzzy)) {
        isFuzzy = true;
        break;
      } else isPrefix = word !== '' && char === '*' && this.#has(Operator.prefix);
      word += char;
      this.#at++;
    }
    if (word === '') return;
    const edits = isFuzzy ? Math.min(this.#number(), MAX_EDITS) : 0;
    if (edits > 0) this.#add(this.#builder.fuzzy(word, edits));
    else if (isPrefix && !isFuzzy) this.#add(this.#builder.prefix(word.slice(0, -1)));
    else this.#add(this.#builder.words(word));
  }

  /** Whether the character here ends a word. */
  #ended(): boolean {
    switch (this.#text[this.#at]) {
      case '"':
        return this.#has(Operator.phrase);
      case '|':
        return this.#has(Operator.or);
      case '+':
        return this.#has(Operator.and);
      case '(':
      case ')':
        return this.#has(Operator.precedence);
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        return this.#has(Operator.whitespace);
      default:
        return false;
    }
  }

  /** The number behind a `~`; what is no number is zero. */
  #number(): number {
    let digits = '';
    for (this.#at++; this.#at < this.#end && !this.#ended(); this.#at++) digits += this.#text[this.#at];
    const number = /^[+-]?\d{1,10}$/.test(digits) ? Number(digits) : 0;
    return number > 0x7fff_ffff ? 0 : Math.max(0, number);
  }

  #add(query: Q | undefined): void {
    if (query === undefined) return;
    const branch = this.#negations % 2 === 1 ? this.#builder.not(query) : query;
    if (this.#top === undefined) this.#top = branch;
    else {
      const all = this.#current ?? this.#whole.allByDefault;
      if (this.#group === undefined || this.#previous !== all) {
        this.#group = this.#builder.group(this.#group?.query ?? this.#top, all);
      }
      this.#group.add(branch);
      this.#previous = all;
    }
    this.#current = undefined;
  }
}
