import { Matcher } from '../../docset/matcher';
import { at, f32Next, termsNext, u16Next } from '../../plan/planReader';
import { Query } from '../../plan/query';
import { findField } from '../../segment/segment';
import { Compiling } from '../compiling';
import { Decoding } from '../decoding';
import { isRepeated, keepSet, keepTerm, keptOf, tellTerm } from '../filterCache';
import { keptMatcher } from '../kept';
import { noRoom } from '../matcherArrays';
import { openTerm, similarityMatcher, termMatcher } from '../termLists';
import { TermSet } from '../termSet';

// A term of a field.

export function decodeTerm(_d: Decoding, node: Query, _depth: u32, _scoring: bool): void {
  node.field = u16Next();
  node.boost = f32Next();
  // As a list of one, for its set (sets.ts).
  node.lower = at;
  termsNext(node, 1);
}

export function compileTerm(c: Compiling, query: Query, scoring: bool, _bulk: bool): Matcher | null {
  // What was expanded has no bytes in the plan that it would be known by.
  if (c.filterDepth && query.end) return compileFilter(c, query);
  if (scoring && query.lengths) return similarityMatcher(c, query, openMatcher(c, query, false), query.field);
  return openMatcher(c, query, scoring);
}

/** Terms in more than this part of the documents are kept as bitsets when they filter; rarer ones are as fast from their list. */
const KEPT_SHARE: u32 = 512;

/** A term that filters: a set if it is frequent, else its list. */
function compileFilter(c: Compiling, query: Query): Matcher | null {
  const known = keptOf(c.segment, query);
  if (known) return keptMatcher(c.segment, known);
  const term = query.term(0);
  const df = term.dfIn(c.ordinal);
  if (df <= c.segment.docCount / KEPT_SHARE) {
    if (isRepeated(c.segment, query)) keepTerm(c.segment, query, df, term.postingsIn(c.ordinal));
    return openMatcher(c, query, false);
  }
  const set = TermSet.make(c.segment, query);
  if (set === null) return noRoom();
  const entry = keepSet(c.segment, query, set.bits, set.count);
  if (!entry) return openMatcher(c, query, false);
  tellTerm(entry, query.field, term.postingsIn(c.ordinal));
  return keptMatcher(c.segment, entry);
}

/** A term of the segment; null where it has none. */
function openMatcher(c: Compiling, query: Query, scoring: bool): Matcher | null {
  const entry = findField(c.segment, query.field);
  const term = query.term(0);
  if (!entry || !term.dfIn(c.ordinal)) return null;
  return termMatcher(openTerm(c, term, entry, query.value, scoring));
}
