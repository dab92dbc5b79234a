/**
 * The standard tokenizer of Lucene 4.10 with lower-casing, over UTF-8, pull style: `tokenStart`, then `tokenNext` until
 * it says false. One analysis runs at a time.
 *
 * Tokens are what the longest match of the automaton in standardTables.ts gives, over at most 255 UTF-16 units from a
 * token's first one: a longer word is cut there, and so are the characters that a rule may look at.
 *
 * Two ways through a text give the same tokens. Vectors of 16 bytes find, lower-case and hash runs of ASCII letters
 * and digits. Where a run touches a byte that may carry it on (`_`, an apostrophe before a letter, anything beyond
 * ASCII), the automaton takes over from the state that the run has led to.
 *
 * Vectors are never loaded across the end of the text: its last 15 bytes are read from a padded copy.
 *
 *     text    |......................|rest|          tail    |rest|0 0 0 0 …|
 *                       textEnd - 16 ^    ^ textEnd               ^ textEnd, from then on
 */
import { Block } from './block';
import { connectorsLeadNowhere, forgetConnectors } from './connectors';
import { Hash, partialWord } from './hash';
import { Records, recordOf } from './records';
import {
  STATE_CONNECTOR,
  STATE_DIGITS,
  STATE_INITIAL,
  STATE_LETTERS,
  STATE_LETTERS_DIGITS,
  STATE_SKIP,
  STATE_TOKEN,
  STATE_TYPES,
  TRANSITIONS,
} from './standardTables';
import { TYPE_ALPHANUM, TYPE_NUM } from './tokenTypes';
import { encodeUtf8, Utf8 } from './utf8';

export { hashBytes } from './hash';

/** Address of the lower-cased term, valid until the next call; the bytes after it, up to a multiple of 16, are zero. */
export let tokenPtr: usize = 0;
/** Bytes of the term, 1..765. */
export let tokenLength: u32 = 0;
/** `hashBytes(tokenPtr, tokenLength)`. */
export let tokenHash: u32 = 0;
/** Positions from the previous token to this one: always 1. */
export let tokenPositionIncrement: u32 = 1;
/** One of the TYPE_ constants. */
export let tokenType: u8 = 0;
/** Bytes of the text before the token, and up to its end. */
export let tokenStartByte: u32 = 0;
export let tokenEndByte: u32 = 0;

/** UTF-16 units that the automaton sees from a token's start. */
const WINDOW: u32 = 255;

/** The term: 255 units of at most 3 bytes, then padding. */
const termBuffer: usize = memory.data(800, 16);
/** The last bytes of a text, then 32 zeros. */
const tailBuffer: usize = memory.data(48, 16);
/** Where offset 0 of the text would be, relative to `cursor`; wraps around while the tail is read. */
let textBase: usize = 0;
let cursor: usize = 0;
let textEnd: usize = 0;
/** The last address from which 16 bytes can be loaded. */
let lastVector: usize = 0;
let inTail: bool = false;

/** Begins the analysis of `length` bytes of UTF-8 at `ptr`, which must stay unchanged until it ends. */
export function tokenStart(ptr: usize, length: u32): void {
  textBase = ptr;
  cursor = ptr;
  textEnd = ptr + length;
  lastVector = length < 16 ? 0 : textEnd - 16;
  inTail = false;
  forgetConnectors();
  tokenPtr = termBuffer;
  tokenPositionIncrement = 1;
}

/** Copies the rest of the text, 1..15 bytes, to where it is padded, and returns where it begins. */
function enterTail(p: usize): usize {
  const rest = (textEnd - p) as u32;
  store<u64>(tailBuffer, partialWord(p, rest));
  store<u64>(tailBuffer, rest > 8 ? partialWord(p + 8, rest - 8) : 0, 8);
  textBase = tailBuffer - (p - textBase);
  textEnd = tailBuffer + rest;
  lastVector = textEnd - 1;
  inTail = true;
  forgetConnectors();
  return tailBuffer;
}

/** The automaton's state after a run of letters and digits, from its last byte, lower-cased. */
function stateAfterRun(last: u32, hasLetter: bool): u32 {
  return last >= 0x61 ? STATE_LETTERS : hasLetter ? STATE_LETTERS_DIGITS : STATE_DIGITS;
}

/**
 * Runs the automaton from `start`, of which `run` bytes are already in the term buffer and have led to `state`. True if
 * that gives a token; otherwise `cursor` is behind what is no token.
 */
