import { MATCHER_AUTOMATON, MATCHER_ENDING, MATCHER_FUZZY, MATCHER_PREFIX, MATCHER_RANGE } from '../abi/plan';
import { ERR_MEMORY, ERR_PLAN, OK } from '../abi/status';
import { bytesNext, u16Next, u32Next, u8Next } from '../plan/planReader';
import { Query } from '../plan/query';
import { fail, requestStatus } from '../requestStatus';
import { automatonMalformed, openAutomaton } from '../terms/automaton';

// What the terms of multi-term queries match.

/** u16 length, bytes. */
export function prefixNext(node: Query): void {
  node.matcher = MATCHER_PREFIX;
  node.lowerLength = <u32>u16Next();
  node.lower = bytesNext(node.lowerLength);
}

/** u8 flags, lower bound, upper bound. */
export function rangeNext(node: Query): void {
  node.matcher = MATCHER_RANGE;
  node.flags = u8Next();
  node.lowerLength = <u32>u16Next();
  node.lower = bytesNext(node.lowerLength);
  node.upperLength = <u32>u16Next();
  node.upper = bytesNext(node.upperLength);
}

/** The matcher of a multi-term query. */
export function matcherNext(node: Query): void {
  const kind = u8Next();
  if (kind == MATCHER_PREFIX) prefixNext(node);
  else if (kind == MATCHER_RANGE) rangeNext(node);
  else if (kind == MATCHER_AUTOMATON || kind == MATCHER_FUZZY || kind == MATCHER_ENDING) {
    node.matcher = kind;
    if (kind == MATCHER_ENDING) {
      node.upperLength = <u32>u16Next();
      node.upper = bytesNext(node.upperLength);
      if (!node.upperLength) fail(ERR_PLAN);
    }
    if (kind == MATCHER_FUZZY) node.codePoints = u32Next();
    const length = u32Next();
    const bytes = bytesNext(length);
    if (requestStatus != OK) return;
    const automaton = openAutomaton(bytes, length);
    if (automaton === null) fail(automatonMalformed ? ERR_PLAN : ERR_MEMORY);
    else node.automaton = changetype<usize>(automaton);
  } else fail(ERR_PLAN);
}
