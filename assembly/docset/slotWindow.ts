import { requestAlloc } from '../memory/arena';
import { orIntoWords } from '../postings/bits';
import { PhraseSlot } from './phraseSlot';

// Which of a slot's many alternatives stand in a document: a word for each document of a window, in which bit g stands
// for the members g, g + 64, g + 128 ... A window is filled member by member once enough of its documents are asked
// for; a document then costs one load, and only the members whose bit is set are looked up.
//
//   words   u64[WINDOW]   of the documents [base, base + WINDOW)
//
// Phrases of two words whose last is a prefix with 50 expansions, in 355,000 documents: the median of eight such queries
// took 6.2 ms when all expansions were asked in every candidate, and takes 0.30 ms; windows of 2048 took 0.38 ms.

/** Documents of a window; its words are 32 KB, as much as the cursors of about 20 members take. */
const WINDOW: u32 = 4096;

/** With fewer members all are asked. */
export const WINDOWED: u32 = 8;

/** Every member may be in the document. */
export const ALL_GROUPS: u64 = 0xffffffffffffffff;

/** How many postings can be put into a window in the time of looking one document up in one list. */
const POSTINGS_A_LOOKUP: f64 = 4;

/** Prepares a slot whose members are open, in a segment of `docCount` documents. */
export function prepareWindow(slot: PhraseSlot, docCount: u32): void {
  const perDocument = <f64>slot.cost / <f64>max<u32>(docCount, 1);
  slot.crowd = 2 + <u32>((perDocument * <f64>WINDOW) / (<f64>slot.memberCount * POSTINGS_A_LOOKUP));
  slot.stretch = u32.MAX_VALUE;
}

/** The groups of members of which some may be in `doc`, a bit each: exactly those that are where no group has two members. */
export function groupsIn(slot: PhraseSlot, doc: u32): u64 {
  const words = slot.words;
  if (words && doc - slot.base < WINDOW) {
    slot.asked++;
    return load<u64>(words + ((<usize>(doc - slot.base)) << 3));
  }
  const stretch = doc / WINDOW;
  if (stretch != slot.stretch) {
    slot.crowded = slot.asked >= slot.crowd;
    slot.stretch = stretch;
    slot.asked = 0;
  }
  slot.asked++;
  if (!slot.crowded && slot.asked < slot.crowd) return ALL_GROUPS;
  if (!fillWindow(slot, stretch * WINDOW)) return ALL_GROUPS;
  return load<u64>(slot.words + ((<usize>(doc - slot.base)) << 3));
}

/** Fills the window that begins at `base`; false where the arena has no room. */
function fillWindow(slot: PhraseSlot, base: u32): bool {
  if (!slot.words) {
    slot.words = requestAlloc(WINDOW << 3);
    if (!slot.words) return false;
  }
  memory.fill(slot.words, 0, WINDOW << 3);
  slot.base = base;
  for (let i: u32 = 0; i < slot.memberCount; i++) {
    orIntoWords(slot.member(i).postings, base, WINDOW, slot.words, (<u64>1) << (<u64>(i & 63)));
  }
  return true;
}
