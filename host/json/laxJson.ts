/**
 * JSON as 1.7 reads it: strict JSON goes to `parseJson`; what that refuses is read again by {@link LaxParser}, where names may stand
 * without quotes, comments are skipped, and whatever follows the first value is ignored. Errors have the parser's texts.
 */
import { parseJson } from './jsonText.js';
import { LaxParser, type Scalar } from './laxParser.js';
import { mayRepeatKeys } from './repeatedKeys.js';
import { atOnce, type Turns, type WorkLimit } from '../workLimit.js';
import { NotStrict, strictInTurns } from './slicedJson.js';

/** Whether bytes are taken for content at all: a brace among the first twenty. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  for (let at = Math.min(20, bytes.length) - 1; at >= 0; at--) if (bytes[at] === 0x7b) return true;
  return false;
}

/**
 * The value of a text; throws `BrokenJson`, or `TooDeep`.
 * @param offset where the text begins in the bytes that it was cut out of, for the texts of errors
 */
export function parseLax(text: string, offset = 0): unknown {
  try {
    return parseJson(text);
  } catch {
    return atOnce(new LaxParser(text, offset).value(0));
  }
}

/** The value of a text; of keys that stand several times in an object, the object knows all values. */
export function parseRepeating(text: string): unknown {
  try {
    return parseStrict(text);
  } catch {
    return atOnce(new LaxParser(text, 0).value(0));
  }
}

/** The same of strict JSON; throws for other texts. */
function parseStrict(text: string): unknown {
  const value = parseJson(text);
  return mayRepeatKeys(text, value) ? atOnce(new LaxParser(text, 0).value(0)) : value;
}

/** What {@link parseRepeating} makes of a long text, in turns; `work` counts the steps, `piece`: characters that are parsed at a time. */
export function* parseInTurns(text: string, work: WorkLimit, piece?: number): Turns<unknown> {
  try {
    return yield* strictInTurns(text, work, parseStrict, piece);
  } catch (e) {
    if (!(e instanceof NotStrict)) throw e;
  }
  return yield* new LaxParser(text, 0, undefined, work).value(0);
}

/** Scalars behind so many characters are not looked for. */
const PLACED = 128 * 1024;

/** Where the parser stands behind the first scalar that is meant, as errors print it; undefined if there is none. */
export function placeOf(text: string, isMeant: Scalar): string | undefined {
  const parser = new LaxParser(text.slice(0, PLACED), 0, isMeant);
  try {
    atOnce(parser.value(0));
  } catch {
    // What follows doesn't matter.
  }
  return parser.place;
}
