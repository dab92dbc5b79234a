/**
 * Deterministic automata over code points, and their bytes as the core runs them over UTF-8 terms
 * (assembly/search/README.md, *automaton*).
 */

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

/** The automaton over UTF-8 bytes, as the core reads it. Refuses what would be too large with {@link TooComplex}. */
export function encodeDfa(dfa: Dfa): Uint8Array {
  const alive = aliveStates(dfa);
  const numbers = new Map<string, number>();
  const out: { accept: number; edges: Edge[] }[] = [];
  /** What is still to be written: the number of a byte state and the paths that lead on from it. */
  const pending: { number: number; paths: Path[] }[] = [];
  let transitions = 0;
  const reserve = (key: string, accept: number, paths: () => Path[]): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = out.length;
    numbers.set(key, number);
    out.push({ accept, edges: [] });
    pending.push({ number, paths: paths() });
    return number;
  };
  const whole = (state: number) =>
    reserve(`${state}`, dfa.accepts[state]!, () =>
      dfa.states[state]!.filter(({ to }) => alive[to]).flatMap(({ low, high, to }) =>
        utf8Ranges(low, high).map((ranges) => ({ ranges, to })),
      ),
    );
  whole(0);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { edges } = out[next.number]!;
    // The first ranges of two paths are the same or don't overlap: only what covers all continuations spans several bytes.
    const groups = new Map<number, Path[]>();
    for (const path of next.paths) {
      const [first, last] = path.ranges[0]!;
      const group = groups.get(first * 256 + last);
      if (group === undefined) groups.set(first * 256 + last, [path]);
      else group.push(path);
    }
    for (const [range, group] of groups) {
      const rest = group.map(({ ranges, to }) => ({ ranges: ranges.slice(1), to }));
      const [lone] = rest;
      const to =
        lone!.ranges.length === 0
          ? whole(lone!.to)
          : reserve(rest.map(({ ranges, to }) => `${ranges.join('-')}>${to}`).join(), 0, () => rest);
      edges.push({ low: range >>> 8, high: range & 255, to });
      if (++transitions > MAX_TRANSITIONS) throw new TooComplex('more than a million transitions');
    }
    edges.sort((a, b) => a.low - b.low);
  }
  const bytes = new Uint8Array(4 + 4 * out.length + 8 * transitions);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, out.length, true);
  let at = 4;
  for (const { accept, edges } of out) {
    bytes[at] = accept;
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
