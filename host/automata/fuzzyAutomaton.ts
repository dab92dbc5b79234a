/** The automaton of `levenshtein` as bytes (dfa.ts), written state by state by means of the steps that all words share. */

import { encodeDfa } from './dfa.js';
import { levenshtein } from './levenshtein.js';
import { NOWHERE, Parametric } from './parametric.js';

/** By edits and, odd, with transpositions. */
const parametrics = new Map<number, Parametric>();

function parametricOf(most: number, transpositions: boolean): Parametric {
  const key = 2 * most + (transpositions ? 1 : 0);
  let known = parametrics.get(key);
  if (known === undefined) {
    known = new Parametric(most, transpositions);
    parametrics.set(key, known);
  }
  return known;
}

/** First bytes of the characters beyond ASCII; how many more bytes they have, and from which to which the second goes. */
const LEADS = [
  { first: 0xc2, last: 0xdf, more: 1, low: 0x80, high: 0xbf },
  { first: 0xe0, last: 0xe0, more: 2, low: 0xa0, high: 0xbf },
  { first: 0xe1, last: 0xec, more: 2, low: 0x80, high: 0xbf },
  { first: 0xed, last: 0xed, more: 2, low: 0x80, high: 0x9f },
  { first: 0xee, last: 0xef, more: 2, low: 0x80, high: 0xbf },
  { first: 0xf0, last: 0xf0, more: 3, low: 0x90, high: 0xbf },
  { first: 0xf1, last: 0xf3, more: 3, low: 0x80, high: 0xbf },
  { first: 0xf4, last: 0xf4, more: 3, low: 0x80, high: 0x8f },
] as const;

/** Characters by their remaining bytes and the state that they lead to. */
interface Way {
  readonly bytes: Uint8Array;
  readonly to: number;
}

/** A state within the bytes of a character: ways of their own, and where all others lead, -1: nowhere. */
interface Within {
  readonly ways: readonly Way[];
  /** How many bytes of `ways` are behind us. */
  readonly depth: number;
  readonly more: number;
  readonly low: number;
  readonly high: number;
  readonly other: number;
  readonly least: number;
}

const utf8 = new TextEncoder();
/** Where automata are written. */
let room = new DataView(new ArrayBuffer(1 << 16));

class Writer {
  readonly #parametric: Parametric;
  readonly #rest: readonly number[];
  readonly #bytesOf: readonly Uint8Array[];
  /** The letters below this are one byte. */
  readonly #plain: 0x80 | 0x100;
  /** States by shape and place: 1 + the number. */
  readonly #numbers: Int32Array[] = [];
  /** States in the order of their numbers: shape * 1024 + place, or what stands within a character. */
  readonly #states: (number | Within)[] = [];
  /** By the state that all other characters lead to: states within these, by the lead and the bytes that are left. */
  readonly #others = new Map<number, number>();
  #length = 4;
  #head = 0;

