/**
 * How often a phrase occurs in one document: exactly, and with slop as Lucene 4.10's SloppyPhraseScorer counts it.
 * The latter is followed step by step, since what it counts has no simpler description.
 */

const f = Math.fround;

/** One position of the phrase: its offset in the query, its terms, where they are in the document (ascending). */
export interface PhrasePart {
  offset: number;
  terms: readonly string[];
  positions: readonly number[];
}

/** The number of places where every part stands at its offset. */
export function exactFrequency(parts: readonly PhrasePart[]): number {
  const [first, ...rest] = parts;
  if (first === undefined) return 0;
  const others = rest.map((part) => ({ offset: part.offset, at: new Set(part.positions) }));
  let freq = 0;
  for (const position of new Set(first.positions)) {
    const start = position - first.offset;
    // Lucene 4.10 overlooks a phrase that would begin before the field does.
    if (start >= 0 && others.every((other) => other.at.has(start + other.offset))) freq++;
  }
  return freq;
}

/** PhrasePositions: a part and a cursor over its positions, which are shifted by the offset. */
class Part {
  readonly offset: number;
  readonly ord: number;
  readonly terms: readonly string[];
  readonly #positions: readonly number[];
  #next = 0;
  position = 0;
  group = -1;
  index = 0;

  constructor(part: PhrasePart, ord: number) {
    this.offset = part.offset;
    this.ord = ord;
    this.terms = part.terms;
    this.#positions = part.positions;
  }

  next(): boolean {
    const position = this.#positions[this.#next];
    if (position === undefined) return false;
    this.#next++;
    this.position = position - this.offset;
    return true;
  }

  /** The position in the document. */
  get place(): number {
    return this.position + this.offset;
  }
}

function before(a: Part, b: Part): boolean {
  if (a.position !== b.position) return a.position < b.position;
  return a.offset === b.offset ? a.ord < b.ord : a.offset < b.offset;
}

/** The sum of `1 / (distance + 1)` over the matches within `slop`. `groups` are those of {@link repetitionGroups}. */
export function sloppyFrequency(
  parts: readonly PhrasePart[],
  slop: number,
  groups: RepetitionGroups,
): number {
  return new SloppyMatcher(parts, slop, groups).frequency();
}

/**
 * Parts that share a term, as lists of indices in order of their offsets. Lucene finds them in the first document
 * that has all terms, where only terms count, since there each part stands on its first position.
 */
export interface RepetitionGroups {
  groups: number[][];
  /** Whether a part that repeats has several terms. */
  multiTerm: boolean;
}

