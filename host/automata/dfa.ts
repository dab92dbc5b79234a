/**
 * Deterministic automata over code points, and their bytes as the core runs them over UTF-8 terms
 * (assembly/search/README.md, *automaton*).
 */

import type { IsDue } from '../passes.js';
import { atOnce, type Turns } from '../workLimit.js';

/** A transition on the code points from `low` to `high`. */
export interface Edge {
  low: number;
  high: number;
  to: number;
}

/** State 0 is the start. The edges of a state ascend and don't overlap; where none leads on, the word is refused. */
export interface Dfa {
  states: Edge[][];
  /** Per state: 0 refuses, another value accepts with it. */
  accepts: number[];
}

export const MAX_CODE_POINT = 0x10ffff;

/** An expression that would need too many states or transitions. */
export class TooComplex extends Error {}

/** Most transitions of the byte automaton. */
const MAX_TRANSITIONS = 1 << 20;

/** The states from which an accepting one can be reached. */
export function aliveStates({ states, accepts }: Dfa): boolean[] {
  const sources: number[][] = states.map(() => []);
  for (const [from, edges] of states.entries()) for (const { to } of edges) sources[to]!.push(from);
  const alive = accepts.map((value) => value !== 0);
  const pending = alive.flatMap((yes, state) => (yes ? [state] : []));
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    for (const from of sources[state]!) {
      if (alive[from]) continue;
      alive[from] = true;
      pending.push(from);
    }
  }
  return alive;
}

/** A sequence of byte ranges, `[first, last]` each. */
type ByteRanges = [number, number][];

/** Where the UTF-8 of a code point gets longer, and the surrogates, which have none. */
const PIECES: readonly (readonly [number, number])[] = [
  [0, 0x7f],
  [0x80, 0x7ff],
  [0x800, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, MAX_CODE_POINT],
];

/** The byte sequences of the code points from `low` to `high`, ascending. */
export function utf8Ranges(low: number, high: number): ByteRanges[] {
  const sequences: ByteRanges[] = [];
  for (const [first, last] of PIECES) {
    if (low <= last && high >= first) split(Math.max(low, first), Math.min(high, last), sequences);
  }
  return sequences;
}

/** Splits a range whose code points are of one length until each byte varies by itself. */
function split(low: number, high: number, sequences: ByteRanges[]): void {
  for (let bits = 6; high >= 0x80 && low >>> bits !== high >>> bits; bits += 6) {
    const mask = (1 << bits) - 1;
    if ((low & mask) !== 0) {
      split(low, low | mask, sequences);
      split((low | mask) + 1, high, sequences);
      return;
    }
    if ((high & mask) !== mask) {
      split(low, (high & ~mask) - 1, sequences);
      split(high & ~mask, high, sequences);
      return;
    }
  }
  const [from, to] = [utf8(low), utf8(high)];
  sequences.push(from.map((byte, i) => [byte, to[i]!]));
}

function utf8(codePoint: number): number[] {
  if (codePoint < 0x80) return [codePoint];
  const tail = (shift: number) => 0x80 | ((codePoint >>> shift) & 0x3f);
  if (codePoint < 0x800) return [0xc0 | (codePoint >>> 6), tail(0)];
  if (codePoint < 0x10000) return [0xe0 | (codePoint >>> 12), tail(6), tail(0)];
  return [0xf0 | (codePoint >>> 18), tail(12), tail(6), tail(0)];
}

/** A way on from a byte state: byte ranges to go, and the state of the code point automaton they lead to. */
interface Path {
  ranges: ByteRanges;
  to: number;
}

/** Steps of a work limit that a state of code points takes, and each of its transitions on bytes. */
const STATE_STEPS = 20;
const EDGE_STEPS = 2;

/** The first code point that takes more than a byte. */
const BEYOND_ASCII = 0x80;

/** Makes byte states of code point states, each once. */
class ByteStates {
  readonly out: { accept: number; edges: Edge[] }[] = [];
  transitions = 0;
  readonly #dfa: Dfa;
  readonly #alive: readonly boolean[];
  /** Byte states of code point states, and of what is left of sequences, by their text. */
  readonly #whole = new Map<number, number>();
  readonly #partial = new Map<string, number>();
  /** The edges of all code points beyond ASCII, by the state that they lead to. */
  readonly #beyond = new Map<number, Edge[]>();
  readonly #pending: number[] = [];

  constructor(dfa: Dfa) {
    this.#dfa = dfa;
    this.#alive = aliveStates(dfa);
    this.#stateOf(0);
  }

