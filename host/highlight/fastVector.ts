/**
 * The fast vector highlighter: fragments around the phrases found, cut at boundaries (Lucene 4.10's vectorhighlight package:
 * SimpleFragListBuilder, SingleFragListBuilder, BaseFragmentsBuilder, SimpleBoundaryScanner).
 */

import { endOf, type FoundPhrase, type Offsets, startOf } from './phraseList.js';

/** A piece of the text with phrases to mark. */
interface Piece {
  start: number;
  end: number;
  phrases: FoundPhrase[];
  score: number;
}

/** How pieces are cut and marked. */
export interface VectorCutting {
  /** The size of a fragment in UTF-16 units; undefined: values stay whole. */
  size: number | undefined;
  /** How many fragments there may be. */
  count: number;
  /** Units in front of the first phrase that a fragment has room for. */
  margin: number;
  scoreOrdered: boolean;
  boundaries: ReadonlySet<string>;
  /** How many units from a fragment's ends a boundary is looked for. */
  maxScan: number;
  before: readonly string[];
  after: readonly string[];
  encode(text: string): string;
}

/** The least size of fragments for a margin. */
export function leastSize(margin: number): number {
  return Math.max(1, margin * 3);
}

/** The marked fragments of a field's values. */
export function vectorFragments(
  values: readonly string[],
  phrases: readonly FoundPhrase[],
  cutting: VectorCutting,
): string[] {
  const { size } = cutting;
  const pieces = size === undefined ? whole(phrases) : around(phrases, size, cutting.margin);
  return build(values, pieces, cutting);
}

/** The first `size` units of the values, without marks. */
export function vectorBeginning(values: readonly string[], size: number, cutting: VectorCutting): string[] {
  return build(values, [{ start: 0, end: size, phrases: [], score: 0 }], { ...cutting, count: 1 });
}

function build(values: readonly string[], pieces: readonly Piece[], cutting: VectorCutting): string[] {
  if (values.length === 0) return [];
  const kept = values.length > 1 ? withinValues(pieces, values) : [...pieces];
  if (cutting.scoreOrdered) kept.sort((a, b) => b.score - a.score || a.start - b.start);
  const writer = new Writer(values, cutting);
  return kept.slice(0, cutting.count).map((piece) => writer.write(piece));
}

function whole(phrases: readonly FoundPhrase[]): Piece[] {
  return phrases.length === 0 ? [] : [pieceOf(0, Number.MAX_SAFE_INTEGER, phrases)];
}

function pieceOf(start: number, end: number, phrases: readonly FoundPhrase[]): Piece {
  const score = phrases.reduce((sum, { boost }) => Math.fround(sum + boost), 0);
  return { start, end, phrases: phrases.map((each) => ({ ...each, offsets: [...each.offsets] })), score };
}

/** Pieces of about `size` units with as many phrases as they hold, the phrases in the middle. */
function around(phrases: readonly FoundPhrase[], size: number, margin: number): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let i = 0;
  const fits = ({ offsets }: FoundPhrase, length: number) => offsets.length <= 1 || length <= size;
  while (i < phrases.length) {
    const first = phrases[i++]!;
    // What the piece before has cut through is left out.
    if (startOf(first) < from) continue;
    const start = startOf(first);
    let end = endOf(first);
    const reach = Math.max(end, Math.max(start - margin, from) + size);
    const held = fits(first, end - start) ? [first] : [];
    for (; i < phrases.length && endOf(phrases[i]!) <= reach; i++) {
      end = endOf(phrases[i]!);
      if (fits(phrases[i]!, end - start)) held.push(phrases[i]!);
    }
    if (held.length === 0) continue;
    const length = end - start;
    const pieceStart = Math.max(from, start - Math.max(0, Math.trunc((size - length) / 2)));
    from = pieceStart + Math.max(length, size);
    pieces.push(pieceOf(pieceStart, from, held));
  }
  return pieces;
}

