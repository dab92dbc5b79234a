import { ERR_MEMORY, OK } from '../../abi/status';
import { heapAllocZeroed, heapFree } from '../../memory/heap';
import { Source } from '../source';
import { TermStage } from '../termStage';
import { Analysis, SavedToken, Token } from '../token';
import { TYPE_SHINGLE } from '../tokenTypes';

const UNIGRAMS: u32 = 1;
const UNIGRAMS_IF_NONE: u32 = 2;

/** A token in the window, or what stands for a position without one. */
@unmanaged
class WindowToken extends SavedToken {
  isFiller: bool;
}

/**
 * Lucene's ShingleFilter: runs of `min` to `max` tokens as one, joined by a separator. Positions without a token are filled.
 * Arguments:
 *
 *     u32 min, at least 2 | u32 max, not below min | u8 flags: bit 0 single tokens, too; bit 1 where there are no shingles
 *     u32 length, separator | u32 length, filler
 *
 * The sizes go round: 1 if single tokens are wanted, then `min` to `max`; the window holds the tokens from the first one of
 * the next shingle on, in a ring.
 */
@unmanaged
class ShingleStage extends TermStage {
  minSize: u32;
  maxSize: u32;
  flags: u32;
  separator: usize;
  separatorLength: u32;
  filler: usize;
  fillerLength: u32;
  /** Addresses of window tokens, 0 where none was needed yet. */
  ring: usize;
  ringRoom: u32;
  head: u32;
  count: u32;
  /** The token behind the fillers. */
  next: SavedToken;
  hasNext: bool;
  /** Fillers still to come before it. */
  fillers: u32;
  exhausted: bool;
  /** A token was given at this position; a shingle was given at all. */
  gaveHere: bool;
  gaveShingle: bool;
  /** The size of the next one, that of the one before, and the first one of the round. */
  size: u32;
  sizeBefore: u32;
  firstSize: u32;
  /** Bytes of the shingle, which stands in the room. */
  built: u32;

  /** The i-th token of the window. */
  @inline token(i: u32): WindowToken {
    return changetype<WindowToken>(load<usize>(this.ring + (((this.head + i) & (this.ringRoom - 1)) << 2)));
  }

  resetSize(): void {
    this.size = this.firstSize;
    this.sizeBefore = this.firstSize;
  }

  advanceSize(): void {
    this.sizeBefore = this.size;
    if (this.size == 1) this.size = this.minSize;
    else if (this.size == this.maxSize) this.resetSize();
    else ++this.size;
  }
}

export function makeShingle(args: usize, end: usize): usize {
  if (end - args < 17) return 0;
  const minSize = load<u32>(args);
  const maxSize = load<u32>(args, 4);
  if (minSize < 2 || maxSize < minSize) return 0;
  const separatorLength = load<u32>(args, 9);
  const separator = args + 13;
  if (<usize>separatorLength > end - separator - 4) return 0;
  const fillerLength = load<u32>(separator + separatorLength);
  const filler = separator + separatorLength + 4;
  if (<usize>fillerLength > end - filler) return 0;
  const next = SavedToken.make();
  const at = heapAllocZeroed(offsetof<ShingleStage>());
  if (!next || !at) return 0;
  const stage = changetype<ShingleStage>(at);
  stage.minSize = minSize;
  stage.maxSize = maxSize;
  stage.flags = load<u8>(args, 8);
  stage.separator = separator;
  stage.separatorLength = separatorLength;
  stage.filler = filler;
  stage.fillerLength = fillerLength;
  stage.next = next;
  stage.behave(pull, start, drop);
  return at;
}

function start(at: usize): void {
  const stage = changetype<ShingleStage>(at);
  stage.head = 0;
  stage.count = 0;
  stage.hasNext = false;
  stage.fillers = 0;
  stage.exhausted = false;
  stage.gaveHere = false;
  stage.gaveShingle = false;
  stage.firstSize = (stage.flags & UNIGRAMS) != 0 ? 1 : stage.minSize;
  stage.resetSize();
  stage.shrink();
}

function drop(at: usize): void {
  const stage = changetype<ShingleStage>(at);
  for (let i: u32 = 0; i < stage.ringRoom; i++) {
    const token = load<usize>(stage.ring + (i << 2));
    if (token) changetype<WindowToken>(token).free();
  }
  heapFree(stage.ring);
  stage.next.free();
  stage.release();
}

