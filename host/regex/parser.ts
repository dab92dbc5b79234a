/** Reads Java's syntax of regular expressions. Where several things are wrong, Java's own order decides what is said. */
import { equivalents, isMark } from './canonical.js';
import { bracketClass, escapedClass, literalSet } from './classes.js';
import { CodePointSet } from './codePointSet.js';
import { tooLarge, unsupported } from './errors.js';
import { escapedCharacter } from './escapes.js';
import { Flag, INLINE } from './flags.js';
import { code, END, isAsciiLetter, isDigit, PatternReader, unquoted } from './patternReader.js';
import { VERTICAL_SPACE } from './properties.js';
import { Assertion, EMPTY, hasOneWay, isNullable, maxLength, type Node, type RepeatMode } from './tree.js';

/** In UTF-16 code units. */
const LONGEST_PATTERN = 32_768;
const DEEPEST_GROUP = 250;
const MOST_REPEATS = 0x7fff_ffff;

const LINE_ENDS = CodePointSet.of(10, 10, 13, 13, 0x85, 0x85, 0x2028, 0x2029);
const set = (codePoints: CodePointSet): Node => ({ type: 'set', set: codePoints });
const assertion = (which: Assertion): Node => ({ type: 'assertion', assertion: which });

/** A pattern that was read. */
export interface ParsedPattern {
  readonly root: Node;
  /** How many capturing groups there are. */
  readonly groups: number;
  /** The numbers of those that have names. */
  readonly names: ReadonlyMap<string, number>;
}

/** Reads a pattern; throws Java's PatternSyntaxException, and what {@link unsupported} says of what can't be matched. */
export function parsePattern(pattern: string, flags: number): ParsedPattern {
  if (pattern.length > LONGEST_PATTERN) throw tooLarge(pattern, `more than ${LONGEST_PATTERN} characters`);
  return new Parser(pattern, flags).parse();
}

class Parser {
  readonly #reader: PatternReader;
  readonly #names = new Map<string, number>();
  #groups = 0;
  #depth = 0;

  constructor(pattern: string, flags: number) {
    const unicode = (flags & Flag.unicodeCharacterClass) !== 0 ? Flag.unicodeCase : 0;
    this.#reader = new PatternReader(pattern, flags | unicode);
  }

