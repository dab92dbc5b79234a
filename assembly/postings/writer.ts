import { bitsFor128, pack128 } from '../codec/bitpack128';
import { readVint, vintNext, writeVint } from '../codec/vint';
import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { ChunkedBuffer } from '../memory/chunkedBuffer';
import { GapWriter } from './gapWriter';
import { largestImpact } from './impact';

/**
 * Writes the postings of terms, one term at a time, as drawn in segment/README.md.
 *
 * Documents and frequencies are staged until 128 are there; the blocks of a long list are gathered and appended when the term
 * ends. A list is short until its 129th document or its end shows otherwise.
 *
 *     staging    | 12 bytes | u32 last document of the block before | u32 document × 128 | u32 frequency × 128 | 128 values to pack |
 */

const BLOCK: u32 = 128;
const CODE_BITSET: u32 = 0x80;
const CODE_VINTS: u32 = 0x81;
/** As in the field flags. */
const FREQS: u32 = 1;
const POSITIONS: u32 = 2;
/** Most bytes of a block's data: bit packed or as vints. */
const BLOCK_BYTES: u32 = BLOCK * 10;
const META_BYTES: u32 = 16;
/** Rooms at the start: blocks of a list, bytes of their data. */
const FIRST_BLOCKS: u32 = 16;
const FIRST_DATA: u32 = 16 << 10;

@unmanaged
export class PostingsWriter {
  postings: ChunkedBuffer;
  private gapWriter: GapWriter;
  /** Flags of the field. */
  flags: u32;
  /** One byte a document; 0 if the field has no norms. */
  private norms: usize;
  /** Lengths of the chunked buffers when the field began. */
  postingsStart: u32;
  positionsStart: u32;
  /** A document was not above the one before it: the source is damaged. */
  corrupt: bool;
  /** There was no memory for a block. */
  private blockFailed: bool;

