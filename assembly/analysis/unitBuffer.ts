import { ERR_MEMORY } from '../abi/status';
import { heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { Analysis } from './token';

/** UTF-16 units in a block that grows. */
@unmanaged
export class UnitBuffer {
  ptr: usize;
  /** Units in it. */
  length: u32;
  private room: u32;

  /** Null without memory, which fails the analysis. */
  static make(): UnitBuffer | null {
    const at = heapAllocZeroed(offsetof<UnitBuffer>());
    if (!at) Analysis.status = ERR_MEMORY;
    return changetype<UnitBuffer | null>(at);
  }

  /** False without memory, which fails the analysis. */
  append(units: usize, count: u32): bool {
    const needed = this.length + count;
    if (needed > this.room) {
      const room = max(needed + (needed >>> 1), 64);
      const moved: usize = room > 1 << 30 ? 0 : heapRealloc(this.ptr, room << 1);
      if (!moved) {
        Analysis.status = ERR_MEMORY;
        return false;
      }
      this.ptr = moved;
      this.room = room;
    }
    memory.copy(this.ptr + (this.length << 1), units, count << 1);
    this.length = needed;
    return true;
  }

  clear(): void {
    this.length = 0;
  }

  /** Empties it and gives back what a giant term took. */
  shrink(): void {
    this.length = 0;
    if (this.room <= 32768) return;
    heapFree(this.ptr);
    this.ptr = 0;
    this.room = 0;
  }

  free(): void {
    heapFree(this.ptr);
    heapFree(changetype<usize>(this));
  }
}
