/** The JSON of documents: what it says, and its text where that is needed for what values alone have lost, such as `1.0`. */
import { mapperParsing, noContent } from '../errors.js';
import { isTooDeepInTurns } from '../json/jsonDepth.js';
import { jsonText } from '../json/jsonText.js';
import { looksLikeJson, parseLax, parseRepeating } from '../json/laxJson.js';
import { LaxParser } from '../json/laxParser.js';
import { gathered, mayRepeatKeys, mayRepeatKeysInTurns } from '../json/repeatedKeys.js';
import { NotStrict, strictInTurns } from '../json/slicedJson.js';
import type { Turns, WorkLimit } from '../workLimit.js';

const utf8 = new TextDecoder();

/** What was read of a source. */
export interface ReadSource {
  source: unknown;
  /** JSON of the same. */
  raw: string;
  /** Whether it is known that it isn't nested too deeply. */
  isShallow?: boolean;
}

/** Reads a source; throws `BrokenJson`, `TooDeep`, and what 1.7 says of a source that is empty or no JSON. */
export function readSource(bytes: Uint8Array): ReadSource {
  return read(textOf(bytes));
}

/** The same in turns; `work` counts the steps. */
export function* readSourceInTurns(bytes: Uint8Array, work: WorkLimit): Turns<ReadSource> {
  const text = textOf(bytes);
  // What nothing looks into may be nested more deeply than other JSON.
  if (yield* isTooDeepInTurns(text, work)) return read(text);
  if (work.due) yield;
  try {
    const source = yield* strictInTurns(text, work, parsePiece);
    const mayRepeat = yield* mayRepeatKeysInTurns(text, source, work);
    return mayRepeat ? withLists(source, text) : { source, raw: text, isShallow: true };
  } catch (e) {
    if (!(e instanceof NotStrict)) throw e;
  }
  return withLists(yield* new LaxParser(text, 0, undefined, work).value(0), undefined);
}

function read(text: string): ReadSource {
  let value: unknown;
  let raw = text;
  try {
    value = JSON.parse(text);
  } catch {
    value = parseLax(text);
    raw = jsonText(value);
  }
  return mayRepeatKeys(text, value) ? withLists(parseRepeating(text), raw) : { source: value, raw };
}

/** What a source says whose objects may know several values of a key: each is indexed. */
function withLists(value: unknown, text: string | undefined): ReadSource {
  const all = gathered(value);
  if (all !== undefined) return { source: all, raw: jsonText(all) };
  return { source: value, raw: text ?? jsonText(value) };
}

function parsePiece(piece: string): unknown {
  const value: unknown = JSON.parse(piece);
  return mayRepeatKeys(piece, value) ? parseRepeating(piece) : value;
}

/** The text of a document, which 1.7 knows by its first bytes, whatever the request called it. */
function textOf(bytes: Uint8Array): string {
  if (bytes.length === 0) throw mapperParsing('failed to parse, document is empty');
  if (!looksLikeJson(bytes)) throw mapperParsing('failed to parse', noContent());
  return utf8.decode(bytes);
}
