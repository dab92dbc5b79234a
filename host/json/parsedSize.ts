/**
 * What JSON becomes when it is parsed, estimated from its bytes before that is done: a list or an object is many times as long in
 * memory as the two characters that it is written with.
 */
import { atOnce, type Turns, WorkLimit } from '../workLimit.js';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT } from './jsonSyntax.js';

/** Shorter texts aren't worth looking at where there is one of them. */
export const SMALL_JSON = 16 * 1024;
/** The text of a character, and the string that is cut out of it. */
const CHARACTER_BYTES = 2;
/** A list or an object of V8, and its list of elements. */
const COMPOUND_BYTES = 64;
/** The place of a value among others, and the value if it is a number or a short string. */
const VALUE_BYTES = 48;
/** The same of a value with a name, in an object that shares its shape with no other. */
const NAMED_BYTES = 48;
const FIRST_WIDE = 0x80;

const WEIGHTS = new Uint8Array(256).fill(CHARACTER_BYTES);
WEIGHTS[OPEN_LIST] = WEIGHTS[OPEN_OBJECT] = COMPOUND_BYTES;
WEIGHTS[CLOSE_LIST] = WEIGHTS[CLOSE_OBJECT] = 0;
WEIGHTS[COMMA] = VALUE_BYTES;
WEIGHTS[COLON] = NAMED_BYTES;

/** Bytes that are looked at in one go, and what that costs in steps of a work limit. */
const SLICE = 1024 * 1024;
const SLICE_STEPS = 16 * 1024;

/** Bytes that the text and the values of JSON take in memory, about; they may take half as many again, and a sixth of them. */
export function parsedSize(json: Uint8Array): number {
  return atOnce(parsedSizeInTurns(json, WorkLimit.none));
}

/** The same in turns; `work` counts the steps. */
export function* parsedSizeInTurns(json: Uint8Array, work: WorkLimit): Turns<number> {
  const { length } = json;
  let size = 0;
  let wide = 0;
  for (let i = 0; i < length; ) {
    for (const end = Math.min(length, i + SLICE); i < end; i++) {
      const byte = json[i]!;
      size += WEIGHTS[byte]!;
      wide |= byte;
    }
    if (work.isDue(SLICE_STEPS)) yield;
  }
  // A single character that isn't in Latin-1 makes all characters of a text twice as long.
  return wide < FIRST_WIDE ? size : size + CHARACTER_BYTES * length;
}
