/** `filter_path`: the parts of an answer that paths of keys lead to, such as `a.b,c.*,**.d`. */
import { illegalArgument } from '../errors.js';
import { wildcard } from '../text/wildcard.js';
import type { Turns, WorkLimit } from '../workLimit.js';
import { isJsonObject, type Json } from './json.js';

/** Parts of all paths of a request. */
const MAX_PARTS = 1000;
/** What a key costs, in steps of a work limit. */
const KEY_STEPS = 4;

/** A part of a path: a test of a key, any number of keys (`**`), or the end. */
type Part = ((key: string) => boolean) | typeof ANY | typeof END;
const ANY = 1;
const END = 0;

/**
 * Follows all paths at once, as an automaton does: its states are places in the paths, each at most once, so that a key costs at most as
 * many steps as there are parts, whatever the paths are.
 */
class AnswerPaths {
  /** The parts of all paths, each path followed by its end. */
  readonly #parts: Part[] = [];
  readonly start: readonly number[];
  readonly #work: WorkLimit;

  constructor(paths: readonly string[], work: WorkLimit) {
    this.#work = work;
    const starts: number[] = [];
    for (const path of paths) {
      starts.push(this.#parts.length);
      for (const text of path.split(/(?<!\\)\./)) {
        const part = text === '**' ? ANY : wildcard(text.replaceAll('\\.', '.'));
        // Any number of keys twice is any number of keys.
        if (part !== ANY || this.#parts.at(-1) !== ANY) this.#parts.push(part);
      }
      this.#parts.push(END);
      if (this.#parts.length > MAX_PARTS + paths.length)
        throw illegalArgument(`filter_path has more than ${MAX_PARTS} parts`);
    }
    this.start = this.#closed(starts);
  }

  /** What is left of a value below a place; undefined if that is nothing. */
  *filtered(value: Json, states: readonly number[]): Turns<Json | undefined> {
    if (Array.isArray(value)) {
      const kept: Json[] = [];
      for (const each of value as readonly Json[]) {
        const left = yield* this.filtered(each, states);
        // As lists are looked through, they come to one.
        if (Array.isArray(left)) for (const inner of left as readonly Json[]) kept.push(inner);
        else if (left !== undefined) kept.push(left);
      }
      return kept.length === 0 ? undefined : kept;
    }
    if (!isJsonObject(value)) return undefined;
    const out: [string, Json][] = [];
    for (const [key, each] of Object.entries(value)) {
      if (each === undefined) continue;
      if (this.#work.isDue(KEY_STEPS + states.length)) yield;
      const further = this.#follow(states, key);
      if (further.length === 0) continue;
      const ends = further.some((state) => this.#parts[state] === END);
      const kept = ends ? each : yield* this.filtered(each, further);
      if (kept !== undefined) out.push([key, kept]);
    }
    return out.length === 0 ? undefined : Object.fromEntries(out);
  }

  /** The states behind a key. */
  #follow(states: readonly number[], key: string): number[] {
    const next: number[] = [];
    for (const state of states) {
      const part = this.#parts[state];
      if (part === END) continue;
      if (part === ANY) {
        next.push(state);
        if (this.#parts[state + 1] === END) next.push(state + 1);
      } else if (part!(key)) next.push(state + 1);
    }
    return next.length === 0 ? next : this.#closed(next);
  }

  /** With the states that are reached without a key: `**` stands for none as well, unless it is the last part. */
  #closed(states: readonly number[]): number[] {
    const all = new Set<number>();
    for (let state of states) {
      for (;;) {
        if (all.has(state)) break;
        all.add(state);
        if (this.#parts[state] !== ANY || this.#parts[state + 1] === END) break;
        state++;
      }
    }
    return [...all];
  }
}

/** Keeps what one of the paths leads to; lists are looked through, sources are kept whole or not at all. `work` counts the steps. */
export function* filterPath(value: Json, paths: string, work: WorkLimit): Turns<Json> {
  const given = paths.split(',').filter((path) => path !== '');
  if (given.length === 0) return value;
  const parsed = new AnswerPaths(given, work);
  return (yield* parsed.filtered(value, parsed.start)) ?? {};
}
