import { MATCH_FILTERED, MATCH_SET, Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { andInto, andCount, count } from '../memory/bitset';
import { Run } from './run';

// The sets around what is searched for: filters that are bitsets, a post filter, and the documents that searches see. What is
// left inside decides over scores alone.

// Globals: what `openMask` leaves for the strategy that runs next, and reads for every block.

/** The documents that all filters let through, with 16 bytes to spare; 0: all. */
export let maskSet: usize = 0;
/** The documents that searches see; 0: all. */
export let maskLive: usize = 0;
/** Number of a filter in the cache that is all of `maskSet`; 0 if none is. */
export let maskSerial: u32 = 0;
/** Documents in `maskSet`, deleted ones included; -1 where that isn't known. */
export let maskCount: i64 = -1;

/** `maskSet` is a copy that belongs to this search. */
let owned: bool = false;

/** Narrows the mask to a set; false without room. */
export function addToMask(run: Run, m: Matcher): bool {
  if (!maskSet) {
    maskSet = m.bits;
    maskSerial = m.serial;
    maskCount = m.exact ? <i64>m.cost : -1;
    return true;
  }
  const bytes = windowBytes(run.docCount);
  if (!owned) {
    const copy = requestAlloc(bytes);
    if (!copy) return false;
    memory.copy(copy, maskSet, bytes);
    maskSet = copy;
    owned = true;
  }
  andInto(maskSet, m.bits, bytes - 16);
  maskSerial = 0;
  maskCount = -1;
  return true;
}

/** The kind of what stands inside the filters around `m`. */
export function kindWithin(m: Matcher): u8 {
  let inner = m;
  while (inner.kind == MATCH_FILTERED) inner = Matcher.at(inner.optional, 0);
  return inner.kind;
}

/** What is left of `m` without the sets around it, which go to the mask; null where a filter is no set, or without room. */
export function unmask(run: Run, from: Matcher): Matcher | null {
  let m = from;
  while (m.kind == MATCH_FILTERED) {
    const filter = Matcher.at(m.required, 0);
    if (filter.kind != MATCH_SET || !addToMask(run, filter)) return null;
    m = Matcher.at(m.optional, 0);
  }
  return m;
}

/** Takes all sets around a run's tree for the mask; what is left, or null as `unmask`. */
export function openMask(run: Run): Matcher | null {
  maskSet = 0;
  maskSerial = 0;
  maskCount = -1;
  owned = false;
  maskLive = run.live;
  if (run.postFilter) {
    const filter: Matcher = run.postFilterMatcher;
    if (filter.kind != MATCH_SET || !addToMask(run, filter)) return null;
  }
  return unmask(run, run.root);
}

/** Documents that the mask lets through, where there is one. */
export function countMask(run: Run): u32 {
  const bytes = windowBytes(run.docCount) - 16;
  if (!maskSet) return count(maskLive, bytes);
  if (maskLive) return andCount(maskSet, maskLive, bytes);
  return maskCount >= 0 ? <u32>maskCount : count(maskSet, bytes);
}
