/** What nodes tell of how Lucene prints them. */

import type { PlanNode } from './nodes.js';

/** What every node may tell of how Lucene prints it, where its parts don't tell (print.ts). */
export interface Printed {
  /** All but the boost. */
  text?: (() => string) | undefined;
  /** 1.7 caches it as a filter. */
  cached?: boolean | undefined;
}

/** A node with what another one, which it stands for, says of its text. */
export function printedAs(node: PlanNode, { text, cached }: Printed): PlanNode {
  return {
    ...node,
    ...(text === undefined ? {} : { text }),
    ...(cached === undefined ? {} : { cached }),
  };
}
