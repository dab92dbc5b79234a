import {
  MATCHER_AUTOMATON,
  MATCHER_ENDING,
  MATCHER_FIELD,
  MATCHER_FUZZY,
  MATCHER_PREFIX,
  RANGE_LOWER,
  RANGE_LOWER_INCLUDED,
  RANGE_UPPER,
  RANGE_UPPER_INCLUDED,
} from '../abi/plan';
import { requestAlloc } from '../memory/arena';
import { compareBytes } from '../terms/bytes';
import { Automaton } from '../terms/automaton';
import { AutomatonWalk } from '../terms/automatonWalk';
import { spend } from '../workLimit';
import { Dictionary, TERM_BUFFER_BYTES, TermCursor } from '../terms/dictionary';
import { Query } from '../plan/query';

// The terms of a field that a matcher accepts (a prefix, a range, an automaton, the whole field), in ascending order, segment by
// segment.

/** What a term that is accepted counts for: it is copied, or looked up. */
const TERM_UNITS: u32 = 4;
/** Most edits of a fuzzy query. */
const MAX_EDITS: u32 = 2;

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
  private automaton: AutomatonWalk;
  /** Of the current term: how alike it is to the word of a fuzzy query, 1 for all others. */
  boost: f32;
  /** Edits that terms of a fuzzy query may have. */
  private edits: u32;
  /** Whether `next` has been called since `start`. */
  begun: bool;

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
    walk.edits = MAX_EDITS;
    if (query.matcher == MATCHER_AUTOMATON || query.matcher == MATCHER_FUZZY) {
      const automaton = AutomatonWalk.make(changetype<Automaton>(query.automaton), walk.terms);
      if (automaton === null) return null;
      walk.automaton = automaton;
    }
    return walk;
  }

  /** Puts the walk before the first term of a dictionary. */
  start(dict: Dictionary): void {
    TermCursor.init(this.terms, dict, this.terms.termPtr);
    this.begun = false;
    if (!this.automaton) return;
    this.automaton.rewind();
    this.edits = MAX_EDITS;
    this.automaton.refuseAbove(u32.MAX_VALUE);
  }

  /**
   * Of a fuzzy query: terms whose boost can only be below `boost`, or only as high as that where `equal`, may be passed over until
   * the next `start`.
   */
  passOverUpTo(boost: f32, equal: bool): void {
    const word = this.query.codePoints;
    let edits = this.edits;
    while (edits) {
      const most: f32 = <f32>1 - <f32>edits / <f32>word;
      if (!(most < boost || (equal && most == boost))) break;
      edits--;
    }
    if (edits == this.edits) return;
    this.edits = edits;
    this.automaton.refuseAbove(edits + 1);
  }

  /** Moves to the next term that is accepted; false at the end, and where the call has been stopped. */
  next(): bool {
    if (!spend(TERM_UNITS)) return false;
    const kind = this.query.matcher;
    if (kind == MATCHER_AUTOMATON || kind == MATCHER_FUZZY) return this.nextAccepted();
    if (kind == MATCHER_ENDING) return this.nextEnding();
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

  /** Compares the ends of terms before the automaton, which accepts only terms that end so, reads them. */
  private nextEnding(): bool {
    const query = this.query;
    const automaton = changetype<Automaton>(query.automaton);
    const terms = this.terms;
    const n = query.upperLength;
    const last = <u32>load<u8>(query.upper + n - 1);
    while (terms.next() && spend(1)) {
      const length = terms.termLength;
      const end = terms.termPtr + length;
      if (length < n || <u32>load<u8>(end - 1) != last) continue;
      if (memory.compare(end - n, query.upper, n) == 0 && automaton.accepts(terms.termPtr, length))
        return true;
    }
    return false;
  }

  private nextAccepted(): bool {
    const walk = this.automaton;
    while (walk.next()) {
      if (this.query.matcher != MATCHER_FUZZY) return true;
      const terms = this.terms;
      this.boost = similarity(walk.accepted - 1, this.query.codePoints, terms.termPtr, terms.termLength);
      if (this.boost > 0) return true;
    }
    return false;
  }
}
