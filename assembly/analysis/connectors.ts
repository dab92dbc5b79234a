/**
 * Runs of connectors (`_` and others, ExtendNumLet). A token may begin with any number of them, so each one of a long run
 * that leads nowhere would be the start of a scan over the rest of the window. Here the run is read once.
 *
 *     | runStart … runEnd |   connectors and what extends them, `runUnits` UTF-16 units
 */
import { Records, recordOf } from './records';
import {
  CLASS_COMPLEX_CONTEXT_EXTEND,
  CLASS_EXTEND,
  CLASS_EXTENDNUMLET,
  STATE_CONNECTORS,
  TRANSITIONS,
} from './standardTables';
import { Utf8 } from './utf8';

let runStart: usize = 0;
let runEnd: usize = 0;
let runUnits: u32 = 0;

/** To be called when addresses mean another text. */
export function forgetConnectors(): void {
  runEnd = 0;
}

/**
 * Whether the connector at `start` begins no token: after it and all that go on with it, within `window` UTF-16 units,
 * comes nothing that they could join.
 */
export function connectorsLeadNowhere(start: usize, end: usize, window: u32): bool {
  if (start >= runEnd) {
    runStart = start;
    runEnd = start;
    runUnits = 0;
  }
  while (runStart < start) {
    const decoded = Utf8.decode(runStart, end);
    runStart += Utf8.bytes(decoded);
    runUnits -= Utf8.units(Utf8.codePoint(decoded));
  }
  while (runEnd < end) {
    const decoded = Utf8.decode(runEnd, end);
    const c = Utf8.codePoint(decoded);
    const units = Utf8.units(c);
    if (runUnits + units > window) return true;
    const kind = Records.classOf(recordOf(c));
    if (kind != CLASS_EXTENDNUMLET && kind != CLASS_EXTEND && kind != CLASS_COMPLEX_CONTEXT_EXTEND) {
      return load<u8>(TRANSITIONS + ((STATE_CONNECTORS << 5) | kind)) == 0;
    }
    runEnd += Utf8.bytes(decoded);
    runUnits += units;
  }
  return true;
}
