import {
  fill,
  MATCH_SIMILARITY,
  MATCH_BOOLEAN,
  MATCH_CONSTANT,
  MATCH_FILTERED,
  MATCH_FUNCTION,
  MATCH_PHRASE,
  MATCH_SET,
  MATCH_SPAN,
  MATCH_TERM,
  Matcher,
  matches,
  windowBytes,
} from '../docset/matcher';
import { phraseMatches } from '../docset/phrase';
import { requestAlloc } from '../memory/arena';
import { isSpreadCheaper, spread } from '../postings/bits';
import { contains, decodeDocs, enter, PostingsCursor } from '../postings/cursor';
import { scoreBlock } from '../postings/scores';
import { scoreBatch } from '../score/batch';
import { offer, threshold } from '../score/topHits';
import { chordOver, chordRest, chordSlope, fillEssential, prepareBounds, windowBound } from './bounds';
import { spend } from './budget';
import { Run } from './run';

// A tree that some rare list leads: every match is in the list, so its documents are the candidates, a block of 128 at a time.
// Every other clause that all matches must satisfy (or must not) thins them out: by bit tests where its list was worth
// spreading into a bitset once, by look-ups where it wasn't. What is left is counted, and scored where block maxima leave it a
// chance.

/** How a clause is tested. */
const BITS: u8 = 0;
const LIST: u8 = 1;
const TREE: u8 = 2;

/** A clause that candidates are tested against. */
@unmanaged
class Test {
  how: u8;
  /** The clause must not match. */
  negative: bool;
  bits: usize;
  cursor: PostingsCursor;
  matcher: Matcher;
  cost: u32;
}

/** More clauses than this are tested by the tree they stand in. */
const MAX_TESTS: u32 = 64;

let tests: usize = 0;
let testCount: u32 = 0;
let lead: PostingsCursor | null = null;
/** The rarest list that is at hand as a bitset too. */
let setLead: PostingsCursor | null = null;
let failed: bool = false;
/** With fewer candidates in a block it is not worth asking which of them can be hits. */
const FEW: usize = 16;
/** Nor where the block spans more documents than this. */
const ESSENTIAL_DOCS: u32 = 1 << 16;
const essential: usize = memory.data(8208, 16);
/** Indices within the lead's block of the candidates that are left. */
const left: usize = memory.data(512, 16);
/** Documents that are scored. */
const survivors: usize = memory.data(512, 16);

function testAt(i: u32): Test {
  return changetype<Test>(load<usize>(tests + ((<usize>i) << 2)));
}

function addTest(how: u8, negative: bool, cost: u32): Test {
  const at = requestAlloc(offsetof<Test>());
  if (!at || testCount >= MAX_TESTS) {
    failed = true;
    return changetype<Test>(changetype<usize>(spare));
  }
  memory.fill(at, 0, offsetof<Test>());
  const test = changetype<Test>(at);
  test.how = how;
  test.negative = negative;
  test.cost = cost;
  store<usize>(tests + ((<usize>testCount) << 2), at);
  testCount++;
  return test;
}

/** Takes what a failed `addTest` is given. */
const spare = changetype<Test>(memory.data(offsetof<Test>(), 16));

function addList(cursor: PostingsCursor, negative: bool): void {
  addTest(LIST, negative, cursor.df).cursor = cursor;
  if (!negative && (lead === null || cursor.df < lead!.df)) lead = cursor;
}

/** Adds the tests that `m` amounts to. */
function gather(m: Matcher, negative: bool): void {
  if (m.kind == MATCH_TERM) {
    addList(m.cursor, negative);
    return;
  }
  if (m.kind == MATCH_SET) {
    const test = addTest(BITS, negative, m.cost);
    test.bits = m.bits;
    const cursor = m.cursor;
    if (negative || !changetype<usize>(cursor)) return;
    test.cursor = cursor;
    if (setLead === null || cursor.df < setLead!.df) setLead = cursor;
    return;
  }
  if (m.kind == MATCH_CONSTANT || m.kind == MATCH_FUNCTION || m.kind == MATCH_SIMILARITY) {
    gather(Matcher.at(m.optional, 0), negative);
    return;
  }
  if (!negative) {
    if (m.kind == MATCH_FILTERED) {
      gather(Matcher.at(m.required, 0), false);
      gather(Matcher.at(m.optional, 0), false);
      return;
    }
    if (m.kind == MATCH_PHRASE) {
      const phrase = m.phrase;
      for (let i: u32 = 0; i < phrase.slotCount; i++) {
        const slot = phrase.slot(i);
        if (slot.memberCount == 1) addList(slot.member(0).postings, false);
      }
    } else if (m.kind == MATCH_SPAN) {
      gather(Matcher.at(m.optional, 0), false);
    } else if (m.kind == MATCH_BOOLEAN && m.requiredCount) {
      for (let i: u32 = 0; i < m.requiredCount; i++) gather(Matcher.at(m.required, i), false);
      for (let i: u32 = 0; i < m.prohibitedCount; i++) gather(Matcher.at(m.prohibited, i), true);
      if (!m.minimum) return;
    }
  }
  // Positions, and trees that aren't conjunctions, are tested as they are, last of all.
  addTest(TREE, negative, isUnion(m) ? m.cost : u32.MAX_VALUE).matcher = m;
}

