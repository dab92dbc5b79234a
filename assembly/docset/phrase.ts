import { ERR_MEMORY } from '../abi/status';
import { PositionRows } from '../postings/positionRows';
import { fail } from '../requestStatus';
import { PhraseSlot } from './phraseSlot';
import { SloppyPhrase, sloppyFreq } from './sloppyPhrase';

// A phrase: documents that hold every slot's term (or one of its alternatives) at the slot's position relative to
// the others, exactly or within a slop.
//
// Up to 128 documents are worked on at a time, slot by slot: each list is walked once in a tight loop, and what the slots so far
// rule out is not read of the next ones.

@unmanaged
export class Phrase {
  /** Array of PhraseSlot pointers in the order of the query, and by ascending cost. */
  slots: usize;
  byCost: usize;
  slotCount: u32;
  /** Some slot has alternatives. */
  stacked: bool;
  slop: u32;
  sloppy: SloppyPhrase | null;
  /** Of a phrase of more than two slots: where it may begin, by the slots looked at so far. */
  starts: PositionRows | null;

  @inline slot(i: u32): PhraseSlot {
    return changetype<PhraseSlot>(load<usize>(this.slots + <usize>i * sizeof<usize>()));
  }
  @inline cheap(i: u32): PhraseSlot {
    return changetype<PhraseSlot>(load<usize>(this.byCost + <usize>i * sizeof<usize>()));
  }
}

/** Indices of the documents that are left, u32 each. */
const alive: usize = memory.data(512, 16);

/** Number of places where two slots stand at their offsets: the first one's positions are tried. A phrase never begins before the field does. */
function pairFreq(a: PhraseSlot, b: PhraseSlot, i: u32): u32 {
  let at = a.rows.at(i);
  const end = at + ((<usize>a.rows.count(i)) << 2);
  let other = b.rows.at(i);
  const otherEnd = other + ((<usize>b.rows.count(i)) << 2);
  const distance = <i32>b.offset - <i32>a.offset;
  if (end - at == 4 && otherEnd - other == 4)
    return u32(load<i32>(at) + distance == load<i32>(other) && load<i32>(at) >= <i32>a.offset);
  // Where the last place was, or the position before which none is looked for.
  let before = <i32>a.offset - 1;
  let n: u32 = 0;
  for (; at < end; at += 4) {
    const position = load<i32>(at);
    if (position <= before) continue;
    before = position;
    const wanted = position + distance;
    while (other < otherEnd && load<i32>(other) < wanted) other += 4;
    if (other == otherEnd) break;
    n += u32(load<i32>(other) == wanted);
  }
  return n;
}

/** Makes the rows in which the phrase may begin, of the positions of its first slot; false where the arena has no room. */
function beginStarts(starts: PositionRows, slot: PhraseSlot, n: usize): bool {
  starts.used = 0;
  const offset = <i32>slot.offset;
  for (let k: usize = 0; k < n << 2; k += 4) {
    const i = load<u32>(alive + k);
    const count = slot.rows.count(i);
    const out = starts.room(count);
    if (!out) return false;
    let to = out;
    let before: i32 = -1;
    let at = slot.rows.at(i);
    for (const end = at + ((<usize>count) << 2); at < end; at += 4) {
      const start = load<i32>(at) - offset;
      if (start <= before) continue;
      before = start;
      store<i32>(to, start);
      to += 4;
    }
    starts.put(i, <u32>((to - out) >> 2));
  }
  return true;
}

/** Keeps of the rows the places where the slot stands too, and in `alive` the documents that have any left. */
function narrowStarts(starts: PositionRows, slot: PhraseSlot, n: usize): usize {
  const offset = <i32>slot.offset;
  let kept: usize = 0;
  for (let k: usize = 0; k < n << 2; k += 4) {
    const i = load<u32>(alive + k);
    let at = starts.at(i);
    const end = at + ((<usize>starts.count(i)) << 2);
    let p = slot.rows.at(i);
    const last = p + ((<usize>slot.rows.count(i)) << 2);
    let to = at;
    for (; at < end; at += 4) {
      const start = load<i32>(at);
      const wanted = start + offset;
      while (p < last && load<i32>(p) < wanted) p += 4;
      if (p == last) break;
      if (load<i32>(p) != wanted) continue;
      store<i32>(to, start);
      to += 4;
    }
    const left = <u32>((to - starts.at(i)) >> 2);
    store<u32>(starts.counts + ((<usize>i) << 2), left);
    store<u32>(alive + kept, i);
    if (left) kept += 4;
  }
  return kept >> 2;
}

/** Reads slots in order of cost, but the first after the second: it mostly led to the documents, and loses none. */
function readPair(phrase: Phrase, docs: usize, n: usize): usize {
  if (phrase.slotCount == 1) return phrase.cheap(0).read(docs, alive, n);
  const left = phrase.cheap(1).read(docs, alive, n);
  return phrase.cheap(0).read(docs, alive, left);
}

function exactFreqs(phrase: Phrase, docs: usize, n: usize, freqs: usize): void {
  let left = readPair(phrase, docs, n);
  const first = phrase.cheap(0);
  if (phrase.slotCount == 2) {
    const second = phrase.cheap(1);
    for (let k: usize = 0; k < left << 2; k += 4) {
      const i = load<u32>(alive + k);
      store<f32>(freqs + ((<usize>i) << 2), <f32>pairFreq(first, second, i));
    }
    return;
  }
  if (phrase.starts === null) phrase.starts = PositionRows.make();
  const starts = phrase.starts;
  if (starts === null || !beginStarts(starts, first, left)) {
    fail(ERR_MEMORY);
    return;
  }
  for (let s: u32 = 1; s < phrase.slotCount && left; s++) {
    const slot = phrase.cheap(s);
    if (s > 1) left = slot.read(docs, alive, left);
    left = narrowStarts(starts, slot, left);
  }
  for (let k: usize = 0; k < left << 2; k += 4) {
    const i = load<u32>(alive + k);
    store<f32>(freqs + ((<usize>i) << 2), <f32>starts.count(i));
  }
}

/**
 * Works out the frequency (f32 each, 0 where the phrase doesn't occur) in each of up to 128 documents. Where they are not known to
 * have every slot, the rarest slots rule out most of them.
 */
export function phraseFreqs(phrase: Phrase, docs: usize, n: usize, sifted: bool, freqs: usize): void {
  memory.fill(freqs, 0, n << 2);
  let left: usize = 0;
  for (let i: u32 = 0; i < <u32>n; i++) {
    const doc = load<u32>(docs + ((<usize>i) << 2));
    let all = true;
    if (!sifted) for (let s: u32 = 0; s < phrase.slotCount && all; s++) all = phrase.cheap(s).has(doc);
    store<u32>(alive + (left << 2), i);
    left += usize(all);
  }
  const sloppy = phrase.sloppy;
  if (sloppy === null) {
    exactFreqs(phrase, docs, left, freqs);
    return;
  }
  left = readPair(phrase, docs, left);
  for (let s: u32 = 2; s < phrase.slotCount; s++) left = phrase.cheap(s).read(docs, alive, left);
  for (let k: usize = 0; k < left << 2; k += 4) {
    const i = load<u32>(alive + k);
    for (let s: u32 = 0; s < phrase.slotCount; s++) phrase.slot(s).open(i);
    store<f32>(freqs + ((<usize>i) << 2), sloppyFreq(sloppy));
  }
}