function scan(start: usize, run: u32, state: u32): bool {
  const end = textEnd;
  let p = start + run;
  let out = termBuffer + run;
  let units = run;
  let acceptedEnd = p;
  let acceptedOut = out;
  let acceptedState = state;
  while (p < end) {
    const decoded = Utf8.decode(p, end);
    const c = Utf8.codePoint(decoded);
    const bytes = Utf8.bytes(decoded);
    units += Utf8.units(c);
    if (units > WINDOW) break;
    const record = recordOf(c);
    state = load<u8>(TRANSITIONS + ((state << 5) | Records.classOf(record)));
    if (state == 0) break;
    p += bytes;
    if (state == STATE_SKIP || (state == STATE_CONNECTOR && connectorsLeadNowhere(start, end, WINDOW))) {
      cursor = p;
      return false;
    }
    const distance = Records.toLowerCase(record);
    if (bytes == 1) {
      store<u8>(out, c + distance);
      out += 1;
    } else if (bytes == 2 && distance == 0) {
      store<u16>(out, load<u16>(p - 2));
      out += 2;
    } else {
      out = encodeUtf8(out, c + distance);
    }
    if (state > STATE_SKIP) {
      acceptedEnd = p;
      acceptedOut = out;
      acceptedState = state;
    }
  }
  cursor = acceptedEnd;
  if (acceptedState < STATE_TOKEN) return false;
  v128.store(acceptedOut, i64x2.splat(0));
  const length = (acceptedOut - termBuffer) as u32;
  let hash = Hash.first(load<u64>(termBuffer), load<u64>(termBuffer, 8));
  for (let block = termBuffer + 16; block < acceptedOut; block += 16) {
    hash = Hash.block(hash, load<u64>(block), load<u64>(block, 8));
  }
  tokenLength = length;
  tokenHash = Hash.finish(hash, length);
  tokenType = load<u8>(STATE_TYPES + acceptedState);
  tokenStartByte = (start - textBase) as u32;
  tokenEndByte = (acceptedEnd - textBase) as u32;
  return true;
}

/** Goes on with a token whose first 16 bytes, at `start`, are letters and digits and are in the term buffer. */
function longRun(start: usize): bool {
  let low = load<u64>(termBuffer);
  let high = load<u64>(termBuffer, 8);
  let hash = Hash.first(low, high);
  let hasLetter = Block.hasLetter(low, high);
  let length: u32 = 16;
  while (length < WINDOW - 31 && start + length <= lastVector) {
    const v = v128.load(start + length);
    const letters = Block.letters(v);
    const words = v128.or(letters, Block.digits(v));
    const run = ctz(~(i8x16.bitmask(words) as u32));
    const kept = Block.keep(Block.lowerCased(v, letters), run);
    v128.store(termBuffer + length, kept);
    low = i64x2.extract_lane(kept, 0);
    high = i64x2.extract_lane(kept, 1);
    hasLetter = hasLetter || Block.hasLetter(low, high);
    length += run;
    if (run < 16) {
      if (Block.mayGoOn(Block.starters(v, words) >>> run, load<u8>(start + length))) break;
      if (run > 0) hash = Hash.block(hash, low, high);
      setToken(start, length, Hash.finish(hash, length), hasLetter);
      cursor = start + length;
      return true;
    }
    hash = Hash.block(hash, low, high);
  }
  return scan(start, length, stateAfterRun(load<u8>(termBuffer + length - 1), hasLetter));
}

/** Sets the globals of a token of ASCII letters and digits. */
function setToken(start: usize, length: u32, hash: u32, hasLetter: bool): void {
  const startByte = (start - textBase) as u32;
  tokenLength = length;
  tokenHash = hash;
  tokenType = hasLetter ? TYPE_ALPHANUM : TYPE_NUM;
  tokenStartByte = startByte;
  tokenEndByte = startByte + length;
}

/** Moves to the next token and sets the token globals; false at the end of the text. */
export function tokenNext(): bool {
  let p = cursor;
  for (;;) {
    if (p > lastVector) {
      if (p >= textEnd) {
        cursor = textEnd;
        return false;
      }
      if (!inTail) p = enterTail(p);
    }
    const v = v128.load(p);
    const letters = Block.letters(v);
    const words = v128.or(letters, Block.digits(v));
    const wordBits = i8x16.bitmask(words) as u32;
    const starters = Block.starters(v, words);
    if ((wordBits & 1) == 0) {
      if ((starters & 1) == 0) {
        p += ctz(starters);
        continue;
      }
      if (scan(p, 0, STATE_INITIAL)) return true;
      p = cursor;
      continue;
    }
    const run = ctz(~wordBits) as u32;
    const kept = Block.keep(Block.lowerCased(v, letters), run);
    v128.store(termBuffer, kept);
    if (run == 16) return longRun(p);
    const following = starters >>> run;
    const low = i64x2.extract_lane(kept, 0);
    const high = i64x2.extract_lane(kept, 1);
    if (Block.mayGoOn(following, load<u8>(p + run))) {
      return scan(p, run, stateAfterRun(load<u8>(termBuffer + run - 1), Block.hasLetter(low, high)));
    }
    setToken(p, run, Hash.finish(Hash.first(low, high), run), Block.hasLetter(low, high));
    cursor = p + run + ctz(following);
    return true;
  }
}