/** Cuts pieces so that none reaches over more than one value. */
function withinValues(pieces: readonly Piece[], values: readonly string[]): Piece[] {
  const cut: Piece[] = [];
  for (const piece of pieces) cutByValue(piece, values, cut);
  return cut.sort((a, b) => a.start - b.start);
}

function cutByValue(piece: Piece, values: readonly string[], cut: Piece[]): void {
  let valueEnd = 0;
  for (const value of values) {
    if (value === '') {
      valueEnd++;
      continue;
    }
    const valueStart = valueEnd;
    valueEnd += value.length + 1;
    if (piece.start >= valueStart && piece.end <= valueEnd) {
      cut.push(piece);
      return;
    }
    const first = piece.phrases[0]?.offsets[0];
    if (first === undefined) return;
    if (piece.start >= valueEnd || first.start >= valueEnd) continue;
    const start = Math.max(piece.start, valueStart);
    const end = piece.end > valueStart && piece.end < valueEnd ? piece.end : valueEnd;
    const taken: FoundPhrase[] = [];
    for (const phrase of piece.phrases) {
      const offsets = take(phrase.offsets, valueStart, valueEnd);
      if (offsets.length > 0) taken.push({ ...phrase, offsets });
    }
    piece.phrases = piece.phrases.filter(({ offsets }) => offsets.length > 0);
    cut.push(pieceOf(start, end, taken));
  }
}

/** Takes what lies in a value out of `offsets`; what goes on in the next value stays there too. */
function take(offsets: Offsets[], valueStart: number, valueEnd: number): Offsets[] {
  const taken: Offsets[] = [];
  let i = 0;
  while (i < offsets.length && offsets[i]!.start < valueEnd) {
    const { start, end } = offsets[i]!;
    taken.push({ start: Math.max(start, valueStart), end: Math.min(end, valueEnd - 1) });
    if (end < valueEnd) offsets.splice(i, 1);
    else i++;
  }
  return taken;
}

class Writer {
  readonly #values: readonly string[];
  readonly #cutting: VectorCutting;
  /** The values so far, each with a blank behind it. */
  #text = '';
  #read = 0;

  constructor(values: readonly string[], cutting: VectorCutting) {
    this.#values = values;
    this.#cutting = cutting;
  }

  write({ start, end, phrases }: Piece): string {
    const { encode, before, after } = this.#cutting;
    // Analyzers may give tokens out of the order of the text.
    const sorted = [...phrases].sort((a, b) => startOf(a) - startOf(b));
    while (this.#text.length < end && this.#read < this.#values.length) {
      this.#text += `${this.#values[this.#read++]} `;
    }
    const length = this.#text.length - 1;
    const to = length < end ? length : this.#endAt(end);
    const from = this.#startAt(Math.min(start, sorted[0] === undefined ? start : startOf(sorted[0])));
    let at = from;
    let marked = '';
    for (const { offsets, number } of sorted) {
      for (const piece of offsets) {
        if (piece.start < at) continue;
        const text = encode(this.#text.slice(piece.start, Math.min(piece.end, to)));
        marked += `${encode(this.#text.slice(at, piece.start))}${tag(before, number)}${text}${tag(after, number)}`;
        at = piece.end;
      }
    }
    return marked + encode(this.#text.slice(at, Math.max(at, to)));
  }

  #startAt(start: number): number {
    if (start > this.#text.length || start < 1) return start;
    let at = start;
    for (let count = this.#cutting.maxScan; at > 0 && count > 0; count--, at--) {
      if (this.#cutting.boundaries.has(this.#text[at - 1]!)) return at;
    }
    return at === 0 ? 0 : start;
  }

  #endAt(end: number): number {
    let at = end;
    for (let count = this.#cutting.maxScan; at < this.#text.length && count > 0; count--, at++) {
      if (this.#cutting.boundaries.has(this.#text[at]!)) return at;
    }
    return end;
  }
}

function tag(tags: readonly string[], number: number): string {
  return tags[number % tags.length]!;
}
