/** What is said of one key of a sort, read the way 1.7's parser walks through it. */

import { illegalArgument } from '../../errors.js';
import { booleanOf, isObject, type JsonObject, textOf } from '../../json/values.js';
import type { PlanNode } from '../../plan/nodes.js';
import { rewriteFilter } from '../../plan/rewrite.js';
import { SortMode } from '../../plan/sortKeys.js';
import type { Dsl } from '../context.js';
import { compileInside, nestedDocumentsNode, nestedObject } from '../joining/nested.js';

/** What is said of one key. */
export interface KeyOptions {
  /** undefined: the usual order. */
  descending: boolean | undefined;
  missing: string | undefined;
  unmapped: string | undefined;
  mode: SortMode | undefined;
  nested: NestedOptions;
}

/** Which objects of a nested field have the values. */
export interface NestedOptions {
  path: string | undefined;
  filter: unknown;
}

/** Lists in lists are looked into as deep as this. */
const MAX_DEPTH = 16;

/** Options with their values; 1.7 reads over the brackets of lists and over null. */
export function givenOptions(options: JsonObject): [option: string, value: unknown][] {
  return Object.entries(options)
    .flatMap(([option, value]) => {
      const values: unknown[] = Array.isArray(value) ? value.flat(MAX_DEPTH) : [value];
      return values.map((each): [string, unknown] => [option, each]);
    })
    .filter(([, value]) => value !== null);
}

export function readMode(value: unknown): SortMode {
  const text = textOf(value) ?? '';
  const name = text.toLowerCase();
  if (!Object.hasOwn(SortMode, name)) throw illegalArgument(`Illegal sort_mode ${text}`);
  return SortMode[name as keyof typeof SortMode];
}

/** Takes an option in that says which objects have the values. */
export function nestedOption(nested: NestedOptions, option: string, value: unknown, dsl: Dsl): boolean {
  if (isObject(value)) {
    if (option !== 'nested_filter' && option !== 'nestedFilter') return false;
    nested.filter = value;
    return true;
  }
  if (option !== 'nested_path' && option !== 'nestedPath') return false;
  nested.path = textOf(value) ?? '';
  nestedObject(nested.path, dsl);
  return true;
}

/** The nested documents with the values of a field; undefined for a field outside of nested ones. */
export function insideOf(
  fullName: string,
  { path: given, filter }: NestedOptions,
  dsl: Dsl,
): PlanNode | undefined {
  const path = given ?? (dsl.sortsOwnValues ? undefined : dsl.model.nestedPathOf(fullName));
  if (path === undefined) return undefined;
  const node = filter === undefined ? undefined : compileInside('filter', filter, path, dsl);
  return rewriteFilter(node ?? nestedDocumentsNode(path));
}

/** Reads the options of a key that is a field. */
export function readOptions(name: string, options: JsonObject, dsl: Dsl): KeyOptions {
  const read: KeyOptions = {
    descending: undefined,
    missing: undefined,
    unmapped: undefined,
    mode: undefined,
    nested: { path: undefined, filter: undefined },
  };
  for (const [option, value] of givenOptions(options)) {
    if (nestedOption(read.nested, option, value, dsl)) continue;
    if (isObject(value) || !readOption(read, name, option, value))
      throw illegalArgument(`sort option [${option}] not supported`);
  }
  return read;
}

function readOption(read: KeyOptions, name: string, option: string, value: unknown): boolean {
  switch (option) {
    case 'reverse':
      // Of scores, the usual order is downwards already.
      read.descending = booleanOf(value) !== (name === '_score');
      return true;
    case 'order':
      if (value === 'asc' || value === 'desc') read.descending = value === 'desc';
      return true;
    case 'missing':
      read.missing = textOf(value);
      return true;
    case 'ignore_unmapped':
    case 'ignoreUnmapped':
      if (read.unmapped === undefined && booleanOf(value)) read.unmapped = 'long';
      return true;
    case 'unmapped_type':
    case 'unmappedType':
      read.unmapped = textOf(value);
      return true;
    case 'mode':
      read.mode = readMode(value);
      return true;
    default:
      return false;
  }
}
