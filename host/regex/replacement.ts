/** Replacements as Java reads them. */
import { ElasticsearchError, javaIllegalArgument } from '../errors.js';
import type { Turns } from '../workLimit.js';
import type { Match, Regex } from './regex.js';

/** A piece of a text that was replaced. */
export interface Replaced {
  /** Where it began and ended in the text before, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** What stands there now. */
  readonly text: string;
}

/** What stands for matches of one pattern: `$1`, `${name}`, and characters escaped by a backslash. */
export class Replacement {
  /** Literal texts and numbers of groups. */
  readonly #parts: (string | number)[] = [];
  readonly #regex: Regex;

  /** Throws what Java throws of a replacement that can't be read, which it does when there is something to replace. */
  constructor(text: string, regex: Regex) {
    this.#regex = regex;
    let literal = '';
    for (let at = 0; at < text.length; ) {
      const c = text[at]!;
      if (c === '\\') {
        if (at + 1 === text.length) throw javaIllegalArgument('character to be escaped is missing');
        literal += text[at + 1]!;
        at += 2;
      } else if (c === '$') {
        const [group, end] = this.#reference(text, at + 1);
        if (literal !== '') this.#parts.push(literal);
        literal = '';
        this.#parts.push(group);
        at = end;
      } else {
        literal += c;
        at++;
      }
    }
    if (literal !== '') this.#parts.push(literal);
  }

  /** What stands for a match in a text. */
  of(match: Match, text: string): string {
    let out = '';
    for (const part of this.#parts) {
      if (typeof part === 'string') out += part;
      else {
        const span = match.group(part);
        if (span !== undefined) out += text.slice(span[0], span[1]);
      }
    }
    return out;
  }

  /** The text with matches replaced, all of them or the first. */
  *apply(text: string, all = true): Turns<string> {
    let out = '';
    let from = 0;
    for (const piece of this.pieces(text)) {
      if (piece === undefined) {
        yield;
        continue;
      }
      out += text.slice(from, piece.start) + piece.text;
      from = piece.end;
      if (!all) break;
    }
    return out + text.slice(from);
  }

  /** What is to be replaced in a text, from the left; undefined where others may have a turn. */
  *pieces(text: string): Generator<Replaced | undefined, void, undefined> {
    for (const match of this.#regex.findAllInTurns(text)) {
      if (match === undefined) yield;
      else yield { start: match.start, end: match.end, text: this.of(match, text) };
    }
  }

  /** The group that is meant behind a `$`, and where the reference ends. */
  #reference(text: string, at: number): [group: number, end: number] {
    if (at === text.length) throw javaIllegalArgument('Illegal group reference: group index is missing');
    if (text[at] === '{') return this.#named(text, at + 1);
    if (!isDigit(text[at])) throw javaIllegalArgument('Illegal group reference');
    const groups = this.#regex.groupCount;
    let group = Number(text[at]);
    if (group > groups) throw new ElasticsearchError('IndexOutOfBoundsException', `No group ${group}`);
    let end = at + 1;
    // As many digits as make a group that there is.
    while (isDigit(text[end]) && group * 10 + Number(text[end]) <= groups) {
      group = group * 10 + Number(text[end++]);
    }
    return [group, end];
  }

  #named(text: string, from: number): [group: number, end: number] {
    let end = from;
    while (end < text.length && /[a-zA-Z0-9]/.test(text[end]!)) end++;
    const name = text.slice(from, end);
    if (name === '') throw javaIllegalArgument("named capturing group is missing trailing '}'");
    if (text[end] !== '}') throw javaIllegalArgument("named capturing group is missing trailing '}'");
    if (isDigit(name[0])) {
      throw javaIllegalArgument(`capturing group name {${name}} starts with digit character`);
    }
    const group = this.#regex.names.get(name);
    if (group === undefined) throw javaIllegalArgument(`No group with name {${name}}`);
    return [group, end + 1];
  }
}

function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= '0' && c <= '9';
}
