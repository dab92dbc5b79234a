/** JSON with all digits: whole numbers beyond 2^53 and long fractions stay as they were written. */
import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';

export { LosslessNumber };

/** A value of JSON. Numbers that a double can't hold are {@link LosslessNumber}. */
export type Json =
  | null
  | boolean
  | string
  | number
  | LosslessNumber
  | Json[]
  | { [name: string]: Json | undefined };

/** An object of JSON. */
export type JsonObject = { [name: string]: Json | undefined };

/** Any number of digits that a double may not hold. */
const LONG_NUMBER = /\d{16}|\d\.\d{15}/;

/** Throws `SyntaxError` where the text is no JSON. */
export function parseJson(text: string): Json {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as Json;
  return parse(text, undefined, (digits) =>
    isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits),
  ) as Json;
}

/** The same with each number as it was written: `1.0` and `1.0E-7` too. Throws `SyntaxError` where the text is no JSON. */
export function parseExactJson(text: string): Json {
  return parse(text, undefined, (digits) => new LosslessNumber(digits)) as Json;
}

/** @param indent spaces for each level; one line without */
export function writeJson(value: unknown, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
}

/** Whether a value is an object of JSON: no list, no number. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)
  );
}
