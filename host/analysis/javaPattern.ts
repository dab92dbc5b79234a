/**
 * Java's regular expressions, matched in linear time by RE2. What RE2 writes otherwise is translated; what it can't do
 * (look-around, references back to groups, possessive and atomic groups, intersections of classes) is refused.
 */
import { RE2JS } from 're2js';
import { ElasticsearchError, illegalArgument } from '../errors.js';

const FLAGS: Readonly<Record<string, string>> = {
  CASE_INSENSITIVE: 'i',
  MULTILINE: 'm',
  DOTALL: 's',
  COMMENTS: 'x',
  LITERAL: 'L',
  UNICODE_CASE: '',
  CANON_EQ: '',
  UNIX_LINES: '',
  UNICODE_CHARACTER_CLASS: '',
  UNICODE_CHAR_CLASS: '',
};

/** Compiles a pattern of settings with its flags, such as `CASE_INSENSITIVE|DOTALL`; throws what 1.7 throws. */
export function compilePattern(pattern: string, flags = ''): RE2JS {
  let letters = '';
  for (const name of flags.split('|')) {
    if (name === '') continue;
    const letter = FLAGS[name.toUpperCase()];
    if (letter === undefined) throw illegalArgument(`Unknown regex flag [${name}]`);
    letters += letter;
  }
  const source = letters.includes('L')
    ? RE2JS.quote(pattern)
    : new Translation(pattern, letters.includes('x'), letters.includes('s')).run();
  let bits = 0;
  if (letters.includes('i')) bits |= RE2JS.CASE_INSENSITIVE;
  if (letters.includes('m')) bits |= RE2JS.MULTILINE;
  if (letters.includes('s')) bits |= RE2JS.DOTALL;
  try {
    return RE2JS.compile(source, bits);
  } catch (e) {
    throw syntaxError(pattern, e instanceof Error ? e.message : String(e));
  }
}

/** RE2's complaint in Java's words, where Java has them. */
function syntaxError(pattern: string, complaint: string): ElasticsearchError {
  if (complaint.includes('missing closing )')) return broken(pattern, 'Unclosed group', pattern.length);
  if (complaint.includes('missing closing ]')) {
    return broken(pattern, 'Unclosed character class', pattern.length - 1);
  }
  if (complaint.includes('unexpected )')) {
    return broken(pattern, "Unmatched closing ')'", Math.max(pattern.lastIndexOf(')') - 1, 0));
  }
  if (complaint.includes('missing argument to repetition')) {
    const at = Math.max(pattern.search(/[*+?]/), 0);
    return broken(pattern, `Dangling meta character '${pattern[at]}'`, at);
  }
  return broken(pattern, complaint.replace(/^error parsing regexp: /, ''), -1);
}

function broken(pattern: string, what: string, at: number): ElasticsearchError {
  const place = at < 0 ? '' : ` near index ${at}`;
  const mark = at >= 0 && at < pattern.length ? `\n${' '.repeat(at)}^` : '';
  return new ElasticsearchError('PatternSyntaxException', `${what}${place}\n${pattern}${mark}`, {
    status: 400,
  });
}

/** What Java's `.` leaves out. */
const LINE_ENDS = '\\n\\r\\x{85}\\x{2028}\\x{2029}';
/** Java's `\s`, which has the vertical tab, for use in a class. */
const SPACES = '\\t-\\r ';
/** Java's POSIX classes under `\p`, as ASCII, for use in a class. */
const POSIX: Readonly<Record<string, string>> = {
  Lower: 'a-z',
  Upper: 'A-Z',
  ASCII: '\\x00-\\x7f',
  Alpha: 'a-zA-Z',
  Digit: '0-9',
  Alnum: 'a-zA-Z0-9',
  Punct: '!-/:-@\\[-`{-~',
  Graph: '!-~',
  Print: ' -~',
  Blank: ' \\t',
  Cntrl: '\\x00-\\x1f\\x7f',
  XDigit: '0-9a-fA-F',
  Space: SPACES,
};

