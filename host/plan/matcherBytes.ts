/** The bytes of what multi-term queries look for (assembly/search/README.md, *matcher*). */

import { MatcherCode, RangeFlag } from '../core/abi/plan.js';
import type { RangeNode } from './plan.js';
import type { TermMatcher } from './multiTermNode.js';
import type { PlanBytes } from '../core/planBytes.js';

const EMPTY = new Uint8Array();

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

export function writeRange(
  out: PlanBytes,
  bounds: Pick<RangeNode, 'lower' | 'upper' | 'includeLower' | 'includeUpper'>,
): void {
  out.u8(
    (bounds.lower === undefined ? 0 : RangeFlag.lower) |
      (bounds.includeLower ? RangeFlag.lowerIncluded : 0) |
      (bounds.upper === undefined ? 0 : RangeFlag.upper) |
      (bounds.includeUpper ? RangeFlag.upperIncluded : 0),
  );
  out.term(bounds.lower ?? EMPTY);
  out.term(bounds.upper ?? EMPTY);
}
