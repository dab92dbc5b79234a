/** What multi-term queries look for, with the automata that the core runs over a field's terms. */

import { encodeDfaInTurns, TooComplex } from '../../automata/dfa.js';
import { fuzzyAutomaton } from '../../automata/fuzzyAutomaton.js';
import { Nfa } from '../../automata/nfa.js';
import { RecentAutomata } from '../../automata/recent.js';
import { RegexpFlag, regexpPart, wildcardPart } from '../../automata/regexp.js';
import { ElasticsearchError } from '../../errors.js';
import { type IsDue, longPart } from '../../passes.js';
import type { TermMatcher } from '../../plan/termMatcher.js';
import type { Turns } from '../../workLimit.js';

const encoder = new TextEncoder();
const recent = new RecentAutomata(1024 * 1024);

/**
 * Why what was asked for last takes too many states: every shard asks, and finding out takes long. Texts, since an error keeps all that
 * its stack has worked on.
 */
const refused = new Map<string, string>();
const MAX_REFUSED = 16;
/** Longer patterns are not remembered. */
const MAX_REMEMBERED = 4096;

function remember(key: string, why: string): void {
  if (key.length > MAX_REMEMBERED) return;
  refused.delete(key);
  refused.set(key, why);
  if (refused.size > MAX_REFUSED) refused.delete(refused.keys().next().value!);
}

/** Steps of a work limit that the automaton of a fuzzy word takes. */
const FUZZY_STEPS = 1024;

/** Most states of the automaton of a regular expression. */
const MAX_STATES = 10_000;

/** The terms of a wildcard pattern: `*`, `?` and `\`. */
export function wildcardMatcher(pattern: string): TermMatcher {
  const automaton = bounded(pattern, `*${pattern}`, function* (isDue) {
    const nfa = new Nfa(MAX_STATES, isDue);
    // A pattern of nothing matches nothing, not even the empty term.
    const part = pattern === '' ? nfa.nothing() : wildcardPart(pattern, nfa);
    return yield* encodeDfaInTurns(yield* nfa.deterministic(part), isDue);
  });
  return { type: 'wildcard', pattern, automaton, end: wildcardEnd(pattern) };
}

/** What the terms of a pattern end with that may begin with anything: else the automaton leads to the few terms that begin right. */
function wildcardEnd(pattern: string): Uint8Array | undefined {
  if (!/^[*?]/.test(pattern)) return undefined;
  const [end] = /[^*?\\\ud800-\udfff]*$/.exec(pattern)!;
  return end === '' ? undefined : encoder.encode(end);
}

/** The terms of a regular expression of Lucene with the optional operators of `flags`. Fails with 1.7's texts where it is none. */
export function regexpMatcher(pattern: string, flags: number = RegexpFlag.all): TermMatcher {
  const automaton = bounded(pattern, `/${flags}/${pattern}`, function* (isDue) {
    const nfa = new Nfa(MAX_STATES, isDue);
    const words = yield* regexpPart(pattern, flags, nfa);
    return yield* encodeDfaInTurns(yield* nfa.deterministic(words), isDue);
  });
  // Letters and digits stand for themselves.
  const end = /^\.[*+]([\p{L}\p{N}]+)$/u.exec(pattern)?.[1];
  return { type: 'regexp', pattern, automaton, end: end === undefined ? undefined : encoder.encode(end) };
}

/**
 * The terms within `edits` (0 to 2) of a term, of which the first `prefixLength` characters are the same. As in Lucene, a
 * prefix as long as the term leaves the term alone.
 */
export function fuzzyMatcher(
  term: string,
  edits: number,
  prefixLength = 0,
  transpositions = true,
): TermMatcher {
  const most = prefixLength >= term.length ? 0 : edits;
  const key = `~${most},${prefixLength},${transpositions ? 1 : 0}~${term}`;
  const automaton = bounded(term, key, function* (isDue) {
    if (isDue(FUZZY_STEPS)) yield;
    return fuzzyAutomaton(term, most, prefixLength, transpositions);
  });
  return { type: 'fuzzy', term, edits, prefixLength, transpositions, automaton };
}

/** Characters of a pattern or of a fuzzy word. */
const MAX_PATTERN = 8192;

/** An automaton, unless it takes too many states; `key` tells it from others, `pattern` is for the error. */
export function bounded(pattern: string, key: string, make: (isDue: IsDue) => Turns<Uint8Array>): Uint8Array {
  try {
    if (pattern.length > MAX_PATTERN) throw new TooComplex(`more than ${MAX_PATTERN} states`);
    const known = refused.get(key);
    if (known !== undefined) throw new TooComplex(known);
    return recent.get(key, () => longPart(bounded, key, make));
  } catch (e) {
    if (!(e instanceof TooComplex)) throw e;
    remember(key, e.message);
    const shown = pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
    throw new ElasticsearchError(
      'TooComplexToDeterminizeException',
      `Determinizing [${shown}] would result in ${e.message}.`,
      { status: 400, isLimit: true },
    );
  }
}
