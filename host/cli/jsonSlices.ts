/**
 * Where values lie in the bytes of a JSON text, so that they can be passed on as they are. What is found is where values end, not whether
 * they are written as they should be: that is seen by whoever reads them.
 */
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from '../json/jsonSyntax.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;

/** The text is no JSON where it was looked at. */
export class NoJson extends Error {
  override readonly name = 'NoJson';
}

/** A member of an object: its name, and where its value lies. */
export interface Member {
  name: string;
  from: number;
  to: number;
}

/** The members of the object that begins at `at`, in their order; throws {@link NoJson} if none begins there. */
export function* members(bytes: Uint8Array, at: number): Generator<Member, number> {
  let here = expected(bytes, at, OPEN_OBJECT);
  if (bytes[blanks(bytes, here)] === CLOSE_OBJECT) return blanks(bytes, here) + 1;
  for (;;) {
    const from = blanks(bytes, here);
    const to = valueEnd(bytes, from);
    if (bytes[from] !== QUOTE) throw new NoJson('a member without a name');
    const value = blanks(bytes, expected(bytes, to, COLON));
    const end = valueEnd(bytes, value);
    yield { name: textAt(bytes, from, to), from: value, to: end };
    here = blanks(bytes, end);
    const byte = bytes[here++];
    if (byte === CLOSE_OBJECT) return here;
    if (byte !== COMMA) throw new NoJson('a member without an end');
  }
}

/** Where the elements of the list that begins at `at` lie. */
export function* elements(bytes: Uint8Array, at: number): Generator<{ from: number; to: number }> {
  let here = expected(bytes, at, OPEN_LIST);
  if (bytes[blanks(bytes, here)] === CLOSE_LIST) return;
  for (;;) {
    const from = blanks(bytes, here);
    const to = valueEnd(bytes, from);
    yield { from, to };
    here = blanks(bytes, to);
    const byte = bytes[here++];
    if (byte === CLOSE_LIST) return;
    if (byte !== COMMA) throw new NoJson('an element without an end');
  }
}

/** Where the member of that name lies in the object that begins at `at`, the first one; undefined if it has none. */
export function memberOf(bytes: Uint8Array, at: number, name: string): Member | undefined {
  for (const member of members(bytes, at)) if (member.name === name) return member;
  return undefined;
}

/** The value that lies there, parsed; throws {@link NoJson}. */
export function valueAt(bytes: Uint8Array, { from, to }: { from: number; to: number }): unknown {
  try {
    return JSON.parse(utf8(bytes, from, to));
  } catch {
    throw new NoJson('a value that is none');
  }
}

/** Whether the bytes are a JSON object, all of them. */
export function isWholeObject(bytes: Uint8Array): boolean {
  try {
    return bytes[0] === OPEN_OBJECT && typeof JSON.parse(utf8(bytes, 0, bytes.length)) === 'object';
  } catch {
    return false;
  }
}

/** JSON without line feeds, which stand between tokens alone: there a blank means the same. */
export function onOneLine(json: Buffer): Buffer {
  if (!json.includes(LINE_FEED) && !json.includes(CARRIAGE_RETURN)) return json;
  const line = Buffer.from(json);
  for (let i = 0; i < line.length; i++)
    if (line[i] === LINE_FEED || line[i] === CARRIAGE_RETURN) line[i] = BLANK;
  return line;
}

/** The first byte from `at` on that is no blank. */
export function blanks(bytes: Uint8Array, at: number): number {
  let here = at;
  while (isBlank(bytes[here])) here++;
  return here;
}

/** Whether a byte is a blank of JSON. */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function expected(bytes: Uint8Array, at: number, byte: number): number {
  const here = blanks(bytes, at);
  if (bytes[here] !== byte) throw new NoJson(`no ${String.fromCharCode(byte)}`);
  return here + 1;
}

/** Where a value ends that begins at `from`. */
function valueEnd(bytes: Uint8Array, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return stringEnd(bytes, from);
  let at = from;
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) {
    while (at < bytes.length && !isBehindScalar(bytes[at]!)) at++;
    if (at === from) throw new NoJson('a value is missing');
    return at;
  }
  let depth = 0;
  do {
    const byte = bytes[at];
    if (byte === undefined) throw new NoJson('it ends too early');
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
    at++;
  } while (depth > 0);
  return at;
}

function stringEnd(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; ; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw new NoJson('a string without an end');
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at + 1;
  }
}

function isBehindScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isBlank(byte);
}

function textAt(bytes: Uint8Array, from: number, to: number): string {
  const text = utf8(bytes, from, to);
  if (!text.includes('\\')) return text.slice(1, -1);
  return String(valueAt(bytes, { from, to }));
}

function utf8(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}
