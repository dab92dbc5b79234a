import { bitsFor128, pack128 } from '../codec/bitpack128';
import { normTable } from '../codec/norm';
import { readVint, vintNext, writeVint } from '../codec/vint';
import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { Rope } from '../memory/rope';

/**
 * Writes the postings of terms, one term at a time, as drawn in segment/README.md.
 *
 * Documents and frequencies are staged until 128 are there, and so are position gaps; the blocks of a long list are gathered
 * and appended when the term ends. A list is short until its 129th document or its end shows otherwise, and its position
 * gaps are kept until then.
 *
 *     staging    | 12 bytes | u32 previous block's last document | u32 document × 128 |
 */

const BLOCK: u32 = 128;
const CODE_BITSET: u32 = 0x80;
const CODE_VINTS: u32 = 0x81;
const POSITION_TAIL: u32 = 0xff;
/** As in the field flags. */
const FREQS: u32 = 1;
const POSITIONS: u32 = 2;
/** Most bytes of a block's data: bit packed or as vints. */
const BLOCK_BYTES: u32 = BLOCK * 10;
const META_BYTES: u32 = 16;
/** Rooms at the start: position gaps, blocks of a list, bytes of their data. */
const FIRST_GAPS: u32 = 512;
const FIRST_BLOCKS: u32 = 16;
const FIRST_DATA: u32 = 16 << 10;
/** Words that `copyWords` may write too many. */
const COPY_SLACK: u32 = 3;
/** Most position gaps written as vints at once. */
const STEP_GAPS: u32 = 4096;

/** Copies n words of 32 bits; up to three words beyond them are read and written. */
export function copyWords(to: usize, from: usize, n: u32): void {
  for (const end = to + (<usize>n << 2); to < end; to += 16, from += 16) v128.store(to, v128.load(from));
}

@unmanaged
export class PostingsWriter {
  postings: Rope;
  positions: Rope;
  /** Flags of the field. */
  flags: u32;
  /** One byte a document; 0 if the field has no norms. */
  norms: usize;
  /** Lengths of the ropes when the field began. */
  postingsStart: u32;
  positionsStart: u32;
  /** A document was not above the one before it: the source is damaged. */
  corrupt: bool;
  /** The staging buffers ran out of memory. */
  private short: bool;

  /** Staged documents and frequencies. */
  docs: usize;
  freqs: usize;
  count: u32;
  /** 128 values about to be packed. */
  private scratch: usize;
  /** The last document added. */
  private doc: u32;
  /** The last position added. */
  private position: u32;

  /** Staged position gaps. */
  private gaps: usize;
  private gapCount: u32;
  private gapRoom: u32;
  /** Gaps that may be staged: a block in a long list. */
  private gapLimit: u32;
  /** Length of the positions rope when the term began. */
  private termPositions: u32;
  /** Where the staged documents' positions begin: offset of the position block, and index in it. */
  private blockPosition: u32;
  private blockIndex: u32;

  /** Finished blocks of the term. */
  private blocks: u32;
  private lasts: usize;
  private metas: usize;
  private blockRoom: u32;
  private data: usize;
  private dataBytes: u32;
  private dataRoom: u32;
  private impact: f32;

  /** A writer, or null without memory. */
  static make(): PostingsWriter | null {
    const at = heapAllocZeroed(offsetof<PostingsWriter>());
    if (!at) return null;
    const writer = changetype<PostingsWriter>(at);
    const postings = Rope.make();
    writer.postings = changetype<Rope>(changetype<usize>(postings));
    const positions = Rope.make();
    writer.positions = changetype<Rope>(changetype<usize>(positions));
    const block = heapAlloc(16 + BLOCK * 12);
    writer.docs = block + 16;
    writer.freqs = writer.docs + BLOCK * 4;
    writer.scratch = writer.freqs + BLOCK * 4;
    writer.gaps = heapAlloc((FIRST_GAPS + COPY_SLACK) << 2);
    writer.gapRoom = FIRST_GAPS;
    if (!postings || !positions || !block || !writer.gaps) {
      if (!block) writer.docs = 0;
      writer.free();
      return null;
    }
    return writer;
  }

  free(): void {
    if (changetype<usize>(this.postings)) this.postings.free();
    if (changetype<usize>(this.positions)) this.positions.free();
    if (this.docs) heapFree(this.docs - 16);
    heapFree(this.gaps);
    heapFree(this.lasts);
    heapFree(this.metas);
    heapFree(this.data);
    heapFree(changetype<usize>(this));
  }

