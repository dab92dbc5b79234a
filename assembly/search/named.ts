import { OK } from '../abi/status';
import { Matcher, matches } from '../docset/matcher';
import { requestAlloc, requestMark, requestRelease } from '../memory/arena';
import { SEGMENT } from '../memory/lifetimes';
import { compileQuery } from './compile';
import { Search } from './context';
import { Hits } from './hits';
import { Query } from '../plan/query';
import { requestStatus } from '../requestStatus';

// Which of the plan's named nodes the hits match: a bit a node, in words of 32.

/** Words a hit. */
export function namedWords(count: u32): u32 {
  return (count + 31) >> 5;
}

/** The words of all hits, one hit after the other; 0 where the arena has no room. */
export function matchNamed(search: Search, hits: Hits): usize {
  const shard = search.shard;
  const plan = search.plan;
  const count = plan.namedCount;
  const words = namedWords(count);
  const bytes = <u64>hits.count * <u64>words * 4;
  let out: usize = 0;
  if (bytes <= 0x40000000) out = requestAlloc(<u32>bytes);
  if (!out) return 0;
  memory.fill(out, 0, <usize>bytes);
  let docBase: u32 = 0;
  for (let s: u32 = 0; s < shard.segmentCount; s++) {
    const seg = shard.segment(s);
    for (let k: u32 = 0; k < count; k++) {
      const mark = requestMark(SEGMENT);
      let tree: Matcher | null = null;
      let compiled = false;
      for (let i: u32 = 0; i < hits.count; i++) {
        const doc = hits.doc(i);
        if (doc < docBase || doc - docBase >= seg.docCount) continue;
        if (!compiled) {
          const query = changetype<Query>(load<usize>(plan.named + <usize>k * sizeof<usize>()));
          tree = compileQuery(search, seg, s, plan.seen(seg), query, false, false);
          if (requestStatus != OK) return 0;
          compiled = true;
        }
        if (tree === null) break;
        if (!matches(tree, doc - docBase)) continue;
        const at = out + ((<usize>i * <usize>words + <usize>(k >> 5)) << 2);
        store<u32>(at, load<u32>(at) | ((<u32>1) << (k & 31)));
      }
      requestRelease(mark);
    }
    docBase += seg.docCount;
  }
  return requestStatus == OK ? out : 0;
}
