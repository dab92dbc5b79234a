/** What a search sees beside what its query asks for: the types of the URL, the filter of an alias, no nested documents. */

import { kindOf, type PlanNode } from '../plan/nodes.js';
import type { Compiler } from './compiler.js';
import { asFilter, constant, show, typeNode } from './context.js';
import type { SearchContext } from './searchContext.js';
import { combine } from './sets.js';

/** The type of documents that hold queries. */
const PERCOLATOR = '.percolator';
const NOT_NESTED = 'org.elasticsearch.index.search.nested.NonNestedDocsFilter@7cbdd3f4';

/**
 * Puts the types of the URL and the alias's filter around a query; where every document is of one of the types only if
 * it is `always` wanted.
 */
export function withFilters(
  query: PlanNode,
  context: SearchContext,
  compiler: Compiler,
  always = false,
): PlanNode {
  const own = ownText(context);
  const { filter: given } = context;
  const aliased = given === undefined ? undefined : compiler.aliasFilter(given);
  if (own === undefined && aliased === undefined) return query;
  const text = () => {
    if (aliased === undefined) return `cache(${own})`;
    return own === undefined ? show(compiler, aliased) : `+cache(${own}) +${show(compiler, aliased)}`;
  };
  const filters = ownFilters(context, always);
  if (aliased !== undefined) filters.push(aliased);
  const [first, second] = filters;
  if (first === undefined && !always)
    return query.kind === 'all' ? { ...query, text: () => `ConstantScore(${text()})` } : query;
  const everything: PlanNode = { kind: 'all', boost: 1 };
  const filter = asFilter(second === undefined ? (first ?? everything) : combine(filters, [], [])!, text);
  // Lucene puts a filter in place of a query for everything as it rewrites it; 1.7 does so before, where that is its own.
  const isOwn = query.kind === 'all' && query.boost === 1 && query.text === undefined;
  if (query.kind === 'all' && (isOwn || !always)) return constant(filter, query.boost);
  return { kind: 'filtered', boost: 1, query, filter };
}

/**
 * The same for a search whose hits are wanted. The types of the URL don't concern parents that `top_children` finds: 1.7's scorer of it
 * leaves out what Lucene tells it of the documents to accept, which the query's other parts go by.
 */
export function searched(query: PlanNode, context: SearchContext, compiler: Compiler): PlanNode {
  const [filter] = ownFilters(context, false);
  const isOpen = filter !== undefined && context.filter === undefined && findsTopChildren(query);
  return isOpen ? spread(query, filter) : withFilters(query, context, compiler);
}

function findsTopChildren(query: PlanNode): boolean {
  if (query.kind === 'join') return query.top !== undefined;
  let found = false;
  kindOf(query).mapQueries?.(query, (each) => {
    found ||= findsTopChildren(each);
    return each;
  });
  return found;
}

/** Puts a filter around the parts of a query that don't find parents by the best children. */
function spread(query: PlanNode, filter: PlanNode): PlanNode {
  if (!findsTopChildren(query)) return { kind: 'filtered', boost: 1, query, filter };
  return kindOf(query).mapQueries?.(query, (each) => spread(each, filter)) ?? query;
}

/** All that a search may see, whatever its query: documents of the types and of the alias. Undefined: all there are. */
export function everything(context: SearchContext, compiler: Compiler): PlanNode | undefined {
  const whole = withFilters({ kind: 'all', boost: 1 }, context, compiler);
  return whole.kind === 'constant' ? whole.node : undefined;
}

/** The filters of types that are carried out: searches never see nested documents. */
function ownFilters(context: SearchContext, always: boolean): PlanNode[] {
  const { types = [], model } = context;
  if (types.length > 0) return always || !coversAllTypes(context) ? [typeNode(types)] : [];
  // Registered queries are found only where their type is asked for.
  return model.hasType(PERCOLATOR) ? [combine([], [], [typeNode([PERCOLATOR])])!] : [];
}

/** The filter of 1.7 that leaves out what searches don't see; undefined where it has none. */
function ownText({ types = [], model }: SearchContext): string | undefined {
  const { hasNested } = model;
  if (types.length > 0) {
    const text = typesText(types, (type) => model.hasType(type));
    return hasNested ? `+${text} +${NOT_NESTED}` : text;
  }
  const others = model.hasType(PERCOLATOR) ? `NotFilter(_type:${PERCOLATOR})` : undefined;
  if (!hasNested) return others;
  return others === undefined ? NOT_NESTED : `+${others} +${NOT_NESTED}`;
}

function typesText(types: readonly string[], isMapped: (type: string) => boolean): string {
  const [only = '', second] = types;
  // Where 1.7 doesn't know the only type, it takes its name for that of a field.
  if (second === undefined) return isMapped(only) ? `_type:${only}` : `${only}:`;
  if (types.every(isMapped))
    return [...new Set(types)]
      .sort()
      .map((type) => `_type:${type}`)
      .join(' ');
  return `BooleanFilter(${types.map((type) => `_type:${type}`).join(' ')})`;
}

/** Whether every document of the index is of one of the types of the URL. */
function coversAllTypes({ types, model }: SearchContext): boolean {
  return model.typeNames().length > 0 && model.typeNames().every((name) => types!.includes(name));
}
