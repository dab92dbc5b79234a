/** Terms without which a document can't match: what queries are looked up by. */
import { Occur, type PlanNode } from '../plan/plan.js';

/** A term of a field as a key. */
export function termKey(field: number, term: Uint8Array): string {
  let key = `${field}:`;
  for (const byte of term) key += String.fromCharCode(byte);
  return key;
}

/** Queries with more alternatives are tried with every document. */
const MAX_TERMS = 64;

/** Of these terms a document that matches has one at least; undefined where nothing can be said. */
export function requiredTerms(node: PlanNode): readonly string[] | undefined {
  const terms = required(node);
  return terms === undefined || terms.length > MAX_TERMS ? undefined : terms;
}

function required(node: PlanNode): readonly string[] | undefined {
  switch (node.kind) {
    case 'none':
      return [];
    case 'term':
      return [termKey(node.field, node.term)];
    case 'terms':
      return node.terms.map((term) => termKey(node.field, term));
    case 'phrase':
      return fewest(node.positions.map(({ terms }) => terms.map((term) => termKey(node.field, term))));
    case 'constant':
      return required(node.node);
    case 'filtered':
      return fewest([required(node.query), required(node.filter)]);
    case 'disMax':
      return any(node.nodes);
    case 'boosting':
      return required(node.positive);
    case 'functionScore':
      return required(node.query);
    case 'boolean': {
      const must = node.clauses.filter(({ occur }) => occur === Occur.Must).map(({ node: each }) => each);
      const should = node.clauses.filter(({ occur }) => occur === Occur.Should).map((each) => each.node);
      const needed: (readonly string[] | undefined)[] = must.map(required);
      if (should.length > 0 && (must.length === 0 || node.minimum > 0)) needed.push(any(should));
      return fewest(needed);
    }
    default:
      return undefined;
  }
}

function any(nodes: readonly PlanNode[]): readonly string[] | undefined {
  const all: string[] = [];
  for (const node of nodes) {
    const terms = required(node);
    if (terms === undefined) return undefined;
    all.push(...terms);
  }
  return all;
}

function fewest(sets: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  let least: readonly string[] | undefined;
  for (const terms of sets)
    if (terms !== undefined && (least === undefined || terms.length < least.length)) least = terms;
  return least;
}
