import { Vint, vintNext } from '../codec/vint';
import { commonPrefix, compareBytes } from './bytes';

/**
 * Reads a field's sorted terms in place; the bytes are drawn in segment/README.md.
 *
 * Sections lie at least 48 bytes before the end of their image, so the numbers of an entry that starts inside the section
 * never lead outside of it; lengths of terms are checked against the section before their bytes are touched.
 */

/** Terms of a full block. */
export const BLOCK_TERMS: u32 = 32;
/** Longest term in bytes. */
export const MAX_TERM_BYTES: u32 = 32766;
/** Size of the block that a cursor needs for the bytes of its term. */
export const TERM_BUFFER_BYTES: u32 = 32768;

/** A field's dictionary within an image. */
@unmanaged
export class Dictionary {
  /** Address of the first block. */
  blocks: usize;
  /** Address after the last block. */
  end: usize;
  /** Address of the blocks' offsets. */
  index: usize;
  blockCount: u32;
  termCount: u32;
  /** Documents of the segment, and bytes of the field's postings: bounds of what entries may say. */
  docCount: u32;
  postingsBytes: u32;

  /** Whether an entry's numbers are possible. */
  @inline accepts(df: u32, postings: u32): bool {
    return df - 1 < this.docCount && postings < this.postingsBytes;
  }

  /** Address of a block's first entry. */
  @inline block(i: u32): usize {
    return this.blocks + load<u32>(this.index + ((<usize>i) << 2));
  }

  /** Terms in a block. */
  @inline termsIn(i: u32): u32 {
    return min(this.termCount - i * BLOCK_TERMS, BLOCK_TERMS);
  }
}

/** Document frequency of the term that `lookupTerm` found. */
export let foundDf: u32 = 0;
/** Offset of its postings from those of the field. */
export let foundPostings: u32 = 0;

/** Index of the last block whose first term is <= the given one, or -1. */
function findBlock(dict: Dictionary, ptr: usize, length: u32): i32 {
  let low: i32 = 0;
  let high: i32 = <i32>dict.blockCount - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const entry = dict.block(middle);
    const bytes = Vint.read(entry);
    const first = vintNext;
    const room = first < dict.end ? <u32>(dict.end - first) : 0;
    const order = compareBytes(first, min(bytes, room), ptr, length);
    if (order == 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

/** Looks a term up without copying any; sets `foundDf` and `foundPostings`. */
export function lookupTerm(dict: Dictionary, ptr: usize, length: u32): bool {
  const block = findBlock(dict, ptr, length);
  if (block < 0) return false;
  const end = dict.end;
  let p = dict.block(block);
  let matched: u32 = 0;
  let postings: u32 = 0;
  // Every entry before the term we look for is smaller; `matched` is what the last of them has in common with it.
  for (let i = 0 as u32, n = dict.termsIn(block); i < n; i++) {
    if (p >= end) return false;
    const shared = i ? Vint.read(p) : 0;
    const rest = Vint.read(i ? vintNext : p);
    const bytes = vintNext;
    if (bytes > end || rest > <u32>(end - bytes)) return false;
    p = bytes + rest;
    const df = Vint.read(p);
    postings += Vint.read(vintNext);
    p = vintNext;
    if (shared > matched) continue;
    if (shared < matched) return false;
    const common = commonPrefix(bytes, ptr + matched, min(rest, length - matched));
    matched += common;
    if (common == rest) {
      if (matched < length) continue;
      foundDf = df;
      foundPostings = postings;
      return dict.accepts(df, postings);
    }
    if (matched == length || load<u8>(bytes + common) > load<u8>(ptr + matched)) return false;
  }
  return false;
}

/** A position in a dictionary's order. */
@unmanaged
export class TermCursor {
  /** Bytes of the current term, in the cursor's buffer. */
  termPtr: usize;
  termLength: u32;
  /** Documents that have the term. */
  df: u32;
  /** Offset of its postings from those of the field. */
  postingsOffset: u32;
  /** Bytes the current term shares with the one before it in its block; 0 for a block's first. */
  shared: u32;
  dict: Dictionary;
  /** Ordinal of the next term. */
  ordinal: u32;
  /** Address of the next entry. */
  entry: usize;

  /** Sets a cursor before the first term. `buffer` has TERM_BUFFER_BYTES bytes and belongs to the cursor from now on. */
  static init(cursor: TermCursor, dict: Dictionary, buffer: usize): void {
    cursor.dict = dict;
    cursor.termPtr = buffer;
    cursor.rewind();
  }

  /** Goes back to before the first term. */
  rewind(): void {
    this.ordinal = 0;
    this.termLength = 0;
    this.df = 0;
  }

  /** Moves to the next term; false at the end. */
  next(): bool {
    const dict = this.dict;
    const ordinal = this.ordinal;
    if (ordinal >= dict.termCount) return this.close();
    let p = this.entry;
    let shared: u32 = 0;
    if (ordinal & (BLOCK_TERMS - 1)) {
      if (p >= dict.end) return this.close();
      shared = Vint.read(p);
      p = vintNext;
      if (shared > this.termLength) return this.close();
    } else {
      p = dict.block(ordinal / BLOCK_TERMS);
      this.postingsOffset = 0;
    }
    const rest = Vint.read(p);
    p = vintNext;
    if (p > dict.end || rest > <u32>(dict.end - p) || rest > MAX_TERM_BYTES - shared) return this.close();
    if (rest <= 16) {
      // 16 bytes at a time: the buffer and the image have room behind a term.
      v128.store(this.termPtr + shared, v128.load(p));
    } else {
      memory.copy(this.termPtr + shared, p, rest);
    }
    this.shared = shared;
    this.termLength = shared + rest;
    this.df = Vint.read(p + rest);
    this.postingsOffset += Vint.read(vintNext);
    this.entry = vintNext;
    this.ordinal = ordinal + 1;
    return dict.accepts(this.df, this.postingsOffset) || this.close();
  }

  /** Moves to the first term that is not below the given one; false if there is none. */
  seekCeil(ptr: usize, length: u32): bool {
    this.rewind();
    const block = findBlock(this.dict, ptr, length);
    if (block > 0) this.ordinal = <u32>block * BLOCK_TERMS;
    while (this.next()) {
      if (compareBytes(this.termPtr, this.termLength, ptr, length) >= 0) return true;
    }
    return false;
  }

  /** Moves to the given term; false if there is none, the cursor then stands on the term after it or at the end. */
  seekExact(ptr: usize, length: u32): bool {
    return this.seekCeil(ptr, length) && compareBytes(this.termPtr, this.termLength, ptr, length) == 0;
  }

  /** Puts the cursor after the last term. */
  private close(): bool {
    this.ordinal = this.dict.termCount;
    this.termLength = 0;
    this.df = 0;
    return false;
  }
}
