import { ERR_ARGUMENT, ERR_AUTOMATON, ERR_MEMORY, OK } from '../../abi/status';
import { heapAllocZeroed } from '../../memory/heap';
import { Source } from '../source';
import { nothing, Stage } from '../stage';
import { Analysis, Token } from '../token';
import {
  TYPE_ALPHANUM,
  TYPE_EMAIL,
  TYPE_HANGUL,
  TYPE_HIRAGANA,
  TYPE_IDEOGRAPHIC,
  TYPE_KATAKANA,
  TYPE_NUM,
  TYPE_SOUTHEAST_ASIAN,
  TYPE_URL,
} from '../tokenTypes';
import { Utf8 } from '../utf8';
import { Automaton } from './automaton';
import { BYTES, CLASSES, START_0, START_1, STATES, UNASSIGNED } from './uaxUrlEmailTables';

/**
 * Lucene's UAX29URLEmailTokenizer: the standard tokenizer with URLs and e-mail addresses, over at most so many UTF-16
 * units from a token's first. Arguments:
 *
 *     u32 units, from 1
 */
@unmanaged
class UaxStage extends Stage {
  window: u32;
  at: usize;
  /** The state to begin the next scan in: without URLs where one was found to be none. */
  begin: u32;
}

/**
 * Actions of the automaton. SKIP is no token. URL_FOLLOWED is a URL without a scheme and the character behind it that
 * ends it; BAD_URL one whose follower says that it is none, so that it is read again without URLs. MAILTO is the word
 * before an e-mail address.
 */
const SKIP: u32 = 1;
const URL: u32 = 10;
const URL_FOLLOWED: u32 = 11;
const BAD_URL: u32 = 12;
const MAILTO: u32 = 14;
const ACTION_TYPES: usize = memory.data<u8>([
  0,
  0,
  TYPE_ALPHANUM,
  TYPE_HANGUL,
  TYPE_NUM,
  TYPE_KATAKANA,
  TYPE_IDEOGRAPHIC,
  TYPE_HIRAGANA,
  TYPE_SOUTHEAST_ASIAN,
  TYPE_EMAIL,
  TYPE_URL,
  TYPE_URL,
  0,
  TYPE_URL,
  TYPE_ALPHANUM,
]);
const MAILTO_BYTES: u32 = 6;

let automaton: Automaton | null = null;

/** Makes the automaton of the `length` bytes at `ptr`, which the host hands over once; later ones are ignored. A status. */
export function uaxUrlEmailDefine(ptr: usize, length: u32): i32 {
  if (automaton !== null) return OK;
  if (length != BYTES) return ERR_ARGUMENT;
  automaton = Automaton.make(ptr, STATES, CLASSES, UNASSIGNED);
  return automaton === null ? ERR_MEMORY : OK;
}

export function makeUaxUrlEmail(args: usize, end: usize): usize {
  if (end - args < 4) return 0;
  if (automaton === null) {
    Analysis.status = ERR_AUTOMATON;
    return 0;
  }
  const at = heapAllocZeroed(offsetof<UaxStage>());
  if (!at) return 0;
  changetype<UaxStage>(at).window = load<u32>(args);
  changetype<UaxStage>(at).behave(pull, start, nothing);
  return at;
}

function start(at: usize): void {
  changetype<UaxStage>(at).at = Source.ptr;
  changetype<UaxStage>(at).begin = START_0;
}

/** What the last scan accepted, where it ended, and where its last character begins. */
let accepted: u32 = 0;
let acceptedEnd: usize = 0;
let acceptedLast: usize = 0;

function scan(first: usize, end: usize, begin: u32, window: u32): void {
  const scanner = automaton as Automaton;
  let p = first;
  let state = begin;
  let units: u32 = 0;
  accepted = 0;
  acceptedEnd = first;
  while (p < end) {
    const decoded = Utf8.decode(p, end);
    const c = Utf8.codePoint(decoded);
    units += Utf8.units(c);
    if (units > window) {
      // A character of two units in a window of one is where Lucene's scanner ends.
      if (p == first) acceptedEnd = end;
      return;
    }
    state = scanner.next(state, scanner.classOf(c));
    if (state == 0) return;
    const last = p;
    p += Utf8.bytes(decoded);
    const action = scanner.action(state);
    if (action) {
      accepted = action;
      acceptedEnd = p;
      acceptedLast = last;
    }
  }
}

function pull(at: usize): bool {
  const stage = changetype<UaxStage>(at);
  const end = Source.ptr + Source.length;
  let first = stage.at;
  while (first < end) {
    scan(first, end, stage.begin, stage.window);
    const action = accepted;
    if (action == BAD_URL) {
      stage.begin = START_1;
      continue;
    }
    let p = acceptedEnd;
    if (action == URL_FOLLOWED) p = acceptedLast;
    else if (action == MAILTO) p = first + MAILTO_BYTES;
    if (action != URL) stage.begin = START_0;
    if (action <= SKIP) {
      first = p > first ? p : first + Utf8.bytes(Utf8.decode(first, end));
      continue;
    }
    stage.at = p;
    Token.setTerm(first, (p - first) as u32);
    Source.describe(first, p, load<u8>(ACTION_TYPES + action));
    return true;
  }
  stage.at = end;
  return false;
}
