import { ERR_LIMIT, ERR_MEMORY } from '../abi/status';
import { heapFree, heapRealloc } from '../memory/heap';
import { Analysis } from './token';

/** Most bytes of a filtered text. */
const MAX_BYTES: u64 = 1 << 30;
/** A buffer larger than this is not kept from text to text. */
const KEPT: u32 = 1 << 20;

/** The output of a char filter, which grows. */
@unmanaged
export class OutputBuffer {
  ptr: usize;
  length: u32;
  private room: u32;

  /** Forgets the text before, and what a giant one took. */
  clear(): void {
    this.length = 0;
    if (this.room > KEPT) this.release();
  }

  /** Makes room for `bytes` more and returns where they go; 0 if that is too much, which fails the analysis. */
  reserve(bytes: u32): usize {
    const needed = <u64>this.length + bytes + 16;
    if (needed > this.room && !this.grow(needed)) return 0;
    return this.ptr + this.length;
  }

  /** Appends bytes; false if that is too much. */
  append(ptr: usize, bytes: u32): bool {
    const at = this.reserve(bytes);
    if (!at) return false;
    memory.copy(at, ptr, bytes);
    this.length += bytes;
    return true;
  }

  private grow(needed: u64): bool {
    if (needed > MAX_BYTES) {
      Analysis.status = ERR_LIMIT;
      return false;
    }
    const room = min(needed + (needed >>> 1), MAX_BYTES + 1024) as u32;
    const moved = heapRealloc(this.ptr, room);
    if (!moved) {
      Analysis.status = ERR_MEMORY;
      return false;
    }
    this.ptr = moved;
    this.room = room;
    return true;
  }

  release(): void {
    heapFree(this.ptr);
    this.ptr = 0;
    this.room = 0;
  }
}
