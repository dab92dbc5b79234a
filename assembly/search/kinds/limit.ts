import { OK } from '../../abi/status';
import { fill, MATCH_SET, Matcher, windowBytes } from '../../docset/matcher';
import { requestAlloc, requestMark, requestRelease } from '../../memory/arena';
import { SEGMENT } from '../../memory/lifetimes';
import { u32Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { requestStatus } from '../../requestStatus';
import { spend } from '../../workLimit';
import { compileQuery } from '../compile';
import { Compiling } from '../compiling';
import { Search } from '../context';
import { wrappedNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { noRoom } from '../matcherArrays';
import { fillVisible, WINDOW } from '../visible';

// The first documents of the shard that a node matches.

export function decodeLimit(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.size = u32Next();
  wrappedNext(d, node, depth, false, scoring);
  d.plan.joins = true;
}

/** Finds where in the shard the limit is reached: its `bound` becomes the first document that it doesn't let through. */
export function precomputeLimit(search: Search, query: Query): bool {
  const shard = search.shard;
  let left = query.size;
  let docBase: u32 = 0;
  query.bound = 0;
  for (let s: u32 = 0; s < shard.segmentCount && left; s++) {
    const seg = shard.segment(s);
    const mark = requestMark(SEGMENT);
    const tree = compileQuery(search, seg, s, seg.visible, query.child(0), false, false);
    const bits = requestAlloc(windowBytes(WINDOW));
    if (requestStatus != OK || !bits) return false;
    for (let base: u32 = 0; tree !== null && base < seg.docCount && left; base += WINDOW) {
      const size = min(WINDOW, seg.docCount - base);
      if (!spend(size)) break;
      fillVisible(seg, tree, base, size, bits);
      const words = (size + 63) >> 6;
      for (let i: u32 = 0; i < words && left; i++) {
        let word = load<u64>(bits + ((<usize>i) << 3));
        for (; word && left; left--) {
          query.bound = docBase + base + (i << 6) + <u32>ctz<u64>(word) + 1;
          word &= word - 1;
        }
      }
    }
    requestRelease(mark);
    if (requestStatus != OK) return false;
    docBase += seg.docCount;
  }
  if (left) query.bound = search.maxDoc;
  return true;
}

/** The documents of a limit's node, up to the limit. */
export function compileLimit(c: Compiling, query: Query, _scoring: bool, _bulk: bool): Matcher | null {
  let docBase: u32 = 0;
  for (let s: u32 = 0; s < c.ordinal; s++) docBase += c.search.shard.segment(s).docCount;
  if (query.bound <= docBase) return null;
  const child = c.child(query.child(0), false, false);
  if (child === null) return null;
  const m = Matcher.make(MATCH_SET);
  const bytes = windowBytes(c.segment.docCount);
  const bits = requestAlloc(bytes);
  if (m === null || !bits) return noRoom();
  memory.fill(bits, 0, bytes);
  m.cost = min(query.bound - docBase, c.segment.docCount);
  fill(child, 0, m.cost, bits);
  m.bits = bits;
  return m;
}
