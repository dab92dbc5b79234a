import { heapAlloc, heapFree } from './heap';
import { endGrant, giveMemory, takeMemory } from './searchMemory';
import { beginLifetime, endLifetimes, holdLimit, moveLifetimes, REQUEST } from './lifetimes';

/**
 * Scratch memory of one request: blocks are never freed one by one, `requestReset` or `requestRelease` drops them together.
 *
 *     chunk    | u32 chunk before (0: none) | u32 end address | 8 bytes unused | blocks ... |
 *
 * The first chunk is kept for ever; further ones come from the heap and return to it.
 *
 * A block lives as long as what was begun last: the request, or a part of it since a mark, which nests. What must outlive a part
 * is allocated before its mark.
 */

const CHUNK_HEADER: u32 = 16;
const FIRST_CHUNK: u32 = 256 << 10;
const MAX_CHUNK: u32 = 4 << 20;

let chunk: usize = 0;
/** Address of the next block. */
let top: usize = 0;
let chunkEnd: usize = 0;

/** Opens a chunk for a block of `bytes`; chunks double up to `MAX_CHUNK`. */
function addChunk(bytes: u32): bool {
  const before = chunk ? <u32>(chunkEnd - chunk) : FIRST_CHUNK >> 1;
  const least = bytes + CHUNK_HEADER;
  const wanted = max(least, min(before << 1, MAX_CHUNK));
  let size = wanted;
  let added = chunkOf(size);
  if (!added && wanted > least) {
    size = least;
    added = chunkOf(size);
  }
  if (!added) return false;
  store<u32>(added, <u32>chunk);
  store<u32>(added, <u32>(added + size), 4);
  chunk = added;
  top = added + CHUNK_HEADER;
  chunkEnd = added + size;
  return true;
}

function chunkOf(bytes: u32): usize {
  if (!takeMemory(bytes)) return 0;
  const added = heapAlloc(bytes);
  if (!added) giveMemory(bytes);
  return added;
}

/** A 16-byte aligned block that lives until the reset or the release of an earlier mark; 0: no memory. */
export function requestAlloc(bytes: u32): usize {
  if (bytes > 0xffffff00) return 0;
  const size = (bytes + 15) & ~15;
  if (<u32>(chunkEnd - top) < size && !addChunk(size)) return 0;
  const block = top;
  top += size;
  if (!ASC_NO_ASSERT) beginLifetime(block, size, lifetime());
  return block;
}

/** The same, cleared: for structs, which are too small for a `memory.fill` to be the faster way. */
export function requestAllocZeroed(bytes: u32): usize {
  const block = requestAlloc(bytes);
  if (!block) return 0;
  const end = block + bytes;
  for (let at = block; at < end; at += 16) v128.store(at, i64x2.splat(0));
  return block;
}

/** Parts of a request within each other; deeper ones have the lifetime of the last one. */
const MOST_PARTS: u32 = 64;
/** Lifetimes of the parts that are open, and their number; in debug builds. */
const openParts: usize = memory.data(64, 16);
let parts: u32 = 0;
/** Bytes of the request that are held back after their release; in debug builds. */
let heldBytes: usize = 0;

function lifetime(): u8 {
  return parts ? load<u8>(openParts + min(parts, MOST_PARTS) - 1) : REQUEST;
}

function openPart(part: u8): void {
  if (parts < MOST_PARTS) store<u8>(openParts + parts, part);
  parts++;
}

/** How many parts are open; 0 in release builds, which don't count them. */
export function openPartCount(): u32 {
  return parts;
}

/** Ends the parts behind the first `count`, without releasing what is theirs: their mark is no longer known. */
export function closeParts(count: u32): void {
  if (!ASC_NO_ASSERT) parts = min(parts, count);
}

/** Ends the lifetimes of what was allocated since a mark, or gives it another. */
function changeSince(mark: usize, ends: bool): void {
  let at = chunk;
  let end = top;
  for (;;) {
    const inside = mark > at && mark <= <usize>load<u32>(at, 4);
    const from = inside ? mark : at + CHUNK_HEADER;
    if (ends) endLifetimes(from, end - from);
    else moveLifetimes(from, end - from, lifetime());
    if (inside) return;
    at = <usize>load<u32>(at);
    end = <usize>load<u32>(at, 4);
  }
}

/** Where the arena stands now, with the start of a part of the request: blocks have its lifetime (lifetimes.ts) from here on. */
export function requestMark(part: u8): usize {
  if (!ASC_NO_ASSERT) openPart(part);
  return top;
}

/** Drops every block allocated since the mark was taken. */
export function requestRelease(mark: usize): void {
  if (!ASC_NO_ASSERT) {
    assert(parts);
    parts--;
    changeSince(mark, true);
    if (isIn(mark)) {
      heldBytes += top - mark;
      if (heldBytes < holdLimit) return;
    }
  }
  while (!isIn(mark)) dropChunk();
  top = mark;
}

/** Lets every block allocated since the mark was taken live as long as what the part belongs to. */
export function requestKeep(mark: usize): void {
  if (ASC_NO_ASSERT) return;
  assert(parts);
  parts--;
  changeSince(mark, false);
}

/** Drops every block. */
export function requestReset(): void {
  if (!ASC_NO_ASSERT) {
    parts = 0;
    heldBytes = 0;
  }
  while (load<u32>(chunk)) dropChunk();
  endGrant();
  const first = chunk + CHUNK_HEADER;
  if (!ASC_NO_ASSERT) {
    endLifetimes(first, top - first);
    // The next request goes on behind this one, as long as there is room.
    if (holdLimit && chunkEnd - top > FIRST_CHUNK >> 1) return;
  }
  top = first;
}

/** Whether a mark lies in the chunk. */
function isIn(mark: usize): bool {
  return mark > chunk && mark <= chunkEnd;
}

/** Gives the last chunk back. */
function dropChunk(): void {
  const before = <usize>load<u32>(chunk);
  assert(before);
  giveMemory(<u32>(chunkEnd - chunk));
  heapFree(chunk);
  chunk = before;
  chunkEnd = <usize>load<u32>(chunk, 4);
  top = chunkEnd;
}

addChunk(0);