  /** Memory ran out; what was written is of no use. */
  get failed(): bool {
    return this.short || this.postings.failed || this.positions.failed;
  }

  /** Begins a field. */
  startField(flags: u32, norms: usize): void {
    this.flags = flags;
    this.norms = norms;
    this.postingsStart = this.postings.length;
    this.positionsStart = this.positions.length;
  }

  /** Begins a term. */
  startTerm(): void {
    this.count = 0;
    this.blocks = 0;
    this.dataBytes = 0;
    this.impact = 0;
    this.doc = u32.MAX_VALUE;
    store<u32>(this.docs - 4, u32.MAX_VALUE);
    this.gapCount = 0;
    this.gapLimit = this.gapRoom;
    this.termPositions = this.positions.length;
    this.blockPosition = 0;
    this.blockIndex = 0;
  }

  /** Documents added to the term so far. */
  get df(): u32 {
    return this.blocks * BLOCK + this.count;
  }

  /** Offset of the term's postings from those of the field, before it ends. */
  get offset(): u32 {
    return this.postings.length - this.postingsStart;
  }

  /**
   * Adds occurrences: pairs of u32 document and u32 position at from..end-1, ascending. A document's occurrences may come in
   * several calls.
   */
  addOccurrences(from: usize, end: usize): void {
    const docs = this.docs;
    const freqs = this.freqs;
    const positional = this.flags & POSITIONS;
    let doc = this.doc;
    let position = this.position;
    let count = this.count;
    let gaps = this.gaps;
    let gapCount = this.gapCount;
    for (; from < end; from += 8) {
      const next = load<u32>(from);
      if (next != doc) {
        if (count == BLOCK) {
          this.count = count;
          this.gapCount = gapCount;
          this.flushBlock();
          count = 0;
          gapCount = this.gapCount;
        }
        doc = next;
        position = 0;
        store<u32>(docs + (<usize>count << 2), doc);
        store<u32>(freqs + (<usize>count << 2), 1);
        ++count;
      } else {
        const freq = freqs + (<usize>count << 2) - 4;
        store<u32>(freq, load<u32>(freq) + 1);
      }
      if (positional) {
        const at = load<u32>(from, 4);
        store<u32>(gaps + (<usize>gapCount << 2), at - position);
        position = at;
        if (++gapCount == this.gapLimit) {
          this.gapCount = gapCount;
          this.makeGapRoom();
          gapCount = this.gapCount;
          gaps = this.gaps;
        }
      }
    }
    this.doc = doc;
    this.position = position;
    this.count = count;
    this.gapCount = gapCount;
  }

  /** Room for staged documents, at least 1: their numbers go to `docs`, their frequencies to `freqs`, from `count` on. */
  room(): u32 {
    if (this.count == BLOCK) this.flushBlock();
    return BLOCK - this.count;
  }

  /**
   * Adds position gaps, those of the staged documents in order; of a document all before a later document is staged. Three
   * words beyond them can be read.
   */
  addGaps(from: usize, n: u32): void {
    while (n) {
      const part = min(n, this.gapLimit - this.gapCount);
      copyWords(this.gaps + (<usize>this.gapCount << 2), from, part);
      from += <usize>part << 2;
      n -= part;
      this.gapCount += part;
      if (this.gapCount == this.gapLimit) this.makeGapRoom();
    }
  }

  /**
   * Writes a short list of `bytes` bytes that another segment holds, as a term of its own; its documents are numbered from
   * `base` on.
   */
  addList(from: usize, bytes: u32, base: u32): void {
    const postings = this.postings;
    const first = readVint(from);
    const used = <u32>(vintNext - from);
    postings.vint(first + (this.flags & FREQS ? base << 1 : base));
    if (used < bytes) postings.bytes(vintNext, bytes - used);
  }

  /** Ends the term. Without documents nothing has been written. */
  endTerm(): void {
    if (!this.blocks && this.count < BLOCK) {
      if (this.count) this.writeShort();
      return;
    }
    if (this.count == BLOCK) this.flushBlock();
    else if (this.count) this.flushRest();
    this.flushGaps();
    const positions = this.positions;
    if (this.gapCount) {
      positions.u8(POSITION_TAIL);
      this.writeGaps(positions);
    }
    const postings = this.postings;
    const blocks = this.blocks;
    postings.u32(blocks);
    postings.u32(this.flags & POSITIONS ? this.termPositions - this.positionsStart : 0);
    postings.f32(this.impact);
    postings.bytes(this.lasts, blocks << 2);
    postings.bytes(this.metas, blocks * META_BYTES);
    postings.bytes(this.data, this.dataBytes);
  }

