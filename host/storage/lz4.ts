/**
 * Compressing and decompressing with a dictionary: the module of assembly/lz4, one instance in each thread that needs it. Its memory
 * doesn't grow:
 *
 *     places    of the text that is compressed
 *     slots     each a dictionary of at most 64 KB and the table of its places; whoever hasn't been used for longest gives its slot up
 *     input, output
 */
import { type Dictionary, MOST_TEXT_BYTES } from './dictionary.js';
import { LZ4_MODULE } from './lz4Module.js';

const SLOTS = 32;
const SLOT_BYTES = 65_536;
/** What is copied in steps of sixteen bytes goes over the end. */
const SLACK = 32;
const INPUT_BYTES = MOST_TEXT_BYTES + Math.ceil(MOST_TEXT_BYTES / 255) + SLACK;

interface Exports {
  memory: WebAssembly.Memory;
  TABLE_BYTES: WebAssembly.Global;
  FREE: WebAssembly.Global;
  index(dictionary: number, length: number, table: number): void;
  encode(
    dictionary: number,
    dictionaryLength: number,
    table: number,
    text: number,
    length: number,
    out: number,
  ): number;
  decode(
    dictionary: number,
    dictionaryLength: number,
    block: number,
    blockLength: number,
    text: number,
    length: number,
  ): number;
}

/** Whose a slot is. */
interface Slot {
  owner: Dictionary | undefined;
  /** Whether it has the table of its places. */
  isIndexed: boolean;
  used: number;
}

/** The module and its memory. */
class Lz4 {
  readonly #calls: Exports;
  readonly #memory: Uint8Array;
  readonly #slotsAt: number;
  readonly #slotBytes: number;
  readonly #inputAt: number;
  readonly #outputAt: number;
  readonly #slots: Slot[] = Array.from({ length: SLOTS }, () => ({
    owner: undefined,
    isIndexed: false,
    used: 0,
  }));
  #clock = 0;

  constructor() {
    const module = Uint8Array.from(atob(LZ4_MODULE), (char) => char.charCodeAt(0));
    const calls = new WebAssembly.Instance(new WebAssembly.Module(module)).exports as unknown as Exports;
    this.#calls = calls;
    this.#memory = new Uint8Array(calls.memory.buffer);
    this.#slotsAt = calls.FREE.value as number;
    this.#slotBytes = SLOT_BYTES + (calls.TABLE_BYTES.value as number);
    this.#inputAt = this.#slotsAt + SLOTS * this.#slotBytes;
    this.#outputAt = this.#inputAt + INPUT_BYTES;
    if (this.#outputAt + INPUT_BYTES > this.#memory.length) throw new RangeError('the memory is too small');
  }

  /** See {@link compress}. */
  compress(dictionary: Dictionary, bytes: Uint8Array): Uint8Array {
    const slot = this.#slotOf(dictionary);
    const at = this.#slotsAt + slot * this.#slotBytes;
    const { length } = dictionary.bytes;
    const state = this.#slots[slot]!;
    if (!state.isIndexed) {
      this.#calls.index(at, length, at + SLOT_BYTES);
      state.isIndexed = true;
    }
    this.#memory.set(bytes, this.#inputAt);
    const table = at + SLOT_BYTES;
    const end = this.#calls.encode(at, length, table, this.#inputAt, bytes.length, this.#outputAt);
    return this.#memory.subarray(this.#outputAt, this.#outputAt + end);
  }

  /** See {@link decompress}. */
  decompress(dictionary: Dictionary, block: Uint8Array, into: Uint8Array): boolean {
    if (block.length > INPUT_BYTES - SLACK || into.length > MOST_TEXT_BYTES) return false;
    const at = this.#slotsAt + this.#slotOf(dictionary) * this.#slotBytes;
    const { length } = dictionary.bytes;
    this.#memory.set(block, this.#inputAt);
    const done = this.#calls.decode(at, length, this.#inputAt, block.length, this.#outputAt, into.length);
    if (done === 0) return false;
    into.set(this.#memory.subarray(this.#outputAt, this.#outputAt + into.length));
    return true;
  }

  /** The slot that has a dictionary now. */
  #slotOf(dictionary: Dictionary): number {
    const { slot } = dictionary;
    const state = this.#slots[slot]!;
    if (state.owner !== dictionary) return this.#load(dictionary);
    state.used = ++this.#clock;
    return slot;
  }

  #load(dictionary: Dictionary): number {
    let slot = 0;
    for (let i = 1; i < SLOTS; i++) if (this.#slots[i]!.used < this.#slots[slot]!.used) slot = i;
    this.#memory.set(dictionary.bytes, this.#slotsAt + slot * this.#slotBytes);
    this.#slots[slot] = { owner: dictionary, isIndexed: false, used: ++this.#clock };
    dictionary.slot = slot;
    return slot;
  }
}

let lz4: Lz4 | undefined;

/** An LZ4 block of at most {@link MOST_TEXT_BYTES}; a view that is valid until the next call. */
export function compress(dictionary: Dictionary, bytes: Uint8Array): Uint8Array {
  lz4 ??= new Lz4();
  return lz4.compress(dictionary, bytes);
}

/** Fills `into` with the text of a block; false where the block is none, or of a text of another length. */
export function decompress(dictionary: Dictionary, block: Uint8Array, into: Uint8Array): boolean {
  lz4 ??= new Lz4();
  return lz4.decompress(dictionary, block, into);
}
