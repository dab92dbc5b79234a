import { KEY_DISTANCE } from '../abi/plan';
import { Double } from '../docvalues/column';
import { chordLimits, possibleSquare, sureSquare } from '../docvalues/geoFilter';
import { Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { Bitset, count } from '../memory/bitset';
import { scoreBatch } from '../score/batch';
import { exhausted, spend } from '../workLimit';
import { Run } from './run';
import { thin } from './thin';
import { rankOf, rankOfValue, SortKey, SortSection } from '../sort/sortKeys';
import { bound, Offered, offerSorted } from './sortedHits';

// A search sorted by keys: matches window by window as bitsets, then 128 documents at a time, which are a block of each column
// of the single form. A block none of whose values can be a hit is counted and left alone. Where the better values of the first key
// are in the later half of the segment, as with times sorted downwards, the windows are walked from the end.

const WINDOW: u32 = 1 << 12;
const BLOCK: u32 = 128;
/** With fewer matches in a block its values are read one by one. */
const FEW: u32 = 16;

const RADIANS: f64 = Math.PI / 180;

const docs: usize = memory.data(512, 16);
const values: usize = memory.data(1024, 16);

/** The best rank that a value from block `from` to `end` of the first key's column can have. */
function bestRank(key: SortKey, from: u32, end: u32): i64 {
  const column = key.opened;
  let best = i64.MAX_VALUE;
  for (let b = from; b < end; b++) {
    const smallest = column.blockSmallest(b);
    const largest = column.blockLargest(b);
    if (smallest > largest) continue;
    best = min(best, rankOfValue(key, key.descending ? largest : smallest));
  }
  return best;
}

/** Whether the segment's second half has better values of the first key than its first. */
function isBetterAtTheEnd(sort: SortSection): bool {
  const key = sort.key(0);
  if (sort.tracksScores || !key.isBounded) return false;
  const blocks = key.opened.blocks;
  return blocks > 1 && bestRank(key, blocks >> 1, blocks) < bestRank(key, 0, blocks >> 1);
}

// Globals: worked out for the bound once, and read for every block.

/** The limits of the squares of chords that `bound` was turned into, and that bound. */
let nearest: f32 = 0;
let farthest: f32 = 0;
let limited: i64 = i64.MAX_VALUE;

/**
 * The documents of a block, given as two words, whose point may be a hit: those that are not surely farther from the point of the
 * first key than the worst hit so far, or nearer where the farthest come first.
 */
function pruneByDistance(key: SortKey, base: u32, low: u64, high: u64): void {
  keptLow = low;
  keptHigh = high;
  // Documents without a point are the farthest; while one is a hit, the next may decide by its other keys.
  if (!key.isAngular || bound == i64.MAX_VALUE || bound == key.missingRank) return;
  if (bound != limited) {
    limited = bound;
    chordLimits(Double.fromOrdered(key.rank(bound)) * key.unit);
    nearest = sureSquare;
    farthest = possibleSquare;
  }
  const column = key.opened;
  const point = key.points;
  const lat = load<f64>(point) * RADIANS;
  const lon = load<f64>(point, 8) * RADIANS;
  const px = f32x4.splat(<f32>(Math.cos(lat) * Math.cos(lon)));
  const py = f32x4.splat(<f32>(Math.cos(lat) * Math.sin(lon)));
  const pz = f32x4.splat(<f32>Math.sin(lat));
  const limit = f32x4.splat(key.descending ? nearest : farthest);
  const stride = (<usize>column.vectorStride) << 2;
  const from = column.vectors + ((<usize>base) << 2);
  const end = ((<usize>min(column.valueCount - base, BLOCK) + 3) & ~3) << 2;
  let first: u64 = 0;
  let second: u64 = 0;
  for (let at: usize = 0; at < end; at += 16) {
    const dx = f32x4.sub(v128.load(from + at), px);
    const dy = f32x4.sub(v128.load(from + at + stride), py);
    const dz = f32x4.sub(v128.load(from + at + 2 * stride), pz);
    const square = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
    const bits = <u64>i32x4.bitmask(f32x4.le(square, limit));
    const i = <u64>(at >> 2);
    if (i < 64) first |= bits << i;
    else second |= bits << (i - 64);
  }
  keptLow &= key.descending ? ~first : first;
  keptHigh &= key.descending ? ~second : second;
}

/** What `pruneByDistance` left: it has two values. */
let keptLow: u64 = 0;
let keptHigh: u64 = 0;

/** Offers the matches among 128 documents from `base` on, given as two words; false without room. */
function offerBlock(run: Run, sort: SortSection, base: u32, given0: u64, given1: u64): bool {
  const key = sort.key(0);
  const tracksScores = sort.tracksScores;
  const needsScores = sort.needsScores;
  let low = given0;
  let high = given1;
  if (key.kind == KEY_DISTANCE && !tracksScores) {
    pruneByDistance(key, base, low, high);
    low = keptLow;
    high = keptHigh;
    if ((low | high) == 0) return true;
  }
  const bounded = key.isBounded;
  if (bounded && !tracksScores) {
    const best = bestRank(key, base / BLOCK, base / BLOCK + 1);
    // Documents without a value may still be hits.
    const missing = key.opened.present ? key.missingRank : i64.MAX_VALUE;
    if (min(best, missing) > bound) return true;
  }
  let n: u32 = 0;
  for (let half: u32 = 0; half < 2; half++) {
    for (let word = half ? high : low; word; word &= word - 1) {
      store<u32>(docs + ((<usize>n) << 2), base + (half << 6) + <u32>ctz<u64>(word));
      n++;
    }
  }
  const root: Matcher = run.root;
  if (needsScores && !scoreBatch(root, docs, n)) return false;
  if (tracksScores) {
    let largest = run.search.largestScore;
    for (let i: usize = 0; i < (<usize>n) << 2; i += 4) {
      const score = load<f32>(root.batch + i);
      if (!(score <= largest)) largest = score;
    }
    run.search.largestScore = largest;
  }
  const whole = bounded && n >= FEW;
  if (whole) key.opened.decode(base / BLOCK, values);
  for (let i: u32 = 0; i < n; i++) {
    const doc = load<u32>(docs + ((<usize>i) << 2));
    const score = needsScores ? load<f32>(root.batch + ((<usize>i) << 2)) : NaN;
    let rank: i64;
    if (whole) {
      const present = key.opened.present;
      if (present && !Bitset.get(present, doc)) rank = key.missingRank;
      else rank = rankOfValue(key, load<i64>(values + ((<usize>(doc - base)) << 3)));
    } else {
      rank = rankOf(key, doc, run.docBase, score);
    }
    if (rank > bound) continue;
    Offered.put(run.docBase + doc, score);
    Offered.rank(0, rank);
    for (let k: u32 = 1; k < sort.count; k++) Offered.rank(k, rankOf(sort.key(k), doc, run.docBase, score));
    offerSorted();
  }
  return true;
}

/** Executes `run` by opened keys; returns the number of documents that count, or -1 where the arena has no room. */
export function runSorted(run: Run, sort: SortSection): i64 {
  const bits = requestAlloc(windowBytes(WINDOW) * 2);
  if (!bits) return -1;
  limited = i64.MAX_VALUE;
  const filter = bits + windowBytes(WINDOW);
  const windows = (run.docCount + WINDOW - 1) / WINDOW;
  const backwards = !run.search.thinning.isNeeded && isBetterAtTheEnd(sort);
  let total: i64 = 0;
  for (let w: u32 = 0; w < windows && spend(WINDOW >> 4); w++) {
    const base = (backwards ? windows - 1 - w : w) * WINDOW;
    const size = min(WINDOW, run.docCount - base);
    const used = windowBytes(size);
    run.fillWindow(base, size, bits, filter);
    // What a call found that was stopped meanwhile isn't whole.
    if (exhausted) break;
    if (run.search.thinning.isNeeded && !thin(run, base, size, bits)) return -1;
    const found = count(bits, used);
    total += found;
    if (!found) continue;
    spend(found << 1);
    const blocks = (size + BLOCK - 1) / BLOCK;
    for (let b: u32 = 0; b < blocks && !exhausted; b++) {
      const block = backwards ? blocks - 1 - b : b;
      const at = bits + ((<usize>block) << 4);
      const low = load<u64>(at);
      const high = load<u64>(at, 8);
      if ((low | high) != 0 && !offerBlock(run, sort, base + block * BLOCK, low, high)) return -1;
    }
  }
  return total;
}
