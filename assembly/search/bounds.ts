import {
  MATCH_ALL,
  MATCH_BOOLEAN,
  MATCH_CONSTANT,
  MATCH_DISMAX,
  MATCH_FILTERED,
  MATCH_PHRASE,
  MATCH_SPAN,
  MATCH_TERM,
  Matcher,
} from '../docset/matcher';
import { Phrase } from '../docset/phrase';
import { requestAlloc } from '../memory/arena';
import { fillBits, spread } from '../postings/bits';
import { PostingsCursor } from '../postings/cursor';
import { windowImpact } from '../postings/scores';
import { coord } from '../similarity/similarity';
import { spanImpact } from './spanBounds';

// What a tree can score at most within a window of documents, and which of its leaves must hold a document that scores more
// than a given threshold. The generalisation of MAXSCORE to any tree: the bound of a set of leaves is the tree's score with each
// of them at its largest and the others absent; it grows with the set.

/** Bounds are widened by this much, more than all roundings of a score can add up to. */
const SLACK: f32 = 1.00001;
/**
 * Stands for "no bound known": above every score, and finite so that sums and differences of bounds stay numbers. A search with
 * weights that come near it skips nothing (weights.ts).
 */
const BOUNDLESS: f32 = 1e30;
/** With more leaves than this a partition costs more than it saves. */
const MAX_LEAVES: u32 = 24;

/** Frequencies of phrases with a slop are sums that are rounded at each step. */
const SLOPPY_SLACK: f32 = 1.1;
/** Of a phrase's position with more alternatives than this nothing is asked. */
const MAX_MEMBERS: u32 = 4;

/** A leaf of the scoring tree. */
@unmanaged
export class Leaf {
  matcher: Matcher;
  /** Largest score in the window; negative: it has no document there. */
  bound: f32;
  /** Counted in `treeBound`. */
  active: bool;
  /** Bound over all documents, of leaves that have no blocks. */
  whole: f32;
}

// Globals: the leaves of the tree that runs, of which bounds are asked for every window.

let leaves: usize = 0;
let leafCount: u32 = 0;

function leafAt(i: u32): Leaf {
  return changetype<Leaf>(load<usize>(leaves + <usize>i * sizeof<usize>()));
}

/** Gathers the leaves of a tree; false where they are too many or there is no room. */
function gather(m: Matcher): bool {
  switch (m.kind) {
    case MATCH_BOOLEAN:
      for (let i: u32 = 0; i < m.requiredCount; i++) if (!gather(Matcher.at(m.required, i))) return false;
      for (let i: u32 = 0; i < m.optionalCount; i++) if (!gather(Matcher.at(m.optional, i))) return false;
      return true;
    case MATCH_DISMAX:
      for (let i: u32 = 0; i < m.optionalCount; i++) if (!gather(Matcher.at(m.optional, i))) return false;
      return true;
    case MATCH_FILTERED:
      return gather(Matcher.at(m.optional, 0));
    default: {
      if (leafCount >= MAX_LEAVES) return false;
      const at = requestAlloc(offsetof<Leaf>());
      if (!at) return false;
      memory.fill(at, 0, offsetof<Leaf>());
      const leaf = changetype<Leaf>(at);
      leaf.matcher = m;
      leaf.active = true;
      leaf.whole = m.kind == MATCH_CONSTANT || m.kind == MATCH_ALL ? m.value : BOUNDLESS;
      m.leaf = at;
      store<usize>(leaves + <usize>leafCount * sizeof<usize>(), at);
      leafCount++;
      return true;
    }
  }
}

/** Prepares bounds for the tree; false where it has too many leaves (then nothing is skipped) or there is no room. */
export function prepareBounds(root: Matcher): bool {
  leaves = requestAlloc(MAX_LEAVES * <u32>sizeof<usize>());
  leafCount = 0;
  return leaves != 0 && gather(root);
}

/**
 * Bound of a phrase within [base, limit); -1 where a word is missing. Exact, it is no more frequent than any of its words; with a
 * slop two words of which none is the other's meet no more than twice at each of the rarer one, and more words no more often than
 * there are of all. Each meeting counts 1 at most. Squares of sqrt(freq) * norm add up as frequencies do.
 */
function phraseBound(phrase: Phrase, value: f32, base: u32, limit: u32): f32 {
  const sloppy = phrase.sloppy;
  let least: f32 = Infinity;
  let all: f32 = 0;
  for (let i: u32 = 0; i < phrase.slotCount; i++) {
    const slot = phrase.slot(i);
    if (slot.memberCount > MAX_MEMBERS) {
      all = Infinity;
      continue;
    }
    let squares: f32 = -1;
    for (let j: u32 = 0; j < slot.memberCount; j++) {
      const impact = windowImpact(slot.member(j).postings, base, limit);
      if (impact >= 0) squares = max<f32>(squares, 0) + impact * impact;
    }
    if (squares < 0) return -1;
    least = min(least, squares);
    all += squares;
  }
  if (sloppy !== null) least = phrase.slotCount == 2 && !sloppy.groupCount ? min<f32>(2 * least, all) : all;
  return least == Infinity ? BOUNDLESS : f32.sqrt(least) * value * (sloppy === null ? SLACK : SLOPPY_SLACK);
}

