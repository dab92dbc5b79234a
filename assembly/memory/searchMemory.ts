import { admits } from '../host';

// What a search takes for itself: the arena and the vectors of aggregations. Up to some bytes it takes them without asking; the host is
// asked before it takes more, and counts them for as long as the call lasts.

/** Bytes that a call may take without asking: most searches never ask. */
const FREE: u64 = 4 << 20;

/** Bytes that are held now, and those that may be. */
let held: u64 = 0;
let granted: u64 = FREE;

/** Counts bytes that are about to be taken; false where the host refuses them. */
export function takeMemory(bytes: u32): bool {
  const wanted = held + <u64>bytes;
  if (wanted > granted) {
    if (!admits(<u32>(wanted - granted))) return false;
    granted = wanted;
  }
  held = wanted;
  return true;
}

/** Counts bytes that were given back. */
export function giveMemory(bytes: u32): void {
  held -= <u64>bytes;
}

/** Ends what the host has granted, with the call that it was for. */
export function endGrant(): void {
  granted = FREE;
}

/** Lets a nested call take as much without asking as any other; what was granted before it. */
export function nestGrant(): u64 {
  const before = granted;
  granted = max(granted, held + FREE);
  return before;
}

/** Ends a nested call. */
export function restoreGrant(before: u64): void {
  granted = before;
}
