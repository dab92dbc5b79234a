import { requestAlloc } from '../memory/arena';
import { BLOCK, decodeDocs, enter, PostingsCursor } from '../postings/cursor';

/** What leads a conjunction: the documents of a list, or of a set, in blocks of up to 128. */
@unmanaged
export class Lead {
  /** The list, or 0. */
  list: usize;
  /** The block's documents, u32 ascending, how many, and the last of them. */
  docs: usize;
  count: u32;
  last: u32;
  /** The last document of the block before, -1: none. */
  previous: i32;
  /** How many documents there are, or may be. */
  size: u32;
  /** The next block of a list. */
  private block: u32;
  /** A set, how many words of 64 documents it has, the one that is looked at and what is left of it. */
  private bits: usize;
  private words: u32;
  private word: u32;
  private left: u64;

  private static make(size: u32): usize {
    const at = requestAlloc(offsetof<Lead>());
    const docs = requestAlloc(BLOCK << 2);
    if (!at || !docs) return 0;
    memory.fill(at, 0, offsetof<Lead>());
    const lead = changetype<Lead>(at);
    lead.docs = docs;
    lead.size = size;
    lead.last = u32.MAX_VALUE;
    return at;
  }

  /** null where the arena has no room. */
  static ofList(c: PostingsCursor): Lead | null {
    const lead = changetype<Lead | null>(Lead.make(c.df));
    if (lead !== null) lead.list = changetype<usize>(c);
    return lead;
  }

  /** Of a bitset of `docCount` documents, about `size` of them set; null where the arena has no room. */
  static ofSet(bits: usize, docCount: u32, size: u32): Lead | null {
    const lead = changetype<Lead | null>(Lead.make(size));
    if (lead === null) return null;
    lead.bits = bits;
    lead.words = (docCount + 63) >> 6;
    lead.left = lead.words ? load<u64>(bits) : 0;
    return lead;
  }

  @inline get cursor(): PostingsCursor {
    return changetype<PostingsCursor>(this.list);
  }

  /** Goes on to the next block; false behind the last one. */
  next(): bool {
    this.previous = <i32>this.last;
    if (!this.list) return this.collect();
    const c = this.cursor;
    if (this.block >= c.blocks) return false;
    enter(c, this.block++);
    decodeDocs(c);
    memory.copy(this.docs, c.docs, BLOCK << 2);
    this.count = c.count;
    this.last = c.last;
    return true;
  }

  /** Puts the list's cursor, which look-ups may have moved, back on the block. */
  restore(): void {
    const c = this.cursor;
    enter(c, this.block - 1);
    decodeDocs(c);
  }

  private collect(): bool {
    let n: u32 = 0;
    let word = this.word;
    let left = this.left;
    const bits = this.bits;
    while (n < BLOCK) {
      while (!left && ++word < this.words) left = load<u64>(bits + ((<usize>word) << 3));
      if (!left) break;
      store<u32>(this.docs + ((<usize>n) << 2), (word << 6) + <u32>ctz<u64>(left));
      left &= left - 1;
      n++;
    }
    this.word = word;
    this.left = left;
    this.count = n;
    if (!n) return false;
    this.last = load<u32>(this.docs + ((<usize>(n - 1)) << 2));
    return true;
  }
}
