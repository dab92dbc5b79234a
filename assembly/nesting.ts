import { closeParts, openPartCount, requestAlloc, requestMark, requestRelease } from './memory/arena';
import { SCRATCH } from './memory/lifetimes';
import { nestGrant, restoreGrant } from './memory/searchMemory';

// A call that is carried out while another one waits: the host may make one where it is asked whether a call should go on. The nested
// one allocates on top of what the other has in the arena. All else that the other has in modules is kept in the arena meanwhile, and
// the nested call finds the modules as those of a new instance. What both share are segments, caches and the heap: a nested call drops
// nothing that the other one may be using. It only reads: writes, flushes and merges are never nested.

/** Where the state of the call that waits is: u32 mark, u32 open parts, u64 bytes granted to it, the state. 0: no call waits. */
let outer: usize = 0;

const HEADER: u32 = 16;

// What scripts/nested-state.mjs writes: it knows the globals and the blocks of static memory.

/** Bytes of the state of a call. */
function stateBytes(): u32 {
  return 0;
}
/** Copies the state to an address. */
function saveState(to: usize): void {
  if (to) unreachable();
}
/** Copies it back. */
function restoreState(from: usize): void {
  if (from) unreachable();
}
/** Makes it that of a new instance. */
function resetState(): void {
  unreachable();
}

/** Whether a call waits for this one. */
export function isNested(): bool {
  return outer != 0;
}

/** Lets the call that is being carried out wait for the next one; 0 without room, or where one waits already. */
export function nestBegin(): i32 {
  if (outer) return 0;
  const parts = openPartCount();
  const mark = requestMark(SCRATCH);
  const granted = nestGrant();
  const block = requestAlloc(HEADER + stateBytes());
  if (!block) {
    requestRelease(mark);
    restoreGrant(granted);
    return 0;
  }
  store<u32>(block, <u32>mark);
  store<u32>(block, parts, 4);
  store<u64>(block, granted, 8);
  saveState(block + HEADER);
  resetState();
  outer = block;
  return 1;
}

/** Ends the nested call, whatever came of it: the other one goes on. */
export function nestEnd(): void {
  const block = outer;
  if (!block) return;
  restoreState(block + HEADER);
  outer = 0;
  closeParts(load<u32>(block, 4) + 1);
  const granted = load<u64>(block, 8);
  requestRelease(<usize>load<u32>(block));
  restoreGrant(granted);
}