  /** The staged gaps are as many as may be: packs a block of them, or makes room. */
  private makeGapRoom(): void {
    if (this.blocks) {
      this.flushGaps();
      return;
    }
    const room = this.gapRoom << 1;
    const moved = room <= 1 << 29 ? heapRealloc(this.gaps, (room + COPY_SLACK) << 2) : 0;
    if (moved) {
      this.gaps = moved;
      this.gapRoom = room;
      this.gapLimit = room;
    } else {
      this.short = true;
      this.gapCount = 0;
    }
  }

  /** Packs all full blocks of staged gaps. */
  private flushGaps(): void {
    const positions = this.positions;
    let from = this.gaps;
    while (this.gapCount >= BLOCK) {
      const bits = bitsFor128(from);
      const to = positions.reserve(1 + 512);
      store<u8>(to, bits);
      pack128(from, to + 1, bits);
      positions.advance(1 + (bits << 4));
      from += BLOCK * 4;
      this.gapCount -= BLOCK;
    }
    if (from != this.gaps) memory.copy(this.gaps, from, this.gapCount << 2);
  }

  /** Writes the staged gaps as vints. */
  private writeGaps(rope: Rope): void {
    let from = this.gaps;
    let left = this.gapCount;
    while (left) {
      const part = min(left, STEP_GAPS);
      const start = rope.reserve(part * 5);
      let to = start;
      for (const end = from + (<usize>part << 2); from < end; from += 4) to = writeVint(to, load<u32>(from));
      rope.advance(<u32>(to - start));
      left -= part;
    }
  }

  /** Writes the staged documents as vints at `to` and returns the address after them. */
  private writeDocs(to: usize): usize {
    const withFreqs = this.flags & FREQS;
    let previous = load<u32>(this.docs - 4);
    for (let i: usize = 0, end = <usize>this.count << 2; i < end; i += 4) {
      const doc = load<u32>(this.docs + i);
      const gap = doc - previous - 1;
      if (<i32>gap < 0) this.corrupt = true;
      previous = doc;
      if (withFreqs) {
        const freq = load<u32>(this.freqs + i);
        to = writeVint(to, (gap << 1) | u32(freq == 1));
        if (freq != 1) to = writeVint(to, freq);
      } else {
        to = writeVint(to, gap);
      }
    }
    return to;
  }

  private writeShort(): void {
    const postings = this.postings;
    const start = postings.reserve(BLOCK_BYTES);
    postings.advance(<u32>(this.writeDocs(start) - start));
    if (this.flags & POSITIONS) this.writeGaps(postings);
  }

  /** Room for one more block's data and table entries, or 0. */
  private blockData(): usize {
    if (this.blocks == this.blockRoom) {
      const room = max(this.blockRoom << 1, FIRST_BLOCKS);
      const lasts = heapRealloc(this.lasts, room << 2);
      if (lasts) this.lasts = lasts;
      const metas = lasts ? heapRealloc(this.metas, room * META_BYTES) : 0;
      if (!metas) return 0;
      this.metas = metas;
      this.blockRoom = room;
    }
    if (this.dataRoom - this.dataBytes < BLOCK_BYTES) {
      const room = max(this.dataRoom << 1, FIRST_DATA);
      const data = heapRealloc(this.data, room);
      if (!data) return 0;
      this.data = data;
      this.dataRoom = room;
    }
    return this.data + this.dataBytes;
  }

