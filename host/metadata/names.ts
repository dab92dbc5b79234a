/** Names of indices: which are allowed, and which of them an expression such as `log*,-log-1` means. */
import type { SecurityContext } from '../security/securityContext.js';
import { isFalse } from '../numbers/javaBooleans.js';
import { illegalArgument, indexClosed, indexMissing, invalidIndexName, invalidTypeName } from '../errors.js';
import { ownValue } from '../ownNames.js';
import { RESTRICTED_INDICES } from '../security/grants.js';
import { wildcard } from '../text/wildcard.js';

/** The longest name of an index. */
const MAX_NAME_BYTES = 255;
const FORBIDDEN = /[\\/*?"<>| ,]/;

/** Refuses a name that 1.7 refuses. */
export function checkIndexName(name: string): void {
  if (FORBIDDEN.test(name)) {
    throw invalidIndexName(name, 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]');
  }
  if (name.includes('#')) throw invalidIndexName(name, "must not contain '#'");
  if (name.startsWith('_')) throw invalidIndexName(name, "must not start with '_'");
  if (name !== name.toLowerCase()) throw invalidIndexName(name, 'must be lowercase');
  if (name === '' || name === '.' || name === '..')
    throw invalidIndexName(name, "must not be empty, '.' or '..'");
  const bytes = new TextEncoder().encode(name).length;
  if (bytes > MAX_NAME_BYTES)
    throw invalidIndexName(name, `index name is too long, (${bytes} > ${MAX_NAME_BYTES})`);
}

/** Refuses the name of a new type that 1.7 refuses. */
export function checkTypeName(name: string): void {
  if (name.startsWith('_')) throw invalidTypeName("Document mapping type name can't start with '_'");
  if (name.includes('#')) throw invalidTypeName(`mapping type name [${name}] should not include '#' in it`);
  if (name.includes(',')) throw invalidTypeName(`mapping type name [${name}] should not include ',' in it`);
}

/** How an expression is resolved; the parameters of a request may override the call's defaults. */
export interface NameOptions {
  /** Skip names that don't exist, or that are closed where those are forbidden. */
  ignoreUnavailable?: boolean;
  /** A wildcard, or all, may come to nothing. */
  allowNoIndices?: boolean;
  /** Wildcards find open indices. */
  expandOpen?: boolean;
  /** Wildcards find closed indices. */
  expandClosed?: boolean;
  /** Closed indices are refused where they are named, and skipped behind wildcards. */
  forbidClosed?: boolean;
  /** The call keeps to the filters of aliases: whoever has nothing but such an alias may make it. */
  keepsFilters?: boolean;
  /** Whoever is not there may touch everything. */
  security?: SecurityContext;
}

/** Calls that read or write documents: closed indices are out of reach. */
export const DOCUMENT_CALL: NameOptions = { forbidClosed: true };
/** Calls that look at metadata: wildcards find open indices, closed ones can be named. */
export const METADATA_CALL: NameOptions = {};

/** The URL parameters `ignore_unavailable`, `allow_no_indices` and `expand_wildcards`. */
export function nameOptions(params: ReadonlyMap<string, string>, defaults: NameOptions = {}): NameOptions {
  const flag = (name: string, otherwise: boolean) => {
    const value = params.get(name);
    return value === undefined ? otherwise : !isFalse(value);
  };
  const expand = params.get('expand_wildcards');
  let { expandOpen = true, expandClosed = false } = defaults;
  if (expand !== undefined) {
    const parts = expand.split(',').filter((part) => part !== '');
    for (const part of parts) {
      if (!['open', 'closed', 'none', 'all'].includes(part)) {
        throw illegalArgument(`No valid expand wildcard value [${part}]`);
      }
    }
    expandOpen = parts.includes('open') || parts.includes('all');
    expandClosed = parts.includes('closed') || parts.includes('all');
  }
  return {
    ignoreUnavailable: flag('ignore_unavailable', defaults.ignoreUnavailable ?? false),
    allowNoIndices: flag('allow_no_indices', defaults.allowNoIndices ?? true),
    expandOpen,
    expandClosed,
    forbidClosed: defaults.forbidClosed ?? false,
    keepsFilters: defaults.keepsFilters ?? false,
  };
}

/** The names there are. */
export interface NameTable {
  /** Every index, whether it is closed, and what its aliases bring. */
  indices: ReadonlyMap<
    string,
    { readonly closed: boolean; readonly aliases?: Readonly<Record<string, { filter?: unknown }>> }
  >;
  /** Every alias, and the indices behind it. */
  aliases: ReadonlyMap<string, readonly string[]>;
}

/** Whether an expression means all indices. */
export function meansAll(expression: string | undefined): boolean {
  return expression === undefined || expression === '' || expression === '_all' || expression === '*';
}

/**
 * Whether the user may name an index or an alias. An alias is covered by its own name, or by all of its indices. One with a filter
 * on an index that isn't covered itself is for calls that keep to filters. None covers an index that is granted by its name only.
 */
export function mayName(table: NameTable, name: string, { security, keepsFilters }: NameOptions): boolean {
  if (security === undefined) return true;
  const behind = table.indices.has(name) ? undefined : table.aliases.get(name);
  if (behind === undefined) return security.covers(name);
  const uncovered = behind.filter((index) => !security.covers(index));
  if (uncovered.length === 0) return true;
  if (uncovered.some((index) => RESTRICTED_INDICES.includes(index))) return false;
  const filtered = (index: string) =>
    ownValue(table.indices.get(index)?.aliases ?? {}, name)?.filter !== undefined;
  return security.covers(name) && (keepsFilters === true || !uncovered.some(filtered));
}

/** The indices that an expression means, each once, sorted; absent means all. */
export function resolveNames(
  table: NameTable,
  expression: string | undefined,
  options: NameOptions = {},
): string[] {
  const { ignoreUnavailable = false, allowNoIndices = true, forbidClosed = false } = options;
  if (meansAll(expression) && options.security === undefined) {
    const all = expandable(table, options);
    if (all.length === 0 && !allowNoIndices) throw indexMissing('_all');
    const shut = forbidClosed ? all.find((name) => table.indices.get(name)!.closed) : undefined;
    if (shut !== undefined && !ignoreUnavailable) throw indexClosed(shut);
    return forbidClosed ? all.filter((name) => !table.indices.get(name)!.closed) : all;
  }
  const names = namesMeant(table, expression, options);
  const out = new Set<string>();
  // A lone missing name is refused by the one switch, one of several by the other.
  const missingFails = names.length === 1 ? !allowNoIndices || !ignoreUnavailable : !ignoreUnavailable;
  for (const name of names) {
    const known = table.indices.has(name) ? [name] : table.aliases.get(name);
    if (known === undefined && missingFails) throw indexMissing(name);
    for (const index of known ?? []) {
      if (!table.indices.get(index)!.closed || !forbidClosed) out.add(index);
      else if (!ignoreUnavailable) throw indexClosed(index);
    }
  }
  if (out.size === 0 && !allowNoIndices) throw indexMissing(expression ?? '_all');
  return [...out].sort();
}

/** The names that an expression stands for; for all, those of the indices, and of aliases by which alone a user has some. */
export function namesMeant(
  table: NameTable,
  expression: string | undefined,
  options: NameOptions = {},
): string[] {
  if (!meansAll(expression)) return expandNames(table, expression!, options);
  const { security, forbidClosed = false } = options;
  const indices = expandable(table, options);
  if (security === undefined) return indices;
  const aliases = [...table.aliases].filter(
    ([name, behind]) =>
      behind.some((index) => !security.covers(index)) &&
      !(forbidClosed && behind.some((index) => table.indices.get(index)?.closed)) &&
      mayName(table, name, options),
  );
  return [...indices, ...aliases.map(([name]) => name)];
}

/** The names of indices and aliases in an expression, its wildcards and exclusions done. */
export function expandNames(table: NameTable, expression: string, options: NameOptions = {}): string[] {
  const { ignoreUnavailable = false, allowNoIndices = true, security } = options;
  const check = (name: string) => {
    if (!mayName(table, name, options)) throw security!.refusal();
  };
  const isKnown = (name: string) => table.indices.has(name) || table.aliases.has(name);
  const out = new Set<string>();
  let any = false;
  for (const [i, part] of expression.split(',').entries()) {
    if (part === '') continue;
    if (isKnown(part)) {
      check(part);
      out.add(part);
      continue;
    }
    const minus = part.startsWith('-');
    const name = minus || part.startsWith('+') ? part.slice(1) : part;
    if (minus && i === 0) {
      any = true;
      for (const each of expandable(table, options)) out.add(each);
    }
    if (!name.includes('*')) {
      check(name);
      if (!ignoreUnavailable && !isKnown(name)) throw indexMissing(name);
      if (minus) out.delete(name);
      else if (isKnown(name)) out.add(name);
      continue;
    }
    any = true;
    const match = wildcard(name);
    const found = [...expandable(table, options), ...expandableAliases(table, options)].filter(match);
    if (found.length === 0 && !allowNoIndices) throw indexMissing(name);
    for (const each of found) {
      if (minus) out.delete(each);
      else out.add(each);
    }
  }
  if (any && out.size === 0 && !allowNoIndices) throw indexMissing(expression);
  return [...out];
}

/** What a wildcard may find, sorted. */
function expandable(
  table: NameTable,
  { expandOpen = true, expandClosed = false, security }: NameOptions,
): string[] {
  return [...table.indices]
    .filter(([, { closed }]) => (closed ? expandClosed : expandOpen))
    .map(([name]) => name)
    .filter((name) => security === undefined || security.covers(name))
    .sort();
}

/** What else a wildcard may find. */
function expandableAliases(table: NameTable, options: NameOptions): string[] {
  const all = [...table.aliases.keys()];
  return options.security === undefined ? all : all.filter((name) => mayName(table, name, options));
}
