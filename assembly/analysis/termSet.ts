import { ERR_MEMORY } from '../abi/status';
import { heapAllocZeroed, heapFree, heapRealloc } from '../memory/heap';
import { hashBytes } from './hash';
import { Analysis } from './token';

/**
 * A set of terms that grows. A table of places in a block of terms, with linear probing, at most half full:
 *
 *     slot    | u32 hash | u32 place + 1, 0: empty |
 *     term    | u32 length | bytes |
 */
@unmanaged
export class TermSet {
  private slots: usize;
  /** Slots, a power of two, or 0. */
  private size: u32;
  private count: u32;
  private terms: usize;
  private room: u32;
  private used: u32;

  static make(): TermSet | null {
    const at = heapAllocZeroed(offsetof<TermSet>());
    if (!at) Analysis.status = ERR_MEMORY;
    return changetype<TermSet | null>(at);
  }

  /** Adds a term; false if it was there already, or without memory, which fails the analysis. */
  add(ptr: usize, length: u32): bool {
    if (this.count << 1 >= this.size && !this.grow()) return false;
    const hash = hashBytes(ptr, length);
    const mask = this.size - 1;
    let i = hash & mask;
    while (true) {
      const slot = this.slots + (i << 3);
      const place = load<u32>(slot, 4);
      if (!place) {
        if (!this.append(ptr, length)) return false;
        store<u32>(slot, hash);
        store<u32>(slot, this.used - 4 - length + 1, 4);
        ++this.count;
        return true;
      }
      if (load<u32>(slot) == hash) {
        const term = this.terms + place - 1;
        if (load<u32>(term) == length && memory.compare(term + 4, ptr, length) == 0) return false;
      }
      i = (i + 1) & mask;
    }
  }

  /** Empties it; a large table is given back. */
  clear(): void {
    if (this.size > 1024 || this.room > 65536) this.release();
    else if (this.count) memory.fill(this.slots, 0, this.size << 3);
    this.count = 0;
    this.used = 0;
  }

  free(): void {
    this.release();
    heapFree(changetype<usize>(this));
  }

  private release(): void {
    heapFree(this.slots);
    heapFree(this.terms);
    this.slots = 0;
    this.size = 0;
    this.terms = 0;
    this.room = 0;
  }

  private append(ptr: usize, length: u32): bool {
    const needed = this.used + length + 4;
    if (needed > this.room) {
      const room = max(needed + (needed >>> 1), 256);
      const moved: usize = room < length ? 0 : heapRealloc(this.terms, room);
      if (!moved) {
        Analysis.status = ERR_MEMORY;
        return false;
      }
      this.terms = moved;
      this.room = room;
    }
    store<u32>(this.terms + this.used, length);
    memory.copy(this.terms + this.used + 4, ptr, length);
    this.used = needed;
    return true;
  }

  private grow(): bool {
    const size = max(this.size << 1, 16);
    const slots = heapAllocZeroed(size << 3);
    if (!slots) {
      Analysis.status = ERR_MEMORY;
      return false;
    }
    for (let i: u32 = 0; i < this.size; i++) {
      const slot = this.slots + (i << 3);
      if (!load<u32>(slot, 4)) continue;
      let j = load<u32>(slot) & (size - 1);
      while (load<u32>(slots + (j << 3), 4)) j = (j + 1) & (size - 1);
      store<u64>(slots + (j << 3), load<u64>(slot));
    }
    heapFree(this.slots);
    this.slots = slots;
    this.size = size;
    return true;
  }
}
