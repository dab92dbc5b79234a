import { OK } from '../abi/status';
import { requestAllocZeroed } from '../memory/arena';
import { requestStatus } from '../requestStatus';
import { setResult } from '../result';
import { docOfKey } from '../segment/segment';
import { Search } from './context';
import { Explanation } from './explanation';

// Why a document scores as it does: for every node of the rewritten query whether it matches and with which numbers. The host
// makes Lucene's explanation of these facts (host/explain/explain.ts); README.md draws their bytes.

/**
 * Explains the root, which has been weighed, for the documents of the plan's keys: the call's result; false where the search fails.
 * Without keys it is written as if a document didn't match.
 * @param plan address of the plan's bytes
 */
export function explain(search: Search, plan: usize): bool {
  const at = requestAllocZeroed(offsetof<Explanation>());
  if (!at) return false;
  const e = changetype<Explanation>(at);
  const shard = search.shard;
  const n = search.plan.explainedCount;
  e.search = search;
  e.plan = plan;
  memory.fill(e.reserve(16), 0, 16);
  e.u32(search.maxDoc);
  if (!n) {
    e.treeOnly = true;
    e.u8(1);
    e.u32(0);
    e.node(search.root, true);
  }
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const key = load<u64>(search.plan.explained + ((<usize>i) << 3));
    let doc: i32 = -1;
    let base: u32 = 0;
    for (let s: u32 = 0; s < shard.segmentCount && doc < 0; s++) {
      const seg = shard.segment(s);
      e.docBase = base;
      base += seg.docCount;
      e.segment = seg;
      e.ordinal = s;
      doc = docOfKey(seg, key);
      if (doc >= 0 && !seg.isLive(<u32>doc)) doc = -1;
    }
    e.u8(doc < 0 ? 0 : 1);
    if (doc < 0) continue;
    e.document = <u32>doc;
    e.u32(e.document);
    if (!e.showAlone()) return false;
    e.node(search.root, true);
  }
  if (requestStatus != OK) return false;
  setResult(e.out, e.length);
  return true;
}
