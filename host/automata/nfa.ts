/** Automata with choices, put together from parts, and made deterministic within a bound. */

import type { IsDue } from '../passes.js';
import type { Turns } from '../workLimit.js';
import { type Dfa, type Edge, MAX_CODE_POINT, TooComplex } from './dfa.js';

/** A part of an automaton under construction: its one entry and its one exit. A part stands in one place only. */
export interface Part {
  start: number;
  end: number;
}

/** Steps of a work limit that a deterministic state takes beside the states that it stands for. */
const STATE_STEPS = 50;
/** Most states while an automaton is built. */
const MAX_STATES = 100_000;

export class Nfa {
  readonly #edges: Edge[][] = [];
  readonly #free: number[][] = [];
  readonly #maxDeterministic: number;
  readonly #isDue: IsDue;
  /** Steps that all automata made of parts of this one have taken so far. */
  #work = 0;

  /**
   * @param maxDeterministic the most states of a deterministic automaton made of parts of this one
   * @param isDue counts the steps of what is made in turns
   */
  constructor(maxDeterministic: number, isDue: IsDue) {
    this.#maxDeterministic = maxDeterministic;
    this.#isDue = isDue;
  }

  #state(): number {
    if (this.#edges.length >= MAX_STATES) throw new TooComplex(`more than ${MAX_STATES} states`);
    this.#free.push([]);
    return this.#edges.push([]) - 1;
  }

