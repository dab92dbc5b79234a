/** The terms that a query looks for in one text, as Lucene's WeightedSpanTermExtractor finds them. */

import { Occur } from '../core/abi/plan.js';
import type { PlanNode } from '../plan/nodes.js';
import { fuzzyLikeTerms, type LikeTerm, moreLikeTerms } from './likeTerms.js';
import {
  near,
  type Positions,
  type Span,
  spansOf,
  spansOfTerms,
  startingWith,
  termsOf,
  termText,
} from './termSpans.js';

/** A term of a query. */
export interface QueryTerm {
  /** The boost of the query. */
  weight: number;
  /** Whether it counts wherever it stands. */
  anywhere: boolean;
  /** Where it counts else; fragments don't end there in either case. */
  spans: Span[];
}

/** Which fields' queries count; undefined: all. */
type FieldTest = ((field: number) => boolean) | undefined;

/** The terms of a query by their text. */
export function queryTerms(
  query: PlanNode,
  positions: Positions,
  field: number | undefined,
): Map<string, QueryTerm> {
  const finder = new Finder(positions, field === undefined ? undefined : (other) => other === field);
  finder.query(query);
  return finder.found;
}

class Finder {
  readonly found = new Map<string, QueryTerm>();
  readonly #positions: Positions;
  readonly #counts: FieldTest;

  constructor(positions: Positions, counts: FieldTest) {
    this.#positions = positions;
    this.#counts = counts;
  }

  /** Filters and what must not match are not looked at. */
  query(node: PlanNode): void {
    switch (node.kind) {
      case 'boolean':
        for (const { occur, node: each } of node.clauses) if (occur !== Occur.MustNot) this.query(each);
        return;
      case 'disMax':
        for (const each of node.nodes) this.query(each);
        return;
      case 'filtered':
      case 'functionScore':
        this.query(node.query);
        return;
      case 'constant':
        if (node.ofQuery) this.query(node.node);
        return;
      case 'nested':
        this.query(node.node);
        return;
      case 'boosting':
        this.query(node.positive);
        this.query(node.negative);
        return;
      case 'term':
        this.#anywhere(node.field, node.boost, [termText(node.term)]);
        return;
      case 'commonTerms':
        this.#anywhere(node.field, node.boost, node.terms.map(termText));
        return;
      case 'blended':
        for (const { field, boost, term } of node.terms) this.#anywhere(field, boost, [termText(term)]);
        return;
      case 'moreLikeThis':
        this.#alike(moreLikeTerms(node, this.#positions));
        return;
      case 'fuzzyLikeThis':
        this.#alike(fuzzyLikeTerms(node, this.#positions));
        return;
      case 'multiTerm':
        this.#anywhere(node.field, node.boost, termsOf(node, this.#positions));
        return;
      case 'phrase':
        this.#phrase(
          node,
          node.positions.map(({ position, terms }) => ({ position, terms: terms.map(termText) })),
        );
        return;
      case 'phrasePrefix': {
        const { position, prefixes } = node.last;
        const last = startingWith(prefixes, this.#positions);
        const before = node.positions.map((each) => ({
          position: each.position,
          terms: each.terms.map(termText),
        }));
        if (before.length === 0) this.#anywhere(node.field, node.boost, last);
        else this.#phrase(node, [...before, { position, terms: last }]);
        return;
      }
      case 'spanTerm':
      case 'spanNear':
      case 'spanOr':
      case 'spanNot':
      case 'spanFirst':
      case 'spanMulti':
      case 'spanMask':
        this.#spans(node);
        return;
      default:
    }
  }

  #alike(terms: readonly LikeTerm[]): void {
    for (const { field, boost, term } of terms) this.#anywhere(field, boost, [term]);
  }

  #anywhere(field: number, weight: number, terms: Iterable<string>): void {
    if (this.#counts?.(field) === false) return;
    for (const term of terms) this.found.set(term, { weight, anywhere: true, spans: [] });
  }

  #phrase(
    { field, boost, slop }: { field: number; boost: number; slop: number },
    places: { position: number; terms: string[] }[],
  ): void {
    if (this.#counts?.(field) === false) return;
    const steps = places.slice(1).map(({ position }, i) => position - places[i]!.position);
    const stacked = places.some(({ terms }) => terms.length > 1);
    // Lucene counts the gaps of a plain phrase by the largest of them, and those of a multi-phrase one by one.
    const gaps = stacked
      ? steps.reduce((sum, step) => sum + Math.max(0, step - 1), 0)
      : Math.max(0, ...steps.filter((step) => step > 1));
    const inOrder = stacked ? slop === 0 : slop + gaps === 0;
    const parts = places.map(({ terms }) => spansOfTerms(terms, this.#positions));
    this.#within(
      near(parts, slop + gaps, inOrder),
      boost,
      places.flatMap(({ terms }) => terms),
    );
  }

  #spans(node: Extract<PlanNode, { kind: `span${string}` }>): void {
    const terms = this.#termsOf(node);
    if (terms.length > 0) this.#within(spansOf(node, this.#positions), node.boost, terms);
  }

  /** The terms of spans that count; what spans must not hold has none. */
  #termsOf(node: Extract<PlanNode, { kind: `span${string}` }>): string[] {
    switch (node.kind) {
      case 'spanTerm':
        return this.#counts?.(node.field) === false ? [] : [termText(node.term)];
      case 'spanMulti':
        return this.#counts?.(node.node.field) === false ? [] : termsOf(node.node, this.#positions);
      case 'spanNear':
      case 'spanOr':
        return node.nodes.flatMap((each) => this.#termsOf(each));
      case 'spanNot':
        return this.#termsOf(node.include);
      case 'spanFirst':
      case 'spanMask':
        return this.#termsOf(node.node);
    }
  }

  #within(spans: readonly Span[], weight: number, terms: readonly string[]): void {
    if (spans.length === 0) return;
    for (const term of new Set(terms)) {
      const known = this.found.get(term);
      if (known === undefined) this.found.set(term, { weight, anywhere: false, spans: [...spans] });
      else known.spans.push(...spans);
    }
  }
}
