/** Where a text has the terms and phrases of a query: FieldTermStack and FieldPhraseList of Lucene 4.10. */

import type { FlatQuery } from './flatQueries.js';

/** A token of a text, with its place in UTF-16 units over all values of the field. */
export interface PlacedToken {
  term: string;
  position: number;
  start: number;
  end: number;
}

/** A piece of the text. */
export interface Offsets {
  start: number;
  end: number;
}

/** A term or a phrase found: the pieces of the text that are it. */
export interface FoundPhrase {
  offsets: Offsets[];
  boost: number;
  /** The number of the query; it chooses among several tags. */
  number: number;
}

export function startOf({ offsets }: FoundPhrase): number {
  return offsets[0]!.start;
}
export function endOf({ offsets }: FoundPhrase): number {
  return offsets.at(-1)!.end;
}

/** Terms and phrases by their terms, one after the other. */
class PhraseTree {
  readonly next = new Map<string, PhraseTree>();
  #slop = -1;
  boost = 1;
  number = 0;

  add({ terms, slop, boost }: FlatQuery, number: number): void {
    let at: PhraseTree = this;
    for (const term of terms) {
      let below = at.next.get(term);
      if (below === undefined) {
        below = new PhraseTree();
        at.next.set(term, below);
      }
      at = below;
    }
    at.#slop = slop;
    at.boost = boost;
    at.number = number;
  }

  /** Whether a query ends here, and the tokens are near enough to each other. */
  accepts(tokens: readonly PlacedToken[]): boolean {
    if (this.#slop < 0) return false;
    return tokens.every(
      ({ position }, i) => i === 0 || Math.abs(position - tokens[i - 1]!.position - 1) <= this.#slop,
    );
  }

  find(tokens: readonly PlacedToken[]): PhraseTree | undefined {
    let at: PhraseTree | undefined = this;
    for (const { term } of tokens) at = at?.next.get(term);
    return at?.accepts(tokens) ? at : undefined;
  }
}

/** The longest phrases of `queries` in a text, in its order; at most `limit` of them. */
export function phrasesOf(
  tokens: readonly PlacedToken[],
  queries: readonly FlatQuery[],
  limit: number,
): FoundPhrase[] {
  const tree = new PhraseTree();
  queries.forEach((query, i) => {
    tree.add(query, i);
  });
  const stack = stackOf(tokens, new Set(queries.flatMap(({ terms }) => terms)));
  const found: FoundPhrase[] = [];
  let at = 0;
  while (at < stack.length && found.length < limit) {
    let chosen = choose(stack[at++], tree.next);
    if (chosen === undefined) continue;
    const candidate = [chosen.token];
    let node = chosen.node;
    for (chosen = choose(stack[at], node.next); chosen !== undefined; chosen = choose(stack[at], node.next)) {
      candidate.push(chosen.token);
      node = chosen.node;
      at++;
    }
    if (node.accepts(candidate)) {
      addApart(found, phraseOf(candidate, node));
      continue;
    }
    while (candidate.length > 1) {
      candidate.pop();
      at--;
      const shorter = tree.find(candidate);
      if (shorter === undefined) continue;
      addApart(found, phraseOf(candidate, shorter));
      break;
    }
  }
  return found;
}

/** The tokens that queries look for, by position; those of one position in the order of their terms. */
function stackOf(tokens: readonly PlacedToken[], terms: ReadonlySet<string>): PlacedToken[][] {
  const places = new Map<number, PlacedToken[]>();
  for (const token of tokens) {
    if (!terms.has(token.term)) continue;
    const known = places.get(token.position);
    if (known === undefined) places.set(token.position, [token]);
    else known.push(token);
  }
  for (const place of places.values()) place.sort((a, b) => (a.term < b.term ? -1 : a.term > b.term ? 1 : 0));
  return [...places].sort(([a], [b]) => a - b).map(([, place]) => place);
}

function choose(
  place: readonly PlacedToken[] | undefined,
  next: ReadonlyMap<string, PhraseTree>,
): { token: PlacedToken; node: PhraseTree } | undefined {
  for (const token of place ?? []) {
    const node = next.get(token.term);
    if (node !== undefined) return { token, node };
  }
  return undefined;
}

/** Neighbours become one piece. */
function phraseOf(tokens: readonly PlacedToken[], { boost, number }: PhraseTree): FoundPhrase {
  const offsets: Offsets[] = [];
  tokens.forEach(({ position, start, end }, i) => {
    if (i > 0 && position - tokens[i - 1]!.position === 1) offsets.at(-1)!.end = end;
    else offsets.push({ start, end });
  });
  return { offsets, boost, number };
}

/** What overlaps a phrase already found is dropped. */
function addApart(found: FoundPhrase[], phrase: FoundPhrase): void {
  const start = startOf(phrase);
  const end = endOf(phrase);
  const overlaps = found.some((other) => {
    const from = startOf(other);
    const to = endOf(other);
    return (
      (from <= start && start < to) ||
      (from < end && end <= to) ||
      (start <= from && from < end) ||
      (start < to && to <= end)
    );
  });
  if (!overlaps) found.push(phrase);
}

/** The phrases of several fields of the same text: those that overlap become one. */
export function mergedPhrases(lists: readonly (readonly FoundPhrase[])[]): FoundPhrase[] {
  const sorted = lists
    .flat()
    .sort((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b) || a.boost - b.boost);
  const merged: FoundPhrase[] = [];
  let end = -1;
  for (const phrase of sorted) {
    const last = merged.at(-1);
    if (last === undefined || startOf(phrase) > end) {
      merged.push(phrase);
      end = endOf(phrase);
      continue;
    }
    end = Math.max(end, endOf(phrase));
    merged[merged.length - 1] = {
      offsets: mergedOffsets([...last.offsets, ...phrase.offsets]),
      boost: Math.fround(last.boost + phrase.boost),
      number: last.number,
    };
  }
  return merged;
}

function mergedOffsets(offsets: readonly Offsets[]): Offsets[] {
  const merged: Offsets[] = [];
  for (const { start, end } of [...offsets].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
