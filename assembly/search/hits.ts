import { requestAlloc } from '../memory/arena';
import { takeWorst, takenDoc, takenScore, topHitsSize } from '../score/topHits';
import { Segment } from '../segment/segment';
import { Shard } from '../segment/shards';

// The hits of a shard once they are found, best first: what is rescored, named and written.

@unmanaged
export class Hits {
  /** Array of 8 bytes: u32 document of the shard, f32 score. */
  entries: usize;
  count: u32;

  @inline doc(i: u32): u32 {
    return load<u32>(this.entries + ((<usize>i) << 3));
  }
  @inline score(i: u32): f32 {
    return load<f32>(this.entries + ((<usize>i) << 3), 4);
  }
  @inline set(i: u32, doc: u32, score: f32): void {
    store<u32>(this.entries + ((<usize>i) << 3), doc);
    store<f32>(this.entries + ((<usize>i) << 3), score, 4);
  }

  /** Sorts the first `n` by score, descending, then document; a heap sort, since rescoring may turn all around. */
  sort(n: u32): void {
    for (let i = n >> 1; i > 0; i--) this.sift(i - 1, n);
    for (let end = n; end > 1; end--) {
      this.swap(0, end - 1);
      this.sift(0, end - 1);
    }
  }

  private isAfter(a: u32, b: u32): bool {
    const x = this.score(a);
    const y = this.score(b);
    return x < y || (x == y && this.doc(a) > this.doc(b));
  }

  private swap(a: u32, b: u32): void {
    const doc = this.doc(a);
    const score = this.score(a);
    this.set(a, this.doc(b), this.score(b));
    this.set(b, doc, score);
  }

  /** Keeps the last of all on top. */
  private sift(from: u32, n: u32): void {
    let i: u32 = from;
    for (let child: u32 = 2 * i + 1; child < n; child = 2 * i + 1) {
      if (child + 1 < n && this.isAfter(child + 1, child)) child++;
      if (!this.isAfter(child, i)) return;
      this.swap(i, child);
      i = child;
    }
  }
}

/** Room for `n` hits; null where there is none. */
export function makeHits(n: u32): Hits | null {
  const at = requestAlloc(offsetof<Hits>());
  const entries = requestAlloc(max<u32>(n, 1) << 3);
  if (!at || !entries) return null;
  const hits = changetype<Hits>(at);
  hits.entries = entries;
  hits.count = n;
  return hits;
}

/** The documents with the best scores; null without room. */
export function takeTopHits(): Hits | null {
  const n = topHitsSize();
  const hits = makeHits(n);
  if (hits === null) return null;
  for (let i = n; i > 0; i--) {
    takeWorst();
    hits.set(i - 1, takenDoc, takenScore);
  }
  return hits;
}

/** Number in its segment of the document that `locate` looked for: its second value. */
export let locatedDoc: u32 = 0;

/** Finds the segment of a document of the shard. */
export function locate(shard: Shard, document: u32): Segment {
  let doc = document;
  let s: u32 = 0;
  while (doc >= shard.segment(s).docCount) {
    doc -= shard.segment(s).docCount;
    s++;
  }
  locatedDoc = doc;
  return shard.segment(s);
}
