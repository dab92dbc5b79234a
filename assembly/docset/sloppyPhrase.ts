import { requestAlloc } from '../memory/arena';
import { PhraseSlot } from './phraseSlot';

// The frequency of a phrase with a slop, as Lucene 4.10's SloppyPhraseScorer computes it: the slots' positions, each
// less its offset in the phrase, are walked in ascending order; every minimal window of width w <= slop adds
// 1 / (w + 1). Slots that repeat a term form a group whose members never stand on the same position of the document.

/** A slot's walk through its positions. */
@unmanaged
class Walker {
  slot: PhraseSlot;
  /** Position in the document minus the slot's offset. */
  position: i32;
  /** Index of the next position. */
  next: u32;
  offset: i32;
  order: u32;
  /** Group of repeats and place within it, -1: repeats nothing. */
  group: i32;
  groupIndex: i32;
  queued: bool;
}

@unmanaged
export class SloppyPhrase {
  /** Array of Walker pointers in the order of the query. */
  walkers: usize;
  count: u32;
  /** Groups: arrays of Walker pointers, each sorted by offset; u32 sizes. */
  groups: usize;
  groupSizes: usize;
  groupCount: u32;
  /** A repeating slot has alternatives. */
  stackedRepeats: bool;
  /** Largest position of any walker. */
  end: i32;
  slop: i32;
}

function pointerAt(array: usize, i: u32): Walker {
  return changetype<Walker>(load<usize>(array + <usize>i * sizeof<usize>()));
}

/** Whether two slots have a term in common, known by where its positions begin. */
function shareTerm(a: PhraseSlot, b: PhraseSlot): bool {
  for (let i: u32 = 0; i < a.memberCount; i++) {
    for (let j: u32 = 0; j < b.memberCount; j++) {
      if (a.member(i).postings.positions == b.member(j).postings.positions) return true;
    }
  }
  return false;
}

/** Prepares walkers and groups for the `n` slots (array of pointers, query order); null where the arena has no room. */
export function makeSloppyPhrase(slots: usize, n: u32, slop: u32): SloppyPhrase | null {
  const word = <u32>sizeof<usize>();
  const ptr = requestAlloc(offsetof<SloppyPhrase>());
  const walkers = requestAlloc(n * word);
  const groups = requestAlloc(n * word);
  const sizes = requestAlloc(n * 4);
  if (!ptr || !walkers || !groups || !sizes) return null;
  memory.fill(ptr, 0, offsetof<SloppyPhrase>());
  const sloppy = changetype<SloppyPhrase>(ptr);
  sloppy.walkers = walkers;
  sloppy.count = n;
  sloppy.groups = groups;
  sloppy.groupSizes = sizes;
  sloppy.slop = <i32>min<u32>(slop, <u32>i32.MAX_VALUE);
  for (let i: u32 = 0; i < n; i++) {
    const at = requestAlloc(offsetof<Walker>());
    if (!at) return null;
    memory.fill(at, 0, offsetof<Walker>());
    const w = changetype<Walker>(at);
    w.slot = changetype<PhraseSlot>(load<usize>(slots + <usize>i * sizeof<usize>()));
    w.offset = <i32>w.slot.offset;
    w.order = i;
    w.group = -1;
    store<usize>(walkers + <usize>i * sizeof<usize>(), at);
  }
  for (let i: u32 = 0; i < n; i++) {
    if (pointerAt(walkers, i).group >= 0) continue;
    if (!gatherGroup(sloppy, i)) return null;
  }
  return sloppy;
}