  /** Staged documents and frequencies. */
  docs: usize;
  freqs: usize;
  count: u32;
  /** 128 values about to be packed. */
  private scratch: usize;
  /** The last document added, and its last position. */
  private doc: u32;
  private position: u32;
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
    const postings = ChunkedBuffer.make();
    writer.postings = changetype<ChunkedBuffer>(changetype<usize>(postings));
    const gaps = GapWriter.make();
    writer.gapWriter = changetype<GapWriter>(changetype<usize>(gaps));
    const staging = heapAlloc(16 + BLOCK * 12);
    if (staging) {
      writer.docs = staging + 16;
      writer.freqs = writer.docs + BLOCK * 4;
      writer.scratch = writer.freqs + BLOCK * 4;
    }
    if (!postings || !gaps || !staging) {
      writer.free();
      return null;
    }
    return writer;
  }

  free(): void {
    if (changetype<usize>(this.postings)) this.postings.free();
    if (changetype<usize>(this.gapWriter)) this.gapWriter.free();
    if (this.docs) heapFree(this.docs - 16);
    heapFree(this.lasts);
    heapFree(this.metas);
    heapFree(this.data);
    heapFree(changetype<usize>(this));
  }

  /** Memory ran out; what was written is of no use. */
  get failed(): bool {
    return this.blockFailed || this.postings.failed || this.gapWriter.failed || this.gapWriter.chunks.failed;
  }

  /** The positions of long lists. */
  get positions(): ChunkedBuffer {
    return this.gapWriter.chunks;
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
    this.gapWriter.startTerm();
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
    const gaps = this.gapWriter;
    let doc = this.doc;
    let position = this.position;
    let count = this.count;
    let gapAt = gaps.gaps + ((<usize>gaps.count) << 2);
    let gapEnd = gaps.gaps + ((<usize>gaps.limit) << 2);
    for (; from < end; from += 8) {
      const next = load<u32>(from);
      if (next != doc) {
        if (count == BLOCK) {
          this.count = count;
          gaps.count = <u32>(gapAt - gaps.gaps) >> 2;
          this.flushBlock();
          count = 0;
          gapAt = gaps.gaps + ((<usize>gaps.count) << 2);
          gapEnd = gaps.gaps + ((<usize>gaps.limit) << 2);
        }
        doc = next;
        position = 0;
        store<u32>(docs + ((<usize>count) << 2), doc);
        store<u32>(freqs + ((<usize>count) << 2), 1);
        ++count;
      } else {
        const freq = freqs + ((<usize>count) << 2) - 4;
        store<u32>(freq, load<u32>(freq) + 1);
      }
      if (positional) {
        const at = load<u32>(from, 4);
        store<u32>(gapAt, at - position);
        position = at;
        gapAt += 4;
        if (gapAt == gapEnd) {
          gaps.count = gaps.limit;
          gaps.makeRoom();
          gapAt = gaps.gaps + ((<usize>gaps.count) << 2);
          gapEnd = gaps.gaps + ((<usize>gaps.limit) << 2);
        }
      }
    }
    this.doc = doc;
    this.position = position;
    this.count = count;
    gaps.count = <u32>(gapAt - gaps.gaps) >> 2;
  }

  /** Room for staged documents, at least 1: their numbers go to `docs`, their frequencies to `freqs`, from `count` on. */
  room(): u32 {
    if (this.count == BLOCK) this.flushBlock();
    return BLOCK - this.count;
  }

  /** Adds position gaps: those of the next documents, before these are staged. Up to three words beyond them are read. */
  addGaps(from: usize, n: u32): void {
    this.gapWriter.add(from, n);
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
    const postings = this.postings;
    const blocks = this.blocks;
    postings.u32(blocks);
    if (this.flags & POSITIONS) {
      this.gapWriter.endLong();
      postings.u32(this.gapWriter.termStart - this.positionsStart);
    } else {
      postings.u32(0);
    }
    postings.f32(this.impact);
    postings.bytes(this.lasts, blocks << 2);
    postings.bytes(this.metas, blocks * META_BYTES);
    postings.bytes(this.data, this.dataBytes);
  }

  /** Writes the staged documents as vints at `to` and returns the address after them. */
  private writeDocs(to: usize): usize {
    const withFreqs = this.flags & FREQS;
    let previous = load<u32>(this.docs - 4);
    for (let i: usize = 0, end = (<usize>this.count) << 2; i < end; i += 4) {
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
    if (this.flags & POSITIONS) this.gapWriter.writeVints(postings);
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
    let to = this.blockData();
    const bits = this.stageGaps();
    if (!to || bits == 32) {
      if (to) this.corrupt = true;
      else this.blockFailed = true;
      this.count = 0;
      return;
    }
    const previous = load<u32>(this.docs - 4);
    const span = (load<u32>(this.docs, (BLOCK - 1) * 4) - previous + 7) >> 3;
    const isBitset = span <= bits << 4;
    if (isBitset) {
      this.writeBitset(to, span, previous + 1);
      to += span;
    } else {
      pack128(this.scratch, to, bits);
      to += bits << 4;
    }
    let freqBits: u32 = 0;
    if (this.flags & FREQS) {
      freqBits = this.stageFreqs();
      pack128(this.scratch, to, freqBits);
      to += freqBits << 4;
    }
    this.endBlock(to, isBitset ? CODE_BITSET : bits, freqBits);
    if (this.flags & POSITIONS) {
      const gaps = this.gapWriter;
      gaps.pack();
      this.blockPosition = gaps.blockOffset;
      this.blockIndex = gaps.count;
    }
  }

  /** Puts the gaps between the staged documents into the scratch block; the bits they need, 32 if they don't ascend. */
  private stageGaps(): u32 {
    const docs = this.docs;
    const one = i32x4.splat(1);
    for (let i: usize = 0; i < BLOCK * 4; i += 16) {
      const gap = i32x4.sub(i32x4.sub(v128.load(docs + i), v128.load(docs + i - 4)), one);
      v128.store(this.scratch + i, gap);
    }
    return bitsFor128(this.scratch);
  }

  /** Puts the staged frequencies minus one into the scratch block; the bits they need. */
  private stageFreqs(): u32 {
    const one = i32x4.splat(1);
    for (let i: usize = 0; i < BLOCK * 4; i += 16) {
      v128.store(this.scratch + i, i32x4.sub(v128.load(this.freqs + i), one));
    }
    return bitsFor128(this.scratch);
  }

  /** Codes the last block of a long list, fewer than 128 documents. */
  private flushRest(): void {
    const to = this.blockData();
    if (to) this.endBlock(this.writeDocs(to), CODE_VINTS, 0);
    else this.blockFailed = true;
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
    const impact = largestImpact(this.docs, this.flags & FREQS ? this.freqs : 0, this.norms, this.count);
    const last = load<u32>(this.docs + ((<usize>this.count) << 2) - 4);
    store<u32>(this.lasts + ((<usize>this.blocks) << 2), last);
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
}
