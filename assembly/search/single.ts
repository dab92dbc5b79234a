import { Matcher } from '../docset/matcher';
import { enter, PostingsCursor } from '../postings/cursor';
import { blockImpact, scoreBlock } from '../postings/scores';
import { offer, threshold } from '../score/topHits';
import { spend } from './budget';
import { Run } from './run';

// One term. Without deletions and filters its document frequency is the total, and only blocks that can hold a hit are read.

const SLACK: f32 = 1.00001;

/** Offers the hits of a term and returns the number of its documents that count; -1 where the arena has no room. */
export function runSingle(run: Run): i64 {
  const root: Matcher = run.root;
  const c: PostingsCursor = root.cursor;
  const counted = run.live != 0 || run.postFilter != 0;
  if (run.countOnly && !counted) return c.df;
  const value = c.value * SLACK;
  let total: i64 = 0;
  for (let block: u32 = 0; block < c.blocks; block++) {
    const skip = run.countOnly || (!run.exhaustive && blockImpact(c, block) * value <= threshold);
    if (skip && !counted) continue;
    if (!spend(128)) break;
    if (block) enter(c, block);
    if (!scoreBlock(c)) return -1;
    const docs = c.docs;
    const scores = c.scores;
    const n = (<usize>c.count) << 2;
    if (counted) {
      for (let i: usize = 0; i < n; i += 4) {
        const doc = load<u32>(docs + i);
        if (!run.accepts(doc)) continue;
        total++;
        const score = load<f32>(scores + i);
        if (!skip && score > threshold) offer(score, run.docBase + doc);
      }
    } else {
      for (let i: usize = 0; i < n; i += 4) {
        const score = load<f32>(scores + i);
        if (score > threshold) offer(score, run.docBase + load<u32>(docs + i));
      }
    }
  }
  return counted ? total : c.df;
}