  parse(): ParsedPattern {
    const reader = this.#reader;
    const root = this.#choice();
    if (reader.peek() === code(')')) throw reader.error("Unmatched closing ')'", reader.at - 1);
    return { root, groups: this.#groups, names: this.#names };
  }

  #has(flag: number): boolean {
    return (this.#reader.flags & flag) !== 0;
  }

  #choice(): Node {
    const items = [this.#sequence()];
    while (this.#reader.accept('|')) items.push(this.#sequence());
    return items.length === 1 ? items[0]! : { type: 'choice', items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    for (;;) {
      const c = this.#reader.peek();
      if (c === END || c === code('|') || c === code(')')) break;
      const atom = this.#atom(c);
      if (atom !== undefined) items.push(this.#quantified(atom));
    }
    return items.length === 0 ? EMPTY : items.length === 1 ? items[0]! : { type: 'sequence', items };
  }

  /** Undefined for what sets flags alone. */
  #atom(c: number): Node | undefined {
    const reader = this.#reader;
    // A repetition of nothing.
    if (c === code('{')) return EMPTY;
    reader.at++;
    switch (c) {
      case code('('):
        return this.#group();
      case code('['):
        return set(bracketClass(reader));
      case code('\\'):
        return this.#escape();
      case code('^'):
        if (!this.#has(Flag.multiline)) return assertion(Assertion.textStart);
        return assertion(this.#has(Flag.unixLines) ? Assertion.unixLineStart : Assertion.lineStart);
      case code('$'):
        if (!this.#has(Flag.multiline)) return this.#lastLineEnd();
        return assertion(this.#has(Flag.unixLines) ? Assertion.unixLineEnd : Assertion.lineEnd);
      case code('.'):
        if (this.#has(Flag.dotAll)) return set(CodePointSet.all);
        return set((this.#has(Flag.unixLines) ? CodePointSet.of(10, 10) : LINE_ENDS).complement());
      case code('*'):
      case code('+'):
      case code('?'):
        throw reader.error(`Dangling meta character '${String.fromCharCode(c)}'`, reader.at - 1);
    }
    return this.#has(Flag.canonEq) ? this.#equivalents(c) : set(literalSet(unquoted(c), reader.flags));
  }

  /** A character with the marks behind it, in all the ways in which it may be composed. */
  #equivalents(c: number): Node {
    const reader = this.#reader;
    let text = String.fromCodePoint(unquoted(c));
    for (let mark = reader.peek(); mark !== END && isMark(unquoted(mark)); mark = reader.peek()) {
      text += String.fromCodePoint(unquoted(mark));
      reader.at++;
    }
    const items = equivalents(text).map((codes): Node => {
      const sets = codes.map((each) => set(literalSet(each, reader.flags)));
      return sets.length === 1 ? sets[0]! : { type: 'sequence', items: sets };
    });
    return items.length === 1 ? items[0]! : { type: 'choice', items };
  }

  #lastLineEnd(): Node {
    return assertion(this.#has(Flag.unixLines) ? Assertion.lastUnixLineEnd : Assertion.lastLineEnd);
  }

  #escape(): Node {
    const reader = this.#reader;
    const members = escapedClass(reader);
    if (members !== undefined) return set(members);
    const c = reader.take();
    const unicode = this.#has(Flag.unicodeCharacterClass);
    switch (c < 128 && c >= 0 ? String.fromCharCode(c) : '') {
      case 'b':
        if (reader.peekRaw() === code('{') && reader.peekRaw(1) === code('g')) {
          throw unsupported(reader.pattern, 'grapheme clusters');
        }
        return assertion(unicode ? Assertion.unicodeWordBoundary : Assertion.wordBoundary);
      case 'B':
        return assertion(unicode ? Assertion.notUnicodeWordBoundary : Assertion.notWordBoundary);
      case 'A':
        return assertion(Assertion.textStart);
      case 'z':
        return assertion(Assertion.textEnd);
      case 'Z':
        return this.#lastLineEnd();
      case 'G':
        return assertion(Assertion.searchStart);
      case 'R': {
        const pair: Node = {
          type: 'sequence',
          items: [set(CodePointSet.of(13, 13)), set(CodePointSet.of(10, 10))],
        };
        return { type: 'choice', items: [pair, set(VERTICAL_SPACE)] };
      }
      case 'X':
        throw unsupported(reader.pattern, 'grapheme clusters');
      case 'k':
        return this.#namedReference();
    }
    if (c >= code('1') && c <= code('9')) throw unsupported(reader.pattern, 'references back to groups');
    return set(literalSet(escapedCharacter(reader, c), reader.flags));
  }

  #namedReference(): never {
    const reader = this.#reader;
    if (reader.take() !== code('<')) {
      throw reader.error("\\k is not followed by '<' for named capturing group", reader.at - 1);
    }
    const name = this.#groupName();
    if (!this.#names.has(name)) {
      throw reader.error(`named capturing group <${name}> does not exist`, reader.at - 1);
    }
    throw unsupported(reader.pattern, 'references back to groups');
  }

  /** What stands after a `(`, to its `)`. */
  #group(): Node | undefined {
    const reader = this.#reader;
    const { flags } = reader;
    if (++this.#depth > DEEPEST_GROUP) {
      throw tooLarge(reader.pattern, `more than ${DEEPEST_GROUP} groups in each other`);
    }
    const close = () => {
      reader.peek();
      if (reader.take() !== code(')')) throw reader.error('Unclosed group', reader.at - 1);
      reader.flags = flags;
      this.#depth--;
    };
    if (reader.peekRaw() !== code('?')) {
      const index = ++this.#groups;
      const item = this.#choice();
      close();
      return { type: 'capture', item, index };
    }
    reader.at++;
    const kind = reader.take();
    switch (kind) {
      case code(':'): {
        const item = this.#choice();
        close();
        return item;
      }
      case code('>'): {
        const item = this.#choice();
        close();
        return { type: 'atomic', item };
      }
      case code('='):
      case code('!'): {
        const item = this.#choice();
        close();
        return { type: 'look', item, ahead: true, negated: kind === code('!') };
      }
      case code('<'):
        return this.#behindOrNamed(close);
      case code('$'):
      case code('@'):
        throw reader.error('Unknown group type', reader.at - 1);
    }
    reader.at--;
    this.#inlineFlags();
    const end = reader.take();
    if (end === code(')')) {
      this.#depth--;
      return undefined;
    }
    if (end !== code(':')) throw reader.error('Unknown inline modifier', reader.at - 1);
    const item = this.#choice();
    close();
    return item;
  }

  #behindOrNamed(close: () => void): Node {
    const reader = this.#reader;
    const kind = reader.peekRaw();
    if (kind === code('=') || kind === code('!')) {
      reader.at++;
      const item = this.#choice();
      if (!hasObviousLength(item)) {
        throw reader.error('Look-behind group does not have an obvious maximum length', reader.at - 1);
      }
      close();
      return { type: 'look', item, ahead: false, negated: kind === code('!') };
    }
    const name = this.#groupName();
    if (this.#names.has(name)) {
      throw reader.error(`Named capturing group <${name}> is already defined`, reader.at - 1);
    }
    const index = ++this.#groups;
    this.#names.set(name, index);
    const item = this.#choice();
    close();
    return { type: 'capture', item, index };
  }

  /** The name and the `>` after it. */
  #groupName(): string {
    const reader = this.#reader;
    const from = reader.at;
    if (!isAsciiLetter(reader.peekRaw())) {
      throw reader.error('capturing group name does not start with a Latin letter', from);
    }
    while (isAsciiLetter(reader.peekRaw()) || isDigit(reader.peekRaw())) reader.at++;
    const name = reader.text(from, reader.at);
    if (reader.take() !== code('>')) {
      throw reader.error("named capturing group is missing trailing '>'", reader.at - 1);
    }
    return name;
  }

  /** The letters of `(?ix-s)`. */
  #inlineFlags(): void {
    const reader = this.#reader;
    let on = true;
    for (;;) {
      const c = reader.peekRaw();
      const letter = c > 0 && c < 128 ? String.fromCharCode(c) : '';
      if (letter === '-') on = false;
      else if (!Object.hasOwn(INLINE, letter)) return;
      else reader.flags = on ? reader.flags | INLINE[letter]! : reader.flags & ~INLINE[letter]!;
      reader.at++;
    }
  }

  #quantified(item: Node): Node {
    const reader = this.#reader;
    const c = reader.peek();
    let min = 0;
    let max = Number.POSITIVE_INFINITY;
    if (c === code('{')) {
      [min, max] = this.#counts();
    } else if (c === code('?') || c === code('*') || c === code('+')) {
      reader.at++;
      if (c === code('+')) min = 1;
      if (c === code('?')) max = 1;
    } else {
      return item;
    }
    let mode: RepeatMode = 'greedy';
    if (reader.accept('?')) mode = 'lazy';
    else if (reader.accept('+')) mode = 'possessive';
    return { type: 'repeat', item, min, max, mode };
  }

  /** What stands in braces. */
  #counts(): [min: number, max: number] {
    const reader = this.#reader;
    reader.at++;
    if (!isDigit(reader.peekRaw())) throw reader.error('Illegal repetition', reader.at);
    const min = this.#number();
    let max = min;
    if (reader.peekRaw() === code(',')) {
      reader.at++;
      max = Number.POSITIVE_INFINITY;
      if (isDigit(reader.peekRaw())) max = this.#number();
    }
    if (reader.peekRaw() !== code('}')) throw reader.error('Unclosed counted closure', reader.at);
    if (max < min) throw reader.error('Illegal repetition range', reader.at);
    reader.at++;
    return [min, max];
  }

  #number(): number {
    const reader = this.#reader;
    let value = 0;
    for (; isDigit(reader.peekRaw()); reader.at++) {
      value = value * 10 + reader.peekRaw() - 48;
      if (value > MOST_REPEATS) throw reader.error('Illegal repetition range', reader.at);
    }
    return value;
  }
}

/** What Java takes in a look-behind: there, a group that is repeated must match in one way, or have a limit. */
function hasObviousLength(node: Node): boolean {
  switch (node.type) {
    case 'sequence':
    case 'choice':
      return node.items.every(hasObviousLength);
    case 'capture':
    case 'atomic':
      return hasObviousLength(node.item);
    case 'repeat': {
      const { item, max } = node;
      if (item.type === 'set' || (max === 1 && node.min === 0)) return hasObviousLength(item);
      return hasOneWay(item) && (max < Number.POSITIVE_INFINITY || isNullable(item) || maxLength(item) <= 1);
    }
    default:
      return true;
  }
}