  /** Matches nothing. */
  nothing(): Part {
    return { start: this.#state(), end: this.#state() };
  }

  /** Matches the empty word. */
  empty(): Part {
    const part = this.nothing();
    this.#free[part.start]!.push(part.end);
    return part;
  }

  /** Matches one code point of the ranges, `[low, high]` each. */
  oneOf(ranges: readonly (readonly [number, number])[]): Part {
    const part = this.nothing();
    for (const [low, high] of ranges)
      if (low <= high) this.#edges[part.start]!.push({ low, high, to: part.end });
    return part;
  }

  /** Matches the code points of a text. */
  text(text: string): Part {
    return this.sequence(Array.from(text, (c) => this.oneOf([[c.codePointAt(0)!, c.codePointAt(0)!]])));
  }

  /** Matches any word. */
  anything(): Part {
    return this.repeat(this.oneOf([[0, MAX_CODE_POINT]]));
  }

  /** One part after the other. */
  sequence(parts: readonly Part[]): Part {
    const [first, ...others] = parts;
    if (first === undefined) return this.empty();
    let { end } = first;
    for (const part of others) {
      this.#free[end]!.push(part.start);
      end = part.end;
    }
    return { start: first.start, end };
  }

  /** Any of the parts. */
  union(parts: readonly Part[]): Part {
    const all = this.nothing();
    for (const { start, end } of parts) {
      this.#free[all.start]!.push(start);
      this.#free[end]!.push(all.end);
    }
    return all;
  }

  /**
   * As many of the parts as may be, one after the other. Behind each of them it may end at once: a way past every one of the rest would let each
   * reach all others.
   */
  someOf(parts: readonly Part[]): Part {
    const all = this.nothing();
    let { start: from } = all;
    for (const { start, end } of parts) {
      this.#free[from]!.push(start, all.end);
      from = end;
    }
    this.#free[from]!.push(all.end);
    return all;
  }

  /** The part any number of times. */
  repeat(part: Part): Part {
    const all = this.empty();
    this.#free[all.start]!.push(part.start);
    this.#free[part.end]!.push(part.start, all.end);
    return all;
  }

  /** The words that are not of the part. */
  *complement(part: Part): Turns<Part> {
    const { states, accepts } = yield* this.deterministic(part);
    const all = states.length;
    const total = [
      ...states.map((edges) => completed(edges, all)),
      [{ low: 0, high: MAX_CODE_POINT, to: all }],
    ];
    return this.#adopt({ states: total, accepts: [...accepts.map((value) => (value === 0 ? 1 : 0)), 1] });
  }

  /** The words of both parts. */
  *intersection(one: Part, other: Part): Turns<Part> {
    const [a, b] = [yield* this.deterministic(one), yield* this.deterministic(other)];
    const pairs: [number, number][] = [[0, 0]];
    const numbers = new Map([['0,0', 0]]);
    const result: Dfa = { states: [], accepts: [] };
    for (let i = 0; i < pairs.length; i++) {
      const [p, q] = pairs[i]!;
      const edges: Edge[] = [];
      const steps = a.states[p]!.length * b.states[q]!.length;
      this.#count(steps);
      for (const x of a.states[p]!) {
        for (const y of b.states[q]!) {
          const [low, high] = [Math.max(x.low, y.low), Math.min(x.high, y.high)];
          if (low > high) continue;
          const key = `${x.to},${y.to}`;
          let to = numbers.get(key);
          if (to === undefined) {
            to = pairs.push([x.to, y.to]) - 1;
            if (to >= this.#maxDeterministic) throw this.#tooMany();
            numbers.set(key, to);
          }
          edges.push({ low, high, to });
        }
      }
      result.states.push(edges);
      result.accepts.push(a.accepts[p]! && b.accepts[q]!);
      if (this.#isDue(STATE_STEPS + steps)) yield;
    }
    return this.#adopt(result);
  }

  /** The same words, without choices. */
  *deterministic(part: Part): Turns<Dfa> {
    const result: Dfa = { states: [], accepts: [] };
    const numbers = new Map<string, number>();
    const sets: number[][] = [];
    const numberOf = (set: number[]): number => {
      const key = set.join();
      const known = numbers.get(key);
      if (known !== undefined) return known;
      if (sets.length >= this.#maxDeterministic) throw this.#tooMany();
      numbers.set(key, sets.length);
      return sets.push(set) - 1;
    };
    numberOf(this.#closure([part.start]));
    for (let i = 0; i < sets.length; i++) {
      const set = sets[i]!;
      this.#count(set.length);
      const edges = set.flatMap((state) => this.#edges[state]!).sort((x, y) => x.low - y.low);
      const starts = [...new Set(edges.flatMap(({ low, high }) => [low, high + 1]))].sort((x, y) => x - y);
      const merged: Edge[] = [];
      let begun = 0;
      let active: Edge[] = [];
      for (const [n, low] of starts.entries()) {
        const high = (starts[n + 1] ?? MAX_CODE_POINT + 1) - 1;
        active = active.filter((edge) => edge.high >= low);
        while (begun < edges.length && edges[begun]!.low <= low) active.push(edges[begun++]!);
        this.#count(active.length + 1);
        if (active.length === 0) continue;
        const reached = this.#closure(active.map((edge) => edge.to));
        this.#count(CLOSURE_WORK * reached.length);
        const to = numberOf(reached);
        const last = merged.at(-1);
        if (last !== undefined && last.to === to && last.high + 1 === low) last.high = high;
        else merged.push({ low, high, to });
      }
      result.states.push(merged);
      result.accepts.push(set.includes(part.end) ? 1 : 0);
      if (this.#isDue(STATE_STEPS + set.length)) yield;
    }
    return result;
  }

  /** States that are reached without reading, ascending. */
  #closure(states: readonly number[]): number[] {
    const seen = new Set(states);
    const pending = [...seen];
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      for (const to of this.#free[state]!) {
        if (seen.has(to)) continue;
        seen.add(to);
        pending.push(to);
      }
    }
    return [...seen].sort((a, b) => a - b);
  }

  #adopt({ states, accepts }: Dfa): Part {
    const part = this.nothing();
    const made = states.map(() => this.#state());
    for (const [state, edges] of states.entries()) {
      this.#edges[made[state]!] = edges.map((edge) => ({ ...edge, to: made[edge.to]! }));
      if (accepts[state] !== 0) this.#free[made[state]!]!.push(part.end);
    }
    this.#free[part.start]!.push(made[0]!);
    return part;
  }

  #count(steps: number): void {
    this.#work += steps;
    if (this.#work > MAX_WORK) throw this.#tooMany();
  }

  #tooMany(): TooComplex {
    return new TooComplex(`more than ${this.#maxDeterministic} states`);
  }
}

/** Most steps of one expression: edges and states looked at while automata are made deterministic or brought together. */
const MAX_WORK = 8_000_000;
/** What a state takes that is reached, sorted in and told from others. */
const CLOSURE_WORK = 4;

/** The edges of a state with the gaps between them leading to `rest`. */
function completed(edges: readonly Edge[], rest: number): Edge[] {
  const all: Edge[] = [];
  let next = 0;
  for (const edge of edges) {
    if (edge.low > next) all.push({ low: next, high: edge.low - 1, to: rest });
    all.push(edge);
    next = edge.high + 1;
  }
  if (next <= MAX_CODE_POINT) all.push({ low: next, high: MAX_CODE_POINT, to: rest });
  return all;
}
