import { heapAllocZeroed, heapFree } from '../memory/heap';
import { hashBytes } from './hash';
import { Token } from './token';

/**
 * A set of words, optionally with a number each. Built once from
 *
 *     u32 n, n × (u32 value, u16 length, bytes)
 *
 * whose bytes must stay where they are. A table of addresses with linear probing, at most half full:
 *
 *     slot    | u32 hash | u32 address of the entry's value, 0: empty |
 */
@unmanaged
export class WordSet {
  private slots: usize;
  private mask: u32;
  /** Words in the set. */
  count: u32;
  /** Bytes of the table it was built from. */
  bytes: u32;

  /** Builds the set from the bytes from `ptr` to `end`; null if they are cut short or there is no memory. A word that comes again replaces the value. */
  static make(ptr: usize, end: usize): WordSet | null {
    if (end - ptr < 4) return null;
    const count = load<u32>(ptr);
    if (<usize>count > (end - ptr) / 6) return null;
    let size: u32 = 4;
    while (size < count << 1) size <<= 1;
    const at = heapAllocZeroed(offsetof<WordSet>());
    if (!at) return null;
    const set = changetype<WordSet>(at);
    set.slots = heapAllocZeroed(size << 3);
    if (!set.slots) {
      heapFree(at);
      return null;
    }
    set.mask = size - 1;
    let p = ptr + 4;
    for (let i: u32 = 0; i < count; i++) {
      if (end - p < 6 || <usize>load<u16>(p, 4) > end - p - 6) {
        set.free();
        return null;
      }
      const length = load<u16>(p, 4) as u32;
      set.add(p, hashBytes(p + 6, length), length);
      p += 6 + length;
    }
    set.bytes = (p - ptr) as u32;
    return set;
  }

  free(): void {
    heapFree(this.slots);
    heapFree(changetype<usize>(this));
  }

  /** Whether a word is in the set. */
  @inline has(ptr: usize, length: u32): bool {
    return this.find(ptr, length) != 0;
  }

  /** Address of the word's value (u32), 0 if it isn't in the set. */
  find(ptr: usize, length: u32): usize {
    const hash = Token.hashOf(ptr, length);
    let i = hash & this.mask;
    while (true) {
      const slot = this.slots + ((<usize>i) << 3);
      const entry = <usize>load<u32>(slot, 4);
      if (!entry) return 0;
      if (
        load<u32>(slot) == hash &&
        <u32>load<u16>(entry, 4) == length &&
        memory.compare(entry + 6, ptr, length) == 0
      ) {
        return entry;
      }
      i = (i + 1) & this.mask;
    }
  }

  private add(entry: usize, hash: u32, length: u32): void {
    let i = hash & this.mask;
    while (true) {
      const slot = this.slots + ((<usize>i) << 3);
      const there = <usize>load<u32>(slot, 4);
      const same =
        there != 0 &&
        load<u32>(slot) == hash &&
        <u32>load<u16>(there, 4) == length &&
        memory.compare(there + 6, entry + 6, length) == 0;
      if (!there || same) {
        store<u32>(slot, hash);
        store<u32>(slot, <u32>entry, 4);
        this.count += u32(!there);
        return;
      }
      i = (i + 1) & this.mask;
    }
  }
}
