/** JSON of this server's own, written in turns: a large object entry by entry, a long list element by element. */
import type { Turns } from '../workLimit.js';
import { jsonText } from './jsonText.js';
import { isObject } from './values.js';

/** Values that are written together: about 10 us. */
const SMALL = 64;
/** What a value costs in steps of a work limit. */
const VALUE_STEPS = 8;
/** Characters that become bytes together. */
const PIECE = 32 * 1024;

const utf8 = new TextEncoder();

/**
 * The bytes of what `jsonText` makes of a value.
 * @param isDue counts steps; whether others should have the event loop
 */
export function* jsonBytesInTurns(value: unknown, isDue: (steps: number) => boolean): Turns<Uint8Array> {
  const out = new Pieces(isDue);
  yield* out.value(value);
  return yield* out.bytes();
}

class Pieces {
  readonly #isDue: (steps: number) => boolean;
  readonly #pieces: Uint8Array[] = [];
  /** Of objects on whose way to be counted there were too many values: listing the names of a large one takes long. */
  readonly #keys = new Map<object, string[]>();
  #text = '';

  constructor(isDue: (steps: number) => boolean) {
    this.#isDue = isDue;
  }

  *value(value: unknown): Turns<void> {
    const left = this.#roomLeft(value, SMALL);
    if (left >= 0) {
      this.#add(jsonText(value) ?? 'null');
      if (this.#isDue((SMALL - left) * VALUE_STEPS)) yield;
    } else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        this.#add(i === 0 ? '[' : ',');
        yield* this.value(value[i]);
      }
      this.#add(']');
    } else yield* this.#object(value as Record<string, unknown>);
  }

  *#object(object: Record<string, unknown>): Turns<void> {
    let isFirst = true;
    for (const key of this.#keys.get(object) ?? Object.keys(object)) {
      const value = object[key];
      if (value === undefined) continue;
      this.#add(`${isFirst ? '{' : ','}${JSON.stringify(key)}:`);
      isFirst = false;
      yield* this.value(value);
    }
    this.#add(isFirst ? '{}' : '}');
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length < PIECE) return;
    this.#pieces.push(utf8.encode(this.#text));
    this.#text = '';
  }

  *bytes(): Turns<Uint8Array> {
    this.#pieces.push(utf8.encode(this.#text));
    const all = new Uint8Array(this.#pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
      if (this.#isDue(VALUE_STEPS)) yield;
    }
    return all;
  }

  /** How many of so many values are left when all in a value are counted; less than 0 where there are more. */
  #roomLeft(value: unknown, room: number): number {
    let left = room - 1;
    if (Array.isArray(value)) {
      if (value.length > left) return -1;
      for (const each of value) {
        left = this.#roomLeft(each, left);
        if (left < 0) return left;
      }
    } else if (isObject(value)) {
      // What has a text of its own is one value.
      if (typeof value.toJSON === 'function') return left;
      if (this.#keys.has(value)) return -1;
      const keys = Object.keys(value);
      for (const key of keys) {
        left = this.#roomLeft(value[key], left);
        if (left >= 0) continue;
        this.#keys.set(value, keys);
        return left;
      }
    }
    return left;
  }
}
