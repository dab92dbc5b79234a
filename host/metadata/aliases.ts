/** Aliases: other names of indices, each with a filter and routing values if wanted. */
import {
  aliasesMissing,
  type ElasticsearchError,
  illegalArgument,
  invalidAliasName,
  validationFailed,
} from '../errors.js';
import { wildcard } from '../text/wildcard.js';
import { Tokens } from './jsonTokenReader.js';
import { ownValue, putOwn } from '../ownNames.js';

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
  /** Expressions; undefined is one that was left out. */
  indices: readonly (string | undefined)[];
  /** A name, or in a removal patterns; undefined likewise. */
  aliases: readonly (string | undefined)[];
  metadata: AliasMetadata;
}

/** The aliases of indices by index name. */
export type AliasTable = Map<string, Record<string, AliasMetadata>>;

/** The options of an alias by the names that 1.7 knows for them. */
const ROUTING: Readonly<Record<string, 'both' | 'index' | 'search'>> = {
  routing: 'both',
  index_routing: 'index',
  indexRouting: 'index',
  'index-routing': 'index',
  search_routing: 'search',
  searchRouting: 'search',
  'search-routing': 'search',
};

/** What has been read of an alias' options; `routing` stands for both kinds unless they are named themselves. */
export class AliasOptions {
  #filter: unknown;
  readonly #routing: { both?: string; index?: string; search?: string } = {};

  /** Takes a scalar in. */
  put(name: string | undefined, value: unknown): void {
    const kind = ownValue(ROUTING, name ?? '');
    if (kind !== undefined) this.#routing[kind] = String(value);
  }

  set filter(filter: object) {
    this.#filter = Object.keys(filter).length > 0 ? filter : undefined;
  }

  get metadata(): AliasMetadata {
    const { both, index = both, search = both } = this.#routing;
    return {
      ...(this.#filter === undefined ? {} : { filter: this.#filter }),
      ...(index === undefined ? {} : { indexRouting: index }),
      ...(search === undefined ? {} : { searchRouting: search }),
    };
  }
}

/**
 * The aliases that a new index or a template brings. 1.7 reads on from each name to where an object ends, whatever is in
 * between.
 */
export function readAliases(aliases: unknown): Record<string, AliasMetadata> {
  const out: Record<string, AliasMetadata> = {};
  if (aliases === undefined) return out;
  const tokens = new Tokens(aliases);
  tokens.next();
  for (let token = tokens.next(); token !== 'END_OBJECT'; token = tokens.next()) {
    const name = tokens.name;
    const options = new AliasOptions();
    if (token === undefined || tokens.next() === undefined) throw illegalArgument('No alias is specified');
    for (let inner = tokens.next(); inner !== 'END_OBJECT'; inner = tokens.next()) {
      if (inner === undefined) throw illegalArgument('No alias is specified');
      if (inner === 'VALUE_STRING') options.put(tokens.name, tokens.value);
      else if (inner === 'START_OBJECT' && tokens.name === 'filter') {
        options.filter = tokens.value as object;
        tokens.skip();
      }
    }
    putOwn(out, name!, options.metadata);
  }
  return out;
}

/** An alias as answers show it. */
export function showAlias({ filter, indexRouting, searchRouting }: AliasMetadata): Record<string, unknown> {
  return { filter, index_routing: indexRouting, search_routing: searchRouting };
}

/** Refuses actions that lack something; all that is missing is told at once. */
export function checkActions(actions: readonly AliasAction[]): void {
  if (actions.length === 0) throw validationFailed('Must specify at least one alias action');
  const problems: string[] = [];
  for (const { kind, indices, aliases } of actions) {
    for (const alias of aliases) {
      if (hasText(alias)) continue;
      problems.push(
        kind === 'add'
          ? 'Alias action [add] requires an [alias] to be set'
          : `Alias action [${kind}]: [alias] may not be empty string`,
      );
    }
    if (indices.length === 0)
      problems.push(`Alias action [${kind}]: Property [index] was either missing or null`);
    for (const index of indices) {
      if (!hasText(index)) problems.push(`Alias action [${kind}]: [index] may not be empty string`);
    }
  }
  if (problems.length > 0) throw validationFailed(...problems);
}

/**
 * What the aliases are after these actions; nothing is changed.
 * @param indicesOf the indices that an expression means
 * @param check refuses a filter that the index can't use, in turns
 * @param removable whether a pattern may find an alias
 */
export async function applyActions(
  table: Readonly<AliasTable>,
  actions: readonly AliasAction[],
  indicesOf: (expression: string) => readonly string[],
  check: (index: string, alias: string, filter: unknown) => Promise<void>,
  removable: (alias: string) => boolean = () => true,
): Promise<AliasTable> {
  const next: AliasTable = new Map([...table].map(([index, aliases]) => [index, { ...aliases }]));
  const steps = actions.flatMap(({ kind, indices, aliases, metadata }) =>
    indicesOf(indices.join(',')).map((index) => ({ kind, index, metadata, names: aliases.map(String) })),
  );
  const removals = steps.filter(({ kind }) => kind === 'remove');
  const found = removals.some(({ index, names }) => matching(next.get(index)!, names).some(removable));
  // One that has nothing to do at all is refused; beside others, a removal may come to nothing.
  if (steps.length > 0 && removals.length === steps.length && !found) {
    throw aliasesMissing([...new Set(removals.flatMap(({ names }) => names))]);
  }
  for (const { kind, index, names, metadata } of steps) {
    if (kind === 'add') for (const name of names) checkAlias(index, name, metadata, next);
  }
  for (const { kind, index, names, metadata } of steps) {
    const aliases = next.get(index)!;
    if (kind === 'remove') {
      for (const name of matching(aliases, names).filter(removable)) delete aliases[name];
      continue;
    }
    for (const name of names) {
      if (metadata.filter !== undefined) await check(index, name, metadata.filter);
      putOwn(aliases, name, metadata);
    }
  }
  return next;
}

/** Refuses an alias that no index could have. */
export function checkAliasAlone(alias: string, { indexRouting }: AliasMetadata): void {
  if (!hasText(alias)) throw illegalArgument('alias name is required');
  if (indexRouting?.includes(','))
    throw illegalArgument(`alias [${alias}] has several index routing values associated with it`);
}

/** Refuses an alias that this index can't have. */
export function checkAlias(
  index: string,
  alias: string,
  metadata: AliasMetadata,
  table: { has(name: string): boolean },
): void {
  checkAliasAlone(alias, metadata);
  if (table.has(alias)) {
    throw invalidAliasName(index, alias, 'an index exists with the same name as the alias');
  }
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

function hasText(name: string | undefined): boolean {
  return name !== undefined && name.trim() !== '';
}