  /** Codes the 128 staged documents. */
  private flushBlock(): void {
    const start = this.blockData();
    if (!start) {
      this.short = true;
      this.count = 0;
      return;
    }
    const docs = this.docs;
    const scratch = this.scratch;
    const one = i32x4.splat(1);
    let all = i32x4.splat(0);
    for (let i: usize = 0; i < BLOCK * 4; i += 16) {
      const gap = i32x4.sub(i32x4.sub(v128.load(docs + i), v128.load(docs + i - 4)), one);
      v128.store(scratch + i, gap);
      all = v128.or(all, gap);
    }
    const folded = i64x2.extract_lane(all, 0) | i64x2.extract_lane(all, 1);
    const bits: u32 = 32 - clz(<u32>folded | <u32>(folded >>> 32));
    if (bits == 32) {
      this.corrupt = true;
      this.count = 0;
      return;
    }
    let to = start;
    let code: u32 = bits;
    const previous = load<u32>(docs - 4);
    const last = load<u32>(docs, (BLOCK - 1) * 4);
    const span = (last - previous + 7) >> 3;
    if (span <= (bits << 4)) {
      code = CODE_BITSET;
      this.writeBitset(to, span, previous + 1);
      to += span;
    } else {
      pack128(scratch, to, bits);
      to += bits << 4;
    }
    let freqBits: u32 = 0;
    if (this.flags & FREQS) {
      for (let i: usize = 0; i < BLOCK * 4; i += 16) v128.store(scratch + i, i32x4.sub(v128.load(this.freqs + i), one));
      freqBits = bitsFor128(scratch);
      pack128(scratch, to, freqBits);
      to += freqBits << 4;
    }
    this.endBlock(to, code, freqBits);
    if (this.flags & POSITIONS) {
      this.flushGaps();
      this.gapLimit = BLOCK;
      this.blockPosition = this.positions.length - this.termPositions;
      this.blockIndex = this.gapCount;
    }
  }

  /** Codes the last block of a long list, fewer than 128 documents. */
  private flushRest(): void {
    const to = this.blockData();
    if (to) this.endBlock(this.writeDocs(to), CODE_VINTS, 0);
    else this.short = true;
  }

  /** Sets the bits of the staged documents, bit 0 being document `base`. */
  private writeBitset(to: usize, bytes: u32, base: u32): void {
    memory.fill(to, 0, bytes);
    for (let p = this.docs, end = p + BLOCK * 4; p < end; p += 4) {
      const bit = load<u32>(p) - base;
      const at = to + (bit >> 3);
      store<u8>(at, <u32>load<u8>(at) | (1 << (bit & 7)));
    }
  }

  /** Enters a block whose data ends at `end` into the tables. */
  private endBlock(end: usize, code: u32, freqBits: u32): void {
    const meta = this.metas + <usize>this.blocks * META_BYTES;
    const impact = this.blockImpact();
    const last = load<u32>(this.docs + (<usize>this.count << 2) - 4);
    store<u32>(this.lasts + (<usize>this.blocks << 2), last);
    store<u32>(meta, this.dataBytes);
    store<f32>(meta, impact, 4);
    store<u32>(meta, this.blockPosition, 8);
    store<u32>(meta, code | (freqBits << 8) | (this.blockIndex << 16), 12);
    if (impact > this.impact) this.impact = impact;
    this.dataBytes = <u32>(end - this.data);
    store<u32>(this.docs - 4, last);
    ++this.blocks;
    this.count = 0;
  }

  /** The largest sqrt(freq) * norm among the staged documents. */
  private blockImpact(): f32 {
    const norms = this.norms;
    const freqs = this.flags & FREQS ? this.freqs : 0;
    if (!norms && !freqs) return 1;
    const table = normTable();
    const docs = this.docs;
    let best = f32x4.splat(0);
    let i: usize = 0;
    const whole = <usize>(this.count & ~3) << 2;
    for (; i < whole; i += 16) {
      let value = freqs ? f32x4.sqrt(f32x4.convert_i32x4_u(v128.load(freqs + i))) : f32x4.splat(1);
      if (norms) {
        let norm = f32x4.splat(load<f32>(table + (<usize>load<u8>(norms + load<u32>(docs + i)) << 2)));
        norm = f32x4.replace_lane(norm, 1, load<f32>(table + (<usize>load<u8>(norms + load<u32>(docs + i, 4)) << 2)));
        norm = f32x4.replace_lane(norm, 2, load<f32>(table + (<usize>load<u8>(norms + load<u32>(docs + i, 8)) << 2)));
        norm = f32x4.replace_lane(norm, 3, load<f32>(table + (<usize>load<u8>(norms + load<u32>(docs + i, 12)) << 2)));
        value = f32x4.mul(value, norm);
      }
      best = f32x4.pmax(best, value);
    }
    let result = max(
      max(f32x4.extract_lane(best, 0), f32x4.extract_lane(best, 1)),
      max(f32x4.extract_lane(best, 2), f32x4.extract_lane(best, 3)),
    );
    for (const end = <usize>this.count << 2; i < end; i += 4) {
      let value: f32 = freqs ? f32.sqrt(<f32>load<u32>(freqs + i)) : 1;
      if (norms) value *= load<f32>(table + (<usize>load<u8>(norms + load<u32>(docs + i)) << 2));
      if (value > result) result = value;
    }
    return result;
  }
}
