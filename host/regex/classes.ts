/** Classes of characters: `[...]` with Java's unions and intersections, and `\p{...}`. */
import { caseVariants, rangeVariants } from './casing.js';
import { CodePointSet } from './codePointSet.js';
import { escapedCharacter } from './escapes.js';
import { Flag } from './flags.js';
import { code, END, isAsciiLetter, type PatternReader, unquoted } from './patternReader.js';
import { letterClass, propertySet } from './properties.js';

/** The set of a literal character. */
export function literalSet(codePoint: number, flags: number): CodePointSet {
  return (flags & Flag.caseInsensitive) !== 0
    ? caseVariants(codePoint, (flags & Flag.unicodeCase) !== 0)
    : CodePointSet.of(codePoint, codePoint);
}

/** The class whose `[` was taken, to its `]`. */
export function bracketClass(reader: PatternReader): CodePointSet {
  const negated = reader.peekRaw() === code('^');
  if (negated) reader.at++;
  const set = members(reader);
  reader.at++;
  return negated ? set.complement() : set;
}

/** What stands up to the `]` of a class, which is not taken. */
function members(reader: PatternReader): CodePointSet {
  let set: CodePointSet | undefined;
  for (;;) {
    const c = reader.peek();
    if (c === code(']') && set !== undefined) return set;
    if (c === END) throw reader.error('Unclosed character class', reader.at - 1);
    if (c === code('&') && reader.peekRaw(1) === code('&')) {
      reader.at += 2;
      const right = intersected(reader);
      if (set === undefined && right === undefined) throw reader.error('Bad class syntax', reader.at - 1);
      set = set === undefined ? right : set.intersection(right ?? CodePointSet.all);
      continue;
    }
    const more = c === code('[') ? nested(reader) : item(reader);
    set = set === undefined ? more : set.union(more);
  }
}

/** What stands after `&&`, up to the end of the class or a further `&&`; undefined if nothing does. */
function intersected(reader: PatternReader): CodePointSet | undefined {
  let set: CodePointSet | undefined;
  for (let c = reader.peek(); c !== code(']') && c !== code('&'); c = reader.peek()) {
    const more = c === code('[') ? nested(reader) : members(reader);
    set = set === undefined ? more : set.union(more);
  }
  return set;
}

function nested(reader: PatternReader): CodePointSet {
  reader.at++;
  return bracketClass(reader);
}

/** One character, a range, or an escape that is a class. */
function item(reader: PatternReader): CodePointSet {
  const { flags } = reader;
  const first = reader.take();
  if (first === code('\\')) {
    const set = escapedClass(reader);
    if (set !== undefined) return set;
  }
  const low = first === code('\\') ? escapedCharacter(reader, reader.take()) : unquoted(first);
  if (reader.peek() !== code('-')) return literalSet(low, flags);
  const after = reader.peekRaw(1);
  // A hyphen before a nested class or the end stands for itself.
  if (after === code('[') || after === code(']')) return literalSet(low, flags);
  reader.at++;
  const high = rangeEnd(reader);
  if (high < low) throw reader.error('Illegal character range', reader.at - 1);
  if ((flags & Flag.caseInsensitive) === 0) return CodePointSet.of(low, high);
  return rangeVariants(low, high, (flags & Flag.unicodeCase) !== 0);
}

/** Negative where a range can't end so. */
function rangeEnd(reader: PatternReader): number {
  reader.peek();
  const c = reader.take();
  if (c !== code('\\')) return c === END ? END : unquoted(c);
  return escapedClass(reader) === undefined ? escapedCharacter(reader, reader.take()) : -1;
}

/** The class of an escape whose backslash was taken; undefined, and nothing taken, if it is no class. */
export function escapedClass(reader: PatternReader): CodePointSet | undefined {
  const c = reader.peekRaw();
  if (!isAsciiLetter(c)) return undefined;
  if (c === code('p') || c === code('P')) return property(reader);
  const set = letterClass(String.fromCharCode(c), reader.flags);
  if (set !== undefined) reader.at++;
  return set;
}

/** `p{Name}`, `pL`, or their opposites with `P`. */
function property(reader: PatternReader): CodePointSet {
  const negated = reader.take() === code('P');
  const from = reader.at;
  let name: string;
  if (reader.peekRaw() === code('{')) {
    while (reader.peekRaw() !== code('}')) {
      if (reader.peekRaw() === END) throw reader.error('Unclosed character family', reader.at);
      reader.at++;
    }
    name = reader.text(from + 1, reader.at);
    if (name === '') throw reader.error('Empty character family', reader.at);
  } else {
    name = reader.text(from, from + 1);
  }
  const set = propertySet(name, reader.flags);
  if (set === undefined) throw reader.error(unknown(name), reader.at);
  reader.at++;
  return negated ? set.complement() : set;
}

function unknown(name: string): string {
  const equals = name.indexOf('=');
  if (equals < 0) return `Unknown character property name {${name}}`;
  const key = name.slice(0, equals).toLowerCase();
  return `Unknown Unicode property {name=<${key}>, value=<${name.slice(equals + 1)}>}`;
}
