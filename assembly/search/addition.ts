import {
  MATCH_BOOLEAN,
  MATCH_CONSTANT,
  MATCH_DISMAX,
  MATCH_FILTERED,
  MATCH_FUNCTION,
  MATCH_PHRASE,
  MATCH_SIMILARITY,
  Matcher,
} from '../docset/matcher';
import { setPointer } from '../memory/pointers';

// The order in which a conjunction adds the scores of its clauses: floats are rounded after each. Lucene sorts its scorers by
// what each says it would take to walk, which is not what it takes here: a filter is a bitset of the whole segment to it,
// however few documents that has, and a union is as long as its lists together.

/** What Lucene's scorer of the same would say, in a segment of so many documents. */
function length(m: Matcher, docCount: u32): u64 {
  switch (m.kind) {
    case MATCH_CONSTANT:
      if (m.whole) return docCount;
      return length(Matcher.at(m.optional, 0), docCount);
    case MATCH_FILTERED:
    case MATCH_FUNCTION:
    case MATCH_SIMILARITY:
      return length(Matcher.at(m.optional, 0), docCount);
    case MATCH_PHRASE:
      return m.phrase.slop ? m.phrase.slot(0).cost : m.phrase.cheap(0).cost;
    case MATCH_BOOLEAN:
      if (m.requiredCount) return shortest(m, docCount);
      return m.minimum > 1 ? m.cost : together(m, docCount);
    case MATCH_DISMAX:
      return together(m, docCount);
    default:
      return m.cost;
  }
}

function shortest(m: Matcher, docCount: u32): u64 {
  let least = u64.MAX_VALUE;
  for (let i: u32 = 0; i < m.requiredCount; i++)
    least = min(least, length(Matcher.at(m.required, i), docCount));
  return least;
}

function together(m: Matcher, docCount: u32): u64 {
  let sum: u64 = 0;
  for (let i: u32 = 0; i < m.optionalCount; i++) sum += length(Matcher.at(m.optional, i), docCount);
  return sum;
}

/** Sorts `n` clauses for a segment of so many documents by length, equal ones in the order they come. */
export function sortForAddition(array: usize, n: u32, docCount: u32): void {
  for (let i: u32 = 1; i < n; i++) {
    const m = Matcher.at(array, i);
    const own = length(m, docCount);
    let k = i;
    while (k > 0 && length(Matcher.at(array, k - 1), docCount) > own) {
      setPointer(array, k, changetype<usize>(Matcher.at(array, k - 1)));
      k--;
    }
    setPointer(array, k, changetype<usize>(m));
  }
}
