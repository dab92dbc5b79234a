// Lifetimes of memory, watched in debug builds: one byte of shadow for every 16 bytes says what a block was allocated for, and
// whether that has ended. scripts/watch-memory.mjs puts a call of `watch` before every load and store, and what watches in place of
// copies and fills; these trap in a function with the lifetime's name. Release builds know nothing of it.
//
//     shadow   u8 lifetime, 0: not watched | ENDED
//
// A block that is allocated anew is in order again, whoever still has its old address. So released memory can be held back from
// being allocated for a while: `holdReleased`.

/** A block of the heap: until it is freed. */
export const HEAP: u8 = 1;
/** Until the request's end. */
export const REQUEST: u8 = 2;
/** Until another segment is looked at. */
export const SEGMENT: u8 = 3;
/** Part of a request's work. */
export const SCRATCH: u8 = 4;
/** Added to what has ended. */
const ENDED: u8 = 0x80;

const GRANULE_BITS: u32 = 4;
/** Memory beyond isn't watched. */
const WATCHED: u32 = 1 << 30;
const PAGE_BITS: u32 = 16;

let shadow: usize = 0;
/** Granules that have a shadow. */
let granules: usize = 0;

/** Takes memory for the shadow, which begins at `from`; where what is beyond begins. Without memory nothing is watched. */
export function startWatching(from: usize): usize {
  if (ASC_NO_ASSERT) return from;
  const bytes = (WATCHED >> GRANULE_BITS) + 16;
  const needed = <i32>((<u64>from + bytes + 0xffff) >> PAGE_BITS) - memory.size();
  if (memory.grow(needed) < 0) return from;
  shadow = from;
  granules = WATCHED >> GRANULE_BITS;
  // What the compiler is to keep for the calls that are put in afterwards.
  watch(from, 0, 1);
  fillWatched(from, 0, 1);
  copyWatched(from, from, 1);
  return from + bytes;
}

/** Whether memory is watched. */
export function isWatching(): bool {
  return granules != 0;
}

/** Begins the lifetime of a block. */
export function beginLifetime(block: usize, bytes: usize, lifetime: u8): void {
  const first = block >> GRANULE_BITS;
  const end = min((block + bytes + 15) >> GRANULE_BITS, granules);
  if (first < end) memory.fill(shadow + first, lifetime, end - first);
}

/** Ends the lifetimes of all blocks in a range. */
export function endLifetimes(from: usize, bytes: usize): void {
  const end = shadow + min((from + bytes + 15) >> GRANULE_BITS, granules);
  let at = shadow + (from >> GRANULE_BITS);
  for (; at + 16 <= end; at += 16) v128.store(at, v128.or(v128.load(at), i8x16.splat(<i8>ENDED)));
  for (; at < end; at++) store<u8>(at, load<u8>(at) | ENDED);
}

/** Gives what is alive in a range another lifetime. */
export function moveLifetimes(from: usize, bytes: usize, lifetime: u8): void {
  const end = min((from + bytes + 15) >> GRANULE_BITS, granules);
  for (let i = from >> GRANULE_BITS; i < end; i++)
    if (!(load<u8>(shadow + i) & ENDED)) store<u8>(shadow + i, lifetime);
}

/** Most blocks of the heap that are held back. */
const MOST_HELD: u32 = 1024;
const held: usize = memory.data(4096, 16);
let firstHeld: u32 = 0;
let heldCount: u32 = 0;
/** Bytes that may be held back: of the heap, and of each request. */
export let holdLimit: u32 = 0;

/** Holds released memory back from being allocated again, so many bytes of it; in a debug build. */
export function holdReleased(bytes: u32): void {
  if (!ASC_NO_ASSERT && granules) holdLimit = bytes;
}

/** Holds a block of the heap back. */
export function hold(ptr: usize): void {
  store<u32>(held + (((firstHeld + heldCount) & (MOST_HELD - 1)) << 2), <u32>ptr);
  heldCount++;
}

/** Takes the block out that has been held back for longest; 0: there is none. */
export function takeHeld(): usize {
  if (!heldCount) return 0;
  const ptr = <usize>load<u32>(held + (firstHeld << 2));
  firstHeld = (firstHeld + 1) & (MOST_HELD - 1);
  heldCount--;
  return ptr;
}

/** Whether no more blocks fit. */
export function holdsMost(): bool {
  return heldCount == MOST_HELD;
}

/** Called before every access: traps where the memory's lifetime has ended. Returns the address. */
export function watch(at: usize, offset: u32, bytes: u32): usize {
  const first = at + offset;
  const granule = first >> GRANULE_BITS;
  if (granule < granules) {
    if (load<u8>(shadow + granule) & ENDED) trap(granule);
    const last = (first + bytes - 1) >> GRANULE_BITS;
    if (last != granule && load<u8>(shadow + last) & ENDED) trap(last);
  }
  return at;
}

function watchRange(at: usize, bytes: usize): void {
  const end = min((at + bytes + 15) >> GRANULE_BITS, granules);
  for (let granule = at >> GRANULE_BITS; granule < end && bytes; granule++)
    if (load<u8>(shadow + granule) & ENDED) trap(granule);
}

/** In place of memory.copy. */
export function copyWatched(to: usize, from: usize, bytes: usize): void {
  watchRange(to, bytes);
  watchRange(from, bytes);
  memory.copy(to, from, bytes);
}

/** In place of memory.fill. */
export function fillWatched(at: usize, value: u8, bytes: usize): void {
  watchRange(at, bytes);
  memory.fill(at, value, bytes);
}

function trap(granule: usize): void {
  const lifetime: u8 = load<u8>(shadow + granule) & ~ENDED;
  if (lifetime == HEAP) heapBlockIsFree();
  if (lifetime == REQUEST) requestHasEnded();
  if (lifetime == SEGMENT) segmentHasEnded();
  if (lifetime == SCRATCH) scratchHasEnded();
  neverAllocated();
}

// What traps, so that its name is on the stack.

function heapBlockIsFree(): void {
  unreachable();
}
function requestHasEnded(): void {
  unreachable();
}
function segmentHasEnded(): void {
  unreachable();
}
function scratchHasEnded(): void {
  unreachable();
}
function neverAllocated(): void {
  unreachable();
}
