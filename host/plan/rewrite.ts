/**
 * Lucene's rewriting of queries, as far as it shows in scores: wrappers around a single query go, and their boosts are
 * multiplied in 32-bit floats, from the inside out.
 */

import { type Clause, Occur, type PlanNode } from './plan.js';

/** The query as it is weighed and scored. */
export function rewrite(node: PlanNode): PlanNode {
  switch (node.kind) {
    case 'boolean': {
      const [only] = node.clauses;
      if (only === undefined) return { kind: 'none' };
      if (node.minimum === 0 && node.clauses.length === 1 && only.occur !== Occur.MustNot) {
        return boosted(rewrite(only.node), node.boost);
      }
      const clauses = node.clauses.map(({ occur, node }) => ({ occur, node: loneTerm(rewrite(node)) }));
      return { ...node, clauses: clauses.map((clause, i) => limited(clause, clauses, i)) };
    }
    case 'disMax': {
      const [only] = node.nodes;
      if (only === undefined) return { kind: 'none' };
      if (node.nodes.length === 1) return boosted(rewrite(only), node.boost);
      return { ...node, nodes: node.nodes.map(rewrite) };
    }
    case 'filtered': {
      const query = rewrite(node.query);
      const filter = loneTerm(rewriteFilter(node.filter));
      // A limit counts what it is asked about: what the query, or the filter around it, lets through.
      if (filter.kind === 'limit' && filter.node.kind === 'all')
        return { ...node, query, filter: { ...filter, node: query } };
      if (query.kind === 'constant' && query.node.kind === 'limit')
        return { ...query, node: { ...query.node, node: both([query.node.node, filter]) } };
      if (query.kind !== 'all') return { ...node, query, filter };
      const boost = Math.fround(node.boost * query.boost);
      return { kind: 'constant', boost, node: rewriteFilter(node.filter) };
    }
    case 'constant': {
      const inner = rewriteFilter(node.node);
      return inner.kind === 'all' ? { kind: 'all', boost: node.boost } : { ...node, node: inner };
    }
    case 'limit':
      return { ...node, node: rewriteFilter(node.node) };
    case 'boosting':
      // The negative part has no boost, unless it loses that when its terms are looked up, or has none to lose.
      return { ...node, positive: rewrite(node.positive), negative: rewrite(unboosted(node.negative)) };
    case 'nested':
    case 'join':
      return { ...node, node: rewrite(node.node) };
    case 'functionScore':
      return {
        ...node,
        query: rewrite(node.query),
        functions: node.functions.map((each) =>
          each.filter === undefined ? each : { ...each, filter: rewriteFilter(each.filter) },
        ),
      };
    case 'phrasePrefix':
      // Its own boost is lost when its terms are looked up; that of a wrapper around it counts.
      return { ...node, boost: 1 };
    default:
      return node;
  }
}

/** The same for what is only matched: scores don't count, so more can go. */
export function rewriteFilter(node: PlanNode): PlanNode {
  const result = rewrite(node);
  if (result.kind === 'constant') return printedAs(result.node, node);
  if (result.kind === 'filtered' && result.query.kind === 'all') return result.filter;
  return result;
}

/** A node with what another one, which it stands for, says of its text. */
function printedAs(node: PlanNode, { text, cached }: PlanNode): PlanNode {
  return {
    ...node,
    ...(text === undefined ? {} : { text }),
    ...(cached === undefined ? {} : { cached }),
  };
}

/**
 * A set of one term as a term. Not so below a constant score: Lucene takes a filter for as long as the index and a term
 * query for as long as its postings, and that shows in the order in which a conjunction adds its scores.
 */
function loneTerm(node: PlanNode): PlanNode {
  const [only] = node.kind === 'terms' ? node.terms : [];
  if (node.kind !== 'terms' || only === undefined || node.terms.length > 1) return node;
  return printedAs({ kind: 'term', field: node.field, boost: 1, term: only }, node);
}

/** A clause; a limit that must pass counts what the clauses before it have let through. */
function limited(clause: Clause, clauses: readonly Clause[], at: number): Clause {
  const { occur, node } = clause;
  if (node.kind !== 'limit' || occur !== Occur.Must) return clause;
  const before = clauses.slice(0, at);
  const asked = before.filter((each) => each.occur === Occur.Must).map((each) => each.node);
  return { occur, node: { ...node, node: both([node.node, ...asked]) } };
}

/** The documents of all these sets. */
function both(nodes: readonly PlanNode[]): PlanNode {
  const sets = nodes.filter((node) => node.kind !== 'all');
  const [first = { kind: 'all', boost: 1 }] = sets;
  if (sets.length < 2) return first;
  const clauses = sets.map((node) => ({ occur: Occur.Must, node }));
  return { kind: 'boolean', noCoord: true, boost: 1, minimum: 0, clauses };
}

function unboosted(node: PlanNode): PlanNode {
  return 'boost' in node ? { ...node, boost: 0 } : node;
}

/** The query with its boost multiplied. */
function boosted(node: PlanNode, boost: number): PlanNode {
  if (boost === 1 || !('boost' in node)) return node;
  return { ...node, boost: Math.fround(boost * node.boost) };
}
