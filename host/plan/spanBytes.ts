/** The bytes of spans in plans. */
import { NodeCode } from '../core/abi/plan.js';
import type { PlanNode } from './plan.js';
import { count, type PlanBytes } from '../core/planBytes.js';
import type { SpanNode } from './spanNodes.js';

/** @param child writes what a node holds */
export function writeSpan(node: SpanNode, out: PlanBytes, child: (node: PlanNode) => void): void {
  switch (node.kind) {
    case 'spanTerm':
      out.u8(NodeCode.spanTerm);
      out.u16(node.field);
      out.f32(node.boost);
      out.term(node.term);
      break;
    case 'spanNear':
      out.u8(NodeCode.spanNear);
      out.f32(node.boost);
      out.u32(node.slop);
      out.u8(node.inOrder ? 1 : 0);
      out.u16(count(node.nodes));
      for (const each of node.nodes) child(each);
      break;
    case 'spanOr':
      out.u8(NodeCode.spanOr);
      out.f32(node.boost);
      out.u16(count(node.nodes));
      for (const each of node.nodes) child(each);
      break;
    case 'spanNot':
      out.u8(NodeCode.spanNot);
      out.f32(node.boost);
      out.u32(node.pre);
      out.u32(node.post);
      child(node.include);
      child(node.exclude);
      break;
    case 'spanFirst':
      out.u8(NodeCode.spanFirst);
      out.f32(node.boost);
      out.u32(node.end);
      child(node.node);
      break;
    case 'spanMulti':
      out.u8(NodeCode.spanMulti);
      out.f32(node.boost);
      child(node.node);
      break;
    case 'spanMask':
      out.u8(NodeCode.spanMask);
      out.u16(node.field);
      out.f32(node.boost);
      child(node.node);
      break;
  }
}
