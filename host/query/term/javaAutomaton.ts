/** Java's regular expressions as automata that the core runs over terms: those that take a term as a whole. */

import { encodeDfaInTurns } from '../../automata/dfa.js';
import { Nfa, type Part } from '../../automata/nfa.js';
import { unsupported } from '../../regex/errors.js';
import { parsePattern } from '../../regex/parser.js';
import { Assertion, type Node } from '../../regex/tree.js';
import type { Turns } from '../../workLimit.js';
import { bounded } from './termMatchers.js';

/** Most states of an automaton. */
const MAX_STATES = 10_000;

/** The terms that a pattern takes; flags are those of `host/regex/flags.ts`. Throws Java's PatternSyntaxException. */
export function javaAutomaton(pattern: string, flags: number): Uint8Array {
  const { root } = parsePattern(pattern, flags);
  return bounded(pattern, `j${flags}j${pattern}`, function* (isDue) {
    const nfa = new Nfa(MAX_STATES, isDue);
    const words = yield* new Translation(pattern, nfa).whole(flat(root));
    return yield* encodeDfaInTurns(yield* nfa.deterministic(words), isDue);
  });
}

/** The terms of a list. */
export function listAutomaton(terms: readonly string[]): Uint8Array {
  return bounded(terms.join('|'), `|${JSON.stringify(terms)}`, function* (isDue) {
    const nfa = new Nfa(Number.POSITIVE_INFINITY, isDue);
    const words = nfa.union(terms.map((term) => nfa.text(term)));
    return yield* encodeDfaInTurns(yield* nfa.deterministic(words), isDue);
  });
}

/** One after the other, without groups around them: what they capture is of no account. */
function flat(node: Node): Node[] {
  if (node.type === 'sequence') return node.items.flatMap(flat);
  if (node.type === 'capture') return flat(node.item);
  if (node.type === 'repeat' && node.mode === 'possessive' && node.item.type === 'set') {
    const none: Node = { type: 'look', item: node.item, ahead: true, negated: true };
    if (node.max === Number.POSITIVE_INFINITY) return [{ ...node, mode: 'greedy' }, none];
    if (node.min === node.max) return [{ ...node, mode: 'greedy' }];
  }
  return [node];
}

/** One pattern. */
class Translation {
  readonly #pattern: string;
  readonly #nfa: Nfa;

  constructor(pattern: string, nfa: Nfa) {
    this.#pattern = pattern;
    this.#nfa = nfa;
  }

  /** The words from one end of a term to the other: there, look-arounds say what the rest of the term may be. */
  *whole(items: readonly Node[], behind = true): Turns<Part> {
    const nfa = this.#nfa;
    const [only] = items;
    if (items.length === 1 && only!.type === 'choice') {
      const ways: Part[] = [];
      for (const each of only!.items) ways.push(yield* this.whole(flat(each), behind));
      return nfa.union(ways);
    }
    const at = items.findIndex((item) => item.type === 'look' || item.type === 'assertion');
    if (at < 0) return this.#sequence(items);
    const test = items[at]!;
    const before = this.#sequence(items.slice(0, at));
    const ahead = yield* this.#ahead(test);
    if (ahead !== undefined) {
      const rest = yield* this.whole(items.slice(at + 1), false);
      return nfa.sequence([before, yield* nfa.intersection(ahead, rest)]);
    }
    // What a look-behind sees must not be cut off by what a look-ahead has taken apart.
    if (!behind) throw unsupported(this.#pattern, 'look-behinds after look-aheads here');
    const rest = items.slice(at + 1);
    const tested = yield* nfa.intersection(yield* this.#behind(test), before);
    if (rest.some((item) => item.type === 'look' || item.type === 'assertion')) {
      return nfa.sequence([tested, yield* this.whole(rest, false)]);
    }
    return nfa.sequence([tested, this.#sequence(rest)]);
  }

  /** What may follow a test of what is ahead; undefined for another test. */
  *#ahead(test: Node): Turns<Part | undefined> {
    const nfa = this.#nfa;
    if (test.type === 'look' && test.ahead) {
      const words = nfa.sequence([this.#part(test.item), nfa.anything()]);
      return test.negated ? yield* nfa.complement(words) : words;
    }
    if (test.type !== 'assertion') return undefined;
    switch (test.assertion) {
      case Assertion.textEnd:
        return nfa.empty();
      case Assertion.lastUnixLineEnd:
        return nfa.union([nfa.empty(), nfa.text('\n')]);
      case Assertion.lastLineEnd:
        return nfa.union([nfa.empty(), ...LINE_ENDS.map((end) => nfa.text(end))]);
      default:
        return undefined;
    }
  }

  /** What may stand before a test of what is behind. */
  *#behind(test: Node): Turns<Part> {
    const nfa = this.#nfa;
    if (test.type === 'look') {
      const words = nfa.sequence([nfa.anything(), this.#part(test.item)]);
      return test.negated ? yield* nfa.complement(words) : words;
    }
    if (test.type === 'assertion') {
      if (test.assertion === Assertion.textStart || test.assertion === Assertion.searchStart) {
        return nfa.empty();
      }
    }
    throw unsupported(this.#pattern, 'boundaries of words or lines here');
  }

  #sequence(items: readonly Node[]): Part {
    return this.#nfa.sequence(items.map((item) => this.#part(item)));
  }

  #part(node: Node): Part {
    const nfa = this.#nfa;
    switch (node.type) {
      case 'empty':
        return nfa.empty();
      case 'set': {
        const pairs: [number, number][] = [];
        for (let i = 0; i < node.set.ranges.length; i += 2) {
          pairs.push([node.set.ranges[i]!, node.set.ranges[i + 1]!]);
        }
        return nfa.oneOf(pairs);
      }
      case 'sequence':
      case 'capture':
        return this.#sequence(flat(node));
      case 'choice':
        return nfa.union(node.items.map((each) => this.#part(each)));
      case 'repeat':
        if (node.mode === 'possessive') throw unsupported(this.#pattern, 'possessive quantifiers here');
        return this.#repeat(node.item, node.min, node.max);
      case 'atomic':
        throw unsupported(this.#pattern, 'atomic groups here');
      default:
        throw unsupported(this.#pattern, 'look-arounds or boundaries within groups here');
    }
  }

  #repeat(item: Node, min: number, max: number): Part {
    const nfa = this.#nfa;
    const parts: Part[] = [];
    for (let i = 0; i < min; i++) parts.push(this.#part(item));
    if (max === Number.POSITIVE_INFINITY) return nfa.sequence([...parts, nfa.repeat(this.#part(item))]);
    let rest: Part | undefined;
    for (let i = min; i < max; i++) {
      const turn = this.#part(item);
      rest = nfa.union([nfa.empty(), rest === undefined ? turn : nfa.sequence([turn, rest])]);
    }
    return nfa.sequence(rest === undefined ? parts : [...parts, rest]);
  }
}

const LINE_ENDS = ['\n', '\r\n', '\r', '\u0085', '\u2028', '\u2029'];
