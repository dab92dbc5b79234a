import {
  NODE_MULTI_TERM,
  NODE_SPAN_FIRST,
  NODE_SPAN_MASK,
  NODE_SPAN_MULTI,
  NODE_SPAN_NEAR,
  NODE_SPAN_NOT,
  NODE_SPAN_OR,
  NODE_SPAN_TERM,
} from '../abi/plan';
import { ERR_PLAN, OK } from '../abi/status';
import { ANY, childrenNext, SPANS } from './decodeChildren';
import { f32Next, termsNext, u8Next, u16Next, u32Next } from '../plan/planReader';
import { Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { Decoding } from './decoding';

// Spans of a plan.

export function spanNext(d: Decoding, node: Query, depth: u32, scoring: bool): void {
  if (node.kind == NODE_SPAN_TERM || node.kind == NODE_SPAN_MASK) node.field = u16Next();
  node.boost = f32Next();
  switch (node.kind) {
    case NODE_SPAN_TERM:
      termsNext(node, 1);
      return;
    case NODE_SPAN_NEAR:
      node.slop = u32Next();
      node.flags = u8Next();
      childrenNext(d, node, <u32>u16Next(), depth, scoring, false, SPANS);
      if (!node.childCount) fail(ERR_PLAN);
      return;
    case NODE_SPAN_OR:
      childrenNext(d, node, <u32>u16Next(), depth, scoring, false, SPANS);
      return;
    case NODE_SPAN_NOT:
      node.pre = u32Next();
      node.post = u32Next();
      childrenNext(d, node, 2, depth, scoring, false, SPANS);
      return;
    case NODE_SPAN_FIRST:
      node.post = u32Next();
      childrenNext(d, node, 1, depth, scoring, false, SPANS);
      return;
    case NODE_SPAN_MULTI:
      childrenNext(d, node, 1, depth, scoring, false, ANY);
      if (requestStatus == OK && node.child(0).kind != NODE_MULTI_TERM) fail(ERR_PLAN);
      return;
    default:
      childrenNext(d, node, 1, depth, scoring, false, SPANS);
  }
}
