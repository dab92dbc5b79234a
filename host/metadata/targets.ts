/** What a search searches: the indices of an expression, each with the filter and the routing that its aliases bring. */
import type { AliasMetadata } from './aliases.js';
import { meansAll, type NameOptions, namesMeant, type NameTable, resolveNames } from './names.js';
import type { OpenIndex } from './openIndex.js';

/** One index that is searched. */
export interface SearchTarget {
  index: OpenIndex;
  /** As JSON: only documents that it lets through are there. */
  filter?: unknown;
  /** Only the shards of these routing values. */
  routing?: readonly string[] | undefined;
  /** Who asks may find nothing of this index but what the filter lets through. */
  confined?: true;
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
  // Most searches name one index.
  const named =
    expression === undefined || options.security !== undefined ? undefined : table.indices.get(expression);
  if (named?.closed === false) return [{ index: index(expression!), routing }];
  const concrete = resolveNames(table, expression, options).map(index);
  if (meansAll(expression) && options.security === undefined)
    return concrete.map((each) => ({ index: each, routing }));
  const names = namesMeant(table, expression, { ...options, ignoreUnavailable: true });
  const place = new Map(names.map((name, i) => [name, i]));
  return concrete.map((each) => {
    const found = place.has(each.name) ? [] : aliasesAmong(each, place);
    const filter = filterOf(found);
    const confined = 'filter' in filter && options.security?.covers(each.name) === false;
    return {
      index: each,
      ...filter,
      routing: routingOf(found, routing),
      ...(confined ? { confined: true as const } : {}),
    };
  });
}

/** The index's aliases that were named, in the order of the names; none where the index itself was. */
function aliasesAmong({ aliases }: OpenIndex, place: ReadonlyMap<string, number>): AliasMetadata[] {
  return Object.keys(aliases)
    .filter((name) => place.has(name))
    .sort((a, b) => place.get(a)! - place.get(b)!)
    .map((name) => aliases[name]!);
}

/** None if an alias without a filter is among them, or the index itself was named; else any of the filters will do. */
function filterOf(aliases: readonly AliasMetadata[]): { filter?: unknown } {
  const filters = aliases.map(({ filter }) => filter);
  if (filters.length === 0 || filters.includes(undefined)) return {};
  return { filter: filters.length === 1 ? filters[0] : { bool: { should: filters } } };
}

function routingOf(
  aliases: readonly AliasMetadata[],
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  const values = new Set<string>();
  for (const { searchRouting } of aliases) {
    if (searchRouting === undefined) return asked;
    for (const value of searchRouting.split(',')) values.add(value);
  }
  if (values.size === 0) return asked;
  const kept = asked === undefined ? [...values] : asked.filter((value) => values.has(value));
  // Without a common value 1.7 asks all shards.
  return kept.length === 0 ? undefined : kept;
}
