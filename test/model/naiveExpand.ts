/** What Lucene's queries are rewritten to once the terms of an index are known. */

import type { BooleanNode, Clause } from '../../host/plan/nodes/boolean.js';
import { Occur } from '../../host/core/abi/plan.js';
import type { PlanNode, SpanNode } from '../../host/plan/nodes.js';
import { type MultiTermNode, Rewrite } from '../../host/plan/nodes/multiTerm.js';
import { accepts } from '../automata/run.js';
import { type NaiveIndex, termKey } from './naiveIndex.js';

const f = Math.fround;
const utf8 = new TextDecoder();

/** A term with the boost that its likeness gives it. */
export interface ExpandedTerm {
  term: Uint8Array;
  boost: number;
}

function bytesOf(key: string): Uint8Array {
  return Uint8Array.from(key, (c) => c.charCodeAt(0));
}

/** The terms that a matcher accepts, in order. */
export function termsOf({ field, matcher }: MultiTermNode, index: NaiveIndex): ExpandedTerm[] {
  return index.terms(field).flatMap((key) => {
    const term = bytesOf(key);
    const text = utf8.decode(term);
    switch (matcher.type) {
      case 'prefix':
        return key.startsWith(termKey(matcher.prefix)) ? [{ term, boost: 1 }] : [];
      case 'range': {
        const [lower, upper] = [
          matcher.lower && termKey(matcher.lower),
          matcher.upper && termKey(matcher.upper),
        ];
        const inside =
          (lower === undefined || key > lower || (matcher.includeLower && key === lower)) &&
          (upper === undefined || key < upper || (matcher.includeUpper && key === upper));
        return inside ? [{ term, boost: 1 }] : [];
      }
      case 'fuzzy': {
        const edits = accepts(matcher.automaton, text) - 1;
        if (edits < 0) return [];
        const length = Math.min([...text].length, [...matcher.term].length);
        const boost = edits === 0 ? 1 : f(1 - f(edits / length));
        return boost > 0 ? [{ term, boost }] : [];
      }
      default:
        return accepts(matcher.automaton, text) ? [{ term, boost: 1 }] : [];
    }
  });
}

export function isSpan(node: PlanNode): node is SpanNode {
  return node.kind.startsWith('span');
}

function lone(node: BooleanNode): PlanNode {
  const [only] = node.clauses;
  if (node.clauses.length !== 1 || node.minimum > 0) return node;
  const inner = only!.node as PlanNode & { boost: number };
  return { ...inner, boost: f(inner.boost * f(node.boost)) } as PlanNode;
}

function should(field: number, terms: readonly ExpandedTerm[], outer = 1): Clause[] {
  return terms.map(({ term, boost }) => ({
    occur: Occur.Should,
    node: { kind: 'term', field, term, boost: f(f(outer) * boost) },
  }));
}

function multiTerm(node: MultiTermNode, index: NaiveIndex): PlanNode {
  const terms = termsOf(node, index);
  const boolean = (clauses: Clause[]): BooleanNode => ({
    kind: 'boolean',
    noCoord: true,
    boost: 1,
    minimum: 0,
    clauses,
  });
  const best = () => {
    const kept = terms.map((t, i) => ({ ...t, i })).sort((a, b) => b.boost - a.boost || a.i - b.i);
    return kept.slice(0, Math.min(node.size, 1024)).sort((a, b) => a.i - b.i);
  };
  switch (node.rewrite) {
    case Rewrite.scoringBoolean:
      return lone(boolean(should(node.field, terms, node.boost)));
    case Rewrite.constantBoolean:
      if (terms.length === 0) break;
      return { kind: 'constant', boost: node.boost, node: lone(boolean(should(node.field, terms))) };
    case Rewrite.topTerms:
      return lone(boolean(should(node.field, best(), node.boost)));
    case Rewrite.topTermsBoost: {
      const clauses = should(node.field, best(), node.boost).map(({ occur, node }) => {
        const term = node as PlanNode & { boost: number };
        return { occur, node: { kind: 'constant' as const, boost: term.boost, node: { ...term, boost: 1 } } };
      });
      return lone(boolean(clauses));
    }
  }
  return { kind: 'constant', boost: node.boost, node };
}

function isFrequent(cutoff: number, df: number, maxDoc: number): boolean {
  return (cutoff >= 1 && df > cutoff) || df > Math.ceil(f(f(cutoff) * maxDoc));
}

