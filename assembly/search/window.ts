import { Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { count } from '../memory/bitset';
import { BATCH, scoreBatch } from '../score/batch';
import { offer, threshold } from '../score/topHits';
import { fillEssential, prepareBounds, spreadLeaves, windowBound } from './bounds';
import { exhausted, spend } from '../workLimit';
import { Run } from './run';
import { thin } from './thin';

// Any tree: its matches as a bitset, window by window, then the score of each that can still be a hit.

/** Documents of a window: small enough that bounds within it are tight and its bitsets stay in the first-level cache. */
const WINDOW: u32 = 1 << 12;
/** With fewer matches in a window it is not worth asking which of them can be hits. */
const FEW: u32 = 16;

/** Documents that are scored next. */
const batch: usize = memory.data(512, 16);

/** Executes `run`; returns the number of documents that count, or -1 where the arena has no room. */
export function runWindows(run: Run): i64 {
  const root: Matcher = run.root;
  const bytes = windowBytes(WINDOW);
  const bits = requestAlloc(bytes * 3);
  if (!bits) return -1;
  const filter = bits + bytes;
  const essential = filter + bytes;
  const bounded = !run.exhaustive && !run.countOnly && prepareBounds(root);
  if (bounded && !spreadLeaves(run.docCount)) return -1;
  let total: i64 = 0;
  for (let base: u32 = 0; base < run.docCount && spend(WINDOW >> 4); base += WINDOW) {
    const size = min(WINDOW, run.docCount - base);
    const used = windowBytes(size);
    run.fillWindow(base, size, bits, filter);
    const words = (size + 63) >> 6;
    // What a call found that was stopped meanwhile isn't whole.
    if (exhausted) break;
    if (run.search.thinning.isNeeded && !thin(run, base, size, bits)) return -1;
    const found = count(bits, used);
    if (!found) continue;
    total += found;
    spend(found << 2);
    if (run.countOnly) continue;
    if (bounded && found > FEW && threshold > -Infinity) {
      if (windowBound(root, base, base + size) <= threshold) continue;
      memory.fill(essential, 0, used);
      if (fillEssential(root, null, base, size, threshold, essential)) {
        for (let w: u32 = 0; w < used; w += 16) {
          v128.store(bits + w, v128.and(v128.load(bits + w), v128.load(essential + w)));
        }
      }
    }
    let n: usize = 0;
    for (let i: u32 = 0; i < words; i++) {
      let word = load<u64>(bits + ((<usize>i) << 3));
      while (word) {
        store<u32>(batch + (n << 2), base + (i << 6) + <u32>ctz<u64>(word));
        word &= word - 1;
        if (++n < BATCH) continue;
        if (exhausted) return total;
        if (!scoreAll(run, n)) return -1;
        n = 0;
      }
    }
    if (n && !scoreAll(run, n)) return -1;
  }
  return total;
}

/** Offers the `n` documents in `batch`. False without room. */
function scoreAll(run: Run, n: usize): bool {
  const root: Matcher = run.root;
  if (!scoreBatch(root, batch, n)) return false;
  for (let i: usize = 0; i < n << 2; i += 4) {
    const value = load<f32>(root.batch + i);
    if (value > threshold) offer(value, run.docBase + load<u32>(batch + i));
  }
  return true;
}
