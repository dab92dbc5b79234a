import { ERR_MEMORY } from '../abi/status';
import { requestAllocZeroed } from '../memory/arena';
import { heapAlloc, heapFree } from '../memory/heap';
import { giveMemory, takeMemory } from '../memory/searchMemory';
import { fail } from '../requestStatus';

/**
 * Arrays that grow while documents are aggregated. Their bytes are heap blocks, counted together and freed together; new ones
 * are zero.
 */

/** Most bytes that the aggregations of one search may hold. */
const MAX_BYTES: u64 = 512 << 20;
const SMALLEST: u32 = 256;
const LARGEST: u64 = 0x3f000000;

/** The vectors of a search. */
@unmanaged
export class Vectors {
  /** The first of them, linked; 0 without any. */
  first: usize;
  bytesHeld: u64;

  /** An empty one, for as long as the search lasts; null without memory. */
  make(): Vector | null {
    const ptr = requestAllocZeroed(offsetof<Vector>());
    if (!ptr) return null;
    const vector = changetype<Vector>(ptr);
    vector.all = this;
    vector.next = this.first;
    this.first = ptr;
    return vector;
  }

  /** Frees what they hold. */
  free(): void {
    for (let at = this.first; at; at = changetype<Vector>(at).next) changetype<Vector>(at).free();
  }
}

@unmanaged
export class Vector {
  all: Vectors;
  /** Address of the bytes; changes as the vector grows. */
  at: usize;
  /** Bytes that it has room for. */
  room: u32;
  next: usize;

  /** Makes room for so many bytes; false, and the request fails, without memory or where one search may have no more. */
  @inline reserve(bytes: u64): bool {
    return bytes <= <u64>this.room || this.grow(bytes);
  }

  private grow(bytes: u64): bool {
    let size: u64 = max<u64>(SMALLEST, (<u64>this.room) << 1);
    while (size < bytes) size <<= 1;
    if (size > LARGEST) size = bytes;
    if (size > LARGEST || this.all.bytesHeld + size > MAX_BYTES || !takeMemory(<u32>size)) {
      fail(ERR_MEMORY);
      return false;
    }
    const block = heapAlloc(<u32>size);
    if (!block) {
      giveMemory(<u32>size);
      fail(ERR_MEMORY);
      return false;
    }
    memory.copy(block, this.at, this.room);
    memory.fill(block + this.room, 0, <u32>size - this.room);
    if (this.at) heapFree(this.at);
    giveMemory(this.room);
    this.all.bytesHeld += size - <u64>this.room;
    this.at = block;
    this.room = <u32>size;
    return true;
  }

  /** Forgets its bytes. */
  free(): void {
    if (this.at) heapFree(this.at);
    giveMemory(this.room);
    this.all.bytesHeld -= <u64>this.room;
    this.at = 0;
    this.room = 0;
  }

  @inline u32At(i: u32): u32 {
    return load<u32>(this.at + ((<usize>i) << 2));
  }
  @inline i64At(i: u32): i64 {
    return load<i64>(this.at + ((<usize>i) << 3));
  }
  @inline f64At(i: u32): f64 {
    return load<f64>(this.at + ((<usize>i) << 3));
  }
}
