import { enter, NO_MORE, PostingsCursor, seekBlock } from '../postings/cursor';
import { blockImpact, scoreBlock } from '../postings/scores';
import { spend } from '../workLimit';
import { Run } from './run';
import { accepted, complete, raiseFirst, SLACK, union } from './unionClauses';

// Block-max MAXSCORE over the clauses of a union: see union.ts.

/** Documents whose scores are summed at a time: few where lists are dense, so that the sums stay in the first-level cache. */
export const DENSE_WINDOW: u32 = 2048;
export const SPARSE_WINDOW: u32 = 16384;

// The window, of SPARSE_WINDOW documents: per document f64 sum and u16 number of clauses, and a bitset of those that have any. Zero between searches.
const totals: usize = memory.data(131072, 16);
const counts: usize = memory.data(32768, 16);
const seen: usize = memory.data(2048, 16);

/** One clause is left that can bring up hits: its blocks are the candidates. False without room. */
function runLast(from: u32): bool {
  const last = union.n - 1;
  const c = union.cursor(last);
  if (!seekBlock(c, from)) return true;
  const value = <f64>c.value * SLACK;
  const others = union.below(last);
  const factor = union.coord(union.n);
  while (union.first < union.n && spend(32)) {
    if (factor * (<f64>blockImpact(c, c.block) * value + others) > union.threshold()) {
      if (!scoreBlock(c)) return false;
      const docs = c.docs;
      const scores = c.scores;
      const n = (<usize>c.count) << 2;
      for (let i: usize = 0; i < n; i += 4) {
        const score = <f64>load<f32>(scores + i);
        if (factor * (score * SLACK + others) <= union.threshold()) continue;
        const doc = load<u32>(docs + i);
        if (doc >= from && union.allowed(doc)) complete(doc, score, 1);
      }
    }
    if (c.block + 1 >= c.blocks) return true;
    enter(c, c.block + 1);
    raiseFirst();
  }
  return true;
}

/** The next document of a clause that is walked, or one not above it. */
function upcoming(c: PostingsCursor): u32 {
  if (c.block >= c.blocks) return NO_MORE;
  return c.docsReady ? load<u32>(c.docs + ((<usize>c.index) << 2)) : <u32>(c.previous + 1);
}

/** Adds the scores of clause `e` in [base, limit) to the window; false without room. Blocks that cannot matter are left out. */
function accumulate(e: u32, base: u32, limit: u32): bool {
  const c = union.cursor(e);
  const value = <f64>c.value * SLACK;
  const others = union.below(union.n) - union.bound(e);
  const factor = union.coord(union.n);
  while (c.block < c.blocks) {
    if (c.index == 0 && factor * (<f64>blockImpact(c, c.block) * value + others) <= union.threshold()) {
      leaveBlock(c);
      if (<u32>(c.previous + 1) >= limit) return true;
      continue;
    }
    if (!scoreBlock(c)) return false;
    const docs = c.docs;
    const scores = c.scores;
    const end = (<usize>c.count) << 2;
    let i = (<usize>c.index) << 2;
    for (; i < end; i += 4) {
      const doc = load<u32>(docs + i);
      if (doc >= limit) break;
      const at = <usize>(doc - base);
      const total = totals + (at << 3);
      store<f64>(total, load<f64>(total) + <f64>load<f32>(scores + i));
      const counter = counts + (at << 1);
      store<u16>(counter, load<u16>(counter) + 1);
      const word = seen + ((at >> 6) << 3);
      store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>(at & 63))));
    }
    if (i < end) {
      c.index = <u32>(i >> 2);
      return true;
    }
    leaveBlock(c);
  }
  return true;
}

/** Goes on to the next block, or past the end. */
function leaveBlock(c: PostingsCursor): void {
  if (c.short) c.block = c.blocks;
  else enter(c, c.block + 1);
}

/** Offers what the window holds and clears it. `run`: test each document against the tree and count. Returns the count. */
function collect(base: u32, run: Run | null): u32 {
  let found: u32 = 0;
  for (let w: u32 = 0; w < union.window >> 6; w++) {
    const at = seen + ((<usize>w) << 3);
    let word = load<u64>(at);
    if (!word) continue;
    store<u64>(at, 0);
    // A threshold of this moment: it only rises, and `complete` looks again.
    const threshold = union.threshold();
    while (word) {
      const i = (w << 6) + <u32>ctz<u64>(word);
      word &= word - 1;
      const total = totals + ((<usize>i) << 3);
      const counter = counts + ((<usize>i) << 1);
      const sum = load<f64>(total);
      const overlap = <u32>load<u16>(counter);
      store<f64>(total, 0);
      store<u16>(counter, 0);
      const doc = base + i;
      if (run !== null) {
        if (!accepted(run, doc)) continue;
        found++;
      }
      if (union.coord(overlap + union.first) * (sum * SLACK + union.below(union.first)) <= threshold)
        continue;
      if (union.allowed(doc)) complete(doc, sum, overlap);
    }
  }
  return found;
}

/** Walks the essential clauses window by window; returns the count where `run` is given, or -1 without room. */
export function walk(run: Run | null): i64 {
  if (!totals || !counts || !seen) return -1;
  let total: i64 = 0;
  for (let e: u32 = 0; e < union.n; e++) enter(union.cursor(e), 0);
  let base: u32 = 0;
  while (union.first < union.n && spend(union.window >> 2)) {
    if (run === null && union.first + 1 == union.n) return runLast(base) ? total : -1;
    let next = NO_MORE;
    for (let e = union.first; e < union.n; e++) next = min(next, upcoming(union.cursor(e)));
    if (next == NO_MORE) break;
    base = next;
    for (let e = union.first; e < union.n; e++) if (!accumulate(e, base, base + union.window)) return -1;
    total += collect(base, run);
    base += union.window;
    if (run === null) raiseFirst();
  }
  return total;
}
