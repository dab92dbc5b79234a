import { ERR_MEMORY } from '../abi/status';
import { heapAllocZeroed, heapFree } from '../memory/heap';
import { LowerCased } from './lowerCased';
import { Analysis } from './token';
import { WordSet } from './wordSet';

/**
 * The rules of a synonym filter as an automaton over words:
 *
 *     u8 flags: bit 0 compare terms in lower case (the words are lower-cased already)
 *     u32 most words of a left or right side
 *     u32 heads: words that rules begin with
 *     word set: the words of the left sides, numbered, heads first
 *     u32 states n, then per state    | u32 its first move | u32 its outputs' place, NONE if no rule ends there |
 *     u32 moves m, then per move      | u32 word | u32 state |   those of a state by ascending word
 *     u32 bytes of outputs, then at each place    u32 count, count × u32 phrase's place
 *     u32 bytes of phrases, then at each place    u32 words, words × (u32 length, bytes)
 *
 * State 0 is the beginning; head w leads from it to state 1 + w, so that it has no moves of its own.
 */
export const NO_STATE: u32 = 0xffffffff;
const NONE: u32 = 0xffffffff;
const STATE_BYTES: u32 = 8;
const MOVE_BYTES: u32 = 8;

@unmanaged
export class Synonyms {
  private words: WordSet;
  private ignoreCase: bool;
  private heads: u32;
  /** Most words of a side. */
  context: u32;
  private states: usize;
  private stateCount: u32;
  private moves: usize;
  private moveCount: u32;
  private outputs: usize;
  private phrases: usize;

  /** Null if the rules are malformed or there is no memory. */
  static make(args: usize, end: usize): Synonyms | null {
    if (end - args < 9) return null;
    const words = WordSet.make(args + 9, end);
    if (!words) return null;
    const at = heapAllocZeroed(offsetof<Synonyms>());
    if (!at) {
      words.free();
      Analysis.status = ERR_MEMORY;
      return null;
    }
    const synonyms = changetype<Synonyms>(at);
    synonyms.words = words;
    synonyms.ignoreCase = (load<u8>(args) & 1) != 0;
    synonyms.context = load<u32>(args, 1);
    synonyms.heads = load<u32>(args, 5);
    if (!synonyms.read(args + 9 + words.bytes, end)) {
      synonyms.free();
      return null;
    }
    return synonyms;
  }

  /** Finds the tables and checks that they refer to each other; false if they don't. */
  private read(p: usize, end: usize): bool {
    if (end - p < 4) return false;
    const stateCount = load<u32>(p);
    this.states = p + 4;
    if (<usize>stateCount > (end - this.states) / STATE_BYTES || stateCount <= this.heads) return false;
    this.stateCount = stateCount;
    p = this.states + stateCount * STATE_BYTES;
    if (end - p < 4) return false;
    const moveCount = load<u32>(p);
    this.moves = p + 4;
    if (<usize>moveCount > (end - this.moves) / MOVE_BYTES) return false;
    this.moveCount = moveCount;
    p = this.moves + moveCount * MOVE_BYTES;
    if (end - p < 4) return false;
    const outputBytes = load<u32>(p);
    this.outputs = p + 4;
    if (<usize>outputBytes > end - this.outputs) return false;
    p = this.outputs + outputBytes;
    if (end - p < 4) return false;
    const phraseBytes = load<u32>(p);
    this.phrases = p + 4;
    if (<usize>phraseBytes > end - this.phrases || this.context == 0) return false;
    let before: u32 = 0;
    for (let i: u32 = 0; i < stateCount; i++) {
      const state = this.states + i * STATE_BYTES;
      const first = load<u32>(state);
      if (first < before || first > moveCount) return false;
      before = first;
      const place = load<u32>(state, 4);
      if (place != NONE && !this.areOutputs(place, outputBytes, phraseBytes)) return false;
    }
    for (let i: u32 = 0; i < moveCount; i++) {
      if (load<u32>(this.moves + i * MOVE_BYTES, 4) >= stateCount) return false;
    }
    return true;
  }

  private areOutputs(place: u32, bytes: u32, phraseBytes: u32): bool {
    if (bytes < 4 || place > bytes - 4) return false;
    const count = load<u32>(this.outputs + place);
    if (count > (bytes - 4 - place) >>> 2) return false;
    for (let i: u32 = 0; i < count; i++) {
      const phrase = load<u32>(this.outputs + place + 4 + (i << 2));
      if (phraseBytes < 4 || phrase > phraseBytes - 4 || !this.isPhrase(phrase, phraseBytes)) return false;
    }
    return true;
  }

  private isPhrase(place: u32, bytes: u32): bool {
    const words = load<u32>(this.phrases + place);
    if (words > this.context) return false;
    place += 4;
    for (let i: u32 = 0; i < words; i++) {
      if (bytes - place < 4) return false;
      const length = load<u32>(this.phrases + place);
      place += 4;
      if (length > bytes - place) return false;
      place += length;
    }
    return true;
  }

  /** The state after a further term, NO_STATE if no rule goes on with it; also without memory, which fails the analysis. */
  next(state: u32, ptr: usize, length: u32): u32 {
    if (this.ignoreCase) {
      if (!LowerCased.of(ptr, length)) return NO_STATE;
      ptr = LowerCased.ptr;
      length = LowerCased.length;
    }
    const entry = this.words.find(ptr, length);
    return entry ? this.move(state, load<u32>(entry)) : this.nextOfParts(state, ptr, length);
  }

  /** A zero in a term is to Lucene what separates words. */
  private nextOfParts(state: u32, ptr: usize, length: u32): u32 {
    let from: u32 = 0;
    for (let i: u32 = 0; i < length; i++) {
      if (load<u8>(ptr + i) != 0) continue;
      const entry = this.words.find(ptr + from, i - from);
      state = entry ? this.move(state, load<u32>(entry)) : NO_STATE;
      if (state == NO_STATE) return NO_STATE;
      from = i + 1;
    }
    if (from == 0) return NO_STATE;
    const entry = this.words.find(ptr + from, length - from);
    return entry ? this.move(state, load<u32>(entry)) : NO_STATE;
  }

  private move(state: u32, word: u32): u32 {
    if (state == 0) return word < this.heads ? word + 1 : NO_STATE;
    let low = this.firstMove(state);
    let high = this.firstMove(state + 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      const move = this.moves + middle * MOVE_BYTES;
      const other = load<u32>(move);
      if (other == word) return load<u32>(move, 4);
      if (other < word) low = middle + 1;
      else high = middle;
    }
    return NO_STATE;
  }

  private firstMove(state: u32): u32 {
    return state < this.stateCount ? load<u32>(this.states + state * STATE_BYTES) : this.moveCount;
  }

  /** Whether rules go on behind a state. */
  goesOn(state: u32): bool {
    return this.firstMove(state) != this.firstMove(state + 1);
  }

  /** The address of the outputs of the rules that end in a state, 0 if there are none. */
  outputsOf(state: u32): usize {
    const place = load<u32>(this.states + state * STATE_BYTES, 4);
    return place == NONE ? 0 : this.outputs + place;
  }

  /** The address of the i-th phrase of outputs. */
  phraseOf(outputs: usize, i: u32): usize {
    return this.phrases + load<u32>(outputs + 4 + (i << 2));
  }

  free(): void {
    this.words.free();
    heapFree(changetype<usize>(this));
  }
}
