/** The `analyze` call: a text's tokens with UTF-16 offsets, in the layout of assembly/README.md, *Tokens*. */
import { ERR_ARGUMENT, ERR_LIMIT, ERR_MEMORY, OK } from '../abi/status';
import { heapRealloc } from '../memory/heap';
import { setResult } from '../result';
import { ANALYZER_NONE, chainOf } from './analyzers';
import { countUnits } from './source';
import { Analysis, Token } from './token';
import { TYPE_WORD } from './tokenTypes';

/** Bytes before a token's term. */
const TOKEN_HEADER: u32 = 20;
/** Bytes before the first token. */
const HEADER: u32 = 8;
/** Most bytes of a result. */
const MAX_BYTES: u32 = 1 << 26;
/** A result block larger than this is not kept. */
const KEPT_BYTES: u32 = 1 << 20;

let block: usize = 0;
let blockRoom: u32 = 0;

function tokenSize(length: u32): u32 {
  return TOKEN_HEADER + ((length + 3) & ~3);
}

/** Writes the token behind what is there; false if it is too much. */
function append(at: u32, position: u32): bool {
  const size = tokenSize(Token.length);
  if (Token.length > MAX_BYTES || at + size > MAX_BYTES) {
    Analysis.status = ERR_LIMIT;
    return false;
  }
  if (at + size > blockRoom) {
    const room = max(blockRoom << 1, at + size);
    const moved = heapRealloc(block, room);
    if (!moved) {
      Analysis.status = ERR_MEMORY;
      return false;
    }
    block = moved;
    blockRoom = room;
  }
  const p = block + at;
  store<u32>(p, Token.start);
  store<u32>(p, Token.end, 4);
  store<u32>(p, position, 8);
  store<u8>(p, Token.type, 12);
  store<u8>(p, u8(Token.keyword), 13);
  store<u16>(p, 0, 14);
  store<u32>(p, Token.length, 16);
  if (Token.length & 3) store<u32>(p + size - 4, 0);
  memory.copy(p + TOKEN_HEADER, Token.ptr, Token.length);
  return true;
}

/** Analyzer none: the whole value is one term. */
function analyzeWhole(ptr: usize, length: u32): u32 {
  Token.setTerm(ptr, length);
  Token.start = 0;
  Token.end = countUnits(ptr, ptr + length);
  Token.type = TYPE_WORD;
  Token.keyword = false;
  return append(HEADER, 1) ? HEADER + tokenSize(length) : 0;
}

/** Fills the result with the tokens of `length` bytes of UTF-8 at `ptr`; it stays valid until the next call. */
export function analyzeText(analyzer: u32, ptr: usize, length: u32): i32 {
  setResult(0, 0);
  if (blockRoom < HEADER || blockRoom > KEPT_BYTES) {
    const small = heapRealloc(block, 4096);
    if (!small) return ERR_MEMORY;
    block = small;
    blockRoom = 4096;
  }
  let at = HEADER;
  let count: u32 = 1;
  Analysis.status = OK;
  Token.rest = 0;
  if (analyzer == ANALYZER_NONE) {
    at = analyzeWhole(ptr, length);
    if (!at) return Analysis.status;
  } else {
    const chain = chainOf(analyzer);
    if (chain === null) return ERR_ARGUMENT;
    count = 0;
    let position: u32 = 0;
    if (chain.start(ptr, length, true)) {
      while (chain.next()) {
        position += Token.increment;
        if (!append(at, position)) break;
        at += tokenSize(Token.length);
        ++count;
      }
    }
    chain.end();
    if (Analysis.status != OK) return Analysis.status;
  }
  store<u32>(block, count);
  store<u32>(block, Token.rest, 4);
  setResult(block, at);
  return OK;
}
