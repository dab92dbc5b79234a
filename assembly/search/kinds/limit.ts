import { fill, MATCH_SET, Matcher, windowBytes } from '../../docset/matcher';
import { requestAlloc } from '../../memory/arena';
import { u32Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { Compiling } from '../compiling';
import { wrappedNext } from '../decodeNodes';
import { Decoding } from '../decoding';
import { noRoom } from '../matcherArrays';

// The first documents of the shard that a node matches.

export function decodeLimit(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.size = u32Next();
  wrappedNext(d, node, depth, false, scoring);
  d.plan.joins = true;
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
