import { CHILD_AVERAGE, CHILD_NONE, JOIN_TOTAL } from '../abi/plan';
import { ERR_PLAN, OK } from '../abi/status';
import { setPointer } from '../memory/pointers';
import { ANY, childrenNext, wrappedNext } from './decodeChildren';
import { nodeNext } from './decodeNodes';
import { bytesNext, f32Next, noteJoin, pointers, u8Next, u16Next, u32Next } from '../plan/planReader';
import { JOIN_SCORED, Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { Decoding } from './decoding';

// Nodes of a plan that go from documents to others: nested ones, parts, parents and children.

/** Child 0 the query of the nested documents, child 1 the filter of those that are joined to where it is not all others. */
export function nestedNext(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  node.scoreMode = u8Next();
  node.flags = u8Next();
  if (node.scoreMode > JOIN_TOTAL || node.flags > 1) fail(ERR_PLAN);
  node.boost = f32Next();
  const n: u32 = 1 + <u32>node.flags;
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const child = nodeNext(d, depth + 1, scoring && i == 0);
    if (requestStatus == OK) setPointer(node.children, i, changetype<usize>(child));
  }
}

/** Child 0, if there is one, is the filter of what the parts are parts of where that is nested too. */
export function partsNext(d: Decoding, node: Query, depth: u32): void {
  node.termCount = u32Next();
  node.lower = bytesNext(<usize>min<u64>((<u64>node.termCount) << 3, u32.MAX_VALUE));
  node.flags = u8Next();
  if (node.flags > 1) fail(ERR_PLAN);
  if (node.flags) wrappedNext(d, node, depth, false, false);
}

/** Child 0 is the inner query, a search of its own. */
export function joinNext(d: Decoding, node: Query, depth: u32): void {
  node.boost = f32Next();
  node.scoreMode = u8Next();
  node.field = u16Next();
  node.outer = u16Next();
  noteJoin(node.field, node.outer);
  node.least = u32Next();
  node.most = u32Next();
  node.factor = u32Next();
  node.growth = u32Next();
  if (node.scoreMode > CHILD_AVERAGE || (node.factor && node.scoreMode == CHILD_NONE)) fail(ERR_PLAN);
  const scored = d.swapScored(false);
  childrenNext(d, node, 1, depth, true, false, ANY);
  if (d.swapScored(scored)) node.flags = JOIN_SCORED;
  d.plan.joins = true;
}
