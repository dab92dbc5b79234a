import { requestAlloc } from '../memory/arena';
import { compareBytes } from '../terms/bytes';
import { QueryTerm } from '../plan/query';

// Terms collected from the segments of a shard, each once, in ascending order, with their document frequencies. A bounded list
// keeps the terms of the highest boost, of equal ones the first.

@unmanaged
export class TermList {
  /** Array of QueryTerm pointers. */
  terms: usize;
  count: u32;
  capacity: u32;
  /** Most terms; with `keepBest` the rest is dropped, else `overflow` is set. */
  limit: u32;
  keepBest: bool;
  overflow: bool;
  segments: u32;
  /** Index of the term to be dropped next, when the list is full. */
  worst: u32;

  static make(limit: u32, keepBest: bool, segments: u32): TermList | null {
    const at = requestAlloc(offsetof<TermList>());
    const terms = requestAlloc(16 << 2);
    if (!at || !terms) return null;
    memory.fill(at, 0, offsetof<TermList>());
    const list = changetype<TermList>(at);
    list.terms = terms;
    list.capacity = 16;
    list.limit = limit;
    list.keepBest = keepBest;
    list.segments = segments;
    return list;
  }

  @inline term(i: u32): QueryTerm {
    return changetype<QueryTerm>(load<usize>(this.terms + <usize>i * sizeof<usize>()));
  }

  /** Index of the first term that is not below the given one. */
  private find(ptr: usize, length: u32): u32 {
    let low: u32 = 0;
    let high = this.count;
    // Terms mostly come in ascending order.
    if (high) {
      const last = this.term(high - 1);
      if (compareBytes(last.ptr, last.length, ptr, length) < 0) return high;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      const term = this.term(middle);
      if (compareBytes(term.ptr, term.length, ptr, length) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private findWorst(): void {
    let worst: u32 = 0;
    for (let i: u32 = 1; i < this.count; i++) if (this.term(i).boost <= this.term(worst).boost) worst = i;
    this.worst = worst;
  }

  /** Whether the list is full of terms below the given one. */
  excludes(ptr: usize, length: u32): bool {
    if (this.count < this.limit || !this.count) return this.count == this.limit;
    const last = this.term(this.count - 1);
    return compareBytes(last.ptr, last.length, ptr, length) < 0;
  }

  /** Whether another term would take the place of one of these. */
  isFull(): bool {
    return this.limit > 0 && this.count == this.limit;
  }

  /** The lowest boost of the terms of a list that is full and keeps the best. */
  leastBoost(): f32 {
    return this.term(this.worst).boost;
  }

  /** Adds a term as segment number `segment` has it; its bytes are copied. False without room. */
  add(ptr: usize, length: u32, boost: f32, segment: u32, df: u32, postings: u32): bool {
    let i = this.find(ptr, length);
    if (i < this.count) {
      const known = this.term(i);
      if (compareBytes(known.ptr, known.length, ptr, length) == 0) {
        known.df += df;
        store<u32>(known.segments + ((<usize>segment) << 3), df);
        store<u32>(known.segments + ((<usize>segment) << 3), postings, 4);
        return true;
      }
    }
    if (this.count == this.limit) {
      if (!this.keepBest || !this.limit) {
        this.overflow = true;
        return true;
      }
      const worst = this.term(this.worst);
      if (boost < worst.boost || (boost == worst.boost && i > this.worst)) return true;
      this.remove(this.worst);
      if (i > this.worst) i--;
    }
    const at = requestAlloc(offsetof<QueryTerm>());
    const bytes = requestAlloc(length);
    const segments = requestAlloc(this.segments << 3);
    if (!at || !bytes || !segments || !this.reserve()) return false;
    memory.fill(at, 0, offsetof<QueryTerm>());
    memory.fill(segments, 0, this.segments << 3);
    memory.copy(bytes, ptr, length);
    const term = changetype<QueryTerm>(at);
    term.ptr = bytes;
    term.length = length;
    term.boost = boost;
    term.df = df;
    term.segments = segments;
    store<u32>(segments + ((<usize>segment) << 3), df);
    store<u32>(segments + ((<usize>segment) << 3), postings, 4);
    const slot = this.terms + ((<usize>i) << 2);
    memory.copy(slot + 4, slot, (<usize>(this.count - i)) << 2);
    store<usize>(slot, at);
    this.count++;
    if (this.keepBest && this.count == this.limit) this.findWorst();
    return true;
  }

  private remove(i: u32): void {
    const slot = this.terms + ((<usize>i) << 2);
    this.count--;
    memory.copy(slot, slot + 4, (<usize>(this.count - i)) << 2);
  }

  private reserve(): bool {
    if (this.count < this.capacity) return true;
    const terms = requestAlloc(this.capacity << 3);
    if (!terms) return false;
    memory.copy(terms, this.terms, (<usize>this.count) << 2);
    this.terms = terms;
    this.capacity <<= 1;
    return true;
  }
}
