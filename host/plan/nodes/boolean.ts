/** Clauses that must, should or must not match. */

import { NodeCode, Occur } from '../../core/abi/plan.js';
import { count } from '../../core/planBytes.js';
import { boosted, boostText } from '../boost.js';
import type { PlanNode } from '../nodes.js';
import type { Printed } from '../printed.js';
import { anyOf, fewest } from '../termKeys.js';
import type { NodeKind } from './kind.js';
import { limited } from './limit.js';
import { loneTerm } from './terms.js';

export interface Clause {
  occur: Occur;
  node: PlanNode;
}
export interface BooleanNode extends Printed {
  kind: 'boolean';
  noCoord: boolean;
  boost: number;
  /** 0: none set. */
  minimum: number;
  clauses: Clause[];
}

export const booleanKind: NodeKind<BooleanNode> = {
  write(node, out, depth) {
    out.u8(NodeCode.boolean);
    out.u8(node.noCoord ? 1 : 0);
    out.f32(node.boost);
    out.u16(Math.min(node.minimum, 0xffff));
    out.u16(count(node.clauses));
    for (const clause of node.clauses) {
      out.u8(clause.occur);
      out.node(clause.node, depth + 1);
    }
  },
  print({ clauses, boost, minimum }, printer) {
    const list = clauses
      .map(({ occur, node }) => {
        const sign = occur === Occur.Must ? '+' : occur === Occur.MustNot ? '-' : '';
        return sign + printer.inner(node);
      })
      .join(' ');
    if (boost === 1 && minimum <= 0) return list;
    return `(${list})${minimum > 0 ? `~${minimum}` : ''}${boostText(boost)}`;
  },
  printsBare: ({ text }) => text === undefined,
  rewrite(node, rewriting) {
    const [only] = node.clauses;
    if (only === undefined) return { kind: 'none' };
    if (node.minimum === 0 && node.clauses.length === 1 && only.occur !== Occur.MustNot) {
      return boosted(rewriting.query(only.node), node.boost);
    }
    const clauses = node.clauses.map(({ occur, node: each }) => ({
      occur,
      node: loneTerm(rewriting.query(each)),
    }));
    return { ...node, clauses: clauses.map((clause, i) => limited(clause, clauses, i)) };
  },
  children: ({ clauses }) => clauses.map(({ node }) => node),
  mapQueries: (node, change) => ({
    ...node,
    clauses: node.clauses.map(({ occur, node: each }) => ({ occur, node: change(each) })),
  }),
  required(node, of) {
    const must = node.clauses.filter(({ occur }) => occur === Occur.Must).map((each) => each.node);
    const should = node.clauses.filter(({ occur }) => occur === Occur.Should).map((each) => each.node);
    const needed = must.map(of);
    if (should.length > 0 && (must.length === 0 || node.minimum > 0)) needed.push(anyOf(should.map(of)));
    return fewest(needed);
  },
};
