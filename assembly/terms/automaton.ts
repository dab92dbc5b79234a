import { requestAlloc } from '../memory/arena';

// A deterministic automaton over the bytes of terms, read in place from a plan (search/README.md draws its bytes).

/** Bytes of a state's head and of a transition. */
const STATE: u32 = 4;
const EDGE: u32 = 8;

@unmanaged
export class Automaton {
  /** Address of the bytes. */
  base: usize;
  /** Per state: u32 offset of its head. */
  offsets: usize;
  states: u32;

  @inline private head(state: u32): usize {
    return this.base + load<u32>(this.offsets + ((<usize>state) << 2));
  }

  /** What a word accepts with that ends in `state`; 0 if it is refused. */
  @inline accept(state: u32): u32 {
    return load<u8>(this.head(state));
  }

  /** Where a byte leads from `state`; -1 if nowhere. */
  step(state: u32, byte: u32): i32 {
    const head = this.head(state);
    let low: u32 = 0;
    let high = <u32>load<u16>(head, 2);
    while (low < high) {
      const middle = (low + high) >> 1;
      const edge = head + STATE + <usize>(middle * EDGE);
      if (byte > <u32>load<u8>(edge, 1)) low = middle + 1;
      else if (byte < <u32>load<u8>(edge)) high = middle;
      else return <i32>load<u32>(edge, 4);
    }
    return -1;
  }

  /** The smallest byte from `byte` on that leads anywhere from `state`; -1 if there is none. */
  nextByte(state: u32, byte: u32): i32 {
    const head = this.head(state);
    const n = <u32>load<u16>(head, 2);
    for (let i: u32 = 0; i < n; i++) {
      const edge = head + STATE + <usize>(i * EDGE);
      if (<u32>load<u8>(edge, 1) >= byte) return <i32>max<u32>(byte, <u32>load<u8>(edge));
    }
    return -1;
  }
}

/** Whether the bytes held no automaton, where `openAutomaton` returns null; else there is no memory. */
export let automatonMalformed: bool = false;

/** The automaton in the `length` bytes at `ptr`, checked; null if it is none or there is no memory. */
export function openAutomaton(ptr: usize, length: u32): Automaton | null {
  automatonMalformed = true;
  if (length < 8) return null;
  const states = load<u32>(ptr);
  if (!states || states > length / STATE) return null;
  const offsets = requestAlloc(states << 2);
  const at = requestAlloc(offsetof<Automaton>());
  if (!offsets || !at) {
    automatonMalformed = false;
    return null;
  }
  let offset: u32 = 4;
  for (let state: u32 = 0; state < states; state++) {
    if (length - offset < STATE) return null;
    store<u32>(offsets + ((<usize>state) << 2), offset);
    const n = <u32>load<u16>(ptr + offset, 2);
    offset += STATE;
    if ((length - offset) / EDGE < n) return null;
    let before: i32 = -1;
    for (let i: u32 = 0; i < n; i++) {
      const edge = ptr + offset;
      const low = <i32>load<u8>(edge);
      const high = <i32>load<u8>(edge, 1);
      if (low <= before || high < low || load<u32>(edge, 4) >= states) return null;
      before = high;
      offset += EDGE;
    }
  }
  if (offset != length) return null;
  automatonMalformed = false;
  const automaton = changetype<Automaton>(at);
  automaton.base = ptr;
  automaton.offsets = offsets;
  automaton.states = states;
  return automaton;
}
