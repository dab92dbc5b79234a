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

  /** What a word accepts with; 0 if it is refused. */
  accepts(ptr: usize, length: u32): u32 {
    let state: i32 = 0;
    for (let i: u32 = 0; i < length; i++) {
      state = this.step(<u32>state, <u32>load<u8>(ptr + i));
      if (state < 0) return 0;
    }
    return this.accept(<u32>state);
  }

  /** What the words that go on from `state` accept with at least; 0 if that isn't known. */
  @inline least(state: u32): u32 {
    return load<u8>(this.head(state), 1);
  }

  /** Transitions of a state; each goes from its first byte to its last one to a target. */
  @inline edges(state: u32): u32 {
    return load<u16>(this.head(state), 2);
  }
  @inline private edge(state: u32, i: u32): usize {
    return this.head(state) + STATE + <usize>(i * EDGE);
  }
  @inline first(state: u32, i: u32): u32 {
    return load<u8>(this.edge(state, i));
  }
  @inline last(state: u32, i: u32): u32 {
    return load<u8>(this.edge(state, i), 1);
  }
  @inline target(state: u32, i: u32): u32 {
    return load<u32>(this.edge(state, i), 4);
  }

  /** Gives each byte, at `classes`, the number of its class: bytes that no transition tells apart; ascending. How many there are. */
  classify(classes: usize): u32 {
    memory.fill(classes, 0, 256);
    for (let state: u32 = 0; state < this.states; state++) {
      for (let i: u32 = 0, n = this.edges(state); i < n; i++) {
        const last = this.last(state, i);
        store<u8>(classes + this.first(state, i), 1);
        if (last < 255) store<u8>(classes + last + 1, 1);
      }
    }
    let n: u32 = 0;
    for (let byte: usize = 0; byte < 256; byte++) {
      if (byte && load<u8>(classes + byte)) n++;
      store<u8>(classes + byte, <u8>n);
    }
    return n + 1;
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
