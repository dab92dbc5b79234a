import {
  isPositional,
  MATCH_BOOLEAN,
  MATCH_CONSTANT,
  MATCH_FILTERED,
  MATCH_FUNCTION,
  MATCH_PHRASE,
  MATCH_SET,
  MATCH_SIMILARITY,
  MATCH_SPAN,
  MATCH_TERM,
  Matcher,
  windowBytes,
} from '../docset/matcher';
import { PhraseSlot } from '../docset/phraseSlot';
import { requestAlloc } from '../memory/arena';
import { fillBits, isSpreadCheaper, spread } from '../postings/bits';
import { PostingsCursor } from '../postings/cursor';
import { Lead } from './lead';
import { Run } from './run';

// What every match of a tree must satisfy, or must not: the list or set that leads to the candidates, and the tests that these are put
// to, in what order and how each is prepared.

/** How a clause is tested. */
export const BITS: u8 = 0;
export const LIST: u8 = 1;
const TREE: u8 = 2;
/** Alternatives of a phrase's position, before it is known whether a bitset of them is worth making. */
const UNION: u8 = 3;

/** A clause that candidates are tested against. */
@unmanaged
export class Test {
  how: u8;
  /** The clause must not match. */
  negative: bool;
  bits: usize;
  cursor: PostingsCursor;
  matcher: Matcher;
  cost: u32;
  /** The phrase or spans that the list belongs to, or 0. */
  owner: usize;
  /** The alternatives. */
  slot: PhraseSlot;
}

/** More clauses than this are tested by the tree they stand in. */
const MAX_TESTS: u32 = 64;

// Globals: what `leadOf` gathers for the run that comes next, which looks at it for every batch of candidates.

let tests: usize = 0;
/** How many clauses there are. */
export let testCount: u32 = 0;
let lead: PostingsCursor | null = null;
/** The rarest list that is at hand as a bitset too. */
let setLead: PostingsCursor | null = null;
/** The rarest alternatives. */
let union: Test | null = null;

/** Clause number `i`, in the order in which they are tested. */
export function testAt(i: u32): Test {
  return changetype<Test>(load<usize>(tests + ((<usize>i) << 2)));
}

/** Null where there are too many or there is no room: nothing leads then. */
function addTest(how: u8, negative: bool, cost: u32): Test | null {
  const at = requestAlloc(offsetof<Test>());
  if (!at || testCount >= MAX_TESTS) return null;
  memory.fill(at, 0, offsetof<Test>());
  const test = changetype<Test>(at);
  test.how = how;
  test.negative = negative;
  test.cost = cost;
  store<usize>(tests + ((<usize>testCount) << 2), at);
  testCount++;
  return test;
}

function addList(cursor: PostingsCursor, negative: bool, owner: usize): bool {
  const test = addTest(LIST, negative, cursor.df);
  if (test === null) return false;
  test.cursor = cursor;
  test.owner = owner;
  if (!negative && (lead === null || cursor.df < lead!.df)) lead = cursor;
  return true;
}

function addUnion(slot: PhraseSlot, owner: usize): bool {
  const test = addTest(UNION, false, slot.cost);
  if (test === null) return false;
  test.slot = slot;
  test.owner = owner;
  mayLead(test);
  return true;
}

/** Takes alternatives for the rarest if they are. */
function mayLead(test: Test): void {
  if (union === null || test.cost < union!.cost) union = test;
}

/** Adds the tests that `m` amounts to, for the phrase or spans `owner` if it is not 0; false where they are too many or there is no room. */
function gather(m: Matcher, negative: bool, owner: usize): bool {
  if (m.kind == MATCH_TERM) return addList(m.cursor, negative, owner);
  if (m.kind == MATCH_SET) {
    const test = addTest(BITS, negative, m.cost);
    if (test === null) return false;
    test.bits = m.bits;
    if (negative || !m.list) return true;
    const cursor = PostingsCursor.make();
    if (cursor === null) return false;
    cursor.start(m.list, m.cost, m.listFlags, 0, 0, 0);
    test.cursor = cursor;
    if (setLead === null || cursor.df < setLead!.df) setLead = cursor;
    return true;
  }
  if (m.kind == MATCH_CONSTANT || m.kind == MATCH_FUNCTION || m.kind == MATCH_SIMILARITY) {
    return gather(Matcher.at(m.optional, 0), negative, owner);
  }
  if (!negative) {
    if (m.kind == MATCH_FILTERED) {
      return (
        gather(Matcher.at(m.required, 0), false, owner) && gather(Matcher.at(m.optional, 0), false, owner)
      );
    }
    if (m.kind == MATCH_PHRASE) {
      const phrase = m.phrase;
      for (let i: u32 = 0; i < phrase.slotCount; i++) {
        const slot = phrase.slot(i);
        const added =
          slot.memberCount == 1
            ? addList(slot.member(0).postings, false, changetype<usize>(m))
            : addUnion(slot, changetype<usize>(m));
        if (!added) return false;
      }
    } else if (m.kind == MATCH_SPAN) {
      if (!gather(Matcher.at(m.optional, 0), false, changetype<usize>(m))) return false;
      // Of single words there is nothing more to be tested.
      if (m.spans.words) return true;
    } else if (m.kind == MATCH_BOOLEAN && m.requiredCount) {
      for (let i: u32 = 0; i < m.requiredCount; i++)
        if (!gather(Matcher.at(m.required, i), false, owner)) return false;
      for (let i: u32 = 0; i < m.prohibitedCount; i++)
        if (!gather(Matcher.at(m.prohibited, i), true, owner)) return false;
      if (!m.minimum) return true;
    }
  }
  // Positions, and trees that aren't conjunctions, are tested as they are, last of all.
  const alternatives = isUnion(m);
  const test = addTest(TREE, negative, alternatives ? m.cost : u32.MAX_VALUE);
  if (test === null) return false;
  test.matcher = m;
  if (alternatives && owner && !negative) mayLead(test);
  return true;
}

