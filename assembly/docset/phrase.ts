import { normTable } from '../codec/norm';
import { requestAlloc } from '../memory/arena';
import { contains } from '../postings/cursor';
import { loadPositions } from '../postings/positions';
import { PhraseSlot } from './phraseSlot';
import { SloppyPhrase, sloppyFreq } from './sloppyPhrase';
import { ALL_GROUPS, groupsIn, WINDOWED } from './slotWindow';

// A phrase: documents that hold every slot's term (or one of its alternatives) at the slot's position relative to
// the others, exactly or within a slop.
//
// Documents are tested in two steps: first that all slots have a posting there, rarest first, then the positions.

@unmanaged
export class Phrase {
  /** Array of PhraseSlot pointers in the order of the query, and by ascending cost. */
  slots: usize;
  byCost: usize;
  slotCount: u32;
  /** Some slot has alternatives. */
  stacked: bool;
  slop: u32;
  value: f32;
  norms: usize;
  /** The last document tested (plus one) and its frequency. */
  tested: u32;
  freq: f32;
  /** Documents tested lately (plus one) with their frequencies, u32 and f32 at 8 × the lowest bits of the document. */
  recent: usize;
  starts: usize;
  startsCapacity: u32;
  sloppy: SloppyPhrase | null;

  @inline slot(i: u32): PhraseSlot {
    return changetype<PhraseSlot>(load<usize>(this.slots + <usize>i * sizeof<usize>()));
  }
  @inline cheap(i: u32): PhraseSlot {
    return changetype<PhraseSlot>(load<usize>(this.byCost + <usize>i * sizeof<usize>()));
  }
}

/** Documents whose frequencies are kept: those of a block are counted one after the other, and then scored. */
const RECENT: u32 = 256;
/** Bytes for them; zeros at first. */
export const RECENT_BYTES: u32 = RECENT << 3;

/** Set when a search ran out of arena; the search then ends with ERR_MEMORY. */
export let phraseMemoryFailed: bool = false;

export function resetPhraseMemory(): void {
  phraseMemoryFailed = false;
}

/** Whether the slot has a posting in `doc`; `slot.groups` are the groups that may have it, and then those that do. */
function slotContains(slot: PhraseSlot, doc: u32): bool {
  if (slot.memberCount == 1) return contains(slot.member(0).postings, doc);
  let found: u64 = 0;
  for (let left = slot.groups; left; left &= left - 1) {
    const group = <u32>ctz<u64>(left);
    if (group >= slot.memberCount) break;
    for (let i = group; i < slot.memberCount; i += 64) {
      if (contains(slot.member(i).postings, doc)) found |= (<u64>1) << (<u64>group);
    }
  }
  slot.groups = found;
  return found != 0;
}

/** Inserts `count` positions into the `n` ascending ones at `out`: few alternatives, short lists. Returns how many there are now. */
function mergeInto(out: usize, n: u32, positions: usize, count: u32): u32 {
  let end = n;
  for (let j: u32 = 0; j < count; j++) {
    const position = load<u32>(positions + ((<usize>j) << 2));
    let k = end;
    while (k > 0 && load<u32>(out + ((<usize>(k - 1)) << 2)) > position) {
      store<u32>(out + ((<usize>k) << 2), load<u32>(out + ((<usize>(k - 1)) << 2)));
      k--;
    }
    store<u32>(out + ((<usize>k) << 2), position);
    end++;
  }
  return end;
}

/** Brings the slot's positions in `doc` into `positions`/`count`. */
function loadSlot(slot: PhraseSlot, doc: u32): bool {
  if (slot.memberCount == 1) {
    const p = slot.member(0);
    if (!loadPositions(p)) return false;
    slot.positions = p.positions;
    slot.count = p.count;
    return true;
  }
  let total: u32 = 0;
  for (let left = slot.groups; left; left &= left - 1) {
    for (let i = <u32>ctz<u64>(left); i < slot.memberCount; i += 64) {
      const p = slot.member(i);
      if (p.postings.doc != doc) continue;
      if (!loadPositions(p)) return false;
      total += p.count;
    }
  }
  if (total > slot.mergedCapacity) {
    const capacity = max<u32>(64, total * 2);
    slot.merged = requestAlloc(capacity << 2);
    if (!slot.merged) return false;
    slot.mergedCapacity = capacity;
  }
  let n: u32 = 0;
  const out = slot.merged;
  for (let left = slot.groups; left; left &= left - 1) {
    for (let i = <u32>ctz<u64>(left); i < slot.memberCount; i += 64) {
      const p = slot.member(i);
      if (p.postings.doc == doc) n = mergeInto(out, n, p.positions, p.count);
    }
  }
  slot.positions = out;
  slot.count = n;
  return true;
}

