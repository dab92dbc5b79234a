import { heapAllocZeroed } from '../../memory/heap';
import { countUnits, Source } from '../source';
import { nothing, Stage } from '../stage';
import { Token } from '../token';
import {
  TYPE_ACRONYM,
  TYPE_ALPHANUM,
  TYPE_APOSTROPHE,
  TYPE_CJ,
  TYPE_COMPANY,
  TYPE_EMAIL,
  TYPE_HOST,
  TYPE_NUM,
} from '../tokenTypes';
import { Utf8 } from '../utf8';
import { Automaton } from './automaton';
import { CLASSES, DATA, START_0, STATES, UNASSIGNED } from './classicTables';
import { deadEndsFrom, forgetDeadEnds, isDeadEnd, noteDeadEnd } from './deadEnds';

/**
 * Lucene's ClassicTokenizer: a token is the longest match of its grammar; longer ones than `max_token_length` are
 * dropped. Arguments:
 *
 *     u32 most UTF-16 units of a token, from 1
 */
@unmanaged
class ClassicStage extends Stage {
  longest: u32;
  at: usize;
}

/** Actions of the automaton: skip a character, then the types; the last is a host with a full stop behind it. */
const SKIP: u32 = 1;
const ACTION_TYPES: usize = memory.data<u8>([
  0,
  0,
  TYPE_ALPHANUM,
  TYPE_CJ,
  TYPE_HOST,
  TYPE_NUM,
  TYPE_APOSTROPHE,
  TYPE_COMPANY,
  TYPE_HOST,
  TYPE_ACRONYM,
  TYPE_EMAIL,
]);
const HOST_WITH_STOP: u32 = 8;

/** A scan notes its way when it has gone this far in vain. */
const FAR: usize = 256;

let automaton: Automaton | null = null;

export function makeClassic(args: usize, end: usize): usize {
  if (end - args < 4) return 0;
  if (automaton === null) automaton = Automaton.make(DATA, STATES, CLASSES, UNASSIGNED);
  if (automaton === null) return 0;
  const at = heapAllocZeroed(offsetof<ClassicStage>());
  if (!at) return 0;
  changetype<ClassicStage>(at).longest = load<u32>(args);
  changetype<ClassicStage>(at).behave(pull, start, nothing);
  return at;
}

function start(at: usize): void {
  changetype<ClassicStage>(at).at = Source.ptr;
  forgetDeadEnds();
}

/** What the last scan accepted, and where it ended. */
let accepted: u32 = 0;
let acceptedEnd: usize = 0;

function scan(first: usize, end: usize): void {
  const scanner = automaton as Automaton;
  let p = first;
  let state = START_0;
  let acceptedState = state;
  acceptedEnd = first;
  while (p < end) {
    if (isDeadEnd(p, state)) break;
    const decoded = Utf8.decode(p, end);
    state = scanner.next(state, scanner.classOf(Utf8.codePoint(decoded)));
    if (state == 0) break;
    p += Utf8.bytes(decoded);
    if (scanner.action(state)) {
      acceptedState = state;
      acceptedEnd = p;
    }
  }
  accepted = scanner.action(acceptedState);
  if (p - acceptedEnd > FAR) noteWay(acceptedEnd, p, acceptedState, end);
}

/** Notes the way of a scan from where it last accepted something to where it failed. */
function noteWay(p: usize, failed: usize, state: u32, end: usize): void {
  const scanner = automaton as Automaton;
  const until = min(deadEndsFrom(p), failed);
  while (p < until) {
    noteDeadEnd(p, state);
    const decoded = Utf8.decode(p, end);
    state = scanner.next(state, scanner.classOf(Utf8.codePoint(decoded)));
    if (state == 0) return;
    p += Utf8.bytes(decoded);
  }
}

function pull(at: usize): bool {
  const stage = changetype<ClassicStage>(at);
  const end = Source.ptr + Source.length;
  let p = stage.at;
  let skipped: u32 = 0;
  while (p < end) {
    const first = p;
    scan(first, end);
    p = acceptedEnd;
    if (accepted <= SKIP) {
      // What no rule takes is one character.
      if (p == first) p += Utf8.bytes(Utf8.decode(first, end));
      continue;
    }
    const bytes = (p - first) as u32;
    if (bytes > stage.longest && countUnits(first, p) > stage.longest) {
      ++skipped;
      continue;
    }
    stage.at = p;
    Token.setTerm(first, bytes - u32(accepted == HOST_WITH_STOP));
    Source.describe(first, p, load<u8>(ACTION_TYPES + accepted));
    Token.increment += skipped;
    return true;
  }
  stage.at = end;
  Token.rest += skipped;
  return false;
}