/** Whether a tree is a union of terms. */
function isUnion(m: Matcher): bool {
  if (m.kind != MATCH_BOOLEAN || m.requiredCount || m.minimum > 1 || m.prohibitedCount) return false;
  for (let i: u32 = 0; i < m.optionalCount; i++)
    if (Matcher.at(m.optional, i).kind != MATCH_TERM) return false;
  return true;
}

/** Sorts the tests by cost, drops the lead's own, and spreads the lists that are worth it; false without room. */
export function arrange(run: Run, first: Lead): bool {
  let n: u32 = 0;
  let owner: usize = 0;
  for (let i: u32 = 0; i < testCount; i++) {
    const test = testAt(i);
    if (first.list ? changetype<usize>(test.cursor) == first.list : test === union) {
      owner = test.owner;
      continue;
    }
    let k = n++;
    while (k > 0 && testAt(k - 1).cost > test.cost) {
      store<usize>(tests + ((<usize>k) << 2), changetype<usize>(testAt(k - 1)));
      k--;
    }
    store<usize>(tests + ((<usize>k) << 2), changetype<usize>(test));
  }
  testCount = n;
  // Words of a text go together: a clause is taken to keep at least an eighth of the candidates.
  let candidates: f64 = <f64>first.size;
  const docs = <f64>run.docCount;
  for (let i: u32 = 0; i < n; i++) {
    const test = testAt(i);
    if (test.how == LIST) {
      if (!spread(test.cursor, candidates, run.docCount)) return false;
      if (test.cursor.presence) {
        test.how = BITS;
        test.bits = test.cursor.presence;
      }
    }
    if (test.how == UNION) {
      // Without the bitset each alternative is looked up in each block, and found once for all.
      const members = <f64>test.slot.memberCount;
      const probes = candidates + (max<f64>(candidates, 128) * members) / 128;
      if (!isSpreadCheaper(test.cost, probes, run.docCount)) continue;
      if (!collect(test, run.docCount)) return false;
    }
    if (
      test.how == TREE &&
      isUnion(test.matcher) &&
      isSpreadCheaper(test.matcher.cost, candidates, run.docCount) &&
      !collect(test, run.docCount)
    ) {
      return false;
    }
    if (test.how != TREE && !test.negative) candidates *= max<f64>(<f64>test.cost / docs, 0.125);
  }
  dropLists(owner);
  return run.countOnly || spreadOptional(run.root, candidates, run.docCount);
}

/**
 * Drops the tests by lists of the phrase or spans that lead, which looks its words up itself when it reads their positions, and
 * those by alternatives that aren't worth it.
 */
function dropLists(owner: usize): void {
  let n: u32 = 0;
  for (let i: u32 = 0; i < testCount; i++) {
    const test = testAt(i);
    if (test.how == UNION || (test.how == LIST && owner && test.owner == owner)) continue;
    store<usize>(tests + ((<usize>n) << 2), changetype<usize>(test));
    n++;
  }
  testCount = n;
}

/** Makes alternatives a bitset of the segment; false where the arena has no room. */
function collect(test: Test, docCount: u32): bool {
  if (test.how == UNION) {
    if (!test.slot.collect(docCount)) return false;
    test.bits = test.slot.documents;
  } else {
    const bytes = windowBytes(docCount);
    test.bits = requestAlloc(bytes);
    if (!test.bits) return false;
    memory.fill(test.bits, 0, bytes);
    const m = test.matcher;
    for (let i: u32 = 0; i < m.optionalCount; i++)
      fillBits(Matcher.at(m.optional, i).cursor, 0, docCount, test.bits);
  }
  test.how = BITS;
  return true;
}

/** Prepares the optional clauses of the tree for being looked up in so many candidates. */
function spreadOptional(m: Matcher, candidates: f64, docCount: u32): bool {
  if (isPositional(m)) return true;
  for (let i: u32 = 0; i < m.optionalCount; i++) {
    const clause = Matcher.at(m.optional, i);
    if (clause.kind == MATCH_TERM && !spread(clause.cursor, candidates, docCount)) return false;
    if (!spreadOptional(clause, candidates, docCount)) return false;
  }
  for (let i: u32 = 0; i < m.requiredCount; i++) {
    const clause = Matcher.at(m.required, i);
    if (m.kind == MATCH_BOOLEAN && !spreadOptional(clause, candidates, docCount)) return false;
  }
  return true;
}

/** Finds the lead of `run`; null where none leads. */
export function leadOf(run: Run): Lead | null {
  tests = requestAlloc(MAX_TESTS << 2);
  testCount = 0;
  lead = null;
  setLead = null;
  union = null;
  if (!tests || !gather(run.root, false, 0)) return null;
  if (run.postFilter && !gather(run.postFilterMatcher, false, 0)) return null;
  if (run.live) {
    const test = addTest(BITS, false, 0);
    if (test === null) return null;
    test.bits = run.live;
  }
  // A bitset tests another lead's documents at a nanosecond each; its own list must be much shorter to lead.
  if (setLead !== null && (lead === null || setLead!.df < lead!.df >> 1)) lead = setLead;
  // A bitset of alternatives takes as long to make as they have postings.
  if (union !== null && (lead === null || union!.cost < lead!.df >> 1)) {
    const test = union!;
    return collect(test, run.docCount) ? Lead.ofSet(test.bits, run.docCount, test.cost) : null;
  }
  return lead === null ? null : Lead.ofList(lead!);
}
