import { heapAllocZeroed } from '../../memory/heap';
import { connectorsLeadNowhere, forgetConnectors } from '../connectors';
import { recordOf, Records } from '../records';
import { Source } from '../source';
import { nothing, Stage } from '../stage';
import {
  STATE_CONNECTOR,
  STATE_INITIAL,
  STATE_SKIP,
  STATE_TOKEN,
  STATE_TYPES,
  TRANSITIONS,
} from '../standardTables';
import { Token } from '../token';
import { Utf8 } from '../utf8';

/**
 * The standard tokenizer with a length of its own in place of 255 (`standard.ts`): the automaton alone, over at most so
 * many UTF-16 units from a token's first. Arguments:
 *
 *     u32 units, from 1
 */
@unmanaged
class LimitedStage extends Stage {
  window: u32;
  at: usize;
}

export function makeStandardLimited(args: usize, end: usize): usize {
  if (end - args < 4) return 0;
  const at = heapAllocZeroed(offsetof<LimitedStage>());
  if (!at) return 0;
  changetype<LimitedStage>(at).window = load<u32>(args);
  changetype<LimitedStage>(at).behave(pull, start, nothing);
  return at;
}

function start(at: usize): void {
  changetype<LimitedStage>(at).at = Source.ptr;
  forgetConnectors();
}

function pull(at: usize): bool {
  const stage = changetype<LimitedStage>(at);
  const end = Source.ptr + Source.length;
  let first = stage.at;
  while (first < end) {
    let p = first;
    let state = STATE_INITIAL;
    let units: u32 = 0;
    let acceptedEnd = first;
    let acceptedState: u32 = 0;
    while (p < end) {
      const decoded = Utf8.decode(p, end);
      const c = Utf8.codePoint(decoded);
      units += Utf8.units(c);
      if (units > stage.window) {
        // A character of two units in a window of one is where Lucene's scanner ends.
        if (p == first) acceptedEnd = end;
        break;
      }
      state = load<u8>(TRANSITIONS + ((state << 5) | Records.classOf(recordOf(c))));
      if (state == 0) break;
      p += Utf8.bytes(decoded);
      if (
        state == STATE_SKIP ||
        (state == STATE_CONNECTOR && connectorsLeadNowhere(first, end, stage.window))
      ) {
        acceptedEnd = p;
        acceptedState = STATE_SKIP;
        break;
      }
      if (state > STATE_SKIP) {
        acceptedEnd = p;
        acceptedState = state;
      }
    }
    stage.at = acceptedEnd;
    if (acceptedState >= STATE_TOKEN) {
      Token.setTerm(first, (acceptedEnd - first) as u32);
      Source.describe(first, acceptedEnd, load<u8>(STATE_TYPES + acceptedState));
      return true;
    }
    first = acceptedEnd;
  }
  stage.at = end;
  return false;
}
