import {
  beginLifetime,
  endLifetimes,
  HEAP,
  hold,
  holdLimit,
  holdsMost,
  startWatching,
  takeHeld,
  watch,
} from './lifetimes';

/**
 * The allocator of linear memory: two-level segregated fit (TLSF) with immediate coalescing.
 *
 * Every block starts with one 4-byte header; payloads are 16-byte aligned, so headers lie at addresses 12 mod 16
 * and block sizes (header included) are multiples of 16. Addresses reach up to 4 GiB and sizes up to just below it;
 * all arithmetic is unsigned.
 *
 *     live block    | size, flags | payload ...                                |
 *     free block    | size, flags | previous | next | ...           | address |
 *                   h             h+4        h+8                    h+size-4
 *
 *     flags   bit 0: this block is free, bit 1: the block left of it is free
 *     previous, next: neighbours in the list of free blocks of its class (0: none)
 *     address: of this block's header, for the block to the right to find it
 *
 * The heap ends in a header of size 0 that is never free. Sizes below 256 have one class per multiple of 16; above, each
 * power of two is divided into 16 classes.
 *
 *     control block    | u32 bitmap of first levels | u32 bitmaps of classes x 25 | u32 list heads x 25 x 16 |
 *
 * The heap is the only one to grow the memory. In debug builds blocks that are freed may be held back for a while before they are
 * free blocks (lifetimes.ts).
 */

const FREE: u32 = 1;
const LEFT_FREE: u32 = 2;
const FLAGS: u32 = FREE | LEFT_FREE;
/** Bytes before a payload that belong to its block. */
const HEADER: u32 = 4;
/** Room for a header, two links and the address at the end. */
const MIN_SIZE: u32 = 16;
const SECOND_LEVEL_BITS: u32 = 4;
const CLASSES: u32 = 1 << SECOND_LEVEL_BITS;
/** Sizes below this one are first level 0. */
const SMALL: u32 = 256;
/** First level 0, and one level for each power of two from 256 to 2^31. */
const LEVELS: u32 = 25;
/** Largest request: with its header and rounded up it still is a size. */
const MAX_BYTES: u32 = 0xffffffe0;
const PAGE_BITS: u32 = 16;
const MIN_GROWTH: u32 = 1 << 20;

const CLASS_MAPS: usize = 4;
const HEADS: usize = CLASS_MAPS + LEVELS * 4;
const control: usize = memory.data(1704, 16);

/** Header of the first block. */
let first: usize = 0;
/** Header of size 0 that ends the heap. */
let end: usize = 0;
let liveBytes: u64 = 0;

/** Index of the class that a block of this size is listed in: first level * 16 + second level. */
function classOf(size: u32): u32 {
  if (size < SMALL) return size >> 4;
  const log = 31 - clz(size);
  return ((log - 7) << SECOND_LEVEL_BITS) + ((size >> (log - SECOND_LEVEL_BITS)) & (CLASSES - 1));
}

/** Smallest class all of whose blocks hold `size`; may be past the last one. */
function classAbove(size: u32): u32 {
  if (size < SMALL) return size >> 4;
  const log = 31 - clz(size);
  const index = classOf(size);
  return size & ((1 << (log - SECOND_LEVEL_BITS)) - 1) ? index + 1 : index;
}

function headOf(index: u32): usize {
  return load<u32>(control + HEADS + (index << 2));
}

/** Makes a range of `size` bytes a free block and lists it. Its left neighbour is not free. */
function insert(block: usize, size: u32): void {
  const index = classOf(size);
  const slot = control + HEADS + (index << 2);
  const next = load<u32>(slot);
  store<u32>(block, size | FREE);
  store<u32>(block + 4, 0);
  store<u32>(block + 8, next);
  store<u32>(block + size - 4, <u32>block);
  if (next) store<u32>(<usize>next + 4, <u32>block);
  store<u32>(slot, <u32>block);
  const level = index >> SECOND_LEVEL_BITS;
  const map = control + CLASS_MAPS + (level << 2);
  store<u32>(map, load<u32>(map) | (1 << (index & (CLASSES - 1))));
  store<u32>(control, load<u32>(control) | (1 << level));
  const right = block + size;
  store<u32>(right, load<u32>(right) | LEFT_FREE);
}

