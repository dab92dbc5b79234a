import { MATCH_BOOLEAN, MATCH_FILTERED, MATCH_SET, MATCH_TERM, Matcher } from '../docset/matcher';
import { Run } from './run';
import { leaveMany, prepare, raiseFirst, union } from './unionClauses';
import { countUnion, KEPT_BITSETS, makeMask } from './unionCount';
import { lookUp, MERGE_CLAUSES, mergeLists, scoreSingles } from './unionLists';
import { DENSE_WINDOW, SPARSE_WINDOW, walk } from './unionWalk';

// A union of terms, with or without a filter around it, in two passes over a segment:
//
// 1. Count. All lists are ORed into one bitset (dense blocks as they are, eight bytes at a time), ANDed with the mask of
//    documents that may match at all, and counted.
// 2. Score. Block-max MAXSCORE: clauses are sorted by the largest score they can add. Those at the low end which even
//    together, coord included, cannot lift a document over the k-th best score are only looked up in documents that another
//    clause brings up. coord(|S|) times the sum over S grows with S, so the bound of a set bounds all its subsets.
//    See Turtle and Flood, "Query evaluation: strategies and optimizations" (1995), and Ding and Suel, "Faster top-k
//    document retrieval using block-max indexes" (2011).

/**
 * Lists that together have less than this part of the documents are scored whole, and counted on the way: passes over
 * bitsets of all documents would take longer (70 ns a thousand of them). The smaller part is for those too many to be merged.
 */
const SMALL: u32 = 192;
const SMALL_MANY: u32 = 256;

/**
 * Documents of several clauses are looked up one by one where there are so many postings to one of them, else those of three and
 * more: coord makes them the best, and the threshold that they set spares most of the others.
 */
const STRATA: u64 = 16;
const STRATA_MASKED: u64 = 24;
const STRATA_MASKED_MANY: u64 = 48;
const STRATA_MANY: u64 = 16;
/** Bounds hold of equal scores where they are not next to nothing. */
const LEAST: f64 = 1e-15;

/** With so many postings to a match (a filter lets few through) matches are looked up instead. */
const LOOK_UP: u64 = 32;

/** Whether a filter around a union of that cost leads the search instead: it is selective, and its documents come as a list. */
function leads(filter: Matcher, cost: u32): bool {
  return filter.cost < (filter.kind == MATCH_TERM ? cost : cost >> 7);
}

/** The boolean of nothing but optional terms at or below the top, or null. */
function unionOf(m: Matcher): Matcher | null {
  if (m.kind == MATCH_FILTERED) {
    const inner = unionOf(Matcher.at(m.optional, 0));
    if (inner === null || leads(Matcher.at(m.required, 0), inner.cost)) return null;
    return inner;
  }
  if (m.kind != MATCH_BOOLEAN || m.requiredCount) return null;
  if (m.minimum > 1 && m.optionalCount > KEPT_BITSETS) return null;
  for (let i: u32 = 0; i < m.optionalCount; i++)
    if (Matcher.at(m.optional, i).kind != MATCH_TERM) return null;
  return m;
}

/** Whether `run` is a union of terms. */
export function unionFits(run: Run): bool {
  return unionOf(run.root) !== null;
}

/** Whether all that is around the union is one filter, and that a bitset already. */
function isMaskedBySet(run: Run): bool {
  const root: Matcher = run.root;
  if (root.kind != MATCH_FILTERED || run.live || run.postFilter) return false;
  const child = Matcher.at(root.optional, 0);
  return (
    Matcher.at(root.required, 0).kind == MATCH_SET && child.kind == MATCH_BOOLEAN && !child.prohibitedCount
  );
}

/** Offers the hits of a union and returns its number of matches; -1 without room. */
export function runUnion(run: Run): i64 {
  const m = unionOf(run.root)!;
  union.docBase = run.docBase;
  union.exhaustive = run.exhaustive;
  union.mask = 0;
  union.anyOrder = false;
  let postings: u64 = 0;
  for (let i: u32 = 0; i < m.optionalCount; i++) postings += Matcher.at(m.optional, i).cursor.df;
  if (
    !run.countOnly &&
    m.minimum <= 1 &&
    postings < <u64>(run.docCount / (m.optionalCount <= MERGE_CLAUSES ? SMALL : SMALL_MANY))
  ) {
    if (isMaskedBySet(run) && !makeMask(run, m)) return -1;
    if (!prepare(m)) return -1;
    if (m.optionalCount <= MERGE_CLAUSES) return mergeLists(run, m);
    union.window = SPARSE_WINDOW;
    // Every posting must be seen to be counted.
    union.exhaustive = true;
    return walk(run);
  }
  if (!makeMask(run, m)) return -1;
  const total = countUnion(run, m);
  if (total <= 0 || run.countOnly) return total;
  if (!prepare(m)) return -1;
  if (union.found && <u64>total * LOOK_UP < postings) {
    lookUp(union.found, run.docCount);
    return total;
  }
  const masked = union.many ? STRATA_MASKED_MANY : STRATA_MASKED;
  if (union.several && union.severalCount * (union.mask ? masked : STRATA) < postings) {
    lookUp(union.several, run.docCount);
    return scoreSingles() ? total : -1;
  }
  if (union.many && union.manyCount * STRATA_MANY < postings && union.bound(0) > LEAST) {
    lookUp(union.many, run.docCount);
    leaveMany();
  }
  if (m.minimum > 1) union.mask = union.found;
  union.window = DENSE_WINDOW;
  raiseFirst();
  return walk(null) < 0 ? -1 : total;
}
