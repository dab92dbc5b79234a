/** Long bodies of JSON, which are read before their handlers are called: decoding and parsing them lets others have the event loop. */
import { looksLikeJson, parseInTurns } from '../json/laxJson.js';
import { inTurns, type Turns, type WorkLimit } from '../workLimit.js';

/** Shorter bodies are parsed by their handlers at once. */
const LONG_BODY = 128 * 1024;
/** Bytes that are decoded at a time, and what that costs in steps of a work limit. */
const DECODED = 1024 * 1024;
const DECODE_STEPS = 16 * 1024;

/** A body as text, and what came of parsing it. */
export interface ReadText {
  readonly text: string;
  readonly outcome: { readonly value: unknown } | { readonly thrown: unknown };
}

/** The value of a text that has been parsed; throws what parsing it did. */
export function parsedValue({ outcome }: ReadText): unknown {
  if ('thrown' in outcome) throw outcome.thrown;
  return outcome.value;
}

/** Whether a body of JSON is so long that it is read before its handler is called. */
export function isLong(body: Uint8Array): boolean {
  return body.length >= LONG_BODY && looksLikeJson(body.subarray(0, 20));
}

/** Reads a body; throws only when the work should end. */
export function readText(body: Uint8Array, limit: WorkLimit): Promise<ReadText> {
  return inTurns(reading(body, limit), limit);
}

function* reading(body: Uint8Array, work: WorkLimit): Turns<ReadText> {
  const text = yield* decodeInTurns(body, work);
  try {
    return { text, outcome: { value: yield* parseInTurns(text, work) } };
  } catch (thrown) {
    return { text, outcome: { thrown } };
  }
}

/** The text of bytes in UTF-8. */
export function* decodeInTurns(bytes: Uint8Array, work: WorkLimit): Turns<string> {
  const utf8 = new TextDecoder();
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += DECODED) {
    pieces.push(utf8.decode(bytes.subarray(at, at + DECODED), { stream: true }));
    if (work.isDue(DECODE_STEPS)) yield;
  }
  pieces.push(utf8.decode());
  return pieces.join('');
}
