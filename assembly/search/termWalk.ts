import { requestAlloc } from '../memory/arena';
import { compareBytes } from '../terms/bytes';
import { Automaton } from '../terms/automaton';
import { Dictionary, MAX_TERM_BYTES, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import {
  MATCHER_AUTOMATON,
  MATCHER_FIELD,
  MATCHER_FUZZY,
  MATCHER_PREFIX,
  Query,
  RANGE_LOWER,
  RANGE_LOWER_INCLUDED,
  RANGE_UPPER,
  RANGE_UPPER_INCLUDED,
} from './query';

// The terms of a field that a matcher accepts (a prefix, a range, an automaton, the whole field), in ascending order, segment by
// segment. An automaton and a dictionary are intersected by seeking: where the automaton refuses a term it names the next bytes that
// it could accept, and the dictionary goes there, so that terms in between are not read.

/** Terms read one after the other before seeking: a seek costs about as much. */
const STEPS: u32 = 12;

/** Boost of a term in `edits` edits of a word of so many code points; no match after all where it isn't positive. */
function similarity(edits: u32, word: u32, ptr: usize, length: u32): f32 {
  if (!edits) return 1;
  let points: u32 = 0;
  for (let i: u32 = 0; i < length; i++) if ((load<u8>(ptr + i) & 0xc0) != 0x80) points++;
  return <f32>1 - <f32>edits / <f32>min(points, word);
}

@unmanaged
export class TermWalk {
  terms: TermCursor;
  query: Query;
  automaton: Automaton;
  /** Of the current term: how alike it is to the word of a fuzzy query, 1 for all others. */
  boost: f32;
  /** Whether `next` has been called since `start`. */
  begun: bool;
  /** States of the automaton along the current term: u32 after 0, 1, … bytes; valid for `known` bytes. */
  path: usize;
  known: u32;
  /** Where to seek: bytes and their number. */
  target: usize;

  static make(query: Query): TermWalk | null {
    const at = requestAlloc(offsetof<TermWalk>());
    const terms = requestAlloc(offsetof<TermCursor>());
    const buffer = requestAlloc(TERM_BUFFER_BYTES);
    if (!at || !terms || !buffer) return null;
    memory.fill(at, 0, offsetof<TermWalk>());
    memory.fill(terms, 0, offsetof<TermCursor>());
    const walk = changetype<TermWalk>(at);
    walk.terms = changetype<TermCursor>(terms);
    walk.terms.termPtr = buffer;
    walk.query = query;
    walk.boost = 1;
    if (query.matcher == MATCHER_AUTOMATON || query.matcher == MATCHER_FUZZY) {
      walk.automaton = changetype<Automaton>(query.automaton);
      walk.path = requestAlloc((MAX_TERM_BYTES + 2) << 2);
      walk.target = requestAlloc(TERM_BUFFER_BYTES);
      if (!walk.path || !walk.target) return null;
      store<u32>(walk.path, 0);
    }
    return walk;
  }

  /** Puts the walk before the first term of a dictionary. */
  start(dict: Dictionary): void {
    TermCursor.init(this.terms, dict, this.terms.termPtr);
    this.begun = false;
    this.known = 0;
  }

  /** Moves to the next term that is accepted; false at the end. */
  next(): bool {
    const kind = this.query.matcher;
    if (kind == MATCHER_AUTOMATON || kind == MATCHER_FUZZY) return this.nextAccepted();
    const more = this.begun ? this.terms.next() : this.first();
    this.begun = true;
    return more && !this.beyond();
  }

  /** The first term that is not below the lower end of a prefix or a range. */
  private first(): bool {
    const query = this.query;
    const terms = this.terms;
    if (query.matcher == MATCHER_PREFIX) return terms.seekCeil(query.lower, query.lowerLength);
    if (query.matcher == MATCHER_FIELD || !(query.flags & RANGE_LOWER)) return terms.next();
    if (!terms.seekCeil(query.lower, query.lowerLength)) return false;
    if (query.flags & RANGE_LOWER_INCLUDED) return true;
    return compareBytes(terms.termPtr, terms.termLength, query.lower, query.lowerLength) != 0 || terms.next();
  }

  /** Whether the current term is past the end of the prefix or range. */
  private beyond(): bool {
    const query = this.query;
    const terms = this.terms;
    if (query.matcher == MATCHER_PREFIX) {
      return (
        terms.termLength < query.lowerLength ||
        memory.compare(terms.termPtr, query.lower, query.lowerLength) != 0
      );
    }
    if (query.matcher == MATCHER_FIELD || !(query.flags & RANGE_UPPER)) return false;
    const order = compareBytes(terms.termPtr, terms.termLength, query.upper, query.upperLength);
    return order > 0 || (order == 0 && !(query.flags & RANGE_UPPER_INCLUDED));
  }

  /** Runs the automaton over the current term as far as it goes; returns the number of bytes that it read. */
  private run(): u32 {
    const terms = this.terms;
    const length = terms.termLength;
    const path = this.path;
    let i = min(this.known, min(terms.shared, length));
    let state = load<u32>(path + ((<usize>i) << 2));
    while (i < length) {
      const to = this.automaton.step(state, <u32>load<u8>(terms.termPtr + i));
      if (to < 0) break;
      state = <u32>to;
      i++;
      store<u32>(path + ((<usize>i) << 2), state);
    }
    this.known = i;
    return i;
  }

  /**
   * Works out the smallest bytes above the current term that the automaton could begin with, the term being refused after `read`
   * bytes; their number, or 0 if there are none.
   */
  private aim(read: u32): u32 {
    const terms = this.terms;
    for (let i = read; i != u32.MAX_VALUE; i--) {
      const least: u32 = i < terms.termLength ? <u32>load<u8>(terms.termPtr + i) + 1 : 0;
      if (least < 256) {
        const byte = this.automaton.nextByte(load<u32>(this.path + ((<usize>i) << 2)), least);
        if (byte >= 0) {
          memory.copy(this.target, terms.termPtr, i);
          store<u8>(this.target + i, <u8>byte);
          return i + 1;
        }
      }
    }
    return 0;
  }

  private nextAccepted(): bool {
    const terms = this.terms;
    let more = terms.next();
    this.begun = true;
    while (more) {
      const read = this.run();
      if (read == terms.termLength) {
        const accepted = this.automaton.accept(load<u32>(this.path + ((<usize>read) << 2)));
        if (accepted && this.query.matcher == MATCHER_FUZZY)
          this.boost = similarity(accepted - 1, this.query.codePoints, terms.termPtr, read);
        if (accepted && this.boost > 0) return true;
        more = terms.next();
        continue;
      }
      const length = this.aim(read);
      if (!length) return false;
      more = false;
      let steps: u32 = 0;
      while (steps < STEPS && terms.next()) {
        // `shared` tells what two neighbours have in common; over several steps the least of it counts.
        this.known = min(this.known, terms.shared);
        if (compareBytes(terms.termPtr, terms.termLength, this.target, length) >= 0) {
          more = true;
          break;
        }
        steps++;
      }
      if (!more) {
        if (steps < STEPS) return false;
        this.known = 0;
        more = terms.seekCeil(this.target, length);
      }
    }
    return false;
  }
}
