/**
 * Where scanning on is in vain: states of an automaton (at most 64) at places in a text from which no token ends any
 * more. A scan that goes far beyond the last end of a token notes its way here, so that those after it stop at once; else
 * a text such as `a-a-a-…`, which might all be the beginning of an e-mail address, would be read from each letter on.
 *
 *     u64 per byte of a window of the text: a bit per state
 */
import { heapAlloc } from '../../memory/heap';

const WINDOW: u32 = 1 << 16;

let table: usize = 0;
/** The text that the window begins with; 0 if there is no window. */
let from: usize = 0;

/** To be called before each text. */
export function forgetDeadEnds(): void {
  from = 0;
}

/** Whether a scan in this state at `p` leads nowhere. */
export function isDeadEnd(p: usize, state: u32): bool {
  if (from == 0 || p < from || p - from >= WINDOW) return false;
  return ((load<u64>(table + ((p - from) << 3)) >>> state) & 1) != 0;
}

/** Makes room to note dead ends from `p` on, unless there is some; the end of it, `p` without memory. */
export function deadEndsFrom(p: usize): usize {
  if (from == 0 || p < from || p - from >= WINDOW >>> 1) {
    if (!table) table = heapAlloc(WINDOW << 3);
    if (!table) return p;
    memory.fill(table, 0, WINDOW << 3);
    from = p;
  }
  return from + WINDOW;
}

/** Notes a dead end, in the room that there is. */
export function noteDeadEnd(p: usize, state: u32): void {
  const at = table + ((p - from) << 3);
  store<u64>(at, load<u64>(at) | ((<u64>1) << state));
}
