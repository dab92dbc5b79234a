import { MATCH_TERM, Matcher } from '../docset/matcher';
import { Bitset } from '../memory/bitset';
import { CODE_BITSET, contains, currentScore, enter, PostingsCursor } from '../postings/cursor';
import { countAccepted, findAccepted, acceptedDoc, acceptedScore, scoreAccepted } from '../postings/accepted';
import { blockImpact, scoreBlock } from '../postings/scores';
import { offer, threshold, topHitsCapacity } from '../score/topHits';
import { exhausted, spend } from '../workLimit';
import { kindWithin, maskCount, maskLive, maskSerial, maskSet, openMask } from './mask';
import {
  completeMaxima,
  forgetMaxima,
  largestOf,
  makeMaxima,
  intersectionCount,
  intersectionMaxima,
  orderLargest,
  recall,
  remember,
} from '../segment/intersectionCache';
import { Run } from './run';

// One term. Without deletions and filters its document frequency is the total, and only blocks that can hold a hit are read. With
// filters that are sets its blocks are counted through these, as bitsets where they are such; what they come to with one of the
// cache is remembered.

const SLACK: f32 = 1.00001;
/** Maxima hold for weights that are not next to nothing. */
const LEAST: f32 = 1e-15;
/** In how many steps they are kept. */
const STEPS: f32 = 255;

/** The term that `run` amounts to, with sets around it that are now the mask; null where it is anything else. */
export function singleOf(run: Run): Matcher | null {
  return kindWithin(run.root) == MATCH_TERM ? openMask(run) : null;
}

/** Offers the hits of the term and returns the number of its documents that count; -1 where the arena has no room. */
export function runSingle(run: Run, term: Matcher): i64 {
  const c = term.cursor;
  if (maskSet || maskLive) {
    if (maskSet && !run.exhaustive && maskCount >= 0 && (<u64>maskCount) << 1 < <u64>c.blocks)
      return runMembers(run, c);
    return runMasked(run, c, maskSet ? maskSet : maskLive, maskSet ? maskLive : 0);
  }
  if (run.countOnly) return c.df;
  const value = c.value * SLACK;
  for (let block: u32 = 0; block < c.blocks; block++) {
    if (!run.exhaustive && blockImpact(c, block) * value <= threshold) continue;
    if (!spend(128)) break;
    if (block) enter(c, block);
    if (!scoreBlock(c)) return -1;
    const docs = c.docs;
    const scores = c.scores;
    const n = (<usize>c.count) << 2;
    for (let i: usize = 0; i < n; i += 4) {
      const score = load<f32>(scores + i);
      if (score > threshold) offer(score, run.docBase + load<u32>(docs + i));
    }
  }
  return c.df;
}

/** Looks the documents of a small mask up in the list. */
function runMembers(run: Run, c: PostingsCursor): i64 {
  let total: i64 = 0;
  const words = (run.docCount + 63) >> 6;
  for (let w: u32 = 0; w < words; w++) {
    let word = load<u64>(maskSet + ((<usize>w) << 3));
    if (!word) continue;
    if (maskLive) word &= load<u64>(maskLive + ((<usize>w) << 3));
    for (; word; word &= word - 1) {
      const doc = (w << 6) + <u32>ctz<u64>(word);
      if (!contains(c, doc)) continue;
      total++;
      if (run.countOnly) continue;
      const score = currentScore(c);
      if (score > threshold) offer(score, run.docBase + doc);
    }
  }
  return total;
}

