import { OK } from '../abi/status';
import { Matcher } from '../docset/matcher';
import { requestMark, requestRelease } from '../memory/arena';
import { SEGMENT } from '../memory/lifetimes';
import { evaluate, matched } from '../score/evaluate';
import { requestStatus } from '../requestStatus';
import { compileQuery } from './compile';
import { Search } from './context';
import { Rescore } from './plan';
import { Hits } from './hits';

// Scores the first hits again with another query, and puts all in order by what the two scores amount to.

const MODE_TOTAL: u8 = 0;
const MODE_MULTIPLY: u8 = 1;
const MODE_AVG: u8 = 2;
const MODE_MAX: u8 = 3;

function combine(mode: u8, first: f32, second: f32): f32 {
  switch (mode) {
    case MODE_TOTAL:
      return first + second;
    case MODE_MULTIPLY:
      return first * second;
    case MODE_AVG:
      return (first + second) / 2;
    case MODE_MAX:
      return max(first, second);
    default:
      return min(first, second);
  }
}

/** Rescores; `rescore.query` has been weighed. False where the search fails. */
export function applyRescore(search: Search, hits: Hits, rescore: Rescore): bool {
  const n = min(hits.count, rescore.window);
  const shard = search.shard;
  let docBase: u32 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    const mark = requestMark(SEGMENT);
    let tree: Matcher | null = null;
    let compiled = false;
    for (let i: u32 = 0; i < n; i++) {
      const doc = hits.doc(i);
      if (doc < docBase || doc - docBase >= seg.docCount) continue;
      if (!compiled) {
        tree = compileQuery(search, seg, s, search.plan.seen(seg), rescore.query, true, false);
        if (requestStatus != OK) return false;
        compiled = true;
      }
      const first = hits.score(i) * rescore.queryWeight;
      let score = first;
      if (tree !== null) {
        const second = evaluate(tree, doc - docBase);
        if (matched) score = combine(rescore.mode, first, second * rescore.rescoreWeight);
      }
      hits.set(i, doc, score);
    }
    requestRelease(mark);
    docBase += seg.docCount;
  }
  if (requestStatus != OK) return false;
  hits.sort(n);
  if (n < hits.count) {
    for (let i = n; i < hits.count; i++) hits.set(i, hits.doc(i), hits.score(i) * rescore.queryWeight);
    hits.sort(hits.count);
  }
  return true;
}
