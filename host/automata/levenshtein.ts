/** The words within a few edits of a word, as an automaton that accepts with 1 + the least number of edits. */

import { type Dfa, type Edge, MAX_CODE_POINT, TooComplex } from './dfa.js';

/** Longest word in code points. */
const MAX_LENGTH = 1000;

/** So far: `at` characters of the word are behind us, at the cost of so many edits; `swapped`: the next one must be the one before. */
export interface Place {
  at: number;
  edits: number;
  swapped: boolean;
}

/**
 * The automaton of words that begin with the first `prefix` characters of `word` and differ from it in at most `most`
 * insertions, deletions, replacements and (with `transpositions`) swaps of neighbours.
 */
export function levenshtein(word: string, most: number, prefix: number, transpositions: boolean): Dfa {
  const all = Array.from(word, (c) => c.codePointAt(0)!);
  if (all.length > MAX_LENGTH) throw new TooComplex(`a word of more than ${MAX_LENGTH} characters`);
  const fixed = Math.min(prefix, all.length);
  const dfa: Dfa = { states: [], accepts: [] };
  for (const [i, c] of all.slice(0, fixed).entries()) {
    dfa.states.push([{ low: c, high: c, to: i + 1 }]);
    dfa.accepts.push(0);
  }
  const rest = all.slice(fixed);
  const sets: Place[][] = [];
  const numbers = new Map<string, number>();
  const numberOf = (places: Place[]): number => {
    const set = reduced(places);
    const key = set.map(({ at, edits, swapped }) => `${at}.${edits}${swapped ? 's' : ''}`).join();
    let number = numbers.get(key);
    if (number === undefined) {
      number = fixed + sets.push(set) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  numberOf([{ at: 0, edits: 0, swapped: false }]);
  for (let i = 0; i < sets.length; i++) {
    const set = sets[i]!;
    // Characters beyond those that the next edits can reach are all alike.
    const near = new Set<number>();
    for (const { at, edits } of set)
      for (let k = at - 1; k <= at + most - edits + 1; k++) if (rest[k] !== undefined) near.add(rest[k]!);
    const step = (c: number | undefined) =>
      set.flatMap((place) => after(place, c, rest, most, transpositions));
    const edges: Edge[] = [];
    const otherwise = step(undefined);
    const other = otherwise.length > 0 ? numberOf(otherwise) : -1;
    let next = 0;
    for (const c of [...near].sort((a, b) => a - b)) {
      if (other >= 0 && c > next) edges.push({ low: next, high: c - 1, to: other });
      const places = step(c);
      if (places.length > 0) edges.push({ low: c, high: c, to: numberOf(places) });
      next = c + 1;
    }
    if (other >= 0 && next <= MAX_CODE_POINT) edges.push({ low: next, high: MAX_CODE_POINT, to: other });
    dfa.states.push(edges);
    const least = Math.min(
      ...set.map(({ at, edits, swapped }) => (swapped ? Number.POSITIVE_INFINITY : edits + rest.length - at)),
    );
    dfa.accepts.push(least <= most ? 1 + least : 0);
  }
  return dfa;
}

/** Where a character leads; `undefined` is one that is nowhere near in the word. */
export function after(
  { at, edits, swapped }: Place,
  c: number | undefined,
  word: readonly number[],
  most: number,
  transpositions: boolean,
): Place[] {
  if (swapped) return c === word[at] ? [{ at: at + 2, edits, swapped: false }] : [];
  const places: Place[] = [];
  // Some characters of the word are left out, then this one is the next.
  for (let skipped = 0; edits + skipped <= most && at + skipped < word.length; skipped++) {
    if (word[at + skipped] === c && c !== undefined)
      places.push({ at: at + skipped + 1, edits: edits + skipped, swapped: false });
  }
  if (edits < most) {
    places.push({ at, edits: edits + 1, swapped: false });
    if (at < word.length) places.push({ at: at + 1, edits: edits + 1, swapped: false });
    if (transpositions && c !== undefined && word[at + 1] === c)
      places.push({ at, edits: edits + 1, swapped: true });
  }
  return places;
}

/** Without the places from which another one, with fewer edits, gets at least as far. Ascending. */
export function reduced(places: readonly Place[]): Place[] {
  const kept = places.filter(
    (p, i) =>
      !places.some((q, j) => {
        if (i === j || q.swapped) return j < i && same(p, q);
        if (same(p, q)) return j < i;
        return !p.swapped && q.edits < p.edits && Math.abs(p.at - q.at) <= p.edits - q.edits;
      }),
  );
  return kept.sort((a, b) => a.at - b.at || a.edits - b.edits || Number(a.swapped) - Number(b.swapped));
}

function same(p: Place, q: Place): boolean {
  return p.at === q.at && p.edits === q.edits && p.swapped === q.swapped;
}
