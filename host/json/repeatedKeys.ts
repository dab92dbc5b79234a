/**
 * Keys that stand several times in one object of a JSON text. `JSON.parse` keeps the last value; 1.7 reads a body from
 * front to back and sees them all.
 */
import { isCompound, isObject, type JsonObject } from './values.js';

/** Where an object keeps the values of such keys, in order. */
const REPEATED = Symbol('repeated keys');

type Marked = JsonObject & { [REPEATED]?: Map<string, unknown[]> };

/** Takes a value in under a key that the object has already. */
export function repeatKey(object: JsonObject, key: string, value: unknown): void {
  const marked = object as Marked;
  if (marked[REPEATED] === undefined) Object.defineProperty(marked, REPEATED, { value: new Map() });
  const values = marked[REPEATED]!.get(key);
  if (values === undefined) marked[REPEATED]!.set(key, [object[key], value]);
  else values.push(value);
  object[key] = value;
}

/** All that stands under a key that the object has. */
export function valuesUnder(object: JsonObject, key: string): readonly unknown[] {
  return (object as Marked)[REPEATED]?.get(key) ?? [object[key]];
}

/** A key that stands in the object several times; undefined in almost all of them. */
export function repeatedKey(object: JsonObject): string | undefined {
  return (object as Marked)[REPEATED]?.keys().next().value;
}

/**
 * A document in which a key with several values has the list of them: each is indexed, as if it were one. Undefined where no
 * key has several.
 */
export function gathered(value: unknown): unknown {
  let found = false;
  const walk = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(walk);
    if (!isObject(each)) return each;
    const entries = Object.keys(each).map((key): [string, unknown] => {
      const values = valuesUnder(each, key).map(walk);
      found ||= values.length > 1;
      return [key, values.length > 1 ? values : values[0]];
    });
    return Object.fromEntries(entries);
  };
  const whole = walk(value);
  return found ? whole : undefined;
}

/** Whether an object of a value may have such keys, from the text that the value was parsed of. */
export function mayRepeatKeys(text: string, value: unknown): boolean {
  return countColons(text) !== countKeys(value);
}

/** How many colons follow a quote: one of each key, and some in strings. */
function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= 0x20) before--;
    if (text.charCodeAt(before) === 0x22) count++;
  }
  return count;
}

/** Without recursion: what is not indexed may be nested as deep as it likes. */
function countKeys(value: unknown): number {
  let count = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (!isCompound(each)) continue;
    if (Array.isArray(each)) {
      for (const inner of each) if (typeof inner === 'object') waiting.push(inner);
      continue;
    }
    for (const key in each) {
      const inner = (each as JsonObject)[key];
      count++;
      if (typeof inner === 'object') waiting.push(inner);
    }
  }
  return count;
}
