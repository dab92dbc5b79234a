/**
 * Which documents have come, in twelve bytes and a little for each: 96 bits of a hash of type, id and routing, in an open-addressing hash
 * table. Of a hundred million documents, two have the same hash once in ten trillion cases.
 */
import { createHash } from 'node:crypto';

const WORDS = 3;
const FIRST_SLOTS = 1 << 12;
/** Of slots, so much is filled before there are twice as many. */
const MOST_FILLED = 0.75;
/** More documents are not remembered: the table would take more than 1.6 GB. */
const MOST_SLOTS = 1 << 27;

export class Received {
  #table = new Uint32Array(WORDS * FIRST_SLOTS);
  #isComplete = true;
  /** Documents that are remembered. */
  count = 0;

  /** Whether all that came is remembered. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Takes a document by its metadata, as JSON; returns whether it is new. */
  add(metadata: ReadonlyMap<string, string>): boolean {
    const hash = hashOf(metadata);
    const slot = slotOf(this.#table, hash);
    if (slot < 0) return false;
    if (this.count + 1 > MOST_FILLED * this.#slots && !this.#grow()) {
      this.#isComplete = false;
      return true;
    }
    this.#table.set(hash, slotOf(this.#table, hash));
    this.count++;
    return true;
  }

  get #slots(): number {
    return this.#table.length / WORDS;
  }

  #grow(): boolean {
    if (this.#slots >= MOST_SLOTS) return false;
    const before = this.#table;
    this.#table = new Uint32Array(2 * before.length);
    for (let at = 0; at < before.length; at += WORDS) {
      const hash = before.subarray(at, at + WORDS);
      if (hash[0] !== 0) this.#table.set(hash, slotOf(this.#table, hash));
    }
    return true;
  }
}

/** Where a hash belongs that isn't there; -1 where it is. */
function slotOf(table: Uint32Array, hash: Uint32Array): number {
  const mask = table.length / WORDS - 1;
  for (let slot = hash[0]! & mask; ; slot = (slot + 1) & mask) {
    const at = slot * WORDS;
    if (table[at] === 0) return at;
    if (table[at] === hash[0] && table[at + 1] === hash[1] && table[at + 2] === hash[2]) return -1;
  }
}

/** The first word is never 0, which stands for an empty slot. */
function hashOf(metadata: ReadonlyMap<string, string>): Uint32Array {
  const routing = metadata.get('_routing') ?? metadata.get('_parent') ?? '';
  const name = `${metadata.get('_type')}\0${metadata.get('_id')}\0${routing}`;
  const digest = createHash('sha1').update(name).digest();
  return Uint32Array.of(digest.readUInt32LE(0) || 1, digest.readUInt32LE(4), digest.readUInt32LE(8));
}
