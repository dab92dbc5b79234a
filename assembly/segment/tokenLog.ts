import { heapAlloc, heapAllocZeroed, heapFree } from '../memory/heap';

/**
 * The occurrences of terms in the order they were added, 32 bits each, in a list of chunks:
 *
 *     chunk    | u32 next (0: none) | u32 bytes of words, once closed | words ... |
 *     word     | 0 | 31 bits reference of a term, not 0 |
 *     marker   | 1 | 2 bits kind | 29 bits payload |
 *
 * An occurrence stands one position after the one before it, the first of a document at 0, unless a POSITION marker precedes
 * it. Only fields that store positions care.
 */

/** The next document begins. */
export const KIND_DOC: u32 = 0;
/** The next occurrence stands at the position in the payload. */
export const KIND_POSITION: u32 = 1;
/** The document has a norm byte (payload bits 0..7) in the field of a slot (bits 8..23), and at least one term. */
export const KIND_FIELD: u32 = 2;

const MARKER: u32 = 0x80000000;
const KIND_SHIFT: u32 = 29;
const PAYLOAD: u32 = (1 << KIND_SHIFT) - 1;
/** Largest position; those beyond it are taken for it. */
export const MAX_POSITION: u32 = PAYLOAD;

const HEADER: u32 = 8;
const FIRST_CHUNK: u32 = 1024;
const MAX_CHUNK: u32 = 256 << 10;
/** Room that one `reserve` guarantees: a position marker and an occurrence, or one marker. */
const RESERVE: u32 = 8;

@unmanaged
export class TokenLog {
  private head: usize;
  private tail: usize;
  private cursor: usize;
  private limit: usize;
  private tailSize: u32;
  /** Bytes of the chunks. */
  bytes: u32;
  /** Position that the next occurrence has without a marker. */
  private expected: u32;
  /** Where the next word is read: chunk, address, and the end of the chunk's words. */
  private readChunk: usize;
  private readAt: usize;
  private readEnd: usize;

  /** An empty log, or null without memory. */
  static make(): TokenLog | null {
    const at = heapAllocZeroed(offsetof<TokenLog>());
    if (!at) return null;
    const log = changetype<TokenLog>(at);
    if (!log.more()) {
      heapFree(at);
      return null;
    }
    return log;
  }

  @inline static isMarker(word: u32): bool {
    return <i32>word < 0;
  }

  @inline static kind(marker: u32): u32 {
    return (marker >> KIND_SHIFT) & 3;
  }

  @inline static payload(marker: u32): u32 {
    return marker & PAYLOAD;
  }

  free(): void {
    let chunk = this.head;
    while (chunk) {
      const next = <usize>load<u32>(chunk);
      heapFree(chunk);
      chunk = next;
    }
    heapFree(changetype<usize>(this));
  }

  /** Makes sure that the next `add` or marker has room. */
  @inline reserve(): bool {
    return <u32>(this.limit - this.cursor) >= RESERVE || this.more();
  }

  /** Adds an occurrence; needs a `reserve`. */
  @inline add(reference: u32, position: u32, positional: bool): void {
    if (positional && position != this.expected) {
      this.expected = min(position, MAX_POSITION);
      store<u32>(this.cursor, MARKER | (KIND_POSITION << KIND_SHIFT) | this.expected);
      this.cursor += 4;
    }
    ++this.expected;
    store<u32>(this.cursor, reference);
    this.cursor += 4;
  }

  /** Begins a document; false without memory. */
  startDoc(): bool {
    if (!this.reserve()) return false;
    store<u32>(this.cursor, MARKER | (KIND_DOC << KIND_SHIFT));
    this.cursor += 4;
    this.expected = 0;
    return true;
  }

  /** Ends the current document's field of a slot; false without memory. */
  endField(slot: u32, norm: u8): bool {
    if (!this.reserve()) return false;
    store<u32>(this.cursor, MARKER | (KIND_FIELD << KIND_SHIFT) | (slot << 8) | <u32>norm);
    this.cursor += 4;
    return true;
  }

  /** Opens a chunk. */
  private more(): bool {
    const size = min(max(this.tailSize << 1, FIRST_CHUNK), MAX_CHUNK);
    const chunk = heapAlloc(size);
    if (!chunk) return false;
    store<u32>(chunk, 0);
    if (this.tail) {
      store<u32>(this.tail, <u32>(this.cursor - this.tail) - HEADER, 4);
      store<u32>(this.tail, <u32>chunk);
    } else {
      this.head = chunk;
    }
    this.tail = chunk;
    this.tailSize = size;
    this.cursor = chunk + HEADER;
    this.limit = chunk + size;
    this.bytes += size;
    return true;
  }

  /** Where the log ends now: chunk in the lower half, address in the upper. */
  mark(): u64 {
    return <u64>this.tail | ((<u64>this.cursor) << 32);
  }

  /** Drops what was added since a mark, which must lie between documents. */
  truncate(mark: u64): void {
    const tail = <usize>(<u32>mark);
    let chunk = <usize>load<u32>(tail);
    while (chunk) {
      const next = <usize>load<u32>(chunk);
      heapFree(chunk);
      chunk = next;
    }
    store<u32>(tail, 0);
    this.bytes = 0;
    let size: u32 = 0;
    for (let p = this.head; p; p = <usize>load<u32>(p)) {
      size = min(max(size << 1, FIRST_CHUNK), MAX_CHUNK);
      this.bytes += size;
    }
    this.tail = tail;
    this.tailSize = size;
    this.cursor = <usize>(<u32>(mark >> 32));
    this.limit = tail + size;
    this.readChunk = 0;
  }

  /** Reads from a mark on; 0 reads from the start. */
  rewind(mark: u64): void {
    this.readChunk = mark ? <usize>(<u32>mark) : this.head;
    this.readAt = mark ? <usize>(<u32>(mark >> 32)) : this.head + HEADER;
    this.readEnd = this.wordsEnd(this.readChunk);
  }

  /** The next word, 0 at the end. */
  next(): u32 {
    while (this.readAt == this.readEnd) {
      const chunk = <usize>load<u32>(this.readChunk);
      if (!chunk) return 0;
      this.readChunk = chunk;
      this.readAt = chunk + HEADER;
      this.readEnd = this.wordsEnd(chunk);
    }
    const word = load<u32>(this.readAt);
    this.readAt += 4;
    return word;
  }

  /** Address of the first chunk's words; the log is read and freed chunk by chunk when it is flushed. 0: no chunk is left. */
  @inline frontStart(): usize {
    return this.head ? this.head + HEADER : 0;
  }

  @inline frontEnd(): usize {
    return this.wordsEnd(this.head);
  }

  /** Frees the first chunk. */
  dropFront(): void {
    const chunk = this.head;
    this.head = chunk == this.tail ? 0 : <usize>load<u32>(chunk);
    heapFree(chunk);
  }

  private wordsEnd(chunk: usize): usize {
    return chunk == this.tail ? this.cursor : chunk + HEADER + load<u32>(chunk, 4);
  }
}
