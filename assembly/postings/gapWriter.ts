import { bitsFor128, pack128 } from '../codec/bitpack128';
import { writeVint } from '../codec/vint';
import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { ChunkedBuffer } from '../memory/chunkedBuffer';

/**
 * Stages the position gaps of one term after the other. They are all kept until the list turns out to be long; from then on
 * every 128 of them become a block.
 */

const BLOCK: u32 = 128;
const TAIL: u32 = 0xff;
const FIRST_ROOM: u32 = 512;
const MAX_ROOM: u32 = 1 << 29;
/** Words that `copyWords` may write too many. */
const COPY_SLACK: u32 = 3;
/** Most gaps written as vints at once. */
const STEP: u32 = 4096;

/** Copies n words of 32 bits; up to three words beyond them are read and written. */
export function copyWords(to: usize, from: usize, n: u32): void {
  for (const end = to + ((<usize>n) << 2); to < end; to += 16, from += 16) v128.store(to, v128.load(from));
}

@unmanaged
export class GapWriter {
  /** The positions of all long lists. */
  chunks: ChunkedBuffer;
  /** Staged gaps, u32 each, and how many. */
  gaps: usize;
  count: u32;
  /** When this many are staged, `makeRoom` is due. */
  limit: u32;
  /** Memory for staging ran out. */
  failed: bool;
  /** The list is long. */
  private packing: bool;
  private room: u32;
  /** Length of the buffer when the term began. */
  private start: u32;

  /** A writer, or null without memory. */
  static make(): GapWriter | null {
    const at = heapAllocZeroed(offsetof<GapWriter>());
    if (!at) return null;
    const writer = changetype<GapWriter>(at);
    const chunks = ChunkedBuffer.make();
    writer.chunks = changetype<ChunkedBuffer>(changetype<usize>(chunks));
    writer.gaps = heapAlloc((FIRST_ROOM + COPY_SLACK) << 2);
    writer.room = FIRST_ROOM;
    if (!chunks || !writer.gaps) {
      writer.free();
      return null;
    }
    return writer;
  }

  free(): void {
    if (changetype<usize>(this.chunks)) this.chunks.free();
    heapFree(this.gaps);
    heapFree(changetype<usize>(this));
  }

  startTerm(): void {
    this.count = 0;
    this.limit = this.room;
    this.packing = false;
    this.start = this.chunks.length;
  }

  /** Offset, from the buffer's start, of the term's first block. */
  get termStart(): u32 {
    return this.start;
  }

  /** Offset, from the term's first block, of the block that the next gap goes to; `count` is the index in it once packed. */
  get blockOffset(): u32 {
    return this.chunks.length - this.start;
  }

  /** Adds n gaps; up to three words beyond them are read. */
  add(from: usize, n: u32): void {
    while (n) {
      const part = min(n, this.limit - this.count);
      copyWords(this.gaps + ((<usize>this.count) << 2), from, part);
      from += (<usize>part) << 2;
      n -= part;
      this.count += part;
      if (this.count == this.limit) this.makeRoom();
    }
  }

  /** Makes room for one more gap at least. */
  makeRoom(): void {
    if (this.packing) {
      this.pack();
      return;
    }
    const room = this.room << 1;
    const moved = room <= MAX_ROOM ? heapRealloc(this.gaps, (room + COPY_SLACK) << 2) : 0;
    if (moved) {
      this.gaps = moved;
      this.room = room;
      this.limit = room;
    } else {
      this.failed = true;
      this.count = 0;
    }
  }

  /** The list is long: packs all full blocks of staged gaps. */
  pack(): void {
    const chunks = this.chunks;
    let from = this.gaps;
    this.packing = true;
    this.limit = BLOCK;
    while (this.count >= BLOCK) {
      const bits = bitsFor128(from);
      const to = chunks.reserve(1 + BLOCK * 4);
      store<u8>(to, bits);
      pack128(from, to + 1, bits);
      chunks.advance(1 + (bits << 4));
      from += BLOCK * 4;
      this.count -= BLOCK;
    }
    if (from != this.gaps && this.count) memory.copy(this.gaps, from, this.count << 2);
  }

  /** Ends the positions of a long list. */
  endLong(): void {
    this.pack();
    if (!this.count) return;
    this.chunks.u8(TAIL);
    this.writeVints(this.chunks);
  }

  /** Appends the staged gaps to a chunked buffer as vints. */
  writeVints(chunks: ChunkedBuffer): void {
    let from = this.gaps;
    let left = this.count;
    while (left) {
      const part = min(left, STEP);
      const start = chunks.reserve(part * 5);
      let to = start;
      for (const end = from + ((<usize>part) << 2); from < end; from += 4)
        to = writeVint(to, load<u32>(from));
      chunks.advance(<u32>(to - start));
      left -= part;
    }
  }
}
