/** Where values lie in a JSON text, so that they are passed on as they were written. What is found is where they end, not whether they are right. */
import { isBlank } from './documents';

/** The text is no JSON where it was looked at. */
export class NoJson extends Error {
  override readonly name = 'NoJson';
}

/** A value's place in a text. */
export interface Slice {
  from: number;
  to: number;
}

/** A member of an object. */
export interface Member extends Slice {
  name: string;
}

/** The members of the object that begins at `at`; returns where it ends. */
export function* members(text: string, at: number): Generator<Member, number> {
  let here = expected(text, at, '{');
  if (text[blanks(text, here)] === '}') return blanks(text, here) + 1;
  for (;;) {
    const from = blanks(text, here);
    const to = valueEnd(text, from);
    if (text[from] !== '"') throw new NoJson('a member without a name');
    const value = blanks(text, expected(text, to, ':'));
    const end = valueEnd(text, value);
    yield { name: String(valueAt(text, { from, to })), from: value, to: end };
    here = blanks(text, end);
    const next = text[here++];
    if (next === '}') return here;
    if (next !== ',') throw new NoJson('a member without an end');
  }
}

/** Where the elements of the list that begins at `at` lie. */
export function* elements(text: string, at: number): Generator<Slice> {
  let here = expected(text, at, '[');
  if (text[blanks(text, here)] === ']') return;
  for (;;) {
    const from = blanks(text, here);
    const to = valueEnd(text, from);
    yield { from, to };
    here = blanks(text, to);
    const next = text[here++];
    if (next === ']') return;
    if (next !== ',') throw new NoJson('an element without an end');
  }
}

/** The first member of that name in the object that begins at `at`. */
export function memberOf(text: string, at: number, name: string): Member | undefined {
  for (const member of members(text, at)) if (member.name === name) return member;
  return undefined;
}

/** The value that lies there, parsed. */
export function valueAt(text: string, { from, to }: Slice): unknown {
  try {
    return JSON.parse(text.slice(from, to)) as unknown;
  } catch {
    throw new NoJson('a value that is none');
  }
}

/** Whether a text is a JSON object, all of it. */
export function isWholeObject(text: string): boolean {
  try {
    return text.startsWith('{') && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** JSON without line feeds, which stand between tokens alone: there a blank means the same. */
export function onOneLine(json: string): string {
  return json.replace(/[\r\n]/g, ' ');
}

/** The id that a field gives, with all digits of a number; dots lead into objects, unless a field is called so. */
export function idOf(object: string, field: string): string | undefined {
  try {
    const member = memberOf(object, 0, field);
    if (member !== undefined) return textOf(object, member);
    const names = field.split('.');
    let at = 0;
    for (const [i, name] of names.entries()) {
      if (object[at] !== '{') return undefined;
      const found = memberOf(object, at, name);
      if (found === undefined) return undefined;
      if (i === names.length - 1) return textOf(object, found);
      at = found.from;
    }
  } catch (e) {
    if (!(e instanceof NoJson)) throw e;
  }
  return undefined;
}

function textOf(object: string, slice: Slice): string | undefined {
  const value = valueAt(object, slice);
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? object.slice(slice.from, slice.to) : undefined;
}

function blanks(text: string, at: number): number {
  let here = at;
  while (isBlank(text.charCodeAt(here))) here++;
  return here;
}

function expected(text: string, at: number, character: string): number {
  const here = blanks(text, at);
  if (text[here] !== character) throw new NoJson(`no ${character}`);
  return here + 1;
}

function valueEnd(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return stringEnd(text, from);
  let at = from;
  if (first !== '{' && first !== '[') {
    while (at < text.length && !isBehindScalar(text.charCodeAt(at))) at++;
    if (at === from) throw new NoJson('a value is missing');
    return at;
  }
  let depth = 0;
  do {
    const character = text[at];
    if (character === undefined) throw new NoJson('it ends too early');
    if (character === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    at++;
  } while (depth > 0);
  return at;
}

function stringEnd(text: string, from: number): number {
  for (let at = from + 1; ; at++) {
    const character = text[at];
    if (character === undefined) throw new NoJson('a string without an end');
    if (character === '\\') at++;
    else if (character === '"') return at + 1;
  }
}

function isBehindScalar(unit: number): boolean {
  return unit === 0x2c || unit === 0x5d || unit === 0x7d || isBlank(unit);
}
