import {
  MATCH_ALL,
  MATCH_BOOLEAN,
  MATCH_CONSTANT,
  MATCH_DISMAX,
  MATCH_FILTERED,
  MATCH_PHRASE,
  MATCH_TERM,
  Matcher,
} from '../docset/matcher';
import { phraseImpact } from '../docset/phrase';
import { requestAlloc } from '../memory/arena';
import { PostingsCursor, fillBits, listImpact } from '../postings/cursor';
import { coord } from '../score/similarity';

// What a tree can score at most within a window of documents, and which of its leaves must hold a document that scores more
// than a given bar. The generalisation of MAXSCORE to any tree: the bound of a set of leaves is the tree's score with each
// of them at its largest and the others absent; it grows with the set.

/** Bounds are widened by this much, more than all roundings of a score can add up to. */
const SLACK: f32 = 1.00001;
/** With more leaves than this a partition costs more than it saves. */
const MAX_LEAVES: u32 = 24;

/** A leaf of the scoring tree. */
@unmanaged
export class Leaf {
  matcher: Matcher;
  /** Largest score in the window; negative: it has no document there. */
  bound: f32;
  /** Counted in `treeBound`. */
  active: bool;
  /** The block of a long list where the window begins. */
  block: u32;
  /** Bound over all documents, of leaves that have no blocks. */
  whole: f32;
}

let leaves: usize = 0;
let leafCount: u32 = 0;
let failed: bool = false;

function leafAt(i: u32): Leaf {
  return changetype<Leaf>(load<usize>(leaves + <usize>i * sizeof<usize>()));
}

function gather(m: Matcher): void {
  switch (m.kind) {
    case MATCH_BOOLEAN:
      for (let i: u32 = 0; i < m.requiredCount; i++) gather(Matcher.at(m.required, i));
      for (let i: u32 = 0; i < m.optionalCount; i++) gather(Matcher.at(m.optional, i));
      return;
    case MATCH_DISMAX:
      for (let i: u32 = 0; i < m.optionalCount; i++) gather(Matcher.at(m.optional, i));
      return;
    case MATCH_FILTERED:
      gather(Matcher.at(m.optional, 0));
      return;
    default: {
      m.leaf = 0;
      if (leafCount >= MAX_LEAVES) {
        failed = true;
        return;
      }
      const at = requestAlloc(offsetof<Leaf>());
      if (!at) {
        failed = true;
        return;
      }
      memory.fill(at, 0, offsetof<Leaf>());
      const leaf = changetype<Leaf>(at);
      leaf.matcher = m;
      leaf.active = true;
      leaf.whole =
        m.kind == MATCH_PHRASE
          ? phraseImpact(m.phrase) * m.phrase.value * SLACK
          : m.kind == MATCH_CONSTANT || m.kind == MATCH_ALL
            ? m.value
            : Infinity;
      m.leaf = at;
      store<usize>(leaves + <usize>leafCount * sizeof<usize>(), at);
      leafCount++;
    }
  }
}

/** Prepares bounds for the tree; false where it has too many leaves (then nothing is skipped) or there is no room. */
export function prepareBounds(root: Matcher): bool {
  leaves = requestAlloc(MAX_LEAVES * <u32>sizeof<usize>());
  leafCount = 0;
  failed = leaves == 0;
  if (!failed) gather(root);
  return !failed;
}

/** Largest score of a list within [base, limit); -1 where it has no document there. `from` remembers the first block. */
function termBound(leaf: Leaf, base: u32, limit: u32): f32 {
  const c: PostingsCursor = leaf.matcher.cursor;
  if (c.short) {
    // The documents ascend; which of them come first does not matter for a list this short.
    if (c.last < base || load<u32>(c.docs) >= limit) return -1;
    return listImpact(c) * c.value * SLACK;
  }
  const lasts = c.lasts;
  let b = leaf.block;
  const n = c.blocks;
  while (b < n && load<u32>(lasts + ((<usize>b) << 2)) < base) b++;
  leaf.block = b;
  if (b == n) return -1;
  let best: f32 = -1;
  for (; b < n; b++) {
    // A block begins after the last document of the one before.
    if (b && load<u32>(lasts + ((<usize>b) << 2) - 4) + 1 >= limit) break;
    const impact = load<f32>(c.metas + ((<usize>b) << 4), 4);
    if (impact > best) best = impact;
  }
  return best < 0 ? -1 : best * c.value * SLACK;
}

