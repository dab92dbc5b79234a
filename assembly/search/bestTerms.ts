import { requestAlloc } from '../memory/arena';
import { compareBytes } from '../terms/bytes';
import { compareEntries } from './completionEntry';

// The terms of the highest worth out of many, of equal ones the first: a heap with the worst on top. Lives in the request arena.

@unmanaged
export class KeptTerm {
  ptr: usize;
  length: u32;
  /** Its document frequency, or whatever else is known of it. */
  df: u32;
  worth: f64;
}

@unmanaged
export class BestTerms {
  /** Array of KeptTerm pointers, a heap while it is filled. */
  private terms: usize;
  count: u32;
  private capacity: u32;
  private limit: u32;
  /** Whether the terms are entries of completions, which have an order of their own. */
  private areEntries: bool;

  static make(limit: u32): BestTerms | null {
    const at = requestAlloc(offsetof<BestTerms>());
    const terms = requestAlloc(64);
    if (!at || !terms) return null;
    const best = changetype<BestTerms>(at);
    best.terms = terms;
    best.count = 0;
    best.capacity = 16;
    best.limit = limit;
    best.areEntries = false;
    return best;
  }

  /** The best of entries of completions. */
  static ofEntries(limit: u32): BestTerms | null {
    const best = BestTerms.make(limit);
    if (best !== null) best.areEntries = true;
    return best;
  }

  @inline term(i: u32): KeptTerm {
    return changetype<KeptTerm>(load<usize>(this.terms + ((<usize>i) << 2)));
  }

  @inline private put(i: u32, term: KeptTerm): void {
    store<usize>(this.terms + ((<usize>i) << 2), changetype<usize>(term));
  }

  /** Whether a term of that worth, above all others in order, would be dropped at once. */
  @inline isFullOf(worth: f64): bool {
    return this.count == this.limit && (!this.limit || worth <= this.term(0).worth);
  }

  /** Whether `a` goes before `b`. */
  private better(a: KeptTerm, b: KeptTerm): bool {
    if (a.worth != b.worth) return a.worth > b.worth;
    return this.order(a.ptr, a.length, b.ptr, b.length) < 0;
  }

  /** The order of terms of equal worth. */
  private order(a: usize, aLength: u32, b: usize, bLength: u32): i32 {
    return this.areEntries ? compareEntries(a, aLength, b, bLength) : compareBytes(a, aLength, b, bLength);
  }

  /** Adds a term, whose bytes are copied, and drops the worst if there are too many; false without room. */
  add(ptr: usize, length: u32, df: u32, worth: f64): bool {
    if (!this.limit) return true;
    if (this.count == this.limit) {
      const worst = this.term(0);
      if (worth < worst.worth) return true;
      if (worth == worst.worth && this.order(ptr, length, worst.ptr, worst.length) >= 0) return true;
    } else if (this.count == this.capacity) {
      const grown = requestAlloc(this.capacity << 3);
      if (!grown) return false;
      memory.copy(grown, this.terms, (<usize>this.count) << 2);
      this.terms = grown;
      this.capacity <<= 1;
    }
    const at = requestAlloc(offsetof<KeptTerm>() + length);
    if (!at) return false;
    const term = changetype<KeptTerm>(at);
    term.ptr = at + offsetof<KeptTerm>();
    term.length = length;
    term.df = df;
    term.worth = worth;
    memory.copy(term.ptr, ptr, length);
    if (this.count == this.limit) {
      this.sink(term, this.count);
      return true;
    }
    let i = this.count++;
    while (i) {
      const parent = (i - 1) >> 1;
      if (this.better(term, this.term(parent))) break;
      this.put(i, this.term(parent));
      i = parent;
    }
    this.put(i, term);
    return true;
  }

  /** Puts a term in place of the top of the first `n`. */
  private sink(term: KeptTerm, n: u32): void {
    let i: u32 = 0;
    for (let child: u32 = 1; child < n; child = (i << 1) + 1) {
      if (<u32>(child + 1) < n && this.better(this.term(child), this.term(child + 1))) child++;
      if (this.better(this.term(child), term)) break;
      this.put(i, this.term(child));
      i = child;
    }
    this.put(i, term);
  }

  /** Brings the terms into order, the best first; nothing is added after that. */
  sort(): void {
    for (let n = this.count; n > 1; n--) {
      const worst = this.term(0);
      const last = this.term(n - 1);
      this.sink(last, n - 1);
      this.put(n - 1, worst);
    }
  }
}