  /** Makes all that are reached from the first. */
  *make(isDue: IsDue): Turns<void> {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      const made = this.transitions;
      this.#fill(next);
      if (isDue(STATE_STEPS + EDGE_STEPS * (this.transitions - made))) yield;
    }
  }

  #stateOf(state: number): number {
    let number = this.#whole.get(state);
    if (number === undefined) {
      number = this.out.push({ accept: this.#dfa.accepts[state]!, edges: [] }) - 1;
      this.#whole.set(state, number);
      this.#pending.push(state);
    }
    return number;
  }

  #fill(state: number): void {
    const { edges } = this.out[this.#whole.get(state)!]!;
    const all = this.#dfa.states[state]!.filter(({ to }) => this.#alive[to]);
    const ascii = all.filter(({ low }) => low < BEYOND_ASCII);
    const last = ascii.at(-1);
    // Most states know letters, and take everything else alike.
    const alike = ascii.length === all.length && (last === undefined || last.high < BEYOND_ASCII);
    if (alike || (ascii.length === all.length && last?.high === MAX_CODE_POINT)) {
      for (const { low, high, to } of ascii) {
        edges.push({ low, high: Math.min(high, BEYOND_ASCII - 1), to: this.#stateOf(to) });
        this.#count(1);
      }
      if (alike) return;
      const beyond = this.#beyondAscii(last!.to);
      this.#count(beyond.length);
      edges.push(...beyond);
      return;
    }
    const paths = all.flatMap(({ low, high, to }) => utf8Ranges(low, high).map((ranges) => ({ ranges, to })));
    edges.push(...this.#edges(paths));
    this.#count(edges.length);
  }

  #beyondAscii(to: number): Edge[] {
    let edges = this.#beyond.get(to);
    if (edges === undefined) {
      edges = this.#edges(utf8Ranges(BEYOND_ASCII, MAX_CODE_POINT).map((ranges) => ({ ranges, to })));
      this.#beyond.set(to, edges);
    }
    return edges;
  }

  /** The edges by the first bytes of paths, ascending. */
  #edges(paths: readonly Path[]): Edge[] {
    // The first ranges of two paths are the same or don't overlap: only what covers all continuations spans several bytes.
    const groups = new Map<number, Path[]>();
    for (const path of paths) {
      const [first, last] = path.ranges[0]!;
      const group = groups.get(first * 256 + last);
      if (group === undefined) groups.set(first * 256 + last, [path]);
      else group.push(path);
    }
    const edges: Edge[] = [];
    for (const [range, group] of groups) {
      const rest = group.map(({ ranges, to }) => ({ ranges: ranges.slice(1), to }));
      const [lone] = rest;
      const to = lone!.ranges.length === 0 ? this.#stateOf(lone!.to) : this.#rest(rest);
      edges.push({ low: range >>> 8, high: range & 255, to });
    }
    return edges.sort((a, b) => a.low - b.low);
  }

  /** The state within a sequence of bytes. */
  #rest(rest: readonly Path[]): number {
    const key = rest.map(({ ranges, to }) => `${ranges.join('-')}>${to}`).join();
    let number = this.#partial.get(key);
    if (number === undefined) {
      number = this.out.push({ accept: 0, edges: [] }) - 1;
      this.#partial.set(key, number);
      const edges = this.#edges(rest);
      this.#count(edges.length);
      this.out[number]!.edges = edges;
    }
    return number;
  }

  #count(edges: number): void {
    this.transitions += edges;
    if (this.transitions > MAX_TRANSITIONS) throw new TooComplex('more than a million transitions');
  }
}

/** Per state the least value that a word accepts with which goes on from it; 0 where all values are alike. */
function leastAccepted(states: readonly { accept: number; edges: readonly Edge[] }[]): Uint8Array {
  const least = new Uint8Array(states.length);
  const values = [...new Set(states.map(({ accept }) => accept))].filter((value) => value > 0);
  if (values.length < 2) return least;
  const sources: number[][] = states.map(() => []);
  for (const [from, { edges }] of states.entries()) for (const { to } of edges) sources[to]!.push(from);
  for (const value of values.sort((a, b) => a - b)) {
    const pending = states.flatMap(({ accept }, state) =>
      accept === value && least[state] === 0 ? [state] : [],
    );
    for (const state of pending) least[state] = value;
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      for (const from of sources[state]!) {
        if (least[from] !== 0) continue;
        least[from] = value;
        pending.push(from);
      }
    }
  }
  return least;
}

/** The automaton over UTF-8 bytes, as the core reads it. Refuses what would be too large with {@link TooComplex}. */
export function encodeDfa(dfa: Dfa): Uint8Array {
  return atOnce(encodeDfaInTurns(dfa, () => false));
}

/** The same in turns. */
export function* encodeDfaInTurns(dfa: Dfa, isDue: IsDue): Turns<Uint8Array> {
  const made = new ByteStates(dfa);
  yield* made.make(isDue);
  const { out, transitions } = made;
  const least = leastAccepted(out);
  const bytes = new Uint8Array(4 + 4 * out.length + 8 * transitions);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, out.length, true);
  let at = 4;
  for (const [state, { accept, edges }] of out.entries()) {
    bytes[at] = accept;
    bytes[at + 1] = least[state]!;
    view.setUint16(at + 2, edges.length, true);
    at += 4;
    for (const { low, high, to } of edges) {
      bytes[at] = low;
      bytes[at + 1] = high;
      view.setUint32(at + 4, to, true);
      at += 8;
    }
  }
  return bytes;
}
