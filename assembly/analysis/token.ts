import { ERR_MEMORY, OK } from '../abi/status';
import { heapAlloc, heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { hashBytes } from './hash';

/**
 * The token on its way through a chain: what Lucene calls the attributes. There is one, since one analysis runs at a
 * time; every stage reads and changes it in place.
 *
 * A term is UTF-8 that lies anywhere: in the text, in a table, in a stage's memory. A stage that changes bytes calls
 * `Token.edit` first, which brings the term into a buffer of its own.
 */

/** Bytes beyond a term that may be written (vectors), in the editable buffer. */
const PADDING: u32 = 32;

let editBuffer: usize = heapAlloc(4096);
let editRoom: u32 = 4096;

export class Token {
  /** Address of the term's bytes, valid until the next pull or edit. */
  static ptr: usize = 0;
  /** Bytes of the term. */
  static length: u32 = 0;
  /** UTF-16 units of the original text before the token, and up to its end; only where `Analysis.offsets` is set. */
  static start: u32 = 0;
  static end: u32 = 0;
  /** Positions from the token before. */
  static increment: u32 = 1;
  /** A number of tokenTypes.ts. */
  static type: u8 = 0;
  /** Stemmers leave the term alone. */
  static keyword: bool = false;
  /** The hash of a term that its tokenizer knew, and which one that was. */
  private static hash: u32 = 0;
  private static hashedPtr: usize = 0;
  private static hashedLength: u32 = 0;
  /** After the last token: positions that dropped tokens left behind it. */
  static rest: u32 = 0;

  /** Sets the term. */
  @inline static setTerm(ptr: usize, length: u32): void {
    Token.ptr = ptr;
    Token.length = length;
  }

  /** Sets a term together with its hash. Whoever changes its bytes has it in the editable buffer, which is elsewhere. */
  @inline static setHashedTerm(ptr: usize, length: u32, hash: u32): void {
    Token.ptr = ptr;
    Token.length = length;
    Token.hash = hash;
    Token.hashedPtr = ptr;
    Token.hashedLength = length;
  }

  /** `hashBytes` of these bytes, without work if they are the term as its tokenizer gave it. */
  @inline static hashOf(ptr: usize, length: u32): u32 {
    if (ptr == Token.hashedPtr && length == Token.hashedLength) return Token.hash;
    return hashBytes(ptr, length);
  }

  /** Forgets the hash: the memory that it was of is used anew. */
  @inline static forgetHash(): void {
    Token.hashedPtr = 0;
  }

  /**
   * Brings the term into the editable buffer, with room for `room` bytes in all (at least its length), and returns its
   * address; 0 without memory, which fails the analysis.
   */
  static edit(room: u32): usize {
    const needed = max(room, Token.length) + PADDING;
    if (needed > editRoom || needed < PADDING) {
      const grown: usize = needed < PADDING ? 0 : heapAlloc(needed + (needed >>> 1));
      if (!grown) {
        Analysis.status = ERR_MEMORY;
        return 0;
      }
      memory.copy(grown, Token.ptr, Token.length);
      heapFree(editBuffer);
      editBuffer = grown;
      editRoom = needed + (needed >>> 1);
      Token.ptr = grown;
    } else if (Token.ptr != editBuffer) {
      memory.copy(editBuffer, Token.ptr, Token.length);
      Token.ptr = editBuffer;
    }
    return editBuffer;
  }
}

/** The analysis that is going on. */
export class Analysis {
  /** Whether the caller wants offsets, or a stage needs them. */
  static offsets: bool = false;
  /** OK, or why the analysis ended early: a stage that fails sets it and says that there are no more tokens. */
  static status: i32 = OK;
}

/** A token put aside. Its term is a copy in a block of its own that grows as needed. */
@unmanaged
export class SavedToken {
  ptr: usize;
  length: u32;
  private room: u32;
  start: u32;
  end: u32;
  increment: u32;
  type: u8;
  keyword: bool;

  /** An empty one; null without memory, which fails the analysis. */
  static make(): SavedToken | null {
    const at = heapAllocZeroed(offsetof<SavedToken>());
    if (!at) Analysis.status = ERR_MEMORY;
    return changetype<SavedToken | null>(at);
  }

  /** Copies the token; false without memory, which fails the analysis. */
  save(): bool {
    if (!this.setTerm(Token.ptr, Token.length)) return false;
    this.start = Token.start;
    this.end = Token.end;
    this.increment = Token.increment;
    this.type = Token.type;
    this.keyword = Token.keyword;
    return true;
  }

  /** Copies another one. */
  copy(other: SavedToken): bool {
    if (!this.setTerm(other.ptr, other.length)) return false;
    this.start = other.start;
    this.end = other.end;
    this.increment = other.increment;
    this.type = other.type;
    this.keyword = other.keyword;
    return true;
  }

  /** Copies a term alone. */
  setTerm(ptr: usize, length: u32): bool {
    if (length > this.room || !this.ptr) {
      const room = max(length + (length >>> 1), 32);
      const moved = heapRealloc(this.ptr, room);
      if (!moved) {
        Analysis.status = ERR_MEMORY;
        return false;
      }
      this.ptr = moved;
      this.room = room;
    }
    memory.copy(this.ptr, ptr, length);
    this.length = length;
    return true;
  }

  /** Makes it the token again; the term stays here. */
  restore(): void {
    Token.ptr = this.ptr;
    Token.length = this.length;
    Token.start = this.start;
    Token.end = this.end;
    Token.increment = this.increment;
    Token.type = this.type;
    Token.keyword = this.keyword;
  }

  /** Frees the term's block. */
  release(): void {
    heapFree(this.ptr);
    this.ptr = 0;
    this.room = 0;
    this.length = 0;
  }

  /** Frees it with its term's block. */
  free(): void {
    heapFree(this.ptr);
    heapFree(changetype<usize>(this));
  }
}

/** Frees what a giant term has left in the editable buffer. */
export function shrinkEditBuffer(): void {
  if (editRoom <= 65536) return;
  const small = heapAlloc(4096);
  if (!small) return;
  heapFree(editBuffer);
  editBuffer = small;
  editRoom = 4096;
}