function pull(at: usize): bool {
  const stage = changetype<ShingleStage>(at);
  let tokens: u32 = 0;
  if (stage.size == stage.firstSize || stage.count < stage.size) {
    if (!shift(stage)) return false;
    stage.built = 0;
  } else {
    tokens = stage.sizeBefore;
  }
  if (stage.count < stage.size) return false;
  let onlyFillers = true;
  let last = stage.token(0);
  for (let i: u32 = 0; i < stage.count && tokens < stage.size; i++) {
    last = stage.token(i);
    if (tokens <= i) {
      if (tokens > 0 && !append(stage, stage.separator, stage.separatorLength)) return false;
      if (!append(stage, last.ptr, last.length)) return false;
      ++tokens;
    }
    if (!onlyFillers || !last.isFiller) onlyFillers = false;
    else if (i + 1 == stage.size) stage.advanceSize();
  }
  if (onlyFillers || tokens != stage.size) return false;
  const first = stage.token(0);
  first.restore();
  const shingle = stage.room(stage.built);
  if (!shingle) return false;
  Token.setTerm(shingle, stage.built);
  Token.end = last.end;
  Token.increment = stage.gaveHere ? 0 : 1;
  if (tokens > 1) {
    Token.type = TYPE_SHINGLE;
    stage.gaveShingle = true;
  }
  stage.gaveHere = true;
  stage.advanceSize();
  return true;
}

function append(stage: ShingleStage, ptr: usize, length: u32): bool {
  const room = stage.room(stage.built + length);
  if (!room) return false;
  memory.copy(room + stage.built, ptr, length);
  stage.built += length;
  return true;
}

/** Moves the window on by a token and fills it; false on failure. */
function shift(stage: ShingleStage): bool {
  if (stage.count > 0) {
    stage.head = (stage.head + 1) & (stage.ringRoom - 1);
    --stage.count;
  }
  while (stage.count < stage.maxSize) {
    const token = unused(stage);
    if (!token || !read(stage, changetype<WindowToken>(token))) break;
    ++stage.count;
  }
  if (Analysis.status != OK) return false;
  if (
    (stage.flags & UNIGRAMS_IF_NONE) != 0 &&
    !stage.gaveShingle &&
    stage.firstSize > 1 &&
    stage.count < stage.minSize
  ) {
    stage.firstSize = 1;
  }
  stage.resetSize();
  stage.gaveHere = false;
  return true;
}

/** The place behind the window's last token; 0 without memory, which fails the analysis. */
function unused(stage: ShingleStage): usize {
  if (stage.count == stage.ringRoom && !widen(stage)) return 0;
  const at = stage.ring + (((stage.head + stage.count) & (stage.ringRoom - 1)) << 2);
  let token = load<usize>(at);
  if (!token) {
    token = heapAllocZeroed(offsetof<WindowToken>());
    if (!token) Analysis.status = ERR_MEMORY;
    store<usize>(at, token);
  }
  return token;
}

function widen(stage: ShingleStage): bool {
  const before = stage.ringRoom;
  const room = max(before << 1, 4);
  const ring: usize = room > 1 << 28 ? 0 : heapAllocZeroed(room << 2);
  if (!ring) {
    Analysis.status = ERR_MEMORY;
    return false;
  }
  for (let i: u32 = 0; i < before; i++) store<usize>(ring + (i << 2), changetype<usize>(stage.token(i)));
  heapFree(stage.ring);
  stage.ring = ring;
  stage.ringRoom = room;
  stage.head = 0;
  return true;
}

/** Reads the next token or filler; false at the end or on failure. */
function read(stage: ShingleStage, token: WindowToken): bool {
  const next = stage.next;
  if (stage.fillers > 0) return fill(stage, token);
  if (stage.hasNext) {
    stage.hasNext = false;
    token.isFiller = false;
    return token.copy(next);
  }
  if (stage.exhausted) return false;
  if (stage.pullInput()) {
    if (Token.increment <= 1) {
      token.isFiller = false;
      return token.save();
    }
    // A shingle has a token at least.
    stage.fillers = min(Token.increment - 1, stage.maxSize - 1);
    stage.hasNext = true;
    return next.save() && fill(stage, token);
  }
  if (Analysis.status != OK) return false;
  stage.exhausted = true;
  stage.fillers = min(Token.rest, stage.maxSize - 1);
  if (!stage.fillers) return false;
  next.length = 0;
  next.start = Source.endOffset();
  next.end = next.start;
  return fill(stage, token);
}

/** A filler takes no place before the next token. */
function fill(stage: ShingleStage, token: WindowToken): bool {
  --stage.fillers;
  token.isFiller = true;
  token.start = stage.next.start;
  token.end = stage.next.start;
  token.increment = stage.next.increment;
  token.type = stage.next.type;
  token.keyword = stage.next.keyword;
  return token.setTerm(stage.filler, stage.fillerLength);
}