/** Takes a free block off its list; the caller rewrites its header and its right neighbour's flag. */
function remove(block: usize): void {
  const previous = <usize>load<u32>(block + 4);
  const next = <usize>load<u32>(block + 8);
  if (next) store<u32>(next + 4, <u32>previous);
  if (previous) {
    store<u32>(previous + 8, <u32>next);
    return;
  }
  const index = classOf(load<u32>(block) & ~FLAGS);
  store<u32>(control + HEADS + (index << 2), <u32>next);
  if (next) return;
  const level = index >> SECOND_LEVEL_BITS;
  const map = control + CLASS_MAPS + (level << 2);
  const rest = load<u32>(map) & ~(1 << (index & (CLASSES - 1)));
  store<u32>(map, rest);
  if (!rest) store<u32>(control, load<u32>(control) & ~(1 << level));
}

/** A listed block of at least `size` bytes, or 0. */
function find(size: u32): usize {
  const own = classOf(size);
  let block = headOf(own);
  if (block && (load<u32>(block) & ~FLAGS) >= size) return block;
  const above = classAbove(size);
  if (above < LEVELS * CLASSES) {
    let level = above >> SECOND_LEVEL_BITS;
    let map = load<u32>(control + CLASS_MAPS + (level << 2)) & (~0 << (above & (CLASSES - 1)));
    if (!map) {
      const levels = load<u32>(control) & (~0 << (level + 1));
      if (levels) {
        level = ctz(levels);
        map = load<u32>(control + CLASS_MAPS + (level << 2));
      }
    }
    if (map) return headOf((level << SECOND_LEVEL_BITS) + ctz(map));
  }
  // Only blocks of the request's own class are left; some may be long enough.
  while (block && (load<u32>(block) & ~FLAGS) < size) block = <usize>load<u32>(block + 8);
  return block;
}

/** Free block at the very end of the heap, or 0. */
function lastFree(): usize {
  return load<u32>(end) & LEFT_FREE ? <usize>load<u32>(end - 4) : 0;
}

/** Grows the memory until its last free block holds `size` bytes, and returns that block, or 0. */
function grow(size: u32): usize {
  const last = lastFree();
  const start = last ? last : end;
  const present = <u32>(end - start);
  const have = <u32>memory.size();
  const need = <u32>((<u64>(size - present) + 0xffff) >> PAGE_BITS);
  let pages = max(need, max(<u32>(end - first) >> (PAGE_BITS + 3), MIN_GROWTH >> PAGE_BITS));
  if (memory.grow(pages) < 0) {
    pages = need;
    if (memory.grow(pages) < 0) return 0;
  }
  if (last) remove(last);
  end = ((<usize>(have + pages)) << PAGE_BITS) - HEADER;
  store<u32>(end, 0);
  insert(start, <u32>(end - start));
  return start;
}

/** Turns the first `size` bytes of an unlisted block into a live one; what is left over becomes free. */
function claim(block: usize, size: u32): void {
  const header = load<u32>(block);
  const whole = header & ~FLAGS;
  const left = header & LEFT_FREE;
  const right = block + whole;
  if (whole - size >= MIN_SIZE) {
    store<u32>(block, size | left);
    let rest = whole - size;
    const beyond = load<u32>(right);
    if (beyond & FREE) {
      remove(right);
      rest += beyond & ~FLAGS;
    }
    insert(block + size, rest);
  } else {
    store<u32>(block, whole | left);
    store<u32>(right, load<u32>(right) & ~LEFT_FREE);
  }
}

function sizeFor(bytes: u32): u32 {
  return max((bytes + HEADER + 15) & ~15, MIN_SIZE);
}

/** A 16-byte aligned block of at least `bytes` bytes (0 is fine), or 0 when memory can't grow. */
export function heapAlloc(bytes: u32): usize {
  if (bytes > MAX_BYTES) return 0;
  const size = sizeFor(bytes);
  let block = find(size);
  if (!block) block = grow(size);
  if (!block && !ASC_NO_ASSERT && heldBytes) {
    giveBack(0);
    block = find(size);
  }
  if (!block) return 0;
  remove(block);
  claim(block, size);
  liveBytes += load<u32>(block) & ~FLAGS;
  if (!ASC_NO_ASSERT) beginLifetime(block + HEADER, size - HEADER, HEAP);
  return block + HEADER;
}