/** Number of places where the two slots of a phrase stand at their offsets; -1 where there is no room. */
function pairFreq(phrase: Phrase): i32 {
  const a = phrase.cheap(0);
  const b = phrase.cheap(1);
  const first = a.member(0);
  const second = b.member(0);
  if (!loadPositions(first) || !loadPositions(second)) return -1;
  const distance = b.offset - a.offset;
  let at = first.positions;
  const end = at + ((<usize>first.count) << 2);
  let other = second.positions;
  const otherEnd = other + ((<usize>second.count) << 2);
  const offset = <i32>a.offset;
  let n: i32 = 0;
  let before: i32 = -1;
  for (; at < end; at += 4) {
    const position = load<i32>(at);
    const start = position - offset;
    if (start <= before) continue;
    before = start;
    const wanted = position + <i32>distance;
    while (other < otherEnd && load<i32>(other) < wanted) other += 4;
    if (other == otherEnd) break;
    n += i32(load<i32>(other) == wanted);
  }
  return n;
}

/** Number of places where all slots stand at their offsets. A phrase never begins before the field does. */
function exactFreq(phrase: Phrase, doc: u32): f32 {
  if (phrase.slotCount == 2 && !phrase.stacked) {
    const n = pairFreq(phrase);
    phraseMemoryFailed = phraseMemoryFailed || n < 0;
    return <f32>max<i32>(n, 0);
  }
  const first = phrase.cheap(0);
  if (!loadSlot(first, doc)) {
    phraseMemoryFailed = true;
    return 0;
  }
  if (first.count > phrase.startsCapacity) {
    const capacity = max<u32>(64, first.count * 2);
    phrase.starts = requestAlloc(capacity << 2);
    if (!phrase.starts) {
      phraseMemoryFailed = true;
      phrase.startsCapacity = 0;
      return 0;
    }
    phrase.startsCapacity = capacity;
  }
  const starts = phrase.starts;
  let n: usize = 0;
  let before: i32 = -1;
  for (let i: usize = 0; i < <usize>first.count; i++) {
    const start = <i32>load<u32>(first.positions + (i << 2)) - <i32>first.offset;
    if (start > before) {
      store<i32>(starts + (n << 2), start);
      before = start;
      n++;
    }
  }
  for (let s: u32 = 1; s < phrase.slotCount && n; s++) {
    const slot = phrase.cheap(s);
    if (!loadSlot(slot, doc)) {
      phraseMemoryFailed = true;
      return 0;
    }
    let p = slot.positions;
    const end = p + ((<usize>slot.count) << 2);
    let kept: usize = 0;
    for (let i: usize = 0; i < n; i++) {
      const start = load<i32>(starts + (i << 2));
      const wanted = start + <i32>slot.offset;
      while (p < end && load<i32>(p) < wanted) p += 4;
      if (p == end) break;
      if (load<i32>(p) == wanted) {
        store<i32>(starts + (kept << 2), start);
        kept++;
      }
    }
    n = kept;
  }
  return <f32>(<u32>n);
}

/** Whether every slot has a posting in `doc`. */
function allContain(phrase: Phrase, doc: u32): bool {
  if (!phrase.stacked) {
    for (let i: u32 = 0; i < phrase.slotCount; i++)
      if (!contains(phrase.cheap(i).member(0).postings, doc)) return false;
    return true;
  }
  // What the windows rule out needs no look-up at all.
  for (let i: u32 = 0; i < phrase.slotCount; i++) {
    const slot = phrase.cheap(i);
    slot.groups = slot.memberCount < WINDOWED ? ALL_GROUPS : groupsIn(slot, doc);
    if (!slot.groups) return false;
  }
  for (let i: u32 = 0; i < phrase.slotCount; i++) if (!slotContains(phrase.cheap(i), doc)) return false;
  return true;
}

/** Whether the phrase occurs in `doc`; its frequency is kept. */
export function phraseMatches(phrase: Phrase, doc: u32): bool {
  if (phrase.tested == doc + 1) return phrase.freq > 0;
  phrase.tested = doc + 1;
  const known = phrase.recent + ((<usize>(doc & (RECENT - 1))) << 3);
  if (load<u32>(known) == doc + 1) {
    phrase.freq = load<f32>(known, 4);
    return phrase.freq > 0;
  }
  testPhrase(phrase, doc);
  store<u32>(known, doc + 1);
  store<f32>(known, phrase.freq, 4);
  return phrase.freq > 0;
}

/** Works out the frequency in `doc`. */
function testPhrase(phrase: Phrase, doc: u32): void {
  if (!allContain(phrase, doc)) {
    phrase.freq = 0;
    return;
  }
  const sloppy = phrase.sloppy;
  if (sloppy === null) {
    phrase.freq = exactFreq(phrase, doc);
  } else {
    for (let i: u32 = 0; i < phrase.slotCount; i++) {
      if (!loadSlot(phrase.slot(i), doc)) {
        phraseMemoryFailed = true;
        phrase.freq = 0;
        return;
      }
    }
    phrase.freq = sloppyFreq(sloppy);
  }
}

/** Score of a document that matches. */
export function phraseScore(phrase: Phrase, doc: u32): f32 {
  const raw = f32.sqrt(phrase.freq) * phrase.value;
  if (!phrase.norms) return raw;
  return raw * load<f32>(normTable() + ((<usize>load<u8>(phrase.norms + doc)) << 2));
}