/** Bound of `m` with the active leaves; negative where it cannot match. */
function boundOf(m: Matcher): f32 {
  switch (m.kind) {
    case MATCH_BOOLEAN: {
      let sum: f32 = 0;
      let overlap: u32 = m.requiredCount;
      for (let i: u32 = 0; i < m.requiredCount; i++) {
        const bound = boundOf(Matcher.at(m.required, i));
        if (bound < 0) return -1;
        sum += bound;
      }
      let found: u32 = 0;
      for (let i: u32 = 0; i < m.optionalCount; i++) {
        const bound = boundOf(Matcher.at(m.optional, i));
        if (bound < 0) continue;
        sum += bound;
        found++;
      }
      if (found < m.minimum) return -1;
      overlap += found;
      return (m.noCoord ? sum : sum * coord(overlap, m.maxCoord)) * SLACK;
    }
    case MATCH_DISMAX: {
      let best: f32 = -1;
      let sum: f32 = 0;
      for (let i: u32 = 0; i < m.optionalCount; i++) {
        const bound = boundOf(Matcher.at(m.optional, i));
        if (bound < 0) continue;
        sum += bound;
        if (bound > best) best = bound;
      }
      if (best < 0 || m.tieBreaker == 0) return best;
      return (m.tieBreaker > 1 ? sum * m.tieBreaker : best + (sum - best) * m.tieBreaker) * SLACK;
    }
    case MATCH_FILTERED:
      return boundOf(Matcher.at(m.optional, 0));
    default: {
      const leaf = changetype<Leaf>(m.leaf);
      return leaf.active ? leaf.bound : -1;
    }
  }
}

/** What the tree can score at most within [base, limit); negative where it cannot match. */
export function windowBound(root: Matcher, base: u32, limit: u32): f32 {
  for (let i: u32 = 0; i < leafCount; i++) {
    const leaf = leafAt(i);
    leaf.active = true;
    leaf.bound = leaf.matcher.kind == MATCH_TERM ? termBound(leaf, base, limit) : leaf.whole;
  }
  return boundOf(root);
}

/**
 * After `windowBound`: fills `bits` (cleared) with the documents that can score more than `bar`; false where that cannot be
 * told from the terms, then all may.
 */
export function fillEssential(root: Matcher, base: u32, size: u32, bar: f32, bits: usize): bool {
  // Ascending by bound; the lists are short.
  for (let i: u32 = 1; i < leafCount; i++) {
    const leaf = leafAt(i);
    let k = i;
    while (k > 0 && leafAt(k - 1).bound > leaf.bound) {
      store<usize>(leaves + <usize>k * sizeof<usize>(), changetype<usize>(leafAt(k - 1)));
      k--;
    }
    store<usize>(leaves + <usize>k * sizeof<usize>(), changetype<usize>(leaf));
  }
  for (let i: u32 = 0; i < leafCount; i++) leafAt(i).active = false;
  let first: u32 = 0;
  for (; first < leafCount; first++) {
    leafAt(first).active = true;
    if (boundOf(root) > bar) break;
  }
  if (first == 0 && leafCount == 1) return false;
  for (let i = first; i < leafCount; i++) {
    const leaf = leafAt(i);
    if (leaf.matcher.kind != MATCH_TERM) return false;
  }
  for (let i = first; i < leafCount; i++) {
    if (leafAt(i).bound >= 0) fillBits(leafAt(i).matcher.cursor, base, size, bits);
  }
  return true;
}