/** Walks the blocks of the list through the set, and the documents that live unless `live` is 0. */
function runMasked(run: Run, c: PostingsCursor, set: usize, live: usize): i64 {
  const serial = c.short ? 0 : maskSerial;
  const known = serial != 0 && recall(serial, c.lasts, run.view);
  const common: i64 = intersectionCount;
  if (known && (run.countOnly || !common)) return common;
  if (known && !run.exhaustive && c.value > LEAST && c.impact > LEAST) {
    if (intersectionMaxima) return runMaxima(run, c, set, live, intersectionMaxima) ? common : -1;
    const maxima = makeMaxima(serial, c.lasts, run.view, c.blocks);
    if (maxima) {
      const made = findMaxima(run, c, set, live, maxima);
      if (!made || exhausted) forgetMaxima(serial, c.lasts, run.view);
      else completeMaxima(serial, c.lasts, run.view);
      return made ? common : -1;
    }
  }
  const value = c.value * SLACK;
  let total: i64 = 0;
  for (let block: u32 = 0; block < c.blocks; block++) {
    const skip = run.countOnly || (!run.exhaustive && blockImpact(c, block) * value <= threshold);
    if (skip && known) continue;
    if (!spend(skip ? 16 : 128)) return total;
    if (block) enter(c, block);
    if (skip) {
      total += countAccepted(c, set, live);
      continue;
    }
    const n = findAccepted(c, set, live);
    total += n;
    if (n && !offerAccepted(run, c, n)) return -1;
  }
  if (known) return common;
  if (serial) remember(serial, c.lasts, run.view, <u32>total);
  return total;
}

/** Scores and offers the `n` documents found last; false without room. */
function offerAccepted(run: Run, c: PostingsCursor, n: usize): bool {
  if (!scoreAccepted(c, n)) return false;
  for (let i: usize = 0; i < n; i++) {
    const score = acceptedScore(i);
    if (score > threshold) offer(score, run.docBase + acceptedDoc(i));
  }
  return true;
}

/** Offers what passes, all of it scored, and notes the maxima of the blocks; false without room. */
function findMaxima(run: Run, c: PostingsCursor, set: usize, live: usize, maxima: usize): bool {
  const step = (c.impact / STEPS) * c.value;
  for (let block: u32 = 0; block < c.blocks && spend(128); block++) {
    enter(c, block);
    const n = findAccepted(c, set, live);
    if (!n) continue;
    if (!offerAccepted(run, c, n)) return false;
    let best: f32 = 0;
    for (let i: usize = 0; i < n; i++) best = max(best, acceptedScore(i));
    const steps = f32.ceil((best / step) * SLACK);
    store<u8>(maxima + block, <u8>max<f32>(1, min<f32>(STEPS, steps)));
  }
  orderLargest(maxima, c.blocks);
  return true;
}

/** Scores the current block and asks of what can be a hit whether it passes; false without room. */
function offerAll(run: Run, c: PostingsCursor, set: usize, live: usize): bool {
  if (!scoreBlock(c)) return false;
  const n = (<usize>c.count) << 2;
  for (let i: usize = 0; i < n; i += 4) {
    const score = load<f32>(c.scores + i);
    if (score <= threshold) continue;
    const doc = load<u32>(c.docs + i);
    if (Bitset.get(set, doc) && (!live || Bitset.get(live, doc))) offer(score, run.docBase + doc);
  }
  return true;
}

/** Offers what passes of the blocks whose maxima leave it a chance; false without room. */
function runMaxima(run: Run, c: PostingsCursor, set: usize, live: usize, maxima: usize): bool {
  // Where many pass, few of them can be hits: the scores come first. Bitsets are looked through sooner.
  const many = <u64>intersectionCount * 8 >= <u64>c.df;
  const most = <u64>intersectionCount * 2 >= <u64>c.df;
  const step = (c.impact / STEPS) * c.value * SLACK;
  // As many blocks as hits are wanted have a document that reaches this, or they all are wanted.
  const reached = largestOf(maxima, topHitsCapacity());
  for (let first: u32 = 0; first < c.blocks; first += 16) {
    const all = v128.load(maxima + first);
    const least = <u8>max<f32>(reached, min<f32>(STEPS, threshold / step));
    let chances = <u32>i8x16.bitmask(i8x16.ge_u(all, i8x16.splat(least)));
    for (; chances; chances &= chances - 1) {
      const block = first + <u32>ctz<u32>(chances);
      if (<f32>load<u8>(maxima + block) * step <= threshold) continue;
      if (!spend(128)) return true;
      enter(c, block);
      if (c.code == CODE_BITSET ? most : many) {
        if (!offerAll(run, c, set, live)) return false;
      } else if (!offerAccepted(run, c, findAccepted(c, set, live))) return false;
    }
  }
  return true;
}
