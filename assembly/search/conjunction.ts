import { isPositional, Matcher, matches, windowBytes } from '../docset/matcher';
import { contains, PostingsCursor } from '../postings/cursor';
import { scoreBlock } from '../postings/scores';
import { scoreBatch } from '../score/batch';
import { offer, threshold } from '../score/topHits';
import { chordOver, chordRest, chordSlope, fillEssential, prepareBounds, windowBound } from './bounds';
import { spend } from '../workLimit';
import { arrange, BITS, LIST, Test, testAt, testCount } from './conjuncts';
import { Lead } from './lead';
import { Run } from './run';

// A tree that some rare list leads: every match is in the list, so its documents are the candidates, a block of 128 at a time.
// Every other clause that all matches must satisfy (or must not) thins them out: by bit tests where its list was worth
// spreading into a bitset once, by look-ups where it wasn't. What is left is counted, and scored where block maxima leave it a
// chance.

/** With fewer candidates in a block it is not worth asking which of them can be hits. */
const FEW: usize = 16;
/** Nor where the block spans more documents than this. */
const ESSENTIAL_DOCS: u32 = 1 << 16;
const essential: usize = memory.data(8208, 16);
/** Indices within the lead's block of the candidates that are left. */
const left: usize = memory.data(512, 16);
/** Documents that are scored. */
const survivors: usize = memory.data(512, 16);

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

/** Thins the `n` candidates in `left` out by a phrase or spans, whose words have been looked for already unless it is negative. */
function thinPositional(m: Matcher, negative: u32, docs: usize, n: usize): usize {
  for (let i: usize = 0; i < n << 2; i += 4)
    store<u32>(survivors + i, load<u32>(docs + ((<usize>load<u32>(left + i)) << 2)));
  const positional = m.positional;
  positional.test(survivors, n, !negative);
  let kept: usize = 0;
  for (let i: usize = 0; i < n; i++) {
    store<u32>(left + (kept << 2), load<u32>(left + (i << 2)));
    kept += u32(positional.tested(i) > 0) ^ negative;
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
    if (isPositional(matcher)) return thinPositional(matcher, negative, docs, n);
    for (let i: usize = 0; i < n; i++) {
      const index = load<u32>(left + (i << 2));
      const found = matches(matcher, load<u32>(docs + ((<usize>index) << 2)));
      store<u32>(left + (kept << 2), index);
      kept += <u32>found ^ negative;
    }
  }
  return kept;
}

/** Offers the `n` candidates in `left`. False without room. */
function score(run: Run, lead: Lead, count: usize, bounded: bool): bool {
  let n = count;
  const root: Matcher = run.root;
  const docs = lead.docs;
  let scores: usize = 0;
  let slope: f32 = 0;
  let rest: f32 = Infinity;
  if (bounded) {
    const base = <u32>(lead.previous + 1);
    const size = lead.last + 1 - base;
    if (windowBound(root, base, base + size) <= threshold) return true;
    if (n > FEW && size <= ESSENTIAL_DOCS) {
      memory.fill(essential, 0, windowBytes(size));
      const list = changetype<PostingsCursor | null>(lead.list);
      if (fillEssential(root, list, base, size, threshold, essential)) {
        let kept: usize = 0;
        for (let i: usize = 0; i < n; i++) {
          const index = load<u32>(left + (i << 2));
          const bit = load<u32>(docs + ((<usize>index) << 2)) - base;
          store<u32>(left + (kept << 2), index);
          kept += (<u32>load<u8>(essential + (bit >> 3)) >> (bit & 7)) & 1;
        }
        n = kept;
      }
    }
    if (n > 4 && lead.list && chordOver(root, lead.cursor)) {
      lead.restore();
      if (!scoreBlock(lead.cursor)) return false;
      scores = lead.cursor.scores;
      slope = chordSlope;
      rest = chordRest;
    }
  }
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
export function runConjunction(run: Run, lead: Lead): i64 {
  if (!arrange(run, lead)) return -1;
  const bounded = !run.exhaustive && !run.countOnly && prepareBounds(run.root);
  let total: i64 = 0;
  while (lead.next() && spend(lead.count)) {
    let n = <usize>lead.count;
    let i: u32 = 0;
    if (testCount && testAt(0).how == BITS) n = thinBlock(testAt(i++), lead.docs, n);
    else for (let k: usize = 0; k < n; k++) store<u32>(left + (k << 2), <u32>k);
    for (; i < testCount && n; i++) n = thin(testAt(i), lead.docs, n);
    if (!n) continue;
    total += n;
    if (run.countOnly) continue;
    spend((<u32>n) << 2);
    if (!score(run, lead, n, bounded && threshold > -Infinity)) return -1;
  }
  return total;
}
