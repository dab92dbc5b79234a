import { PositionsCursor } from '../postings/positions';

/** One position of a phrase: a term, or several alternatives. */
@unmanaged
export class PhraseSlot {
  /** Position within the phrase. */
  offset: u32;
  /** Array of PositionsCursor pointers. */
  members: usize;
  memberCount: u32;
  /** Sum of the members' document frequencies in the segment. */
  cost: u32;
  /** Positions of the slot in the current document, ascending. */
  positions: usize;
  count: u32;
  /** Where alternatives are merged. */
  merged: usize;
  mergedCapacity: u32;
  /** Groups of members (slotWindow.ts) that are, or before they are looked up may be, in the current document. */
  groups: u64;
  /** The window's words, 0 before there is one, and its first document. */
  words: usize;
  base: u32;
  /** The stretch of documents asked for last, how often, and from how many times on a window is worth filling. */
  stretch: u32;
  asked: u32;
  crowd: u32;
  /** The stretch before was asked for that often. */
  crowded: bool;

  @inline member(i: u32): PositionsCursor {
    return changetype<PositionsCursor>(load<usize>(this.members + <usize>i * sizeof<usize>()));
  }
}
