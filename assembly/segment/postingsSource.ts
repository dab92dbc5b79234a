import { unpack128, unpackGaps128, unpackPlusOne128 } from '../codec/bitpack128';
import { Vint, vintNext } from '../codec/vint';
import { PostingsWriter } from '../postings/writer';
import { FIELD_FREQS, FIELD_POSITIONS, FieldEntry, Segment } from './segment';

/**
 * Reads the postings of a term from start to end, block after block, for a merge. The blocks go through the scratch memory of
 * the merge; only one source is read at a time.
 *
 * Everything is checked before it is read: a damaged image makes `corrupt` true, never a read outside of it.
 */

const BLOCK: u32 = 128;
const CODE_BITSET: u32 = 0x80;
const CODE_VINTS: u32 = 0x81;
const POSITION_TAIL: u32 = 0xff;
const LIST_HEADER: u32 = 12;
const META_BYTES: u32 = 16;
/** Scratch: documents, frequencies, position gaps. */
export const SCRATCH_BYTES: u32 = 3 * BLOCK * 4 + 16;

@unmanaged
export class PostingsSource {
  /** The block's documents and frequencies, and how many. */
  docs: usize;
  freqs: usize;
  count: u32;
  corrupt: bool;
  /** The field in the segment. */
  private flags: u32;
  private docCount: u32;
  private base: usize;
  private end: usize;
  private positionsBase: usize;
  private positionsEnd: usize;

  private df: u32;
  /** Next block, and number of blocks; a short list is one. */
  private block: u32;
  private blocks: u32;
  private previous: u32;
  private lasts: usize;
  private metas: usize;
  private data: usize;

  /** Position gaps: a block unpacked, the next one in it, how many there are; or vints from `positions` on. */
  private gaps: usize;
  private gapAt: u32;
  private gapCount: u32;
  private positions: usize;
  private asVints: bool;

  /** Reads the field of `entry` through the scratch memory. */
  openField(seg: Segment, entry: usize, scratch: usize): void {
    this.docs = scratch;
    this.freqs = scratch + BLOCK * 4;
    this.gaps = scratch + BLOCK * 8;
    this.flags = FieldEntry.flags(entry);
    this.docCount = seg.docCount;
    this.base = FieldEntry.postings(seg, entry);
    this.end = FieldEntry.postingsEnd(seg, entry);
    this.positionsBase = FieldEntry.positions(seg, entry);
    this.positionsEnd = FieldEntry.positionsEnd(seg, entry);
  }

  /** Goes to the postings of a term. */
  openTerm(df: u32, offset: u32): void {
    this.df = df;
    this.block = 0;
    this.blocks = 1;
    this.count = 0;
    this.previous = u32.MAX_VALUE;
    this.gapAt = 0;
    this.gapCount = 0;
    this.data = this.base + offset;
    if (df < BLOCK) {
      this.asVints = true;
      return;
    }
    this.asVints = false;
    const blocks = (df + BLOCK - 1) / BLOCK;
    const room = <u32>(this.end - this.data);
    const tables = LIST_HEADER + <u64>blocks * (4 + META_BYTES);
    if (tables > <u64>room || load<u32>(this.data) != blocks) {
      this.corrupt = true;
      return;
    }
    this.blocks = blocks;
    const positions = load<u32>(this.data, 4);
    this.positions = this.positionsBase + positions;
    this.lasts = this.data + LIST_HEADER;
    this.metas = this.lasts + ((<usize>blocks) << 2);
    this.data = this.metas + <usize>blocks * META_BYTES;
    if (
      this.flags & FIELD_POSITIONS &&
      load<u32>(this.lasts - 8) > <u32>(this.positionsEnd - this.positionsBase)
    ) {
      this.corrupt = true;
    }
  }

  /** Address of the list of a term, and how many bytes of the field's postings follow. */
  listAt(offset: u32): usize {
    return this.base + offset;
  }

  bytesFrom(offset: u32): u32 {
    return <u32>(this.end - this.base) - offset;
  }

  /** Decodes the next block into `docs` and `freqs`; false at the end or when the image is damaged. */
  nextBlock(): bool {
    if (this.corrupt || this.block == this.blocks) return false;
    const block = this.block++;
    if (this.df < BLOCK) {
      this.count = this.df;
      this.positions = this.readVints(this.data);
      return this.checkDocs();
    }
    const meta = this.metas + <usize>block * META_BYTES;
    const offset = load<u32>(meta);
    const code = <u32>load<u8>(meta, 12);
    const freqBits = <u32>load<u8>(meta, 13);
    const last = load<u32>(this.lasts + ((<usize>block) << 2));
    const room = <u32>(this.end - this.data);
    this.count = min(this.df - block * BLOCK, BLOCK);
    if (offset > room) return this.fail();
    const from = this.data + offset;
    if (code == CODE_VINTS) {
      this.readVints(from);
      return this.checkDocs();
    }
    const span = last - this.previous;
    const docBytes = code == CODE_BITSET ? (span + 7) >> 3 : code << 4;
    const isPacked =
      this.count == BLOCK && freqBits <= 32 && (code < 32 || (code == CODE_BITSET && span <= BLOCK * 32));
    if (!isPacked || docBytes + (freqBits << 4) > room - offset) return this.fail();
    if (code == CODE_BITSET) {
      if (!this.readBitset(from, span)) return this.fail();
    } else {
      unpackGaps128(from, this.docs, code, <i32>this.previous);
    }
    if (this.flags & FIELD_FREQS) unpackPlusOne128(from + docBytes, this.freqs, freqBits);
    else this.fillFreqs();
    this.previous = last;
    if (load<u32>(this.docs, (BLOCK - 1) * 4) != last) return this.fail();
    return this.checkDocs();
  }

