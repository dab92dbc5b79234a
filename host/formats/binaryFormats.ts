/** Bodies and answers in CBOR and SMILE. */
import type { IsDue } from '../passes.js';
import type { Turns } from '../workLimit.js';
import { CborWriter, cborInTurns } from './cbor.js';
import { encodeEvents } from './jsonEvents.js';
import { BrokenFormat, joined, type Weigh } from './jsonWriter.js';
import { SmileWriter, smileInTurns } from './smile.js';

/** What separates values in SMILE. */
const SMILE_END = 0xff;
const LINE_FEED = Uint8Array.of(0x0a);

/** JSON bytes in another format. */
export function encodeFormat(format: 'cbor' | 'smile', json: Uint8Array, isDue?: IsDue): Turns<Uint8Array> {
  return encodeEvents(json, () => (format === 'cbor' ? new CborWriter() : new SmileWriter()), isDue);
}

/**
 * JSON of a body; one that breaks off stays as it is, which is no JSON.
 * @param lines the body is several values, each of which becomes a line
 */
export function* transcoded(
  lines: boolean,
  format: 'cbor' | 'smile',
  body: Uint8Array,
  weigh: Weigh | undefined,
  isDue: IsDue | undefined,
): Turns<Uint8Array> {
  try {
    if (format === 'cbor') return yield* cborInTurns(body, weigh, isDue);
    if (!lines) return yield* smileInTurns(body, weigh, isDue);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < body.length; ) {
      const end = body.indexOf(SMILE_END, at);
      if (end < 0) break;
      pieces.push(yield* smileInTurns(body.subarray(at, end), weigh, isDue), LINE_FEED);
      at = end + 1;
    }
    return joined(pieces);
  } catch (e) {
    if (e instanceof BrokenFormat) return body;
    throw e;
  }
}
