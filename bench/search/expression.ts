/** A query in the few words that the peers know. Words are terms of the standard analyzer. */
export type Expression =
  | { readonly kind: 'term'; readonly field: string; readonly text: string }
  | { readonly kind: 'prefix'; readonly field: string; readonly text: string }
  | {
      readonly kind: 'bool';
      readonly must: readonly Expression[];
      readonly should: readonly Expression[];
      readonly mustNot: readonly Expression[];
    };

type Json = Record<string, unknown>;
type Analyze = (text: string) => string[];

/** Fields that the peers index. */
export const PEER_FIELDS: readonly string[] = ['title', 'body'];

/**
 * Reads a query of the interface as an expression; undefined when it holds anything else (phrases, filters, ranges,
 * boosts, a minimum of optional clauses, exact fields).
 */
export function toExpression(query: Json, analyze: Analyze): Expression | undefined {
  const [entry] = Object.entries(query);
  if (entry === undefined || Object.keys(query).length !== 1) return undefined;
  const [kind, body] = entry as [string, Json];
  if (kind === 'bool') return toBool(body, analyze);
  const [only] = Object.entries(body);
  if (only === undefined || Object.keys(body).length !== 1) return undefined;
  const [field, value] = only;
  if (!PEER_FIELDS.includes(field)) return undefined;
  if (kind === 'term' && typeof value === 'string') return { kind, field, text: value };
  if (kind === 'prefix' && typeof value === 'string') return { kind, field, text: value };
  if (kind !== 'match') return undefined;
  const {
    query: text,
    operator = 'or',
    ...others
  } = (typeof value === 'object' ? value : { query: value }) as Json;
  if (typeof text !== 'string' || Object.keys(others).length > 0) return undefined;
  const terms = analyze(text).map((word): Expression => ({ kind: 'term', field, text: word }));
  if (terms.length <= 1) return terms[0];
  const all = String(operator).toLowerCase() === 'and';
  return { kind: 'bool', must: all ? terms : [], should: all ? [] : terms, mustNot: [] };
}

function toBool(body: Json, analyze: Analyze): Expression | undefined {
  const groups: Record<string, Expression[]> = { must: [], should: [], must_not: [] };
  for (const [name, value] of Object.entries(body)) {
    const group = groups[name];
    if (group === undefined) return undefined;
    for (const clause of Array.isArray(value) ? value : [value]) {
      const expression = toExpression(clause as Json, analyze);
      if (expression === undefined) return undefined;
      group.push(expression);
    }
  }
  return {
    kind: 'bool',
    must: groups.must ?? [],
    should: groups.should ?? [],
    mustNot: groups.must_not ?? [],
  };
}

/** The texts of clauses that are all terms of one field; undefined when they are not. */
export function plainTerms(clauses: readonly Expression[]): { field: string; words: string[] } | undefined {
  const field = clauses[0]?.kind === 'term' ? clauses[0].field : undefined;
  const words: string[] = [];
  for (const clause of clauses) {
    if (clause.kind !== 'term' || clause.field !== field) return undefined;
    words.push(clause.text);
  }
  return field === undefined ? undefined : { field, words };
}
