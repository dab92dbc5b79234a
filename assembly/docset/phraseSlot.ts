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

  @inline member(i: u32): PositionsCursor {
    return changetype<PositionsCursor>(load<usize>(this.members + <usize>i * sizeof<usize>()));
  }
}