/** Whether a tree is a union of terms. */
function isUnion(m: Matcher): bool {
  if (m.kind != MATCH_BOOLEAN || m.requiredCount || m.minimum > 1 || m.prohibitedCount) return false;
  for (let i: u32 = 0; i < m.optionalCount; i++)
    if (Matcher.at(m.optional, i).kind != MATCH_TERM) return false;
  return true;
}

/** Sorts the tests by cost, drops the lead's own, and spreads the lists that are worth it; false without room. */
function arrange(run: Run, first: PostingsCursor): bool {
  let n: u32 = 0;
  for (let i: u32 = 0; i < testCount; i++) {
    const test = testAt(i);
    if (changetype<usize>(test.cursor) == changetype<usize>(first)) continue;
    let k = n++;
    while (k > 0 && testAt(k - 1).cost > test.cost) {
      store<usize>(tests + ((<usize>k) << 2), changetype<usize>(testAt(k - 1)));
      k--;
    }
    store<usize>(tests + ((<usize>k) << 2), changetype<usize>(test));
  }
  testCount = n;
  // Words of a text go together: a clause is taken to keep at least an eighth of the candidates.
  let candidates: f64 = <f64>first.df;
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
    if (
      test.how == TREE &&
      isUnion(test.matcher) &&
      isSpreadCheaper(test.matcher.cost, candidates, run.docCount)
    ) {
      const bytes = windowBytes(run.docCount);
      test.bits = requestAlloc(bytes);
      if (!test.bits) return false;
      memory.fill(test.bits, 0, bytes);
      fill(test.matcher, 0, run.docCount, test.bits);
      test.how = BITS;
      test.cost = test.matcher.cost;
    }
    if (test.how != TREE && !test.negative) candidates *= max<f64>(<f64>test.cost / docs, 0.125);
  }
  return run.countOnly || spreadOptional(run.root, candidates, run.docCount);
}