/** One pass over a pattern. */
class Translation {
  readonly #pattern: string;
  readonly #comments: boolean;
  readonly #dotAll: boolean;
  #at = 0;

  constructor(pattern: string, comments: boolean, dotAll: boolean) {
    this.#pattern = pattern;
    this.#comments = comments;
    // With the flag inside the pattern, a dot may mean either; RE2 then leaves out the newline alone.
    this.#dotAll = dotAll || /\(\?[a-zA-Z]*s/.test(pattern);
  }

  run(): string {
    let out = '';
    while (this.#at < this.#pattern.length) out += this.#next();
    return out;
  }

  #next(): string {
    const c = this.#pattern[this.#at]!;
    if (c === '\\') return this.#escape(false);
    if (c === '[') return this.#class();
    this.#at++;
    if (c === '.') return this.#dotAll ? '.' : `[^${LINE_ENDS}]`;
    if (c === '(' && this.#pattern[this.#at] === '?') return this.#group();
    if (this.#comments && /\s/.test(c)) return '';
    if (this.#comments && c === '#') {
      const end = this.#pattern.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.#pattern.length : end + 1;
      return '';
    }
    return /[*+?}]/.test(c) ? this.#quantifier(c) : c;
  }

  #quantifier(c: string): string {
    if (
      this.#pattern[this.#at] === '+' &&
      (c !== '}' || /\{\d+(,\d*)?\}$/.test(this.#pattern.slice(0, this.#at)))
    ) {
      throw this.#refused('possessive quantifiers');
    }
    return c;
  }

  #group(): string {
    const rest = this.#pattern.slice(this.#at + 1, this.#at + 3);
    if (/^(=|!|<=|<!)/.test(rest)) throw this.#refused('look-around');
    if (rest.startsWith('>')) throw this.#refused('atomic groups');
    return '(';
  }

  /** Translates an escape, inside a class or outside of one. */
  #escape(inClass: boolean): string {
    const pattern = this.#pattern;
    const c = pattern[this.#at + 1];
    const rest = pattern.slice(this.#at + 2);
    const take = (length: number, out: string): string => {
      this.#at += 2 + length;
      return out;
    };
    const bracket = (members: string, negated = false): string =>
      inClass && !negated ? members : `[${negated ? '^' : ''}${members}]`;
    switch (c) {
      case undefined:
        throw broken(pattern, 'Unexpected internal error', pattern.length);
      case 'u': {
        const digits = /^[0-9A-Fa-f]{4}/.exec(rest)?.[0];
        if (digits === undefined) throw broken(pattern, 'Illegal Unicode escape sequence', this.#at + 2);
        return take(4, `\\x{${digits}}`);
      }
      case '0': {
        const digits = /^(?:[0-3][0-7]{2}|[0-7]{1,2})/.exec(rest)?.[0];
        if (digits === undefined) throw broken(pattern, 'Illegal octal escape sequence', this.#at + 2);
        return take(digits.length, `\\x{${Number.parseInt(digits, 8).toString(16)}}`);
      }
      case 'c':
        return take(1, `\\x{${((rest.charCodeAt(0) || 0x40) ^ 64).toString(16)}}`);
      case 'e':
        return take(0, '\\x1b');
      case 's':
        return take(0, bracket(SPACES));
      case 'S':
        if (inClass) throw this.#refused('\\S in a class');
        return take(0, bracket(SPACES, true));
      case 'h':
        return take(
          0,
          bracket(' \\t\\x{a0}\\x{1680}\\x{180e}\\x{2000}-\\x{200a}\\x{202f}\\x{205f}\\x{3000}'),
        );
      case 'R':
        return take(0, `(?:\\r\\n|[\\n-\\r${LINE_ENDS}])`);
      case 'Z':
        return take(0, '\\z');
      case 'G':
        throw this.#refused('\\G');
      case 'Q': {
        const end = pattern.indexOf('\\E', this.#at);
        const literal = pattern.slice(this.#at + 2, end < 0 ? pattern.length : end);
        this.#at = end < 0 ? pattern.length : end + 2;
        return RE2JS.quote(literal);
      }
      case 'p':
      case 'P':
        return this.#property(c === 'P', inClass);
      case 'k':
        throw this.#refused('references back to groups');
    }
    if (/[1-9]/.test(c)) throw this.#refused('references back to groups');
    return take(0, `\\${c}`);
  }

  #property(negated: boolean, inClass: boolean): string {
    const found = /^(?:\{(\^?[^}]*)\}|(.))/su.exec(this.#pattern.slice(this.#at + 2));
    if (found === null) throw broken(this.#pattern, 'Unknown character property', this.#at);
    this.#at += 2 + found[0].length;
    const name = found[1] ?? found[2]!;
    const members = POSIX[name];
    if (members === undefined) return `\\${negated ? 'P' : 'p'}{${name.replace(/^Is(?=.)/, '')}}`;
    if (inClass && negated) throw this.#refused(`\\P{${name}} in a class`);
    return inClass ? members : `[${negated ? '^' : ''}${members}]`;
  }

  /** A class; nested ones and intersections are Java's alone. */
  #class(): string {
    const pattern = this.#pattern;
    let out = '[';
    this.#at++;
    if (pattern[this.#at] === '^') {
      out += '^';
      this.#at++;
    }
    let first = true;
    while (this.#at < pattern.length) {
      const c = pattern[this.#at]!;
      if (c === ']' && !first) {
        this.#at++;
        return `${out}]`;
      }
      first = false;
      if (c === '\\') {
        out += this.#escape(true);
        continue;
      }
      if (c === '[') throw this.#refused('a class in a class');
      if (c === '&' && pattern[this.#at + 1] === '&') throw this.#refused('intersections of classes');
      out += c === ']' ? '\\]' : c;
      this.#at++;
    }
    return out;
  }

  #refused(what: string): ElasticsearchError {
    return illegalArgument(`the pattern [${this.#pattern}] needs ${what}, which is not supported`);
  }
}

/** A replacement as Java reads it: `$1`, `${name}`, and characters escaped by a backslash. */
export class Replacement {
  readonly #parts: (string | number)[] = [];

  constructor(text: string, pattern: RE2JS) {
    const groups = pattern.groupCount();
    let literal = '';
    for (let at = 0; at < text.length; at++) {
      const c = text[at]!;
      if (c === '\\') {
        if (++at === text.length) throw invalid('character to be escaped is missing');
        literal += text[at]!;
        continue;
      }
      if (c !== '$') {
        literal += c;
        continue;
      }
      const named = /^\{([a-zA-Z][a-zA-Z0-9]*)\}/.exec(text.slice(at + 1));
      let group: number;
      if (named !== null) {
        const found = pattern.namedGroups()[named[1]!];
        if (found === undefined) throw invalid(`No group with name {${named[1]}}`);
        group = found;
        at += named[0].length;
      } else {
        if (!/[0-9]/.test(text[at + 1] ?? '')) throw invalid('Illegal group reference');
        group = Number(text[++at]);
        if (group > groups) throw new ElasticsearchError('IndexOutOfBoundsException', `No group ${group}`);
        // As many digits as make a group that there is.
        while (/[0-9]/.test(text[at + 1] ?? '') && group * 10 + Number(text[at + 1]) <= groups) {
          group = group * 10 + Number(text[++at]);
        }
      }
      if (literal !== '') this.#parts.push(literal);
      literal = '';
      this.#parts.push(group);
    }
    if (literal !== '') this.#parts.push(literal);
  }

  /** What stands for a match; `group` gives its groups, null for one that took no part. */
  of(group: (i: number) => string | null): string {
    let out = '';
    for (const part of this.#parts) out += typeof part === 'string' ? part : (group(part) ?? '');
    return out;
  }
}

function invalid(detail: string): ElasticsearchError {
  return new ElasticsearchError('IllegalArgumentException', detail);
}
