/** What a search sees beside what its query asks for: the types of the URL, the filter of an alias, no hidden documents. */

import type { Compiler } from './compiler.js';
import { asFilter, cached, constant, show, typeNode } from './context.js';
import type { PlanNode } from './plan.js';
import type { SearchContext } from './searchContext.js';
import { combine } from './sets.js';

/** The type of documents that hold queries. */
const PERCOLATOR = '.percolator';

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
  const filters: PlanNode[] = [];
  const { types } = context;
  if (types !== undefined && types.length > 0 && (always || !coversAllTypes(context)))
    filters.push(typesFilter(types));
  // Registered queries are found only where their type is asked for.
  if ((types === undefined || types.length === 0) && context.model.hasType(PERCOLATOR))
    filters.push(
      asFilter(combine([], [], [typeNode([PERCOLATOR])])!, () => `NotFilter(cache(_type:${PERCOLATOR}))`),
    );
  // Searches never see hidden documents; 1.7 says so where nothing else leaves them out.
  const hides = context.model.hasNested && (types === undefined || types.length === 0);
  // An alias knows of no types.
  const { filter: given } = context;
  const aliased = given === undefined ? undefined : compiler.within([], () => compiler.filter(given));
  if (aliased !== undefined) filters.push(aliased);
  if (hides && always) filters.unshift(NOT_HIDDEN);
  if (hides && filters.length === 0 && query.kind === 'all') return { ...query, text: ALL_NOT_HIDDEN };
  const [first, second] = filters;
  if (first === undefined) return query;
  const filter =
    second === undefined
      ? first
      : asFilter(combine(filters, [], [])!, () =>
          filters.map((each) => `+${show(compiler, each)}`).join(' '),
        );
  if (query.kind === 'all') return constant(filter, query.boost);
  return { kind: 'filtered', boost: 1, query, filter };
}

/** All that a search may see, whatever its query: documents of the types and of the alias. Undefined: all there are. */
export function everything(context: SearchContext, compiler: Compiler): PlanNode | undefined {
  const whole = withFilters({ kind: 'all', boost: 1 }, context, compiler);
  return whole.kind === 'constant' ? whole.node : undefined;
}

const NOT_HIDDEN_TEXT = 'cache(org.elasticsearch.index.search.nested.NonNestedDocsFilter@7cbdd3f4)';

const NOT_HIDDEN: PlanNode = { kind: 'all', boost: 1, text: () => NOT_HIDDEN_TEXT };

const ALL_NOT_HIDDEN = () => `ConstantScore(${NOT_HIDDEN_TEXT})`;

/** Documents of any of the types. */
function typesFilter(types: readonly string[]): PlanNode {
  const node = typeNode(types);
  if (types.length === 1) return cached(node);
  return asFilter(node, () => `BooleanFilter(${types.map((type) => `cache(_type:${type})`).join(' ')})`);
}

/** Whether every document of the index is of one of the types of the URL. */
function coversAllTypes({ types, model }: SearchContext): boolean {
  return model.typeNames().length > 0 && model.typeNames().every((name) => types!.includes(name));
}
