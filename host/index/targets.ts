/** What a search searches: the indices of an expression, each with the filter and the routing that its aliases bring. */
import { expandNames, meansAll, type NameOptions, type NameTable, resolveNames } from './names.js';
import type { OpenIndex } from './openIndex.js';

/** One index that is searched. */
export interface SearchTarget {
  index: OpenIndex;
  /** As JSON: only documents that it lets through are there. */
  filter?: unknown;
  /** Only the shards of these routing values. */
  routing?: readonly string[] | undefined;
}

/**
 * The targets of an expression.
 * @param routing what the request says; aliases with routing values of their own narrow it
 */
export function searchTargets(
  table: NameTable,
  index: (name: string) => OpenIndex,
  expression: string | undefined,
  routing: readonly string[] | undefined,
  options: NameOptions,
): SearchTarget[] {
  const concrete = resolveNames(table, expression, options).map(index);
  if (meansAll(expression)) return concrete.map((each) => ({ index: each, routing }));
  const names = expandNames(table, expression!, { ...options, ignoreUnavailable: true });
  return concrete.map((each) => ({
    index: each,
    ...filterOf(each, names),
    routing: routingOf(each, names, routing),
  }));
}

/** None if the index itself, or an alias without a filter, is among the names; else any of the filters will do. */
function filterOf(index: OpenIndex, names: readonly string[]): { filter?: unknown } {
  const filters: unknown[] = [];
  for (const name of names) {
    if (name === index.name) return {};
    const alias = index.aliases[name];
    if (alias === undefined) continue;
    if (alias.filter === undefined) return {};
    filters.push(alias.filter);
  }
  if (filters.length === 0) return {};
  return { filter: filters.length === 1 ? filters[0] : { bool: { should: filters } } };
}

function routingOf(
  index: OpenIndex,
  names: readonly string[],
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  const values = new Set<string>();
  for (const name of names) {
    const alias = index.aliases[name];
    if (name !== index.name && alias === undefined) continue;
    if (name === index.name || alias?.searchRouting === undefined) return asked;
    for (const value of alias.searchRouting.split(',')) values.add(value);
  }
  if (values.size === 0) return asked;
  const kept = asked === undefined ? [...values] : asked.filter((value) => values.has(value));
  // Without a common value 1.7 asks all shards.
  return kept.length === 0 ? undefined : kept;
}
