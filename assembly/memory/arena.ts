import { heapAlloc, heapFree } from './heap';

/**
 * Scratch memory of one request: blocks are never freed one by one, `requestReset` or `requestRelease` drops them together.
 *
 *     chunk    | u32 chunk before (0: none) | u32 end address | 8 bytes unused | blocks ... |
 *
 * The first chunk is kept for ever; further ones come from the heap and return to it.
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
  let added = heapAlloc(size);
  if (!added && wanted > least) {
    size = least;
    added = heapAlloc(size);
  }
  if (!added) return false;
  store<u32>(added, <u32>chunk);
  store<u32>(added, <u32>(added + size), 4);
  chunk = added;
  top = added + CHUNK_HEADER;
  chunkEnd = added + size;
  return true;
}

/** A 16-byte aligned block that lives until the reset or the release of an earlier mark; 0: no memory. */
export function requestAlloc(bytes: u32): usize {
  if (bytes > 0xffffff00) return 0;
  const size = (bytes + 15) & ~15;
  if (<u32>(chunkEnd - top) < size && !addChunk(size)) return 0;
  const block = top;
  top += size;
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

/** Where the arena stands now. */
export function requestMark(): usize {
  return top;
}

/** Drops every block allocated since the mark was taken. */
export function requestRelease(mark: usize): void {
  while (mark <= chunk || mark > chunkEnd) {
    const before = <usize>load<u32>(chunk);
    assert(before);
    heapFree(chunk);
    chunk = before;
    chunkEnd = <usize>load<u32>(chunk, 4);
  }
  top = mark;
}

/** Drops every block. */
export function requestReset(): void {
  let before = <usize>load<u32>(chunk);
  while (before) {
    heapFree(chunk);
    chunk = before;
    before = <usize>load<u32>(chunk);
  }
  chunkEnd = <usize>load<u32>(chunk, 4);
  top = chunk + CHUNK_HEADER;
}

addChunk(0);
