/** What multi-term queries look for, its bytes (assembly/search/README.md, *matcher*) and its text. */

import { MatcherCode } from '../core/abi/plan.js';
import type { PlanBytes } from '../core/planBytes.js';
import { rangeText, type TermRange, writeRange } from './termRange.js';
import { termText } from './termText.js';

/** Which terms of a field a multi-term query stands for; query/term/termMatchers.ts makes the ones that need an automaton. */
export type TermMatcher =
  | { type: 'prefix'; prefix: Uint8Array }
  | ({ type: 'range' } & TermRange)
  | {
      type: 'wildcard' | 'regexp';
      pattern: string;
      automaton: Uint8Array;
      /** What all its terms end with, where that is quicker to look at than to run the automaton; not empty. */
      end?: Uint8Array | undefined;
    }
  | {
      type: 'fuzzy';
      term: string;
      edits: number;
      prefixLength: number;
      transpositions: boolean;
      automaton: Uint8Array;
    };

export function writeMatcher(out: PlanBytes, matcher: TermMatcher): void {
  switch (matcher.type) {
    case 'prefix':
      out.u8(MatcherCode.prefix);
      out.term(matcher.prefix);
      break;
    case 'range':
      out.u8(MatcherCode.range);
      writeRange(out, matcher);
      break;
    case 'wildcard':
    case 'regexp':
      if (matcher.end === undefined) out.u8(MatcherCode.automaton);
      else {
        out.u8(MatcherCode.ending);
        out.term(matcher.end);
      }
      writeAutomaton(out, matcher.automaton);
      break;
    case 'fuzzy':
      out.u8(MatcherCode.fuzzy);
      out.u32([...matcher.term].length);
      writeAutomaton(out, matcher.automaton);
      break;
  }
}

function writeAutomaton(out: PlanBytes, automaton: Uint8Array): void {
  out.u32(automaton.length);
  out.put(automaton);
}

export function matcherText(matcher: TermMatcher): string {
  switch (matcher.type) {
    case 'prefix':
      return `${termText(matcher.prefix)}*`;
    case 'range':
      return rangeText(matcher);
    case 'wildcard':
      return matcher.pattern;
    case 'regexp':
      return `/${matcher.pattern}/`;
    case 'fuzzy':
      return `${matcher.term}~${matcher.edits}`;
  }
}
