import { OPTION_MIN_SCORE } from '../abi/plan';
import { Matcher } from '../docset/matcher';
import { BATCH, HITS, scoreBatch } from '../score/batch';
import { Plan } from './plan';
import { Run } from './run';

// Thins the matches of a window out by what only their scores tell (a minimum score) and by how many have been seen (terminate
// after). Documents come in ascending order.

const batch: usize = memory.data(512, 16);

/** What thins the matches of a search out, over all its segments. */
@unmanaged
export class Thinning {
  /** Matches that may still be counted in this shard, where it `terminates`. */
  left: u32;
  terminates: bool;
  /** Whether matches were left out because enough had been seen. */
  terminatedEarly: bool;
  /** Whether scores decide which documents match: by a minimum of the search, or by a part of the query. */
  scores: bool;
  hasMinScore: bool;
  minScore: f32;

  start(plan: Plan): void {
    this.terminates = plan.terminateAfter > 0;
    this.left = plan.terminateAfter;
    this.hasMinScore = (plan.options & OPTION_MIN_SCORE) != 0;
    this.minScore = plan.minScore;
    this.scores = this.hasMinScore || plan.scored;
  }

  /** Whether matches have to go through `thin`, window by window in ascending order. */
  @inline get isNeeded(): bool {
    return this.scores || this.terminates;
  }
}

/** Clears the bits of the `n` documents in `batch` that don't count; false without room. */
function testBatch(run: Run, n: usize, base: u32, bits: usize): bool {
  const root: Matcher = run.root;
  const thinning = run.search.thinning;
  if (!scoreBatch(root, batch, n)) return false;
  for (let i: usize = 0; i < n << 2; i += 4) {
    const score = load<f32>(root.batch + i);
    if (load<u32>(root.batch + HITS + i) && (!thinning.hasMinScore || score >= thinning.minScore)) continue;
    const bit = load<u32>(batch + i) - base;
    const at = bits + ((<usize>bit >> 6) << 3);
    store<u64>(at, load<u64>(at) & ~((<u64>1) << (<u64>(bit & 63))));
  }
  return true;
}

function thinByScore(run: Run, base: u32, words: u32, bits: usize): bool {
  let n: usize = 0;
  for (let i: u32 = 0; i < words; i++) {
    let word = load<u64>(bits + ((<usize>i) << 3));
    while (word) {
      store<u32>(batch + (n << 2), base + (i << 6) + <u32>ctz<u64>(word));
      word &= word - 1;
      if (++n < BATCH) continue;
      if (!testBatch(run, n, base, bits)) return false;
      n = 0;
    }
  }
  return !n || testBatch(run, n, base, bits);
}

/** Thins out the matches of [base, base + size) in `bits`; false without room. */
export function thin(run: Run, base: u32, size: u32, bits: usize): bool {
  const words = (size + 63) >> 6;
  const thinning = run.search.thinning;
  if (thinning.scores && !thinByScore(run, base, words, bits)) return false;
  if (thinning.terminates) terminate(thinning, words, bits);
  return true;
}

/** Counts matches, and clears those behind the last that counts. */
function terminate(thinning: Thinning, words: u32, bits: usize): void {
  for (let i: u32 = 0; i < words; i++) {
    const at = bits + ((<usize>i) << 3);
    let word = load<u64>(at);
    const found = <u32>popcnt<u64>(word);
    if (found <= thinning.left) {
      thinning.left -= found;
      // 1.7 says so as soon as the last one has been counted.
      if (found && !thinning.left) thinning.terminatedEarly = true;
      continue;
    }
    let kept: u64 = 0;
    for (; thinning.left; thinning.left--) {
      kept |= word & (0 - word);
      word &= word - 1;
    }
    store<u64>(at, kept);
    thinning.terminatedEarly = true;
  }
}

/** Clears the bits from the last one on that is set in `counted`; all without one. */
function dropFrom(words: u32, bits: usize, counted: usize): void {
  let i = words;
  while (i && !load<u64>(counted + ((<usize>(i - 1)) << 3))) i--;
  if (i--) {
    const at = (<usize>i) << 3;
    const last = 63 - clz<u64>(load<u64>(counted + at));
    store<u64>(bits + at, load<u64>(bits + at) & (((<u64>1) << last) - 1));
  }
  for (let j = i + 1; j < words; j++) store<u64>(bits + ((<usize>j) << 3), 0);
}

/**
 * The same for aggregations. They see matches that a post filter leaves out, which don't count, and as in 1.7 not the match with
 * which a search ends. `counted` is what passes the post filter; it is overwritten. Returns 1 if the search ended here: its last match
 * still counts. 0 if not, -1 without room.
 */
export function thinForAggregations(run: Run, base: u32, size: u32, bits: usize, counted: usize): i32 {
  const words = (size + 63) >> 6;
  const thinning = run.search.thinning;
  if (thinning.scores && !thinByScore(run, base, words, bits)) return -1;
  if (!thinning.terminates) return 0;
  const before = thinning.left;
  for (let i: usize = 0; i < (<usize>words) << 3; i += 8)
    store<u64>(counted + i, load<u64>(bits + i) & load<u64>(counted + i));
  terminate(thinning, words, counted);
  if (thinning.left) return 0;
  if (!before) memory.fill(bits, 0, (<usize>words) << 3);
  else dropFrom(words, bits, counted);
  return before ? 1 : 0;
}
