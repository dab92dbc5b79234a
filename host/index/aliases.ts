/** Aliases: other names of indices, each with a filter and routing values if wanted. */
import {
  aliasesMissing,
  type ElasticsearchError,
  illegalArgument,
  invalidAliasName,
  validationFailed,
} from '../errors.js';
import { isObject } from '../mapping/values.js';
import { wildcard } from './names.js';

/** An alias of one index, as it is stored. */
export interface AliasMetadata {
  /** A filter as JSON: what searches through the alias find. */
  filter?: unknown;
  /** Where writes and reads by id through the alias go. */
  indexRouting?: string;
  /** Which shards searches through the alias ask; a comma list. */
  searchRouting?: string;
}

/** One action of `_aliases`. */
export interface AliasAction {
  kind: 'add' | 'remove';
  /** An expression; undefined means none was given. */
  index: string | undefined;
  /** A name, or in a removal a list of patterns. */
  alias: string | undefined;
  metadata: AliasMetadata;
}

/** The aliases of indices by index name. */
export type AliasTable = Map<string, Record<string, AliasMetadata>>;

/** Reads the options of an alias; `routing` stands for both kinds. */
export function readAlias(body: unknown): AliasMetadata {
  const alias: AliasMetadata = {};
  if (!isObject(body)) return alias;
  if (isObject(body.filter) && Object.keys(body.filter).length > 0) alias.filter = body.filter;
  const both = textOf(body.routing);
  const indexRouting = textOf(body.index_routing ?? body.indexRouting ?? body['index-routing']) ?? both;
  const searchRouting = textOf(body.search_routing ?? body.searchRouting ?? body['search-routing']) ?? both;
  if (indexRouting !== undefined) alias.indexRouting = indexRouting;
  if (searchRouting !== undefined) alias.searchRouting = searchRouting;
  return alias;
}

/** An alias as answers show it. */
export function showAlias({ filter, indexRouting, searchRouting }: AliasMetadata): Record<string, unknown> {
  return { filter, index_routing: indexRouting, search_routing: searchRouting };
}

/** Refuses actions that lack something; all that is missing is told at once. */
export function checkActions(actions: readonly AliasAction[]): void {
  if (actions.length === 0) throw validationFailed('Must specify at least one alias action');
  const problems: string[] = [];
  for (const { kind, index, alias } of actions) {
    if (!alias) {
      problems.push(
        kind === 'add'
          ? 'Alias action [add] requires an [alias] to be set'
          : `Alias action [${kind}]: [alias] may not be empty string`,
      );
    }
    if (!index) problems.push(`Alias action [${kind}]: [index] may not be empty string`);
  }
  if (problems.length > 0) throw validationFailed(...problems);
}

/**
 * What the aliases are after these actions; nothing is changed.
 * @param indicesOf the indices that an expression means
 * @param check refuses a filter that the index can't use
 * @param removable whether a pattern may find an alias
 */
export function applyActions(
  table: Readonly<AliasTable>,
  actions: readonly AliasAction[],
  indicesOf: (expression: string) => readonly string[],
  check: (index: string, alias: string, filter: unknown) => void,
  removable: (alias: string) => boolean = () => true,
): AliasTable {
  const next: AliasTable = new Map([...table].map(([index, aliases]) => [index, { ...aliases }]));
  const steps = actions.flatMap((action) =>
    indicesOf(action.index!).map((index) => ({ ...action, index, names: action.alias!.split(',') })),
  );
  const removals = steps.filter(({ kind }) => kind === 'remove');
  const found = removals.some(({ index, names }) => matching(next.get(index)!, names).some(removable));
  // One that has nothing to do at all is refused; beside others, a removal may come to nothing.
  if (steps.length > 0 && removals.length === steps.length && !found) {
    throw aliasesMissing([...new Set(removals.flatMap(({ names }) => names))]);
  }
  for (const { kind, index, alias, names, metadata } of steps) {
    const aliases = next.get(index)!;
    if (kind === 'remove') {
      for (const name of matching(aliases, names).filter(removable)) delete aliases[name];
      continue;
    }
    checkAliasName(index, alias!, next);
    if (metadata.filter !== undefined) check(index, alias!, metadata.filter);
    aliases[alias!] = metadata;
  }
  return next;
}

/** Refuses a name that an index has or no index could have. */
export function checkAliasName(index: string, alias: string, table: { has(name: string): boolean }): void {
  if (table.has(alias)) {
    throw invalidAliasName(index, alias, 'an index exists with the same name as the alias');
  }
  if (/[#,]/.test(alias))
    throw invalidAliasName(index, alias, `must not contain '${/[#,]/.exec(alias)![0]}'`);
}

/** 400: a filter that an alias can't have. */
export function aliasFilterFailed(alias: string, cause: ElasticsearchError): ElasticsearchError {
  return illegalArgument(`failed to parse filter for alias [${alias}]`, cause);
}

/** The names of aliases that some pattern matches; `_all` matches all. */
export function matching(aliases: Readonly<Record<string, unknown>>, patterns: readonly string[]): string[] {
  const tests = patterns.map((pattern) => (pattern === '_all' ? () => true : wildcard(pattern)));
  return Object.keys(aliases).filter((name) => tests.some((test) => test(name)));
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  return String(value);
}
