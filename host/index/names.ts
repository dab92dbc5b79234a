/** Names of indices: which are allowed, and which of them an expression such as `log*,-log-1` means. */
import { illegalArgument, indexMissing, invalidIndexName, invalidTypeName } from '../errors.js';

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
  if (new TextEncoder().encode(name).length > 255)
    throw invalidIndexName(name, 'must not be longer than 255 bytes');
}

/** Refuses the name of a new type that 1.7 refuses. */
export function checkTypeName(name: string): void {
  if (name.startsWith('_')) throw invalidTypeName(`mapping type name [${name}] can't start with '_'`);
  if (name.includes('#')) throw invalidTypeName(`mapping type name [${name}] should not include '#' in it`);
  if (name.includes(',')) throw invalidTypeName(`mapping type name [${name}] should not include ',' in it`);
}

/** How an expression is resolved; the parameters of a request may override the call's defaults. */
export interface NameOptions {
  /** Skip names that don't exist. */
  ignoreUnavailable?: boolean;
  /** A wildcard, or all, may come to nothing. */
  allowNoIndices?: boolean;
  /** Wildcards find open indices. */
  expandOpen?: boolean;
}

/** The URL parameters `ignore_unavailable`, `allow_no_indices` and `expand_wildcards`. */
export function nameOptions(params: ReadonlyMap<string, string>, defaults: NameOptions = {}): NameOptions {
  const flag = (name: string, otherwise: boolean) => {
    const value = params.get(name);
    return value === undefined ? otherwise : !['false', '0', 'no', 'off'].includes(value);
  };
  const expand = params.get('expand_wildcards');
  let expandOpen = defaults.expandOpen ?? true;
  if (expand !== undefined) {
    const parts = expand.split(',');
    for (const part of parts) {
      if (!['open', 'closed', 'none', 'all'].includes(part)) {
        throw illegalArgument(`No valid expand wildcard value [${part}]`);
      }
    }
    expandOpen = parts.includes('open') || parts.includes('all');
  }
  return {
    ignoreUnavailable: flag('ignore_unavailable', defaults.ignoreUnavailable ?? false),
    allowNoIndices: flag('allow_no_indices', defaults.allowNoIndices ?? true),
    expandOpen,
  };
}

/** The existing names that an expression means, each once, in the order they are named; absent means all. */
export function resolveNames(
  existing: Iterable<string>,
  expression: string | undefined,
  options: NameOptions = {},
): string[] {
  const { ignoreUnavailable = false, allowNoIndices = true, expandOpen = true } = options;
  const all = [...existing].sort();
  if (expression === undefined || expression === '' || expression === '_all' || expression === '*') {
    if (all.length === 0 && !allowNoIndices) throw indexMissing(expression || '_all');
    return expandOpen ? all : [];
  }
  const known = new Set(all);
  const out = new Set<string>();
  const parts = expression.split(',');
  for (const [i, part] of parts.entries()) {
    if (known.has(part)) {
      out.add(part);
      continue;
    }
    const minus = part.startsWith('-');
    const name = minus || part.startsWith('+') ? part.slice(1) : part;
    if (minus && i === 0) for (const each of all) out.add(each);
    const matches = name.includes('*')
      ? expandOpen
        ? all.filter(wildcard(name))
        : []
      : known.has(name)
        ? [name]
        : undefined;
    if (matches === undefined) {
      if (!ignoreUnavailable) throw indexMissing(name);
    } else if (minus) for (const each of matches) out.delete(each);
    else {
      if (matches.length === 0 && !allowNoIndices) throw indexMissing(name);
      for (const each of matches) out.add(each);
    }
  }
  if (out.size === 0 && !allowNoIndices) throw indexMissing(expression);
  return [...out];
}

/** A test for a pattern in which `*` stands for any run of characters; linear in the text for every pattern. */
export function wildcard(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return (text) => text === pattern;
  const first = parts[0]!;
  const last = parts.at(-1)!;
  const middle = parts.slice(1, -1);
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false;
    let at = first.length;
    const end = text.length - last.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