/** The query as it is weighed. */
export function expanded(node: PlanNode, index: NaiveIndex, scoring = true): PlanNode {
  const inner = (each: PlanNode) => expanded(each, index, scoring);
  switch (node.kind) {
    case 'multiTerm': {
      const top = node.rewrite === Rewrite.topTerms || node.rewrite === Rewrite.topTermsBoost;
      return scoring || top ? multiTerm(node, index) : node;
    }
    case 'spanMulti': {
      const top = node.node.rewrite === Rewrite.topTerms || node.node.rewrite === Rewrite.topTermsBoost;
      const terms = termsOf(node.node, index).map((t, i) => ({ ...t, i }));
      const kept = top
        ? terms
            .sort((a, b) => b.boost - a.boost || a.i - b.i)
            .slice(0, node.node.size)
            .sort((a, b) => a.i - b.i)
        : terms;
      const nodes = kept.map(({ term }) => ({
        kind: 'spanTerm' as const,
        field: node.node.field,
        boost: 1,
        term,
      }));
      return { kind: 'spanOr', boost: node.boost, nodes };
    }
    case 'phrasePrefix': {
      const found = new Map<string, Uint8Array>();
      for (const prefix of node.last.prefixes) {
        const matcher = { type: 'prefix' as const, prefix };
        const query = {
          kind: 'multiTerm' as const,
          field: node.field,
          boost: 1,
          rewrite: Rewrite.constantFilter,
          size: 0,
          matcher,
        };
        for (const { term } of termsOf(query, index)) {
          found.set(termKey(term), term);
          if (found.size >= node.maxExpansions) break;
        }
        if (found.size > node.maxExpansions) break;
      }
      const terms = [...found.keys()].sort((a, b) => (a < b ? -1 : 1)).map((key) => found.get(key)!);
      if (terms.length === 0) return { kind: 'none' };
      if (node.positions.length === 0) {
        const clauses = should(
          node.field,
          terms.map((term) => ({ term, boost: 1 })),
        );
        return lone({ kind: 'boolean', noCoord: true, boost: 1, minimum: 0, clauses });
      }
      const positions = [...node.positions, { position: node.last.position, terms }];
      return { kind: 'phrase', field: node.field, boost: 1, slop: node.slop, positions };
    }
    case 'commonTerms': {
      const df = (term: Uint8Array) => index.docFreq(node.field, termKey(term));
      const [only] = node.terms;
      const empty = { kind: 'boolean' as const, noCoord: node.noCoord, boost: 1, minimum: 0, clauses: [] };
      if (only === undefined) return empty;
      if (node.terms.length === 1) return { kind: 'term', field: node.field, boost: node.boost, term: only };
      const frequent = node.terms.filter(
        (term) => df(term) > 0 && isFrequent(node.cutoff, df(term), index.maxDoc),
      );
      const rare = node.terms.filter((term) => !frequent.includes(term));
      const part = (terms: Uint8Array[], occur: Occur, minimums: readonly number[]): BooleanNode => ({
        kind: 'boolean',
        noCoord: node.noCoord,
        boost: 1,
        minimum: occur === Occur.Should ? (minimums[terms.length] ?? 0) : 0,
        clauses: terms.map((term) => ({ occur, node: { kind: 'term', field: node.field, boost: 1, term } })),
      });
      const low = part(rare, node.lowOccur, node.lowMinimums);
      let high = part(frequent, node.highOccur, node.highMinimums);
      if (rare.length === 0) {
        if (high.minimum === 0) high = part(frequent, Occur.Must, []);
        return lone({ ...high, boost: node.boost });
      }
      if (frequent.length === 0) return lone({ ...low, boost: node.boost });
      const clauses = [
        { occur: Occur.Should, node: lone(high) },
        { occur: Occur.Must, node: lone(low) },
      ];
      return { kind: 'boolean', noCoord: true, boost: node.boost, minimum: 0, clauses };
    }
    case 'boolean':
      return {
        ...node,
        clauses: node.clauses.map(({ occur, node }) => ({
          occur,
          node: expanded(node, index, scoring && occur !== Occur.MustNot),
        })),
      };
    case 'disMax':
      return { ...node, nodes: node.nodes.map(inner) };
    case 'constant':
      return { ...node, node: expanded(node.node, index, false) };
    case 'filtered':
      return { ...node, query: inner(node.query) };
    case 'boosting':
      return { ...node, positive: inner(node.positive), negative: inner(node.negative) };
    case 'functionScore':
      return { ...node, query: inner(node.query) };
    case 'spanNear':
    case 'spanOr':
      return { ...node, nodes: node.nodes.map((each) => inner(each) as SpanNode) };
    case 'spanFirst':
    case 'spanMask':
      return { ...node, node: inner(node.node) as SpanNode };
    case 'spanNot':
      return { ...node, include: inner(node.include) as SpanNode, exclude: inner(node.exclude) as SpanNode };
    default:
      return node;
  }
}
