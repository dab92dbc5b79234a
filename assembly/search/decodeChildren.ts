import { MUST_NOT, NODE_MULTI_TERM, NODE_SPAN_MASK, NODE_SPAN_TERM, NODE_TERM } from '../abi/plan';
import { ERR_PLAN, OK } from '../abi/status';
import { setPointer } from '../memory/pointers';
import { nodeNext } from './decodeNodes';
import { f32Next, pointers, u8Next, u16Next } from '../plan/planReader';
import { Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { Decoding } from './decoding';

// The nodes in a node of a plan.

/** Which children a node's children may be. */
export const ANY: u8 = 0;
export const SPANS: u8 = 1;

export function childrenNext(
  d: Decoding,
  node: Query,
  n: u32,
  depth: u32,
  scoring: bool,
  occurs: bool,
  which: u8,
): void {
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    let occur: u8 = 0;
    if (occurs) {
      occur = u8Next();
      if (occur > MUST_NOT) fail(ERR_PLAN);
    }
    const child = nodeNext(d, depth + 1, scoring && occur != MUST_NOT);
    if (requestStatus != OK) return;
    if (which == SPANS && !isSpan(child!)) fail(ERR_PLAN);
    child!.occur = occur;
    setPointer(node.children, i, changetype<usize>(child));
  }
}

function isSpan(node: Query): bool {
  return node.kind >= NODE_SPAN_TERM && node.kind <= NODE_SPAN_MASK;
}

/** Child 0 the query, child 1 the filter where there is one. */
export function wrappedNext(d: Decoding, node: Query, depth: u32, query: bool, scoring: bool): void {
  const n: u32 = query ? 2 : 1;
  node.children = pointers(n, 1);
  node.childCount = n;
  for (let i: u32 = 0; i < n && requestStatus == OK; i++) {
    const child = nodeNext(d, depth + 1, query && i == 0 && scoring);
    if (requestStatus == OK) setPointer(node.children, i, changetype<usize>(child));
  }
}

/** Words, each as a term and as the multi-term query of its variants. */
export function fuzzyLikeNext(d: Decoding, node: Query, depth: u32): void {
  node.size = <u32>u16Next();
  node.flags = u8Next();
  node.slop = <u32>u16Next();
  node.cutoff = f32Next();
  if (!(node.cutoff >= 0 && node.cutoff < 1)) fail(ERR_PLAN);
  childrenNext(d, node, (<u32>u16Next()) << 1, depth, false, false, ANY);
  for (let i: u32 = 0; i < node.childCount && requestStatus == OK; i += 2) {
    if (node.child(i).kind != NODE_TERM || node.child(i + 1).kind != NODE_MULTI_TERM) fail(ERR_PLAN);
  }
}
