/**
 * JSON texts to values and back without losing digits. A number is a plain number where that says all that its token says: a whole
 * number that a double holds exactly, or a double with a fraction. Every other one is a {@link RawNumber}: a whole number beyond 2^53,
 * `-0`, and a double whose value is whole, such as `1.0` or `1e3`, which Java tells from a long.
 */
import { isTooDeep, MAX_JSON_DEPTH } from './jsonDepth.js';
import { javaNumber, RawNumber } from './values.js';

/** What a text has somewhere if one of its numbers must be kept; strings may have it too. */
const MAY_HAVE_KEPT = /\d{16}|\d\.(?:0+(?!\d)|\d{10})|\d[eE][-+\d]|-0(?![\d.])/;
const WHOLE = /^-?\d+$/;

/** The value of the token of a number. */
export function numberOfToken(token: string): number | RawNumber {
  const value = Number(token);
  const isPlain = WHOLE.test(token)
    ? Number.isSafeInteger(value) && !Object.is(value, -0)
    : Number.isFinite(value) && !Number.isInteger(value);
  return isPlain ? value : new RawNumber(token);
}

/** `JSON.parse` that keeps such numbers; what is nested too deeply is no JSON either. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`more than ${MAX_JSON_DEPTH} levels of JSON`);
  return parseOwnJson(text);
}

/** The same of a text of this server's own, which may be some levels deeper than what it was given. */
export function parseOwnJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return MAY_HAVE_KEPT.test(text) ? parseNumbers(text, numberOfToken) : value;
}

/** Parses JSON that is known to be well-formed and keeps the texts of all its numbers. */
export function parseKeepingDigits(json: string): unknown {
  return parseNumbers(json, (token) => new RawNumber(token));
}

function parseNumbers(json: string, numberOf: (token: string) => unknown): unknown {
  // A number can't stand inside a string here: strings are matched first.
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"')
      ? token.startsWith('"\\u0000#')
        ? `"\\u0000${token.slice(1)}`
        : token
      : `"\\u0000#${token}"`,
  );
  return JSON.parse(marked, (_, value) => {
    if (typeof value !== 'string' || value.charCodeAt(0) !== 0) return value;
    if (value.startsWith('\0#')) return numberOf(value.slice(2));
    return value.startsWith('\0\0#') ? value.slice(1) : value;
  });
}

/** `JSON.stringify` that prints such numbers with all their digits, or as Java prints doubles. */
export function jsonText(value: unknown): string {
  const kept = RawNumber.printed;
  const text = JSON.stringify(value);
  return RawNumber.printed === kept ? text : printed(value);
}

/** A number as Java prints it; what JSON has none for is a string, as in 1.7. */
export function numberText(value: number | RawNumber): string {
  const text = javaNumber(value);
  const isNone = /^-?[NI]/.test(text);
  return isNone ? `"${text}"` : text;
}

function printed(value: unknown): string {
  if (value instanceof RawNumber) return numberText(value);
  if (Array.isArray(value)) return `[${value.map(printed).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('toJSON' in value && typeof value.toJSON === 'function') return printed(value.toJSON());
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${printed(each)}`).join(',')}}`;
}