function leafBound(leaf: Leaf, base: u32, limit: u32): f32 {
  const m: Matcher = leaf.matcher;
  if (m.kind == MATCH_TERM) {
    const impact = windowImpact(m.cursor, base, limit);
    return impact < 0 ? -1 : impact * m.cursor.value * SLACK;
  }
  if (m.kind == MATCH_SPAN && !m.spans.masked) {
    const impact = spanImpact(m.spans, base, limit);
    return impact < 0 ? -1 : impact * m.value;
  }
  return m.kind == MATCH_PHRASE ? phraseBound(m.phrase, m.value, base, limit) : leaf.whole;
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
      if (m.boosting) return sum * max<f32>(1, m.tieBreaker) * SLACK;
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
    leaf.bound = leafBound(leaf, base, limit);
  }
  return boundOf(root);
}

/** Leaves ascend by bound; the lead comes first, since its documents are known already. */
function comesAfter(a: Leaf, b: Leaf, lead: PostingsCursor | null): bool {
  if (lead !== null) {
    if (b.matcher.kind == MATCH_TERM && b.matcher.cursor === lead) return true;
    if (a.matcher.kind == MATCH_TERM && a.matcher.cursor === lead) return false;
  }
  return a.bound > b.bound;
}

/**
 * After `windowBound`: fills `bits` (cleared) with the documents that can score more than `threshold`; false where that cannot be
 * told from the terms, then all may. Documents that only `lead` speaks for are all candidates anyway: if it is among the
 * leaves that must be filled, nothing is gained.
 */
export function fillEssential(
  root: Matcher,
  lead: PostingsCursor | null,
  base: u32,
  size: u32,
  threshold: f32,
  bits: usize,
): bool {
  // Ascending by bound; the lists are short.
  for (let i: u32 = 1; i < leafCount; i++) {
    const leaf = leafAt(i);
    let k = i;
    while (k > 0 && comesAfter(leafAt(k - 1), leaf, lead)) {
      store<usize>(leaves + <usize>k * sizeof<usize>(), changetype<usize>(leafAt(k - 1)));
      k--;
    }
    store<usize>(leaves + <usize>k * sizeof<usize>(), changetype<usize>(leaf));
  }
  for (let i: u32 = 0; i < leafCount; i++) leafAt(i).active = false;
  let first: u32 = 0;
  for (; first < leafCount; first++) {
    leafAt(first).active = true;
    if (boundOf(root) > threshold) break;
  }
  if (first == 0 && leafCount == 1) return false;
  for (let i = first; i < leafCount; i++) {
    const leaf = leafAt(i);
    if (leaf.matcher.kind != MATCH_TERM || leaf.matcher.cursor === lead) return false;
  }
  for (let i = first; i < leafCount; i++) {
    if (leafAt(i).bound >= 0) fillBits(leafAt(i).matcher.cursor, base, size, bits);
  }
  return true;
}

/** Spreads the lists of all leaves, for windows to be filled from and documents to be looked up in; false without room. */
export function spreadLeaves(docCount: u32): bool {
  for (let i: u32 = 0; i < leafCount; i++) {
    const m: Matcher = leafAt(i).matcher;
    if (m.kind == MATCH_TERM && !spread(m.cursor, Infinity, docCount)) return false;
  }
  return true;
}

/** Two values of `chordOver`. */
export let chordSlope: f32 = 0;
export let chordRest: f32 = 0;

/**
 * After `windowBound`: how the bound depends on the score of the leaf over `c` alone, the others at their largest. The bound is
 * convex in it, so the chord from 0 to the leaf's largest score lies above: bound <= chordSlope * score + chordRest. False where
 * `c` is no leaf of the tree or its score is not bounded.
 */
export function chordOver(root: Matcher, c: PostingsCursor): bool {
  for (let i: u32 = 0; i < leafCount; i++) leafAt(i).active = true;
  for (let i: u32 = 0; i < leafCount; i++) {
    const leaf = leafAt(i);
    if (leaf.matcher.kind != MATCH_TERM || leaf.matcher.cursor !== c) continue;
    const most = leaf.bound;
    if (!(most > 0) || most >= BOUNDLESS) return false;
    const high = boundOf(root);
    leaf.bound = 0;
    const low = boundOf(root);
    leaf.bound = most;
    if (low < 0) return false;
    chordRest = low * SLACK;
    chordSlope = ((high - low) / most) * SLACK;
    return true;
  }
  return false;
}
