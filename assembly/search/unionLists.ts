import { Matcher } from '../docset/matcher';
import { enter, NO_MORE } from '../postings/cursor';
import { blockImpact, scoreBlock } from '../postings/scores';
import { offer, offerAnyOrder, threshold } from '../score/topHits';
import { spend } from '../workLimit';
import { Run } from './run';
import { accepted, complete, SLACK, union } from './unionClauses';

// Unions that need no windows: small ones are merged list by list, documents of several clauses are looked up, those of a
// single clause are read from its best blocks.

/** Most clauses of a union that `mergeLists` takes. */
export const MERGE_CLAUSES: u32 = 4;

/** Per clause of a merge: address of its next document and of that document's score. */
const heads: usize = memory.data(32, 16);

/**
 * Scores and counts a small union of few clauses by merging their lists: which heads stand on the smallest document is worked out
 * without branches, that no prediction could get right (6 ns a document where windows take 10). -1 without room.
 */
export function mergeLists(run: Run, m: Matcher): i64 {
  const n = m.optionalCount;
  const bytes = (<usize>n) << 3;
  for (let k: u32 = 0; k < n; k++) {
    const c = Matcher.at(m.optional, k).cursor;
    enter(c, 0);
    if (!scoreBlock(c)) return -1;
    store<u32>(heads + ((<usize>k) << 3), <u32>c.docs);
    store<u32>(heads + ((<usize>k) << 3), <u32>c.scores, 4);
  }
  let total: i64 = 0;
  while (true) {
    let doc = NO_MORE;
    for (let h: usize = 0; h < bytes; h += 8) doc = min(doc, load<u32>(<usize>load<u32>(heads + h)));
    if (doc == NO_MORE) break;
    let sum: f64 = 0;
    let overlap: u32 = 0;
    for (let h: usize = 0; h < bytes; h += 8) {
      const at = load<u32>(heads + h);
      const scores = load<u32>(heads + h, 4);
      const here = load<u32>(<usize>at) == doc;
      sum += here ? <f64>load<f32>(<usize>scores) : 0;
      overlap += <u32>here;
      const next = at + ((<u32>here) << 2);
      store<u32>(heads + h, next);
      store<u32>(heads + h, scores + ((<u32>here) << 2), 4);
      if (load<u32>(<usize>next) == NO_MORE) {
        const c = Matcher.at(m.optional, <u32>(h >> 3)).cursor;
        if (c.block + 1 < c.blocks) {
          enter(c, c.block + 1);
          if (!scoreBlock(c)) return -1;
          store<u32>(heads + h, <u32>c.docs);
          store<u32>(heads + h, <u32>c.scores, 4);
        }
      }
    }
    if (union.mask ? !union.allowed(doc) : !accepted(run, doc)) continue;
    total++;
    const factor = union.coord(overlap);
    const score = union.bulk ? <f32>(sum * factor) : <f32>sum * <f32>factor;
    if (score > threshold) offer(score, union.docBase + doc);
  }
  return total;
}

/** Looks the documents of a bitset up one by one. */
export function lookUp(bits: usize, docCount: u32): void {
  const n = (docCount + 63) >> 6;
  union.first = union.n;
  for (let w: u32 = 0; w < n; w++) {
    let word = load<u64>(bits + ((<usize>w) << 3));
    while (word) {
      const doc = (w << 6) + <u32>ctz<u64>(word);
      word &= word - 1;
      complete(doc, 0, 0);
    }
  }
}

/**
 * Documents of a single clause: they have nothing to hope for from the others, so a block's bound is its own impact. Those of
 * several are done already, and have raised the threshold. False without room.
 */
export function scoreSingles(): bool {
  const factor = union.coord(1);
  for (let e: u32 = union.n; e > 0; e--) {
    const c = union.cursor(e - 1);
    if (factor * union.bound(e - 1) <= union.threshold()) continue;
    const value = <f64>c.value * SLACK * factor;
    for (let block: u32 = 0; block < c.blocks; block++) {
      if (<f64>blockImpact(c, block) * value <= union.threshold()) continue;
      if (!spend(128)) return true;
      enter(c, block);
      if (!scoreBlock(c)) return false;
      const n = (<usize>c.count) << 2;
      for (let i: usize = 0; i < n; i += 4) {
        const partial = <f64>load<f32>(c.scores + i);
        if (partial * SLACK * factor < union.threshold()) continue;
        const doc = load<u32>(c.docs + i);
        if (((load<u8>(union.several + (doc >> 3)) >> (doc & 7)) & 1) != 0 || !union.allowed(doc)) continue;
        const score = union.bulk ? <f32>(partial * factor) : <f32>partial * <f32>factor;
        offerAnyOrder(score, union.docBase + doc);
      }
    }
  }
  return true;
}