/** Collects the slots that repeat a term of slot `first`, directly or through another; false without room. */
function gatherGroup(sloppy: SloppyPhrase, first: u32): bool {
  const n = sloppy.count;
  const members = requestAlloc(n * <u32>sizeof<usize>());
  if (!members) return false;
  store<usize>(members, load<usize>(sloppy.walkers + <usize>first * sizeof<usize>()));
  let size: u32 = 1;
  const id = <i32>sloppy.groupCount;
  for (let k: u32 = 0; k < size; k++) {
    const a = pointerAt(members, k);
    for (let j: u32 = 0; j < n; j++) {
      const b = pointerAt(sloppy.walkers, j);
      if (b === a || b.group >= 0 || b.order == first || b.offset == a.offset || !shareTerm(a.slot, b.slot))
        continue;
      b.group = id;
      store<usize>(members + <usize>size * sizeof<usize>(), changetype<usize>(b));
      size++;
    }
  }
  if (size == 1) return true;
  pointerAt(members, 0).group = id;
  // By offset; the number of slots is small.
  for (let i: u32 = 1; i < size; i++) {
    const w = load<usize>(members + <usize>i * sizeof<usize>());
    let k = i;
    while (k > 0 && pointerAt(members, k - 1).offset > changetype<Walker>(w).offset) {
      store<usize>(
        members + <usize>k * sizeof<usize>(),
        load<usize>(members + <usize>(k - 1) * sizeof<usize>()),
      );
      k--;
    }
    store<usize>(members + <usize>k * sizeof<usize>(), w);
  }
  for (let i: u32 = 0; i < size; i++) {
    const w = pointerAt(members, i);
    w.groupIndex = <i32>i;
    if (w.slot.memberCount > 1) sloppy.stackedRepeats = true;
  }
  store<usize>(sloppy.groups + <usize>sloppy.groupCount * sizeof<usize>(), members);
  store<u32>(sloppy.groupSizes + ((<usize>sloppy.groupCount) << 2), size);
  sloppy.groupCount++;
  return true;
}

/** Steps to the next position; false when there is none. */
function nextPosition(w: Walker): bool {
  if (w.next >= w.slot.count) return false;
  w.position = <i32>load<u32>(w.slot.positions + ((<usize>w.next) << 2)) - w.offset;
  w.next++;
  return true;
}

function advance(sloppy: SloppyPhrase, w: Walker): bool {
  if (!nextPosition(w)) return false;
  if (w.position > sloppy.end) sloppy.end = w.position;
  return true;
}

function before(a: Walker, b: Walker): bool {
  if (a.position != b.position) return a.position < b.position;
  if (a.offset != b.offset) return a.offset < b.offset;
  return a.order < b.order;
}

/** The queued walker that comes first. Phrases are short: a scan beats a heap. */
function top(sloppy: SloppyPhrase): Walker {
  let best: usize = 0;
  for (let i: u32 = 0; i < sloppy.count; i++) {
    const w = pointerAt(sloppy.walkers, i);
    if (w.queued && (!best || before(w, changetype<Walker>(best)))) best = changetype<usize>(w);
  }
  return changetype<Walker>(best);
}

/** Index in its group of another walker that stands on the same position of the document, or -1. */
function collision(sloppy: SloppyPhrase, w: Walker): i32 {
  const at = w.position + w.offset;
  const group = load<usize>(sloppy.groups + <usize>w.group * sizeof<usize>());
  const size = load<u32>(sloppy.groupSizes + ((<usize>w.group) << 2));
  for (let i: u32 = 0; i < size; i++) {
    const other = pointerAt(group, i);
    if (other !== w && other.position + other.offset == at) return other.groupIndex;
  }
  return -1;
}

function lesser(a: Walker, b: Walker): Walker {
  return a.position < b.position || (a.position == b.position && a.offset < b.offset) ? a : b;
}

/** Resolves collisions within the group of `w`; false when positions run out. */
function advanceRepeats(sloppy: SloppyPhrase, first: Walker): bool {
  if (first.group < 0) return true;
  const group = load<usize>(sloppy.groups + <usize>first.group * sizeof<usize>());
  let w = first;
  for (let k = collision(sloppy, w); k >= 0; k = collision(sloppy, w)) {
    w = lesser(w, pointerAt(group, <u32>k));
    if (!advance(sloppy, w)) return false;
  }
  return true;
}

