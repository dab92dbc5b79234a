import { requestAlloc } from '../memory/arena';
import { fillBits } from '../postings/bits';
import { contains } from '../postings/cursor';
import { addPositions, PositionsCursor, readPositions } from '../postings/positions';
import { PositionRows } from '../postings/positionRows';

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
  /** Positions of the slot in the documents at hand. */
  rows: PositionRows;
  /** Those in one of them, ascending. */
  positions: usize;
  count: u32;
  /** Documents of the segment that have one of the alternatives, as a bitset; 0 where it wasn't worth making. */
  documents: usize;

  @inline member(i: u32): PositionsCursor {
    return changetype<PositionsCursor>(load<usize>(this.members + <usize>i * sizeof<usize>()));
  }

  /** Whether it has a posting in `doc`. */
  has(doc: u32): bool {
    const documents = this.documents;
    if (documents) return ((load<u8>(documents + (doc >> 3)) >> (doc & 7)) & 1) != 0;
    for (let i: u32 = 0; i < this.memberCount; i++) if (contains(this.member(i).postings, doc)) return true;
    return false;
  }

  /** Makes the bitset of its documents, of `docCount` in the segment; false where the arena has no room. */
  collect(docCount: u32): bool {
    if (this.documents) return true;
    const bytes = (((docCount + 127) >> 7) << 4) + 16;
    const bits = requestAlloc(bytes);
    if (!bits) return false;
    memory.fill(bits, 0, bytes);
    for (let i: u32 = 0; i < this.memberCount; i++) fillBits(this.member(i).postings, 0, docCount, bits);
    this.documents = bits;
    return true;
  }

  /** Reads the positions in the documents that `alive` names (postings/positions.ts) and keeps in it those that have any. */
  read(docs: usize, alive: usize, n: usize): usize {
    const rows = this.rows;
    if (this.memberCount == 1) return readPositions(this.member(0), docs, alive, n, rows);
    rows.clear();
    for (let i: u32 = 0; i < this.memberCount; i++) addPositions(this.member(i), docs, alive, n, rows);
    let kept: usize = 0;
    for (let k: usize = 0; k < n << 2; k += 4) {
      const i = load<u32>(alive + k);
      store<u32>(alive + kept, i);
      if (rows.count(i)) kept += 4;
    }
    return kept >> 2;
  }

  /** Turns to the positions in document `i` of those read. */
  @inline open(i: u32): void {
    this.positions = this.rows.at(i);
    this.count = this.rows.count(i);
  }
}
