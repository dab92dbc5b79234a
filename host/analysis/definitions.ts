/** The definitions under `settings.analysis`, out of an index's flat settings. */

import { type IsDue, longPart, namesOf } from '../passes.js';
import type { Turns } from '../workLimit.js';

/** The four kinds of definitions, as their settings name them. */
export type DefinitionGroup = 'analyzer' | 'tokenizer' | 'filter' | 'char_filter';

/** Name → what is defined under it. Values are texts and lists of texts. */
export type Definitions = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

const PREFIX = 'index.analysis.';

/**
 * The definitions by their kinds. `flat` has a key for every value, those of lists ending in their places: `….filter.0`. A long part
 * (passes.ts).
 */
export function definitionsOf(flat: Readonly<Record<string, string>>): DefinitionGroups {
  const keys = namesOf(flat);
  return longPart(flat, 'definitions', (isDue) => grouped(flat, keys, isDue));
}

type DefinitionGroups = Readonly<Record<DefinitionGroup, Definitions>>;

function* grouped(
  flat: Readonly<Record<string, string>>,
  keys: readonly string[],
  isDue: IsDue,
): Turns<DefinitionGroups> {
  const groups = {
    analyzer: new Map<string, Record<string, unknown>>(),
    tokenizer: new Map<string, Record<string, unknown>>(),
    filter: new Map<string, Record<string, unknown>>(),
    char_filter: new Map<string, Record<string, unknown>>(),
  };
  // Lists may have a million entries: those that follow one another are recognized by what their keys begin with.
  let list: string[] | undefined;
  let listPrefix = '';
  for (const key of keys) {
    if (isDue()) yield;
    if (!key.startsWith(PREFIX)) continue;
    if (list !== undefined && key.startsWith(listPrefix)) {
      const place = placeOf(key, listPrefix.length);
      if (place >= 0) {
        putAt(list, place, flat[key]!);
        continue;
      }
    }
    list = undefined;
    const groupEnd = key.indexOf('.', PREFIX.length);
    const found = groups[key.slice(PREFIX.length, groupEnd) as DefinitionGroup] as
      | Map<string, Record<string, unknown>>
      | undefined;
    const dot = groupEnd < 0 ? -1 : key.indexOf('.', groupEnd + 1);
    if (dot < 0 || !(found instanceof Map)) continue;
    const name = key.slice(groupEnd + 1, dot);
    let definition = found.get(name);
    if (definition === undefined) {
      // Without a prototype: keys are whatever a request named them.
      definition = Object.create(null) as Record<string, unknown>;
      found.set(name, definition);
    }
    const last = key.lastIndexOf('.');
    const place = last > dot ? placeOf(key, last + 1) : -1;
    if (place < 0) definition[key.slice(dot + 1)] = flat[key]!;
    else {
      list = put(definition, key.slice(dot + 1, last), place, flat[key]!);
      listPrefix = key.slice(0, last + 1);
    }
  }
  for (const found of Object.values(groups)) {
    for (const definition of found.values()) {
      for (const [key, value] of Object.entries(definition)) {
        if (Array.isArray(value)) definition[key] = value.filter((each) => each !== undefined);
      }
    }
  }
  return groups;
}

/** The whole number that a key ends with from `at` on; -1 if it is none of at most nine digits. */
function placeOf(key: string, at: number): number {
  if (at === key.length || key.length - at > 9) return -1;
  let place = 0;
  for (let i = at; i < key.length; i++) {
    const digit = key.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    place = place * 10 + digit;
  }
  return place;
}

/** Puts a value into the list of that key, which is returned. */
function put(definition: Record<string, unknown>, key: string, place: number, value: string): string[] {
  const list = definition[key];
  if (Array.isArray(list)) {
    putAt(list, place, value);
    return list;
  }
  const made = [value];
  definition[key] = made;
  return made;
}

function putAt(list: string[], place: number, value: string): void {
  // Places come in ascending order unless somebody wrote them by hand; then the order of the keys has to do.
  if (place === list.length) list.push(value);
  else list[Math.min(place, list.length)] = value;
}

/** Finds a type as 1.7 does: `nGram`, `ngram` and `n_gram` are one. */
export function byType<T>(types: ReadonlyMap<string, T>, type: string): T | undefined {
  const exact = types.get(type);
  if (exact !== undefined) return exact;
  const wanted = squash(type);
  for (const [name, found] of types) if (squash(name) === wanted) return found;
  return undefined;
}

function squash(type: string): string {
  return type.replaceAll('_', '').toLowerCase();
}