/** Spreads each group's members over different positions; false when there are too few. */
function spreadGroups(sloppy: SloppyPhrase): bool {
  for (let g: u32 = 0; g < sloppy.groupCount; g++) {
    const group = load<usize>(sloppy.groups + <usize>g * sizeof<usize>());
    const size = load<u32>(sloppy.groupSizes + ((<usize>g) << 2));
    if (sloppy.stackedRepeats) {
      for (let i: u32 = 0; i < size; ) {
        let step: u32 = 1;
        const w = pointerAt(group, i);
        for (let k = collision(sloppy, w); k >= 0; k = collision(sloppy, w)) {
          const less = lesser(w, pointerAt(group, <u32>k));
          if (!advance(sloppy, less)) return false;
          if (less.groupIndex < <i32>i) {
            step = 0;
            break;
          }
        }
        i += step;
      }
    } else {
      for (let j: u32 = 1; j < size; j++) {
        for (let k: u32 = 0; k < j; k++) {
          if (!nextPosition(pointerAt(group, j))) return false;
        }
      }
    }
  }
  return true;
}

/** The same for two slots that have no term in common. */
function pairFreq(sloppy: SloppyPhrase): f32 {
  let a = pointerAt(sloppy.walkers, 0).slot;
  let b = pointerAt(sloppy.walkers, 1).slot;
  let first = <i32>load<u32>(a.positions) - <i32>a.offset;
  let second = <i32>load<u32>(b.positions) - <i32>b.offset;
  if (second < first || (second == first && b.offset < a.offset)) {
    const slot = a;
    a = b;
    b = slot;
    const position = first;
    first = second;
    second = position;
  }
  // `first` walks on until it is past `second`, whose turn it is then.
  let at = a.positions + 4;
  let end = a.positions + ((<usize>a.count) << 2);
  let offset = <i32>a.offset;
  let otherAt = b.positions + 4;
  let otherEnd = b.positions + ((<usize>b.count) << 2);
  let otherOffset = <i32>b.offset;
  const slop = sloppy.slop;
  let width = second - first;
  let freq: f32 = 0;
  while (at < end) {
    first = <i32>load<u32>(at) - offset;
    at += 4;
    if (first <= second) {
      width = second - first;
      continue;
    }
    if (width <= slop) freq += <f32>1 / <f32>(width + 1);
    width = first - second;
    const position = first;
    first = second;
    second = position;
    const walked = at;
    at = otherAt;
    otherAt = walked;
    const limit = end;
    end = otherEnd;
    otherEnd = limit;
    const own = offset;
    offset = otherOffset;
    otherOffset = own;
  }
  if (width <= slop) freq += <f32>1 / <f32>(width + 1);
  return freq;
}

/** Frequency of the phrase in the document whose positions the slots hold. */
export function sloppyFreq(sloppy: SloppyPhrase): f32 {
  const n = sloppy.count;
  if (n == 2 && !sloppy.groupCount) return pairFreq(sloppy);
  sloppy.end = i32.MIN_VALUE;
  for (let i: u32 = 0; i < n; i++) {
    const w = pointerAt(sloppy.walkers, i);
    w.next = 0;
    nextPosition(w);
    w.queued = true;
  }
  if (sloppy.groupCount && !spreadGroups(sloppy)) return 0;
  for (let i: u32 = 0; i < n; i++) {
    const w = pointerAt(sloppy.walkers, i);
    if (w.position > sloppy.end) sloppy.end = w.position;
  }
  let freq: f32 = 0;
  let w = top(sloppy);
  w.queued = false;
  let width = sloppy.end - w.position;
  let next = top(sloppy).position;
  while (advance(sloppy, w)) {
    if (sloppy.groupCount && !advanceRepeats(sloppy, w)) break;
    if (w.position > next) {
      if (width <= sloppy.slop) freq += <f32>1 / <f32>(width + 1);
      w.queued = true;
      w = top(sloppy);
      w.queued = false;
      next = top(sloppy).position;
      width = sloppy.end - w.position;
    } else {
      const shorter = sloppy.end - w.position;
      if (shorter < width) width = shorter;
    }
  }
  if (width <= sloppy.slop) freq += <f32>1 / <f32>(width + 1);
  return freq;
}