  /** @param letters what words are made of: characters by their code points, or bytes */
  constructor(
    parametric: Parametric,
    fixed: readonly number[],
    rest: readonly number[],
    letters: 'characters' | 'bytes',
  ) {
    this.#parametric = parametric;
    this.#rest = rest;
    this.#plain = letters === 'bytes' ? 0x100 : 0x80;
    this.#bytesOf = letters === 'bytes' ? [] : rest.map((c) => utf8.encode(String.fromCodePoint(c)));
    const prefix = letters === 'bytes' ? Uint8Array.from(fixed) : utf8.encode(String.fromCodePoint(...fixed));
    // What must be there is a chain of bytes before the first state of the rest.
    for (const [i, byte] of prefix.entries()) {
      this.#states.push(0);
      this.#begin(0, 1);
      this.#edge(byte, byte, i + 1);
    }
    this.#numberOf(0, 0);
    for (let i = prefix.length; i < this.#states.length; i++) {
      const state = this.#states[i]!;
      if (typeof state === 'number') this.#whole(state >>> 10, state & 1023);
      else this.#within(state);
    }
    this.#end();
    room.setUint32(0, this.#states.length, true);
  }

  bytes(): Uint8Array {
    return new Uint8Array(room.buffer.slice(0, this.#length));
  }

  #numberOf(shape: number, place: number): number {
    let numbers = this.#numbers[shape];
    if (numbers === undefined) {
      numbers = new Int32Array(this.#rest.length + 1);
      this.#numbers[shape] = numbers;
    }
    let number = numbers[place]!;
    if (number === 0) {
      number = this.#states.push((shape << 10) | place);
      numbers[place] = number;
    }
    return number - 1;
  }

  #begin(accept: number, least: number): void {
    // Room for the state: no more edges than bytes.
    if (this.#length + 4 + 8 * 256 > room.byteLength) {
      const grown = new DataView(new ArrayBuffer(2 * room.byteLength));
      new Uint8Array(grown.buffer).set(new Uint8Array(room.buffer, 0, this.#length));
      room = grown;
    }
    this.#end();
    this.#head = this.#length;
    room.setUint8(this.#head, accept);
    room.setUint8(this.#head + 1, least);
    this.#length += 4;
  }

  /** Tells how many edges the state begun last has. */
  #end(): void {
    if (this.#head > 0) room.setUint16(this.#head + 2, (this.#length - this.#head - 4) >> 3, true);
  }

  #edge(low: number, high: number, to: number): void {
    room.setUint32(this.#length, low | (high << 8), true);
    room.setUint32(this.#length + 4, to, true);
    this.#length += 8;
  }

  /** The state that a character leads to, one of which it is known which of the next ones it is. */
  #after(shape: number, place: number, same: number): number {
    const step = this.#parametric.step(shape, this.#rest.length - place, same);
    return step === NOWHERE ? NOWHERE : this.#numberOf(step >> 4, place + (step & 15));
  }

  /** A state between letters. */
  #whole(shape: number, place: number): void {
    const rest = this.#rest;
    const end = Math.min(rest.length, place + this.#parametric.window);
    this.#begin(this.#parametric.accepts(shape, rest.length - place), this.#parametric.least(shape));
    const other = this.#after(shape, place, 0);
    // Characters that lead elsewhere than all others: where they stand first, and the states, by character.
    const near: { c: number; i: number; to: number }[] = [];
    for (let i = place; i < end; i++) {
      const c = rest[i]!;
      let same = 0;
      for (let k = place; k < end; k++) if (rest[k] === c) same |= 1 << (k - place);
      if ((same & ((1 << (i - place)) - 1)) !== 0) continue;
      const to = this.#after(shape, place, same);
      if (to === other) continue;
      let k = near.push({ c, i, to }) - 1;
      for (; k > 0 && near[k - 1]!.c > c; k--) near[k] = near[k - 1]!;
      near[k] = { c, i, to };
    }
    let next = 0;
    let n = 0;
    const plain = this.#plain;
    for (; n < near.length && near[n]!.c < plain; n++) {
      const { c, to } = near[n]!;
      if (other >= 0 && c > next) this.#edge(next, c - 1, other);
      this.#edge(c, c, to);
      next = c + 1;
    }
    if (other >= 0 && next < plain) this.#edge(next, plain - 1, other);
    if (plain === 0x100) return;
    if (other < 0 && n === near.length) return;
    const ways = near.slice(n).map(({ i, to }) => ({ bytes: this.#bytesOf[i]!, to }));
    for (const lead of LEADS) this.#lead(lead, ways, other);
  }

  /** The edges by some first bytes of characters beyond ASCII. */
  #lead({ first, last, more, low, high }: (typeof LEADS)[number], ways: readonly Way[], other: number): void {
    let next: number = first;
    for (let i = 0; i < ways.length; ) {
      const byte = ways[i]!.bytes[0]!;
      let end = i + 1;
      while (end < ways.length && ways[end]!.bytes[0] === byte) end++;
      if (byte >= first && byte <= last) {
        if (other >= 0 && byte > next) this.#edge(next, byte - 1, this.#other(more, low, high, other));
        this.#edge(byte, byte, this.#among(ways.slice(i, end), 1, more, low, high, other));
        next = byte + 1;
      }
      i = end;
    }
    if (other >= 0 && next <= last) this.#edge(next, last, this.#other(more, low, high, other));
  }

  /** The state behind the first bytes of characters that all lead to one. */
  #other(more: number, low: number, high: number, to: number): number {
    const key = ((to * 4 + more) << 16) | (low << 8) | high;
    let number = this.#others.get(key);
    if (number === undefined) {
      number = this.#among([], 0, more, low, high, to);
      this.#others.set(key, number);
    }
    return number;
  }

  #among(
    ways: readonly Way[],
    depth: number,
    more: number,
    low: number,
    high: number,
    other: number,
  ): number {
    let least = other < 0 ? 255 : this.#leastOf(other);
    for (const { to } of ways) least = Math.min(least, this.#leastOf(to));
    return this.#states.push({ ways, depth, more, low, high, other, least }) - 1;
  }

  #leastOf(number: number): number {
    return this.#parametric.least((this.#states[number] as number) >>> 10);
  }

  /** A state within a character. */
  #within({ ways, depth, more, low, high, other, least }: Within): void {
    this.#begin(0, least);
    const others = () => (more === 1 ? other : this.#other(more - 1, 0x80, 0xbf, other));
    let next = low;
    for (let i = 0; i < ways.length; ) {
      const byte = ways[i]!.bytes[depth]!;
      let end = i + 1;
      while (end < ways.length && ways[end]!.bytes[depth] === byte) end++;
      if (other >= 0 && byte > next) this.#edge(next, byte - 1, others());
      const to =
        more === 1 ? ways[i]!.to : this.#among(ways.slice(i, end), depth + 1, more - 1, 0x80, 0xbf, other);
      this.#edge(byte, byte, to);
      next = byte + 1;
      i = end;
    }
    if (other >= 0 && next <= high) this.#edge(next, high, others());
  }
}

/** Longest word in code points; what is longer is refused by `levenshtein`. */
const MAX_LENGTH = 1000;
/** Surrogates have no UTF-8. */
const LONE = /\p{Cs}/u;

/** The bytes of the automaton that `levenshtein` makes of the same; with other numbers of states. */
export function fuzzyAutomaton(
  word: string,
  most: number,
  prefix: number,
  transpositions: boolean,
): Uint8Array {
  const all = Array.from(word, (c) => c.codePointAt(0)!);
  if (most < 1 || most > 2 || all.length > MAX_LENGTH || LONE.test(word))
    return encodeDfa(levenshtein(word, most, prefix, transpositions));
  const fixed = Math.min(prefix, all.length);
  const parametric = parametricOf(most, transpositions);
  return new Writer(parametric, all.slice(0, fixed), all.slice(fixed), 'characters').bytes();
}

/** Byte strings up to 1,000 bytes that an automaton is made of, see below. */
export const MOST_BYTES = MAX_LENGTH;

/** The same of strings of bytes, where every byte that is another one counts: `fixed` stands in front of what may be off by `most`, 1 or 2. */
export function fuzzyBytesAutomaton(
  fixed: Uint8Array,
  rest: Uint8Array,
  most: number,
  transpositions: boolean,
): Uint8Array {
  return new Writer(parametricOf(most, transpositions), [...fixed], [...rest], 'bytes').bytes();
}
