import { ERR_MEMORY, OK } from '../../abi/status';
import { heapAllocZeroed, heapFree, heapRealloc } from '../../memory/heap';
import { Stage } from '../stage';
import { NO_STATE, Synonyms } from '../synonyms';
import { Analysis, SavedToken, Token } from '../token';
import { TYPE_SYNONYM } from '../tokenTypes';

/** An output takes the end offset of the token at its position. */
const INHERITED: u32 = 0xffffffff;
/** | u32 address of the term | u32 its length | u32 end offset or INHERITED | */
const OUTPUT_BYTES: u32 = 12;

/** A position to come: the token read ahead, and the synonyms that were put on it. */
@unmanaged
class Position extends SavedToken {
  /** The token has been read and not given yet; it has been saved; a rule took it in. */
  pending: bool;
  captured: bool;
  matched: bool;
  tokenStart: u32;
  tokenEnd: u32;
  private outputs: usize;
  private outputsRoom: u32;
  private count: u32;
  private given: u32;
  /** The increment of the next output. */
  outputIncrement: u32;

  forgetToken(): void {
    this.pending = false;
    this.captured = false;
    this.matched = false;
  }

  forgetOutputs(): void {
    this.count = 0;
    this.given = 0;
    this.outputIncrement = 1;
  }

  get hasOutputs(): bool {
    return this.given < this.count;
  }

  /** False without memory, which fails the analysis. */
  addOutput(ptr: usize, length: u32, endOffset: u32): bool {
    if (this.count == this.outputsRoom) {
      const room = max(this.outputsRoom << 1, 4);
      const moved: usize = room > 1 << 26 ? 0 : heapRealloc(this.outputs, room * OUTPUT_BYTES);
      if (!moved) {
        Analysis.status = ERR_MEMORY;
        return false;
      }
      this.outputs = moved;
      this.outputsRoom = room;
    }
    const at = this.outputs + this.count * OUTPUT_BYTES;
    store<u32>(at, ptr as u32);
    store<u32>(at, length, 4);
    store<u32>(at, endOffset, 8);
    ++this.count;
    return true;
  }

  /** Makes the next output the token, with these offsets where it has no end of its own. */
  giveOutput(startOffset: u32, endOffset: u32): void {
    const at = this.outputs + this.given * OUTPUT_BYTES;
    Token.setTerm(load<u32>(at) as usize, load<u32>(at, 4));
    const own = load<u32>(at, 8);
    Token.start = startOffset;
    Token.end = own == INHERITED ? endOffset : own;
    Token.increment = this.outputIncrement;
    Token.type = TYPE_SYNONYM;
    Token.keyword = false;
    this.outputIncrement = 0;
    ++this.given;
    if (this.given == this.count) this.forgetOutputs();
  }

  releaseAll(): void {
    this.release();
    heapFree(this.outputs);
  }
}

/** Bytes of a position in the ring. */
const POSITION: u32 = ((offsetof<Position>() as u32) + 7) & ~7;

/**
 * Lucene's SynonymFilter: the rule that begins first and takes in most tokens wins; its outputs take the place of
 * those tokens and go on behind them. Arguments: see `Synonyms`.
 *
 *     ring of positions    … | read: the next one to give | … | write: the next one to read | …
 */
@unmanaged
class SynonymStage extends Stage {
  synonyms: Synonyms;
  ring: usize;
  positions: u32;
  read: u32;
  write: u32;
  /** Positions from `read` on that are settled: no rule begins there any more. */
  settled: u32;
  finished: bool;
  /** Offsets of the last token read. */
  lastStart: u32;
  lastEnd: u32;

  @inline position(i: u32): Position {
    return changetype<Position>(this.ring + i * POSITION);
  }

  @inline after(i: u32): u32 {
    return i + 1 == this.positions ? 0 : i + 1;
  }
}

export function makeSynonym(args: usize, end: usize): usize {
  const synonyms = Synonyms.make(args, end);
  if (!synonyms) return 0;
  const at = heapAllocZeroed(offsetof<SynonymStage>());
  // One more than rules can look ahead, so that a full ring differs from an empty one.
  const positions = synonyms.context + 1;
  const ring: usize = positions > 1 << 24 ? 0 : heapAllocZeroed(positions * POSITION);
  if (!at || !ring) {
    heapFree(at);
    heapFree(ring);
    synonyms.free();
    Analysis.status = ERR_MEMORY;
    return 0;
  }
  const stage = changetype<SynonymStage>(at);
  stage.synonyms = synonyms;
  stage.ring = ring;
  stage.positions = positions;
  stage.behave(pull, start, drop);
  return at;
}

