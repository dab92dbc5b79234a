import { fill, MATCH_FILTERED, MATCH_SET, Matcher, windowBytes } from '../docset/matcher';
import { requestAlloc } from '../memory/arena';
import { andInto, count } from '../memory/bitset';
import { fillBits, spread } from '../postings/bits';
import { spend } from '../workLimit';
import { Run } from './run';
import { union } from './unionClauses';

// How many documents a union matches: its lists as bitsets, combined with the mask of documents that may match at all.

/** With more clauses than this their bitsets would not stay in the second-level cache. */
export const KEPT_BITSETS: u32 = 8;

/** Narrows the mask to a set, which stays as it is; false without room. */
function maskSet(run: Run, set: usize): bool {
  const bytes = windowBytes(run.docCount);
  if (!union.mask) {
    union.mask = set;
    union.maskOwned = false;
    return true;
  }
  if (!union.maskOwned) {
    const own = requestAlloc(bytes);
    if (!own) return false;
    memory.copy(own, union.mask, bytes - 16);
    union.mask = own;
    union.maskOwned = true;
  }
  andInto(union.mask, set, bytes - 16);
  return true;
}

/** Narrows the mask to the documents of `m`, or those without it; false without room. */
function mask(run: Run, m: Matcher, keep: bool): bool {
  if (keep && m.kind == MATCH_SET) return maskSet(run, m.bits);
  const bytes = windowBytes(run.docCount);
  const bits = requestAlloc(bytes);
  if (!bits) return false;
  memory.fill(bits, 0, bytes);
  fill(m, 0, run.docCount, bits);
  if (!keep) for (let at = bits; at < bits + bytes; at += 16) v128.store(at, v128.not(v128.load(at)));
  if (union.mask) return maskSet(run, bits);
  union.mask = bits;
  union.maskOwned = true;
  return true;
}

/** Works out which documents may match at all; false without room. */
export function makeMask(run: Run, m: Matcher): bool {
  union.mask = 0;
  for (let outer: Matcher = run.root; outer.kind == MATCH_FILTERED; outer = Matcher.at(outer.optional, 0)) {
    if (!mask(run, Matcher.at(outer.required, 0), true)) return false;
  }
  for (let i: u32 = 0; i < m.prohibitedCount; i++)
    if (!mask(run, Matcher.at(m.prohibited, i), false)) return false;
  if (run.postFilter && !mask(run, run.postFilterMatcher, true)) return false;
  return !run.live || maskSet(run, run.live);
}

/** Spreads every clause into its bitset; false without room. */
function spreadAll(run: Run, m: Matcher): bool {
  for (let i: u32 = 0; i < m.optionalCount; i++) {
    if (!spread(Matcher.at(m.optional, i).cursor, Infinity, run.docCount)) return false;
  }
  return true;
}

/**
 * From the clauses' bitsets: those of any clause into `any`, those of two or more into `several`, those of three or more into
 * `union.many` and all others that may match into `union.rest`, if there is room for these. How many those of any are.
 */
function merge(m: Matcher, any: usize, several: usize, bytes: u32): u64 {
  const n = m.optionalCount;
  let anys: u64 = 0;
  let severals: u64 = 0;
  let manies: u64 = 0;
  const many = union.many;
  const rest = union.rest;
  for (let at: usize = 0; at < <usize>bytes; at += 16) {
    let one = i64x2.splat(0);
    let more = i64x2.splat(0);
    let three = i64x2.splat(0);
    for (let i: u32 = 0; i < n; i++) {
      const bits = v128.load(Matcher.at(m.optional, i).cursor.presence + at);
      three = v128.or(three, v128.and(more, bits));
      more = v128.or(more, v128.and(one, bits));
      one = v128.or(one, bits);
    }
    if (union.mask) {
      const allowed = v128.load(union.mask + at);
      one = v128.and(one, allowed);
      more = v128.and(more, allowed);
      three = v128.and(three, allowed);
    }
    if (many) {
      v128.store(many + at, three);
      v128.store(rest + at, v128.andnot(one, three));
      manies += popcnt<u64>(i64x2.extract_lane(three, 0)) + popcnt<u64>(i64x2.extract_lane(three, 1));
    }
    v128.store(any + at, one);
    v128.store(several + at, more);
    anys += popcnt<u64>(i64x2.extract_lane(one, 0)) + popcnt<u64>(i64x2.extract_lane(one, 1));
    severals += popcnt<u64>(i64x2.extract_lane(more, 0)) + popcnt<u64>(i64x2.extract_lane(more, 1));
  }
  union.severalCount = severals;
  union.manyCount = manies;
  return anys;
}

