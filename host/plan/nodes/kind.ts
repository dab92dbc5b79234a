/** What the registry of nodes ({@link ../nodes.ts}) knows of each kind of node. */

import type { NodeWriter } from '../nodeBytes.js';
import type { PlanNode } from '../nodes.js';
import type { Printer } from '../print.js';
import type { RequiredTerms } from '../termKeys.js';
import type { Rewriting } from '../rewrite.js';

/** One kind of node: its bytes, its text, and what searches have to know of it. Everything but the bytes has a default. */
export interface NodeKind<N> {
  /** Writes it, from its code on (assembly/search/README.md draws the bytes). `depth` is its own: nodes in it are one deeper. */
  write(node: N, out: NodeWriter, depth: number): void;
  /** Whether the core keeps nothing of it as a filter: it is read at once, or goes by more than a segment. */
  readonly isUnkept?: true;
  /** As Lucene prints it, without its boost. Default: nodes of the kind bring their text along. */
  print?(node: N, printer: Printer): string;
  /** Whether it prints without its boost, or has printed that itself. Default: it does not. */
  printsBare?(node: N): boolean;
  /** As it is weighed and scored: Lucene's rewriting. Default: as it is. */
  rewrite?(node: N, rewriting: Rewriting): PlanNode;
  /** The nodes in it that may differ from shard to shard. Default: none. */
  children?(node: N): readonly PlanNode[];
  /** Whether its own bytes differ from shard to shard. Default: they do not. */
  dependsOnShard?(node: N): boolean;
  /** Changes the queries in it that are told which documents are accepted. Default: there are none. */
  mapQueries?(node: N, change: (query: PlanNode) => PlanNode): PlanNode;
  /** Terms of which every document that matches has one. Default: nothing can be said. */
  required?(node: N, of: (node: PlanNode) => RequiredTerms): RequiredTerms;
}