function start(at: usize): void {
  const stage = changetype<SynonymStage>(at);
  stage.read = 0;
  stage.write = 0;
  stage.settled = 0;
  stage.finished = false;
  for (let i: u32 = 0; i < stage.positions; i++) {
    const position = stage.position(i);
    position.forgetToken();
    position.forgetOutputs();
  }
}

function drop(at: usize): void {
  const stage = changetype<SynonymStage>(at);
  for (let i: u32 = 0; i < stage.positions; i++) stage.position(i).releaseAll();
  heapFree(stage.ring);
  stage.synonyms.free();
}

function pull(at: usize): bool {
  const stage = changetype<SynonymStage>(at);
  while (true) {
    while (stage.settled > 0) {
      const position = stage.position(stage.read);
      if (position.pending && !position.matched) {
        // What was not saved is still the token.
        if (position.captured) position.restore();
        position.forgetToken();
        if (position.hasOutputs) position.outputIncrement = 0;
        else advance(stage);
        return true;
      }
      position.forgetToken();
      if (position.hasOutputs) {
        position.giveOutput(position.tokenStart, position.tokenEnd);
        if (!position.hasOutputs) advance(stage);
        return true;
      }
      advance(stage);
    }
    if (stage.finished && stage.read == stage.write) return giveBeyond(stage);
    if (!match(stage)) return false;
  }
}

function advance(stage: SynonymStage): void {
  stage.read = stage.after(stage.read);
  --stage.settled;
}

/** Outputs that go beyond the last token. */
function giveBeyond(stage: SynonymStage): bool {
  const position = stage.position(stage.read);
  if (!position.hasOutputs) return false;
  position.giveOutput(stage.lastStart, stage.lastEnd);
  Token.end = stage.lastEnd;
  position.forgetToken();
  if (!position.hasOutputs) {
    stage.read = stage.after(stage.read);
    stage.write = stage.read;
  }
  return true;
}

/** Saves the token in the position to write. */
function capture(stage: SynonymStage): bool {
  const position = stage.position(stage.write);
  if (!position.save()) return false;
  position.captured = true;
  position.pending = true;
  stage.write = stage.after(stage.write);
  return true;
}

/** Finds the longest rule that matches from the position to read on and settles its positions; false on failure. */
function match(stage: SynonymStage): bool {
  const synonyms = stage.synonyms;
  let current = stage.read;
  let state: u32 = 0;
  let tokens: u32 = 0;
  let outputs: usize = 0;
  let matched: u32 = 0;
  let matchedEnd: u32 = 0;
  while (true) {
    const position = stage.position(current);
    let ptr = position.ptr;
    let length = position.length;
    if (current == stage.write) {
      if (stage.finished) break;
      if (!stage.pullInput()) {
        if (Analysis.status != OK) return false;
        stage.finished = true;
        break;
      }
      ptr = Token.ptr;
      length = Token.length;
      position.tokenStart = Token.start;
      position.tokenEnd = Token.end;
      stage.lastStart = Token.start;
      stage.lastEnd = Token.end;
      if (stage.read == stage.write) position.pending = true;
      else if (!capture(stage)) return false;
    }
    ++tokens;
    state = synonyms.next(state, ptr, length);
    if (Analysis.status != OK) return false;
    if (state == NO_STATE) break;
    const found = synonyms.outputsOf(state);
    if (found) {
      outputs = found;
      matched = tokens;
      matchedEnd = position.tokenEnd;
    }
    if (!synonyms.goesOn(state)) break;
    if (stage.read == stage.write && !capture(stage)) return false;
    current = stage.after(current);
  }
  if (stage.read == stage.write && !stage.finished) stage.write = stage.after(stage.write);
  if (outputs) {
    stage.settled = matched;
    return putOutputs(stage, outputs, matched, matchedEnd);
  }
  // Without a match the token passes, and the next one is tried.
  if (stage.read != stage.write) stage.settled = 1;
  return true;
}

/** Lays the words of the outputs over the positions from the one to read on. */
function putOutputs(stage: SynonymStage, outputs: usize, matched: u32, matchedEnd: u32): bool {
  const count = load<u32>(outputs);
  for (let i: u32 = 0; i < count; i++) {
    let p = stage.synonyms.phraseOf(outputs, i);
    const words = load<u32>(p);
    p += 4;
    let to = stage.read;
    for (let word: u32 = 0; word < words; word++) {
      const length = load<u32>(p);
      // A single word spans all that was matched.
      if (!stage.position(to).addOutput(p + 4, length, words == 1 ? matchedEnd : INHERITED)) return false;
      p += 4 + length;
      to = stage.after(to);
    }
  }
  let at = stage.read;
  for (let i: u32 = 0; i < matched; i++) {
    stage.position(at).matched = true;
    at = stage.after(at);
  }
  return true;
}
