/** Spans, as plans have them. */

import type { MultiTermNode } from './multiTermNode.js';
import type { Printed } from './printed.js';

/** Span queries stand inside one another; only the outermost scores, with its own boost. */
export interface SpanTermNode extends Printed {
  kind: 'spanTerm';
  field: number;
  boost: number;
  term: Uint8Array;
}
export interface SpanNearNode extends Printed {
  kind: 'spanNear';
  boost: number;
  slop: number;
  inOrder: boolean;
  nodes: SpanNode[];
}
export interface SpanOrNode extends Printed {
  kind: 'spanOr';
  boost: number;
  nodes: SpanNode[];
}
export interface SpanNotNode extends Printed {
  kind: 'spanNot';
  boost: number;
  include: SpanNode;
  exclude: SpanNode;
  pre: number;
  post: number;
}
export interface SpanFirstNode extends Printed {
  kind: 'spanFirst';
  boost: number;
  node: SpanNode;
  end: number;
}
/** A multi-term query as a span: any of its terms. */
export interface SpanMultiNode extends Printed {
  kind: 'spanMulti';
  boost: number;
  node: MultiTermNode;
}
/** Spans of another field, taken for spans of `field`. */
export interface SpanMaskNode extends Printed {
  kind: 'spanMask';
  field: number;
  boost: number;
  node: SpanNode;
}
export type SpanNode =
  | SpanTermNode
  | SpanNearNode
  | SpanOrNode
  | SpanNotNode
  | SpanFirstNode
  | SpanMultiNode
  | SpanMaskNode;
