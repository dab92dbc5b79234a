/** Java's regular expressions, matched in linear time. */
import { flagsFromNames } from './flags.js';
import { parsePattern } from './parser.js';
import { type Demand, Pike } from './pike.js';
import { type CompiledPattern, compileProgram } from './program.js';
import { Subject } from './subject.js';
import { atOnce, type Turns } from '../workLimit.js';

/** Steps of a search that are taken at a time: about 0.1 ms. */
export const STEPS_AT_ONCE = 4096;

const ANYWHERE: Demand = {};
const AT_START: Demand = { atStart: true };

/** Start and end of what a group captured, in UTF-16 code units. */
export type Span = readonly [start: number, end: number];

/** One match. */
export class Match {
  /** Where it begins and ends, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly #slots: Int32Array;
  readonly #names: ReadonlyMap<string, number>;

  constructor(slots: Int32Array, names: ReadonlyMap<string, number>) {
    this.start = slots[0]!;
    this.end = slots[1]!;
    this.#slots = slots;
    this.#names = names;
  }

  /** What a group captured, by number or by name; undefined for one that took no part. Group 0 is the match. */
  group(group: number | string): Span | undefined {
    const index = typeof group === 'string' ? this.#names.get(group) : group;
    if (index === undefined) return undefined;
    const [start, end] = [this.#slots[2 * index]!, this.#slots[2 * index + 1]!];
    return start < 0 || end < 0 ? undefined : [start, end];
  }
}

/**
 * Compiles a pattern. Flags are Java's bits (see `Flag`), or their names with `|` between them. Throws Java's
 * PatternSyntaxException for what it refuses, and an ElasticsearchIllegalArgumentException for patterns that can't be
 * matched in linear time: references back to groups, atomic groups and possessive quantifiers of more than a character.
 */
export function compileRegex(pattern: string, flags: number | string = 0): Regex {
  const bits = typeof flags === 'string' ? flagsFromNames(flags) : flags;
  const parsed = parsePattern(pattern, bits);
  return new Regex(pattern, compileProgram(parsed, pattern), parsed.names);
}

/** The pattern that matches a text and nothing else. */
export function quoteRegex(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}#\s]/g, '\\$&');
}

/** A compiled pattern. */
export class Regex {
  readonly pattern: string;
  /** How many capturing groups it has. */
  readonly groupCount: number;
  /** The numbers of the groups that have names. */
  readonly names: ReadonlyMap<string, number>;
  readonly #compiled: CompiledPattern;
  readonly #main: Pike;
  /** Of look-arounds with groups, those that are not searching. */
  readonly #looks = new Map<number, Pike>();
  readonly #hasLooks: boolean;

  /** See {@link compileRegex}. */
  constructor(pattern: string, compiled: CompiledPattern, names: ReadonlyMap<string, number>) {
    this.pattern = pattern;
    this.groupCount = compiled.groups;
    this.names = names;
    this.#compiled = compiled;
    this.#main = new Pike(compiled, compiled.main);
    this.#hasLooks = compiled.looks.length > 0;
  }

  /** The first match from an offset on; look-behinds and boundaries see what stands before it. */
  exec(text: string, from = 0): Match | undefined {
    const subject = new Subject(text, this.#compiled);
    subject.continueFrom(from);
    return this.#find(subject, from, {});
  }

  /** Whether the whole of a text is one match. */
  matches(text: string): boolean {
    return this.#find(new Subject(text, this.#compiled), 0, { atStart: true, toEnd: true }) !== undefined;
  }

  /** All matches that don't overlap, from the left, as Java's Matcher.find gives them one after the other. */
  *findAll(text: string): Generator<Match, void, undefined> {
    const subject = new Subject(text, this.#compiled);
    for (let from = 0, last = 0; from <= text.length; ) {
      subject.continueFrom(last);
      const match = this.#find(subject, from, {});
      if (match === undefined) return;
      yield match;
      from = match.end;
      last = from;
      // After an empty match the search goes on behind the next character.
      if (match.end === match.start) from += (text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1;
    }
  }

  /**
   * The same, with undefined in between wherever {@link STEPS_AT_ONCE} steps have been taken: a long text may take a long pattern
   * seconds. Others may use the pattern meanwhile.
   */
  *findAllInTurns(text: string): Generator<Match | undefined, void, undefined> {
    if (this.stepsOf(text) <= STEPS_AT_ONCE) {
      yield* this.findAll(text);
      return;
    }
    const subject = new Subject(text, this.#compiled);
    yield* subject.lookInTurns();
    const pike = new Pike(this.#compiled, this.#compiled.main);
    for (let from = 0, last = 0; from <= text.length; ) {
      subject.continueFrom(last);
      pike.begin(from);
      while (!pike.goOn(subject, from, ANYWHERE, STEPS_AT_ONCE)) yield;
      const slots = pike.found;
      if (slots === undefined) return;
      yield* this.#captureInLooks(subject, slots);
      const match = new Match(slots, this.names);
      yield match;
      from = match.end;
      last = from;
      if (match.end === match.start) from += (text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1;
    }
  }

  /** How many steps searching a text may take, counting but one way to match. */
  stepsOf(text: string): number {
    return 1 + text.length * this.#compiled.main.op.length;
  }

  #find(subject: Subject, from: number, demand: Demand): Match | undefined {
    const slots = this.#main.search(subject, from, demand);
    if (slots === undefined) return undefined;
    if (this.#hasLooks) atOnce(this.#captureInLooks(subject, slots));
    return new Match(slots, this.names);
  }

  /** Fills the groups within look-aheads: each is matched once more where it held. */
  *#captureInLooks(subject: Subject, slots: Int32Array): Turns<void> {
    // Those within others come before them.
    for (let i = this.#compiled.looks.length - 1; i >= 0; i--) {
      const { captures } = this.#compiled.looks[i]!;
      if (captures === undefined || slots[captures.slot]! < 0) continue;
      const idle = this.#looks.get(i);
      this.#looks.delete(i);
      const pike = idle ?? new Pike(this.#compiled, captures.program);
      const from = slots[captures.slot]!;
      pike.begin(from);
      while (!pike.goOn(subject, from, AT_START, STEPS_AT_ONCE)) yield;
      this.#looks.set(i, pike);
      pike.found?.forEach((at, slot) => {
        if (slot > 1 && at >= 0) slots[slot] = at;
      });
    }
  }
}
