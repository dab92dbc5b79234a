/**
 * Queries and filters as Lucene prints them, with 1.7's own additions. What can't be told from a plan node, such as the
 * name of a field that no shard knows or whether a filter is cached, the node brings along as its `text`.
 */

import { boostText } from './boost.js';
import { kindOf, type PlanNode } from './nodes.js';

/** The names of the core's fields, by number. */
export type FieldNames = readonly string[];

/** A query with its boost. */
export function print(node: PlanNode, names: FieldNames): string {
  return new Printer(names).print(node);
}

/** The same node, printed like that. */
export function printed<N extends PlanNode>(node: N, text: () => string): N {
  return { ...node, text };
}

/** Prints the nodes of one query. */
export class Printer {
  readonly #names: FieldNames;

  constructor(names: FieldNames) {
    this.#names = names;
  }

  /** A query with its boost. */
  print(node: PlanNode): string {
    const isBare = kindOf(node).printsBare?.(node) === true;
    const boost = 'boost' in node && !isBare ? boostText(node.boost) : '';
    const text = this.unboosted(node) + boost;
    return node.cached === true ? `cache(${text})` : text;
  }

  /** A query inside another: a boolean one in parentheses. */
  inner(node: PlanNode): string {
    return node.kind === 'boolean' && node.text === undefined ? `(${this.print(node)})` : this.print(node);
  }

  list(nodes: readonly PlanNode[]): string {
    return nodes.map((node) => this.print(node)).join(', ');
  }

  /** A query without its boost; a boolean one has that inside. */
  unboosted(node: PlanNode): string {
    return node.text?.() ?? kindOf(node).print?.(node, this) ?? node.kind;
  }

  /** The name of a field. */
  name(field: number): string {
    return this.#names[field] ?? `#${field}`;
  }
}
