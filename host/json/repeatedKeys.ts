/**
 * Keys that stand several times in one object of a JSON text. `JSON.parse` keeps the last value; 1.7 reads a body from
 * front to back and sees them all.
 */
import type { Turns, WorkLimit } from '../workLimit.js';
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
  return countColons(text, 0, text.length) !== countKeys([value], Number.POSITIVE_INFINITY);
}

/** Characters, and objects and lists, that are looked at in one go, and what that costs in steps of a work limit. */
const CHARACTERS = 64 * 1024;
const COMPOUNDS = 4096;
const SLICE_STEPS = 4096;

/** The same in turns; `work` counts the steps. */
export function* mayRepeatKeysInTurns(text: string, value: unknown, work: WorkLimit): Turns<boolean> {
  let count = 0;
  for (let from = 0; from < text.length; from += CHARACTERS) {
    count += countColons(text, from, Math.min(text.length, from + CHARACTERS));
    if (work.isDue(SLICE_STEPS)) yield;
  }
  for (const waiting = [value]; waiting.length > 0; ) {
    count -= countKeys(waiting, COMPOUNDS);
    if (work.isDue(SLICE_STEPS)) yield;
  }
  return count !== 0;
}

/** How many colons between two places of a text follow a quote: one of each key, and some in strings. */
function countColons(text: string, from: number, to: number): number {
  let count = 0;
  const part = to === text.length ? text : text.slice(0, to);
  for (let at = part.indexOf(':', from); at >= 0; at = part.indexOf(':', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= 0x20) before--;
    if (text.charCodeAt(before) === 0x22) count++;
  }
  return count;
}

/**
 * How many keys the values have that are waiting, and those within them: of so many of them at most, the others are waiting still. Without
 * recursion: what is not indexed may be nested as deep as it likes.
 */
function countKeys(waiting: unknown[], most: number): number {
  let count = 0;
  for (let left = most; waiting.length > 0 && left > 0; left--) {
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
