/**
 * The terms and phrases that a query is made of, as Lucene's FieldQuery flattens it for the fast vector highlighter. Boosts of the
 * queries around one are multiplied into its own.
 */

import type { MultiTermNode } from '../plan/nodes/multiTerm.js';
import { Occur } from '../core/abi/plan.js';
import type { PlanNode } from '../plan/nodes.js';
import { allLikeTerms, fuzzyLikeTerms, type LikeTerm } from './likeTerms.js';
import { type Positions, startingWith, termsOf, termText } from './termSpans.js';

/** A term, or the terms of a phrase in their order. */
export interface FlatQuery {
  field: number;
  terms: string[];
  /** How far the terms of a phrase may stand from where they belong. */
  slop: number;
  boost: number;
}

/** What is flattened. */
export interface Flattening {
  /** Whether terms of filters count. */
  filters?: boolean;
  /** Whether those of queries for nested documents do. */
  throughJoins?: boolean;
  /** Which multi-term queries stand for terms. */
  isKept?: (node: MultiTermNode) => boolean;
}

/** Phrases with more terms than this over all positions count as single terms. */
const MAX_PHRASE_TERMS = 16;

/**
 * Flattens a query. Multi-term queries stand for the terms of the text.
 */
export function flatQueries(
  query: PlanNode,
  positions: Positions,
  { filters = false, throughJoins = false, isKept = () => true }: Flattening = {},
): FlatQuery[] {
  const flattener = new Flattener(positions, filters, throughJoins, isKept);
  flattener.query(query, 1);
  return withOverlaps([...flattener.found.values()]);
}

class Flattener {
  /** By what makes them equal. */
  readonly found = new Map<string, FlatQuery>();
  readonly #positions: Positions;
  readonly #filters: boolean;
  readonly #throughJoins: boolean;
  readonly #isKept: (node: MultiTermNode) => boolean;

  constructor(
    positions: Positions,
    filters: boolean,
    throughJoins: boolean,
    isKept: (node: MultiTermNode) => boolean,
  ) {
    this.#positions = positions;
    this.#filters = filters;
    this.#throughJoins = throughJoins;
    this.#isKept = isKept;
  }

  query(node: PlanNode, boost: number): void {
    switch (node.kind) {
      case 'boolean':
        for (const { occur, node: each } of node.clauses) {
          if (occur !== Occur.MustNot) this.query(each, boost * node.boost);
        }
        return;
      case 'disMax':
        for (const each of node.nodes) this.query(each, boost * node.boost);
        return;
      case 'constant':
        if (node.ofQuery || this.#filters) this.query(node.node, boost * node.boost);
        return;
      case 'filtered':
        this.query(node.query, boost * node.boost);
        if (this.#filters) this.query(node.filter, boost * node.boost);
        return;
      case 'functionScore':
        this.query(node.query, boost);
        return;
      case 'nested':
        if (this.#throughJoins) this.query(node.node, boost);
        return;
      case 'boosting':
        this.query(node.positive, boost);
        this.query(node.negative, boost);
        return;
      case 'term':
      case 'spanTerm':
        this.#add(node.field, [termText(node.term)], 0, boost * node.boost);
        return;
      case 'commonTerms':
        for (const term of node.terms) this.#add(node.field, [termText(term)], 0, boost * node.boost);
        return;
      case 'blended':
        for (const { field, boost: own, term } of node.terms) {
          this.#add(field, [termText(term)], 0, boost * node.boost * own);
        }
        return;
      case 'moreLikeThis':
        this.#alike(allLikeTerms(node, this.#positions), boost * node.boost);
        return;
      case 'fuzzyLikeThis':
        this.#alike(fuzzyLikeTerms(node, this.#positions), boost * node.boost);
        return;
      case 'multiTerm':
        if (!this.#isKept(node)) return;
        for (const term of termsOf(node, this.#positions)) {
          this.#add(node.field, [term], 0, boost * node.boost);
        }
        return;
      case 'phrase':
        this.#phrase(
          node,
          node.positions.map(({ terms }) => terms.map(termText)),
          boost,
        );
        return;
      case 'phrasePrefix': {
        const last = startingWith(node.last.prefixes, this.#positions);
        this.#phrase(node, [...node.positions.map(({ terms }) => terms.map(termText)), last], boost);
        return;
      }
      default:
    }
  }

  #alike(terms: readonly LikeTerm[], around: number): void {
    for (const { field, boost, term } of terms) this.#add(field, [term], 0, around * boost);
  }

  #phrase(
    { field, boost: own, slop }: { field: number; boost: number; slop: number },
    places: string[][],
    around: number,
  ): void {
    const boost = around * own;
    if (
      places.some(({ length }) => length > 1) &&
      places.reduce((sum, { length }) => sum + length, 0) > MAX_PHRASE_TERMS
    ) {
      for (const term of places.flat()) this.#add(field, [term], 0, 1);
      return;
    }
    let paths: string[][] = [[]];
    for (const terms of places) paths = paths.flatMap((path) => terms.map((term) => [...path, term]));
    for (const path of paths) if (path.length > 0) this.#add(field, path, path.length > 1 ? slop : 0, boost);
  }

  #add(field: number, terms: string[], slop: number, boost: number): void {
    const key = JSON.stringify([field, terms, slop, boost]);
    if (!this.found.has(key)) this.found.set(key, { field, terms, slop, boost: Math.fround(boost) });
  }
}

/** With every two phrases of which one goes on where the other ends, the phrase of both: `a b` and `b c` give `a b c`. */
function withOverlaps(flat: readonly FlatQuery[]): FlatQuery[] {
  const all: FlatQuery[] = [];
  flat.forEach((a, i) => {
    all.push(a);
    if (a.terms.length < 2) return;
    for (const b of flat.slice(i + 1)) {
      if (b.terms.length < 2 || a.slop !== b.slop || a.field !== b.field) continue;
      all.push(...overlaps(a, b), ...overlaps(b, a));
    }
  });
  return all;
}

function overlaps(first: FlatQuery, next: FlatQuery): FlatQuery[] {
  const found: FlatQuery[] = [];
  for (let i = 1; i < first.terms.length; i++) {
    const shared = first.terms.slice(i);
    if (shared.length >= next.terms.length || shared.some((term, j) => term !== next.terms[j])) continue;
    found.push({ ...first, terms: [...first.terms, ...next.terms.slice(shared.length)] });
  }
  return found;
}