/** As `heapAlloc`, with every byte zero. */
export function heapAllocZeroed(bytes: u32): usize {
  const ptr = heapAlloc(bytes);
  if (ptr) memory.fill(ptr, 0, bytes);
  return ptr;
}

/** Returns a block to the heap. 0 is fine. */
export function heapFree(ptr: usize): void {
  if (!ptr) return;
  const header = load<u32>(ptr - HEADER);
  assert(!(header & FREE));
  const size = header & ~FLAGS;
  liveBytes -= size;
  if (ASC_NO_ASSERT) {
    free(ptr);
    return;
  }
  watch(ptr, 0, 1);
  endLifetimes(ptr, size - HEADER);
  hold(ptr);
  heldBytes += size;
  giveBack(holdLimit);
}

/** Bytes of the blocks that are held back. */
let heldBytes: u32 = 0;

/** Frees blocks that are held back until they have no more than so many bytes. */
function giveBack(most: u32): void {
  while (heldBytes > most || holdsMost()) {
    const ptr = takeHeld();
    heldBytes -= load<u32>(ptr - HEADER) & ~FLAGS;
    free(ptr);
  }
}

/** Makes a live block a free one. */
function free(ptr: usize): void {
  let block = ptr - HEADER;
  const header = load<u32>(block);
  let size = header & ~FLAGS;
  const right = block + size;
  const beyond = load<u32>(right);
  if (beyond & FREE) {
    remove(right);
    size += beyond & ~FLAGS;
  }
  if (header & LEFT_FREE) {
    const left = <usize>load<u32>(block - 4);
    remove(left);
    size += load<u32>(left) & ~FLAGS;
    block = left;
  }
  insert(block, size);
}

/** Resizes a block, moving it if it must. 0 on failure: the old block stays as it was. `ptr` 0 allocates. */
export function heapRealloc(ptr: usize, bytes: u32): usize {
  if (!ptr) return heapAlloc(bytes);
  if (bytes > MAX_BYTES) return 0;
  const block = ptr - HEADER;
  const header = load<u32>(block);
  assert(!(header & FREE));
  const size = sizeFor(bytes);
  const present = header & ~FLAGS;
  if (size > present) {
    let right = block + present;
    let beyond = load<u32>(right);
    const room = present + (beyond & FREE ? beyond & ~FLAGS : 0);
    if (room < size) {
      // Only the heap's last block grows in place by growing the memory.
      if (block + room !== end || !grow(size - present)) {
        const moved = heapAlloc(bytes);
        if (!moved) return 0;
        memory.copy(moved, ptr, present - HEADER);
        heapFree(ptr);
        return moved;
      }
      beyond = load<u32>(right);
    }
    remove(right);
    store<u32>(block, (present + (beyond & ~FLAGS)) | (header & LEFT_FREE));
  }
  claim(block, size);
  liveBytes += <u64>(load<u32>(block) & ~FLAGS) - present;
  if (!ASC_NO_ASSERT) {
    endLifetimes(ptr, present - HEADER);
    beginLifetime(ptr, size - HEADER, HEAP);
  }
  return ptr;
}

/** Bytes in live blocks, headers included. */
export function heapUsed(): u64 {
  return liveBytes;
}

/** Bytes between the heap's first and last address, live or free. */
export function heapReserved(): u64 {
  return <u64>(end - first);
}

function start(): void {
  first = ((startWatching(__heap_base) + HEADER + 15) & ~15) - HEADER;
  const needed = <u32>((<u64>first + MIN_SIZE + HEADER + 0xffff) >> PAGE_BITS);
  if (<u32>memory.size() < needed) memory.grow(needed - <u32>memory.size());
  end = ((<usize>memory.size()) << PAGE_BITS) - HEADER;
  store<u32>(end, 0);
  insert(first, <u32>(end - first));
}

start();