/** From the clauses' bitsets: those of at least `m.minimum` of them, counted in four bits of carry-save adders; how many these are. */
function mergeAtLeast(m: Matcher, enough: usize, bytes: u32): u64 {
  const n = m.optionalCount;
  let total: u64 = 0;
  const minimum = m.minimum;
  for (let at: usize = 0; at < <usize>bytes; at += 16) {
    let ones = i64x2.splat(0);
    let twos = i64x2.splat(0);
    let fours = i64x2.splat(0);
    let eights = i64x2.splat(0);
    for (let i: u32 = 0; i < n; i++) {
      const bits = v128.load(Matcher.at(m.optional, i).cursor.presence + at);
      const toTwos = v128.and(ones, bits);
      ones = v128.xor(ones, bits);
      const toFours = v128.and(twos, toTwos);
      twos = v128.xor(twos, toTwos);
      const toEights = v128.and(fours, toFours);
      fours = v128.xor(fours, toFours);
      eights = v128.or(eights, toEights);
    }
    let greater = i64x2.splat(0);
    let equal = i64x2.splat(-1);
    if (minimum & 8) equal = v128.and(equal, eights);
    else {
      greater = eights;
      equal = v128.not(eights);
    }
    if (minimum & 4) equal = v128.and(equal, fours);
    else {
      greater = v128.or(greater, v128.and(equal, fours));
      equal = v128.andnot(equal, fours);
    }
    if (minimum & 2) equal = v128.and(equal, twos);
    else {
      greater = v128.or(greater, v128.and(equal, twos));
      equal = v128.andnot(equal, twos);
    }
    if (minimum & 1) equal = v128.and(equal, ones);
    else {
      greater = v128.or(greater, v128.and(equal, ones));
      equal = v128.andnot(equal, ones);
    }
    let result = v128.or(greater, equal);
    if (union.mask) result = v128.and(result, v128.load(union.mask + at));
    v128.store(enough + at, result);
    total += popcnt<u64>(i64x2.extract_lane(result, 0)) + popcnt<u64>(i64x2.extract_lane(result, 1));
  }
  return total;
}

/** Counts the matches; -1 without room. Where there are few clauses their bitsets stay, for look-ups. */
export function countUnion(run: Run, m: Matcher): i64 {
  union.found = 0;
  union.several = 0;
  union.many = 0;
  if (m.optionalCount == 1 && !union.mask) return Matcher.at(m.optional, 0).cursor.df;
  const bytes = windowBytes(run.docCount);
  const used = bytes - 16;
  const bits = requestAlloc(bytes);
  if (!bits) return -1;
  if (m.optionalCount > KEPT_BITSETS) {
    memory.fill(bits, 0, bytes);
    for (let i: u32 = 0; i < m.optionalCount; i++) {
      const cursor = Matcher.at(m.optional, i).cursor;
      if (!spend(16 + (cursor.df >> 2))) break;
      fillBits(cursor, 0, run.docCount, bits);
    }
    if (union.mask) andInto(bits, union.mask, used);
    return count(bits, used);
  }
  if (!spreadAll(run, m)) return -1;
  union.found = bits;
  if (m.minimum > 1) return <i64>mergeAtLeast(m, bits, used);
  union.several = requestAlloc(bytes);
  if (m.optionalCount > 2) {
    union.many = requestAlloc(bytes);
    union.rest = requestAlloc(bytes);
  }
  if (!union.several || (m.optionalCount > 2 && (!union.many || !union.rest))) return -1;
  return <i64>merge(m, bits, union.several, used);
}
