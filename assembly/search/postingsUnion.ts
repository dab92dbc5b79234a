import { requestAlloc } from '../memory/arena';
import { Bitset, sizeInBytes } from '../memory/bitset';
import { NO_MORE, PostingsCursor, reach } from '../postings/cursor';
import { FieldEntry, Segment } from '../segment/segment';
import { spend } from '../workLimit';

// How many documents of a segment several terms of a field have, each counted once. Lives in the request arena.

@unmanaged
export class PostingsUnion {
  private cursor: PostingsCursor;
  private seg: Segment;
  private entry: usize;
  /** Bitset of documents, empty between counts; of the largest segment so far. */
  private set: usize;
  private setBytes: u32;
  /** Lists of the terms: u32 offset and u32 document frequency each. */
  private lists: usize;
  private count: u32;
  private room: u32;

  static make(): PostingsUnion | null {
    const at = requestAlloc(offsetof<PostingsUnion>());
    const cursor = PostingsCursor.make();
    if (!at || cursor === null) return null;
    memory.fill(at, 0, offsetof<PostingsUnion>());
    const union = changetype<PostingsUnion>(at);
    union.cursor = cursor;
    return union;
  }

  /** Begins with a field of a segment; false without room. */
  start(seg: Segment, entry: usize): bool {
    this.seg = seg;
    this.entry = entry;
    this.count = 0;
    const bytes = sizeInBytes(seg.docCount);
    if (bytes <= this.setBytes) return true;
    const set = requestAlloc(bytes);
    if (!set) return false;
    memory.fill(set, 0, bytes);
    this.set = set;
    this.setBytes = bytes;
    return true;
  }

  /** Adds a term by its list; false without room. */
  add(postings: u32, df: u32): bool {
    if (this.count == this.room) {
      const room = max<u32>(16, this.room << 1);
      const grown = requestAlloc(room << 3);
      if (!grown) return false;
      memory.copy(grown, this.lists, (<usize>this.count) << 3);
      this.lists = grown;
      this.room = room;
    }
    const at = this.lists + ((<usize>this.count) << 3);
    store<u32>(at, postings);
    store<u32>(at, df, 4);
    this.count++;
    return true;
  }

  /** Forgets the terms. */
  clear(): void {
    this.count = 0;
  }

  private open(i: u32): PostingsCursor {
    const at = this.lists + ((<usize>i) << 3);
    const flags = <u8>FieldEntry.flags(this.entry);
    const postings = FieldEntry.postings(this.seg, this.entry) + load<u32>(at);
    this.cursor.start(postings, load<u32>(at, 4), flags, 0, 0, 0);
    return this.cursor;
  }

  /** The documents that have one of the terms, fewer where the work limit is reached. */
  documents(): u32 {
    if (this.count == 1) return load<u32>(this.lists, 4);
    let documents: u32 = 0;
    for (let i: u32 = 0; i < this.count; i++) {
      const cursor = this.open(i);
      if (!spend(1 + load<u32>(this.lists + ((<usize>i) << 3), 4))) break;
      for (let doc = reach(cursor, 0); doc != NO_MORE; doc = reach(cursor, doc + 1)) {
        documents += u32(!Bitset.get(this.set, doc));
        Bitset.set(this.set, doc);
      }
    }
    for (let i: u32 = 0; i < this.count; i++) {
      const cursor = this.open(i);
      for (let doc = reach(cursor, 0); doc != NO_MORE; doc = reach(cursor, doc + 1))
        Bitset.clear(this.set, doc);
    }
    return documents;
  }
}
