import { writeVint } from '../codec/vint';
import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';
import { ChunkedBuffer } from '../memory/chunkedBuffer';
import { commonPrefix } from './bytes';
import { BLOCK_TERMS, TERM_BUFFER_BYTES } from './dictionary';

/** Most bytes of an entry's four numbers. */
const ENTRY_NUMBERS: u32 = 20;
/** Longest copy that is made word by word. */
const SHORT_COPY: u32 = 64;

/** Writes the dictionaries of a segment, field after field; the bytes are drawn in segment/README.md. */
@unmanaged
export class DictionaryWriter {
  /** Blocks of all fields. */
  blocks: ChunkedBuffer;
  /** Offsets of the blocks of all fields. */
  index: ChunkedBuffer;
  /** The term before, to share bytes with. */
  private last: usize;
  private lastLength: u32;
  private lastPostings: u32;
  /** Terms of the current field. */
  termCount: u32;
  /** Lengths of the chunked buffers when the field began. */
  blocksStart: u32;
  indexStart: u32;

  /** A writer without terms, or null when there is no memory. */
  static make(): DictionaryWriter | null {
    const at = heapAllocZeroed(offsetof<DictionaryWriter>());
    if (!at) return null;
    const writer = changetype<DictionaryWriter>(at);
    const blocks = ChunkedBuffer.make();
    writer.blocks = changetype<ChunkedBuffer>(changetype<usize>(blocks));
    const index = ChunkedBuffer.make();
    writer.index = changetype<ChunkedBuffer>(changetype<usize>(index));
    writer.last = heapAlloc(TERM_BUFFER_BYTES);
    if (!blocks || !index || !writer.last) {
      writer.free();
      return null;
    }
    return writer;
  }

  free(): void {
    if (changetype<usize>(this.blocks)) this.blocks.free();
    if (changetype<usize>(this.index)) this.index.free();
    heapFree(this.last);
    heapFree(changetype<usize>(this));
  }

  /** Memory ran out; what was written is of no use. */
  get failed(): bool {
    return this.blocks.failed || this.index.failed;
  }

  /** Begins a field. */
  startField(): void {
    this.termCount = 0;
    this.blocksStart = this.blocks.length;
    this.indexStart = this.index.length;
  }

  /** Adds a term, greater than the one before it and at most MAX_TERM_BYTES long, with its postings' offset in the field. */
  add(ptr: usize, length: u32, df: u32, postings: u32): void {
    const blocks = this.blocks;
    let shared: u32 = 0;
    const start = blocks.reserve(length + ENTRY_NUMBERS);
    let to = start;
    if (this.termCount % BLOCK_TERMS == 0) {
      this.index.u32(blocks.length - this.blocksStart);
      this.lastPostings = 0;
    } else {
      shared = commonPrefix(this.last, ptr, min(this.lastLength, length));
      to = writeVint(to, shared);
    }
    const rest = length - shared;
    to = writeVint(to, rest);
    copyBytes(to, ptr + shared, rest);
    copyBytes(this.last + shared, ptr + shared, rest);
    to = writeVint(to + rest, df);
    to = writeVint(to, postings - this.lastPostings);
    blocks.advance(<u32>(to - start));
    this.lastLength = length;
    this.lastPostings = postings;
    ++this.termCount;
  }
}

/** Copies a few bytes without the cost of a bulk copy. Nothing beyond them is read or written. */
function copyBytes(to: usize, from: usize, length: u32): void {
  if (length > SHORT_COPY) {
    memory.copy(to, from, length);
    return;
  }
  let i: u32 = 0;
  for (; i + 8 <= length; i += 8) store<u64>(to + i, load<u64>(from + i));
  for (; i < length; i++) store<u8>(to + i, load<u8>(from + i));
}
