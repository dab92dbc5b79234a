import { heapAlloc, heapAllocZeroed, heapFree } from './heap';

/**
 * An append-only stream of bytes in a list of chunks, so that growing never copies.
 *
 *     chunk    | u32 next (0: none) | u32 bytes used, once closed | u32 bytes of the stream before it | u32 bytes of room | room ... |
 *
 * When memory runs out the buffer fails for good: writes go to a sink, `length` stands still, and what was written stays readable.
 */

const CHUNK_HEADER: u32 = 16;
const MIN_ROOM: u32 = 64 << 10;
const MAX_ROOM: u32 = 1 << 20;
/** Most bytes that `reserve` gives at once. */
const MAX_RESERVE: u32 = 64 << 10;

/** Where the writes of failed chunked buffers go; never read. Made with the first chunked buffer. */
let sink: usize = 0;

@unmanaged
export class ChunkedBuffer {
  /** First chunk, 0 before the first write. */
  private head: usize;
  private tail: usize;
  /** Where the next byte goes, and where room ends. */
  private cursor: usize;
  private limit: usize;
  /** Length of the stream at address 0, so that `base + cursor` is the length now (modulo 2^32). */
  private base: u32;
  /** Bytes of the stream handed over by `drainTo`. */
  private drained: u32;
  /** Chunk of the last `copyOut`: sequential reads don't walk the list from its head. */
  private hint: usize;
  /** Memory ran out; the stream is incomplete. */
  failed: bool;

  /** An empty chunked buffer, or null when there is no memory. */
  static make(): ChunkedBuffer | null {
    if (!sink) {
      sink = heapAlloc(MAX_RESERVE);
      if (!sink) return null;
    }
    return changetype<ChunkedBuffer | null>(heapAllocZeroed(offsetof<ChunkedBuffer>()));
  }

  /** Bytes written so far, drained ones included. */
  get length(): u32 {
    return this.failed ? this.base : this.base + <u32>this.cursor;
  }

  /** Contiguous room for n <= 65,536 bytes, never 0; `advance` says how many of them were written. */
  reserve(n: u32): usize {
    if (<u32>(this.limit - this.cursor) < n) this.more(n);
    return this.cursor;
  }

  /** Appends the first n bytes of the room reserved last. */
  @inline advance(n: u32): void {
    this.cursor += n;
  }

  u8(v: u32): void {
    if (this.cursor === this.limit) this.more(1);
    store<u8>(this.cursor++, v);
  }

  u16(v: u32): void {
    store<u16>(this.reserve(2), v);
    this.cursor += 2;
  }

  u32(v: u32): void {
    store<u32>(this.reserve(4), v);
    this.cursor += 4;
  }

  f32(v: f32): void {
    store<f32>(this.reserve(4), v);
    this.cursor += 4;
  }

  vint(v: u32): void {
    let at = this.reserve(5);
    while (v >= 0x80) {
      store<u8>(at++, v | 0x80);
      v >>= 7;
    }
    store<u8>(at, v);
    this.cursor = at + 1;
  }

  /** Appends `len` bytes. */
  bytes(ptr: usize, len: u32): void {
    while (len) {
      if (this.cursor === this.limit) this.more(1);
      const part = min(len, <u32>(this.limit - this.cursor));
      memory.copy(this.cursor, ptr, part);
      this.cursor += part;
      ptr += part;
      len -= part;
    }
  }

  /** Copies `len` bytes from an offset of the stream on; they must have been written and not drained. */
  copyOut(fromOffset: u32, dest: usize, len: u32): void {
    let chunk = this.hint;
    if (!chunk || load<u32>(chunk, 8) > fromOffset) chunk = this.head;
    while (len) {
      const skip = fromOffset - load<u32>(chunk, 8);
      const used = this.usedOf(chunk);
      if (skip < used) {
        const part = min(len, used - skip);
        memory.copy(dest, chunk + CHUNK_HEADER + skip, part);
        this.hint = chunk;
        fromOffset += part;
        dest += part;
        len -= part;
      }
      chunk = <usize>load<u32>(chunk);
    }
  }

  /** Copies up to `maxBytes` of the next bytes from the front and returns how many; chunks are freed as they empty. */
  drainTo(dest: usize, maxBytes: u32): u32 {
    let copied: u32 = 0;
    while (this.head) {
      const chunk = this.head;
      const skip = this.drained - load<u32>(chunk, 8);
      const part = min(maxBytes - copied, this.usedOf(chunk) - skip);
      memory.copy(dest + copied, chunk + CHUNK_HEADER + skip, part);
      copied += part;
      this.drained += part;
      if (chunk === this.tail || skip + part < this.usedOf(chunk)) break;
      this.head = <usize>load<u32>(chunk);
      if (this.hint === chunk) this.hint = 0;
      heapFree(chunk);
    }
    return copied;
  }

  /** Frees the chunks and the buffer itself. */
  free(): void {
    let chunk = this.head;
    while (chunk) {
      const next = <usize>load<u32>(chunk);
      heapFree(chunk);
      chunk = next;
    }
    heapFree(changetype<usize>(this));
  }

  private usedOf(chunk: usize): u32 {
    return chunk === this.tail && !this.failed
      ? <u32>(this.cursor - chunk) - CHUNK_HEADER
      : load<u32>(chunk, 4);
  }

  /** Opens a chunk with room for n bytes, or fails. */
  private more(n: u32): void {
    assert(n <= MAX_RESERVE);
    if (!this.failed) {
      const length = this.length;
      const tail = this.tail;
      if (tail) store<u32>(tail, this.usedOf(tail), 4);
      const room = tail ? min(load<u32>(tail, 12) << 1, MAX_ROOM) : MIN_ROOM;
      const chunk: usize = length > 0xffffffff - room ? <usize>0 : heapAlloc(CHUNK_HEADER + room);
      if (chunk) {
        store<u32>(chunk, 0);
        store<u32>(chunk, length, 8);
        store<u32>(chunk, room, 12);
        if (tail) store<u32>(tail, <u32>chunk);
        else this.head = chunk;
        this.tail = chunk;
        this.cursor = chunk + CHUNK_HEADER;
        this.limit = this.cursor + room;
        this.base = length - <u32>this.cursor;
        return;
      }
      this.base = length;
      this.failed = true;
    }
    this.cursor = sink;
    this.limit = sink + MAX_RESERVE;
  }
}