/** Prepares the optional clauses of the tree for being looked up in so many candidates. */
function spreadOptional(m: Matcher, candidates: f64, docCount: u32): bool {
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
export function leadOf(run: Run): PostingsCursor | null {
  tests = requestAlloc(MAX_TESTS << 2);
  testCount = 0;
  lead = null;
  setLead = null;
  failed = tests == 0;
  if (failed) return null;
  gather(run.root, false);
  if (run.postFilter) gather(run.postFilterMatcher, false);
  if (run.live) addTest(BITS, false, 0).bits = run.live;
  if (failed) return null;
  // A bitset tests another lead's documents at a nanosecond each; its own list must be much shorter to lead.
  if (setLead !== null && (lead === null || setLead!.df < lead!.df >> 1)) lead = setLead;
  return lead;
}

/** Thins all `n` documents of a block out by a bit test; returns how many stay. */
function thinBlock(test: Test, docs: usize, n: usize): usize {
  const negative = <u32>test.negative;
  const bits = test.bits;
  let kept: usize = 0;
  for (let i: usize = 0; i < n; i++) {
    const doc = load<u32>(docs + (i << 2));
    store<u32>(left + (kept << 2), <u32>i);
    kept += ((<u32>load<u8>(bits + (doc >> 3)) >> (doc & 7)) & 1) ^ negative;
  }
  return kept;
}

/** Thins the `n` candidates in `left` out by one test; returns how many stay. */
function thin(test: Test, docs: usize, n: usize): usize {
  const negative = <u32>test.negative;
  let kept: usize = 0;
  if (test.how == BITS) {
    const bits = test.bits;
    for (let i: usize = 0; i < n; i++) {
      const index = load<u32>(left + (i << 2));
      const doc = load<u32>(docs + ((<usize>index) << 2));
      store<u32>(left + (kept << 2), index);
      kept += ((<u32>load<u8>(bits + (doc >> 3)) >> (doc & 7)) & 1) ^ negative;
    }
  } else if (test.how == LIST) {
    const cursor = test.cursor;
    for (let i: usize = 0; i < n; i++) {
      const index = load<u32>(left + (i << 2));
      store<u32>(left + (kept << 2), index);
      kept += <u32>contains(cursor, load<u32>(docs + ((<usize>index) << 2))) ^ negative;
    }
  } else {
    const matcher = test.matcher;
    for (let i: usize = 0; i < n; i++) {
      const index = load<u32>(left + (i << 2));
      const doc = load<u32>(docs + ((<usize>index) << 2));
      const found = matcher.kind == MATCH_PHRASE ? phraseMatches(matcher.phrase, doc) : matches(matcher, doc);
      store<u32>(left + (kept << 2), index);
      kept += <u32>found ^ negative;
    }
  }
  return kept;
}

/** Offers the `n` candidates in `left`. False without room. */
function score(run: Run, c: PostingsCursor, count: usize, bounded: bool): bool {
  let n = count;
  const block = c.block;
  const root: Matcher = run.root;
  const docs = c.docs;
  let slope: f32 = 0;
  let rest: f32 = Infinity;
  if (bounded) {
    const base = <u32>(c.previous + 1);
    const size = c.last + 1 - base;
    if (windowBound(root, base, base + size) <= threshold) return true;
    if (n > FEW && size <= ESSENTIAL_DOCS) {
      memory.fill(essential, 0, windowBytes(size));
      if (fillEssential(root, c, base, size, threshold, essential)) {
        let kept: usize = 0;
        for (let i: usize = 0; i < n; i++) {
          const index = load<u32>(left + (i << 2));
          const bit = load<u32>(docs + ((<usize>index) << 2)) - base;
          store<u32>(left + (kept << 2), index);
          kept += (<u32>load<u8>(essential + (bit >> 3)) >> (bit & 7)) & 1;
        }
        n = kept;
        // Filling may have moved the lead.
        enter(c, block);
        decodeDocs(c);
      }
    }
    if (n > 4 && chordOver(root, c)) {
      if (!scoreBlock(c)) return false;
      slope = chordSlope;
      rest = chordRest;
    }
  }
  const scores = c.scores;
  let kept: usize = 0;
  for (let i: usize = 0; i < n; i++) {
    const index = (<usize>load<u32>(left + (i << 2))) << 2;
    if (rest < Infinity && load<f32>(scores + index) * slope + rest <= threshold) continue;
    store<u32>(survivors + (kept << 2), load<u32>(docs + index));
    kept++;
  }
  if (!kept) return true;
  if (!scoreBatch(root, survivors, kept)) return false;
  for (let i: usize = 0; i < kept << 2; i += 4) {
    const value = load<f32>(root.batch + i);
    if (value > threshold) offer(value, run.docBase + load<u32>(survivors + i));
  }
  return true;
}

/** Executes `run` along the lead that `leadOf` found; returns the number of documents that count, or -1 without room. */
export function runConjunction(run: Run, c: PostingsCursor): i64 {
  if (!arrange(run, c)) return -1;
  const bounded = !run.exhaustive && !run.countOnly && prepareBounds(run.root);
  let total: i64 = 0;
  for (let block: u32 = 0; block < c.blocks && spend(c.count); block++) {
    enter(c, block);
    decodeDocs(c);
    let n = <usize>c.count;
    let i: u32 = 0;
    if (testCount && testAt(0).how == BITS) n = thinBlock(testAt(i++), c.docs, n);
    else for (let k: usize = 0; k < n; k++) store<u32>(left + (k << 2), <u32>k);
    for (; i < testCount && n; i++) n = thin(testAt(i), c.docs, n);
    if (!n) continue;
    total += n;
    if (run.countOnly) continue;
    // Look-ups may have moved the lead's own cursor, where it is a clause of the tree too.
    enter(c, block);
    decodeDocs(c);
    spend((<u32>n) << 2);
    if (!score(run, c, n, bounded && threshold > -Infinity)) return -1;
  }
  return total;
}
