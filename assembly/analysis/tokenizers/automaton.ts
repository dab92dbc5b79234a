import { ERR_MEMORY } from '../../abi/status';
import { heapAlloc, heapAllocZeroed, heapFree } from '../../memory/heap';
import { Analysis } from '../token';

/**
 * The automaton of a scanner, unpacked from its tables when it is first needed:
 *
 *     classes   varint runs, length << 7 | class: of the code points below LIMIT, then of TAGS_LENGTH from TAGS on
 *     states    from 1 on: u8 action, 0: accepts nothing
 *               varint distance to an earlier state, varint n changes to its row
 *               n × (u8 class, varint distance to the next state: 2d forwards, 2d - 1 backwards)
 *
 * State 0 is dead.
 */
@unmanaged
export class Automaton {
  /** A u8 per code point: its class. */
  private classes: usize;
  private unassigned: u32;
  /** A u16 per state and class: the next state. */
  private rows: usize;
  private classCount: u32;
  /** A u8 per state. */
  private actions: usize;

  @inline classOf(c: u32): u32 {
    if (c < LIMIT) return load<u8>(this.classes + c);
    return c - TAGS < TAGS_LENGTH ? <u32>load<u8>(this.classes + LIMIT + (c - TAGS)) : this.unassigned;
  }

  @inline next(state: u32, kind: u32): u32 {
    return load<u16>(this.rows + ((<usize>(state * this.classCount + kind)) << 1));
  }

  /** What the state accepts; 0 if it accepts nothing. */
  @inline action(state: u32): u32 {
    return load<u8>(this.actions + state);
  }

  /** Unpacks an automaton; null without memory, which fails the analysis. */
  static make(data: usize, states: u32, classCount: u32, unassigned: u32): Automaton | null {
    const at = heapAllocZeroed(offsetof<Automaton>());
    const classes = heapAlloc(LIMIT + TAGS_LENGTH);
    const rows = heapAllocZeroed((states * classCount) << 1);
    const actions = heapAllocZeroed(states);
    if (!at || !classes || !rows || !actions) {
      heapFree(at);
      heapFree(classes);
      heapFree(rows);
      heapFree(actions);
      Analysis.status = ERR_MEMORY;
      return null;
    }
    const automaton = changetype<Automaton>(at);
    automaton.classes = classes;
    automaton.unassigned = unassigned;
    automaton.rows = rows;
    automaton.classCount = classCount;
    automaton.actions = actions;
    packed = data;
    for (let c: u32 = 0; c < LIMIT + TAGS_LENGTH; ) {
      const run = readVarint();
      memory.fill(classes + c, (run & 127) as u8, run >>> 7);
      c += run >>> 7;
    }
    const rowBytes = classCount << 1;
    for (let state: u32 = 1; state < states; state++) {
      store<u8>(actions + state, load<u8>(packed));
      ++packed;
      const row = rows + state * rowBytes;
      memory.copy(row, row - readVarint() * rowBytes, rowBytes);
      for (let changes = readVarint(); changes > 0; changes--) {
        const kind = load<u8>(packed) as u32;
        ++packed;
        const distance = readVarint();
        const next = distance & 1 ? state - ((distance + 1) >>> 1) : state + (distance >>> 1);
        store<u16>(row + (kind << 1), next);
      }
    }
    return automaton;
  }
}

const LIMIT: u32 = 0x31000;
const TAGS: u32 = 0xe0000;
const TAGS_LENGTH: u32 = 0x200;

let packed: usize = 0;

function readVarint(): u32 {
  let value: u32 = 0;
  let shift: u32 = 0;
  let byte: u32 = 0x80;
  while (byte >= 0x80) {
    byte = load<u8>(packed);
    ++packed;
    value |= (byte & 0x7f) << shift;
    shift += 7;
  }
  return value;
}