  /** Hands the next n position gaps to `writer`, or drops them if there is none; false when the image is damaged. */
  takeGaps(n: u32, writer: PostingsWriter | null): bool {
    while (n) {
      if (this.gapAt == this.gapCount && !this.nextGaps(n)) return false;
      const part = min(n, this.gapCount - this.gapAt);
      if (writer) writer.addGaps(this.gaps + ((<usize>this.gapAt) << 2), part);
      this.gapAt += part;
      n -= part;
    }
    return true;
  }

  private fail(): bool {
    this.corrupt = true;
    return false;
  }

  /** Reads `count` documents coded as vints; returns the address after them. */
  private readVints(from: usize): usize {
    const withFreqs = this.flags & FIELD_FREQS;
    const end = this.end;
    let doc = this.previous;
    for (let i: usize = 0, bytes = (<usize>this.count) << 2; i < bytes; i += 4) {
      if (from >= end) {
        this.corrupt = true;
        return from;
      }
      const value = Vint.read(from);
      from = vintNext;
      let freq: u32 = 1;
      if (withFreqs) {
        doc += (value >> 1) + 1;
        if (!(value & 1)) {
          freq = Vint.read(from);
          from = vintNext;
        }
      } else {
        doc += value + 1;
      }
      store<u32>(this.docs + i, doc);
      store<u32>(this.freqs + i, freq);
    }
    return from;
  }

  private fillFreqs(): void {
    const one = i32x4.splat(1);
    for (let i: usize = 0; i < BLOCK * 4; i += 16) v128.store(this.freqs + i, one);
  }

  /** Reads 128 documents coded as a bitset of `span` bits. */
  private readBitset(from: usize, span: u32): bool {
    let to = this.docs;
    const end = to + BLOCK * 4;
    for (let bit: u32 = 0; bit < span; bit += 64) {
      let word = load<u64>(from + (bit >> 3));
      if (span - bit < 64) word &= ((<u64>1) << (<u64>(span - bit))) - 1;
      const first = this.previous + 1 + bit;
      for (; word; word &= word - 1) {
        if (to == end) return false;
        store<u32>(to, first + <u32>ctz(word));
        to += 4;
      }
    }
    return to == end;
  }

  /** Whether all documents of the block exist. */
  private checkDocs(): bool {
    if (this.corrupt) return false;
    const limit = this.docCount;
    const docs = this.docs;
    const n = this.count;
    let i: u32 = 0;
    let highest = i32x4.splat(0);
    for (; i + 4 <= n; i += 4) highest = i32x4.max_u(highest, v128.load(docs + ((<usize>i) << 2)));
    let top = max(
      max(<u32>i32x4.extract_lane(highest, 0), <u32>i32x4.extract_lane(highest, 1)),
      max(<u32>i32x4.extract_lane(highest, 2), <u32>i32x4.extract_lane(highest, 3)),
    );
    for (; i < n; i++) top = max(top, load<u32>(docs + ((<usize>i) << 2)));
    return top < limit || this.fail();
  }

  /** Makes the next gaps, n of which are wanted, available. */
  private nextGaps(n: u32): bool {
    this.gapAt = 0;
    this.gapCount = 0;
    let from = this.positions;
    if (!this.asVints) {
      if (from >= this.positionsEnd) return this.fail();
      const bits = <u32>load<u8>(from++);
      if (bits != POSITION_TAIL) {
        if (bits > 32 || bits << 4 > <u32>(this.positionsEnd - from)) return this.fail();
        unpack128(from, this.gaps, bits);
        this.gapCount = BLOCK;
        this.positions = from + ((<usize>bits) << 4);
        return true;
      }
      this.asVints = true;
    }
    const end = this.df < BLOCK ? this.end : this.positionsEnd;
    const count = min(n, BLOCK);
    for (let i: usize = 0, bytes = (<usize>count) << 2; i < bytes; i += 4) {
      if (from >= end) return this.fail();
      store<u32>(this.gaps + i, Vint.read(from));
      from = vintNext;
    }
    this.positions = from;
    this.gapCount = count;
    return true;
  }
}
