import { requestAlloc } from '../memory/arena';
import { setFrom } from './blockJoin';

// The order in which Lucene's DisjunctionScorer comes by the clauses that match a document. It keeps them in a heap by the document each
// is at, and a sum of floats goes by where they stand in it, which depends on all documents before: the heap is followed from
// the segment's first document on.

/** A clause that has no document left. */
const END: u32 = u32.MAX_VALUE;

@unmanaged
export class DisjunctionOrder {
  /** Number of clauses. */
  count: u32;
  docCount: u32;
  /** Bitsets of the documents of each clause that the search sees: array of addresses. */
  sets: usize;
  /** The document after the one that each clause is at, u32 each; 0: it has not begun. */
  nexts: usize;
  /** The heap: numbers of clauses, u32 each, and how many are left. */
  heap: usize;
  size: u32;
  /** The clauses of the document asked about last, in order: u32 each. */
  found: usize;
  foundCount: u32;

  /** Makes room for `count` clauses, of which the sets are to be given; null without room. */
  static make(count: u32, docCount: u32): DisjunctionOrder | null {
    const at = requestAlloc(offsetof<DisjunctionOrder>());
    const arrays = requestAlloc(count << 4);
    if (!at || !arrays) return null;
    memory.fill(arrays, 0, (<usize>count) << 4);
    const order = changetype<DisjunctionOrder>(at);
    order.count = count;
    order.docCount = docCount;
    order.sets = arrays;
    order.nexts = arrays + ((<usize>count) << 2);
    order.heap = order.nexts + ((<usize>count) << 2);
    order.found = order.heap + ((<usize>count) << 2);
    order.foundCount = 0;
    order.size = count;
    for (let i: u32 = 0; i < count; i++) store<u32>(order.heap + ((<usize>i) << 2), i);
    return order;
  }

  @inline setOf(clause: u32): usize {
    return load<usize>(this.sets + ((<usize>clause) << 2));
  }

  @inline private clauseAt(i: u32): u32 {
    return load<u32>(this.heap + ((<usize>i) << 2));
  }

  @inline private nextAt(i: u32): u32 {
    return load<u32>(this.nexts + ((<usize>this.clauseAt(i)) << 2));
  }

  /** Moves the root down to where it belongs. */
  private adjust(): void {
    const clause = this.clauseAt(0);
    const doc = this.nextAt(0);
    let i: u32 = 0;
    while ((i << 1) + 1 < this.size) {
      const left = (i << 1) + 1;
      const leftDoc = this.nextAt(left);
      const rightDoc = left + 1 < this.size ? this.nextAt(left + 1) : END;
      let child = left;
      if (leftDoc < doc) {
        if (rightDoc < leftDoc) child = left + 1;
      } else if (rightDoc < doc) child = left + 1;
      else return;
      store<u32>(this.heap + ((<usize>i) << 2), this.clauseAt(child));
      store<u32>(this.heap + ((<usize>child) << 2), clause);
      i = child;
    }
  }

  /** Goes on to `doc`; false where no clause has it, or the heap is past it. */
  private advance(doc: u32): bool {
    while (this.size && this.nextAt(0) <= doc) {
      const clause = this.clauseAt(0);
      const at = this.nexts + ((<usize>clause) << 2);
      const next = setFrom(this.setOf(clause), load<u32>(at), this.docCount);
      if (next < this.docCount) store<u32>(at, next + 1);
      else {
        this.size--;
        store<u32>(this.heap, this.clauseAt(this.size));
      }
      if (this.size) this.adjust();
    }
    return this.size > 0 && this.nextAt(0) == doc + 1;
  }

  private visit(i: u32, next: u32): void {
    if (i >= this.size || this.nextAt(i) != next) return;
    store<u32>(this.found + ((<usize>this.foundCount) << 2), this.clauseAt(i));
    this.foundCount++;
    this.visit((i << 1) + 1, next);
    this.visit((i << 1) + 2, next);
  }

  /** Finds the clauses of a document, which is not before the one asked about last; false where nothing is known of it. */
  find(doc: u32): bool {
    this.foundCount = 0;
    if (!this.advance(doc)) return false;
    this.visit(0, doc + 1);
    return true;
  }
}
