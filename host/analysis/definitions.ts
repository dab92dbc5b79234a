/** The definitions under `settings.analysis`, out of an index's flat settings. */

/** The four kinds of definitions, as their settings name them. */
export type DefinitionGroup = 'analyzer' | 'tokenizer' | 'filter' | 'char_filter';

/** Name → what is defined under it. Values are texts and lists of texts. */
export type Definitions = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** The definitions of one kind. `flat` has a key for every value, those of lists ending in their places: `….filter.0`. */
export function definitionsOf(flat: Readonly<Record<string, string>>, group: DefinitionGroup): Definitions {
  const prefix = `index.analysis.${group}.`;
  const found = new Map<string, Record<string, unknown>>();
  // Lists may have a million entries: nothing here allocates for a key but what it holds.
  for (const key in flat) {
    if (!key.startsWith(prefix)) continue;
    const dot = key.indexOf('.', prefix.length);
    if (dot < 0) continue;
    const name = key.slice(prefix.length, dot);
    let definition = found.get(name);
    if (definition === undefined) {
      // Without a prototype: keys are whatever a request named them.
      definition = Object.create(null) as Record<string, unknown>;
      found.set(name, definition);
    }
    const last = key.lastIndexOf('.');
    const place = last > dot ? placeOf(key, last + 1) : -1;
    if (place < 0) definition[key.slice(dot + 1)] = flat[key]!;
    else put(definition, key.slice(dot + 1, last), place, flat[key]!);
  }
  for (const definition of found.values()) {
    for (const [key, value] of Object.entries(definition)) {
      if (Array.isArray(value)) definition[key] = value.filter((each) => each !== undefined);
    }
  }
  return found;
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

function put(definition: Record<string, unknown>, key: string, place: number, value: string): void {
  const list = definition[key];
  // RepositoryLocations come in ascending order unless somebody wrote them by hand; then the order of the keys has to do.
  if (!Array.isArray(list)) definition[key] = [value];
  else if (place === list.length) list.push(value);
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