export function repetitionGroups(
  parts: readonly { offset: number; terms: readonly string[] }[],
): RepetitionGroups {
  const count = new Map<string, number>();
  for (const part of parts) for (const term of part.terms) count.set(term, (count.get(term) ?? 0) + 1);
  const repeats = (term: string) => (count.get(term) ?? 0) > 1;
  const repeating = parts.map((_, i) => i).filter((i) => parts[i]!.terms.some(repeats));
  const multiTerm = repeating.some((i) => parts[i]!.terms.length > 1);
  const groups: number[][] = [];
  const shares = (i: number, j: number) =>
    parts[i]!.terms.some((term) => repeats(term) && parts[j]!.terms.includes(term));
  for (const i of repeating) {
    const joined = groups.filter((group) => group.some((j) => shares(i, j)));
    const merged = [i, ...joined.flat()].sort((a, b) => a - b);
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  const kept = groups.filter((group) => group.length > 1);
  for (const group of kept) group.sort((a, b) => parts[a]!.offset - parts[b]!.offset);
  return { groups: kept, multiTerm };
}

class SloppyMatcher {
  readonly #parts: Part[];
  readonly #slop: number;
  readonly #groups: Part[][];
  readonly #multiTerm: boolean;
  #queue: Part[] = [];
  #end = Number.NEGATIVE_INFINITY;

  constructor(parts: readonly PhrasePart[], slop: number, repetitions: RepetitionGroups) {
    this.#parts = parts.map((part, ord) => new Part(part, ord));
    this.#slop = slop;
    this.#multiTerm = repetitions.multiTerm;
    this.#groups = repetitions.groups.map((group) => group.map((i) => this.#parts[i]!));
    this.#groups.forEach((group, g) => {
      group.forEach((part, i) => {
        part.group = g;
        part.index = i;
      });
    });
  }

  frequency(): number {
    if (!this.#start()) return 0;
    let freq = 0;
    let part = this.#pop();
    let length = this.#end - part.position;
    let next = this.#queue[0]!.position;
    while (this.#advance(part)) {
      if (this.#groups.length > 0 && !this.#resolve(part)) break;
      if (part.position > next) {
        if (length <= this.#slop) freq = f(freq + f(1 / f(length + 1)));
        this.#push(part);
        part = this.#pop();
        next = this.#queue[0]!.position;
        length = this.#end - part.position;
      } else {
        length = Math.min(length, this.#end - part.position);
      }
    }
    if (length <= this.#slop) freq = f(freq + f(1 / f(length + 1)));
    return freq;
  }

  #start(): boolean {
    for (const part of this.#parts) part.next();
    if (!this.#separate()) return false;
    for (const part of this.#parts) {
      this.#end = Math.max(this.#end, part.position);
      this.#push(part);
    }
    return true;
  }

  /** Moves parts of the same terms apart before the first match. */
  #separate(): boolean {
    for (const group of this.#groups) {
      if (!this.#multiTerm) {
        for (let j = 1; j < group.length; j++) {
          for (let k = 0; k < j; k++) if (!group[j]!.next()) return false;
        }
        continue;
      }
      let step: number;
      for (let i = 0; i < group.length; i += step) {
        step = 1;
        const part = group[i]!;
        for (let k = this.#collision(part); k >= 0; k = this.#collision(part)) {
          const lesser = this.#lesser(part, group[k]!);
          if (!this.#advance(lesser)) return false;
          if (lesser.index < i) {
            step = 0;
            break;
          }
        }
      }
    }
    return true;
  }

  #advance(part: Part): boolean {
    if (!part.next()) return false;
    this.#end = Math.max(this.#end, part.position);
    return true;
  }

  /** After `part` moved: moves the lesser of two parts on one place until there are no two on one place. */
  #resolve(start: Part): boolean {
    if (start.group < 0) return true;
    const group = this.#groups[start.group]!;
    const moved = new Set<number>();
    let part = start;
    for (let k = this.#collision(part); k >= 0; k = this.#collision(part)) {
      part = this.#lesser(part, group[k]!);
      if (!this.#advance(part)) return false;
      if (k !== start.index) moved.add(k);
    }
    const popped: Part[] = [];
    while (moved.size > 0) {
      const other = this.#pop();
      popped.push(other);
      if (other.group >= 0) moved.delete(other.index);
    }
    while (popped.length > 0) this.#push(popped.pop()!);
    return true;
  }

  #collision(part: Part): number {
    const other = this.#groups[part.group]!.find((each) => each !== part && each.place === part.place);
    return other === undefined ? -1 : other.index;
  }

  #lesser(a: Part, b: Part): Part {
    return a.position < b.position || (a.position === b.position && a.offset < b.offset) ? a : b;
  }

  /**
   * Lucene's priority queue, which is a binary heap whose entries may be changed while they are in it; its exact
   * state then decides what is popped. 1-based as in PriorityQueue.
   */
  #push(part: Part): void {
    this.#queue.push(part);
    const heap = this.#queue;
    let i = heap.length;
    let j = i >>> 1;
    while (j > 0 && before(part, heap[j - 1]!)) {
      heap[i - 1] = heap[j - 1]!;
      i = j;
      j >>>= 1;
    }
    heap[i - 1] = part;
  }

  #pop(): Part {
    const heap = this.#queue;
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return top;
    heap[0] = last;
    const size = heap.length;
    let i = 1;
    let j = 2;
    let k = 3;
    if (k <= size && before(heap[k - 1]!, heap[j - 1]!)) j = k;
    while (j <= size && before(heap[j - 1]!, last)) {
      heap[i - 1] = heap[j - 1]!;
      i = j;
      j = i << 1;
      k = j + 1;
      if (k <= size && before(heap[k - 1]!, heap[j - 1]!)) j = k;
    }
    heap[i - 1] = last;
    return top;
  }
}
