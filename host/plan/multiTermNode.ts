/** Queries for all the terms of a field that something matches. */

import { Rewrite } from '../core/abi/plan.js';
import type { Printed } from './printed.js';

/** Which terms of a field a multi-term query stands for; termMatchers.ts makes the ones that need an automaton. */
export type TermMatcher =
  | { type: 'prefix'; prefix: Uint8Array }
  | {
      type: 'range';
      lower?: Uint8Array | undefined;
      upper?: Uint8Array | undefined;
      includeLower: boolean;
      includeUpper: boolean;
    }
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
/**
 * What a multi-term query becomes. `constantAuto` (the default of 1.7) is `constantFilter`, but a query of no clauses, without
 * weight, where the shard has no such term. `scoringBoolean` and `constantBoolean` refuse more than 1,024 terms; the top kinds
 * keep the `size` terms of the highest boost (then the first).
 */
export { Rewrite };
/** Prefix, wildcard, regexp, fuzzy and range queries. In a filter all their terms match, without scoring. */
export interface MultiTermNode extends Printed {
  kind: 'multiTerm';
  field: number;
  boost: number;
  rewrite: Rewrite;
  /** Of the top kinds; fuzzy queries have 50 by default. */
  size: number;
  matcher: TermMatcher;
  /** Whether it is a range of numbers, which no text lies in. */
  ofNumbers?: boolean;
}
