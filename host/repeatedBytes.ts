/**
 * What was made of bytes that come again and again. It is kept from the second time on, so that bytes that never come again cost a hash and
 * nothing else. What was not asked for while as many others came as a generation has is forgotten.
 */

/** Pairs of hashes of bytes that have come lately; a power of two. */
const SEEN = 4096;

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** How much each of the two generations has at most. */
export interface GenerationBounds {
  values: number;
  /** Of the values' weights. */
  weight: number;
}

interface Kept<V> {
  readonly bytes: Uint8Array;
  readonly value: V;
  readonly weight: number;
}

/** Values by bytes. */
export class RepeatedBytes<V> {
  readonly #bounds: GenerationBounds;
  #young = new Map<number, Kept<V>>();
  #old = new Map<number, Kept<V>>();
  #weight = 0;
  /** Those at each place that the last bits of a hash tell, the later one first. */
  readonly #seen = new Int32Array(2 * SEEN);

  constructor(bounds: GenerationBounds) {
    this.#bounds = bounds;
  }

  /** How many are kept. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** The value of bytes. @param hash theirs */
  get(hash: number, bytes: Uint8Array): V | undefined {
    const known = this.#young.get(hash) ?? this.#old.get(hash);
    if (known === undefined || !isSame(known.bytes, bytes)) return undefined;
    if (this.#old.delete(hash)) this.#put(hash, known);
    return known.value;
  }

  /** Whether bytes of this hash have come lately; they have from now on. */
  cameBefore(hash: number): boolean {
    const seen = this.#seen;
    const place = 2 * (hash & (SEEN - 1));
    const last = seen[place]!;
    if (last === hash || seen[place + 1] === hash) return true;
    seen[place] = hash;
    seen[place + 1] = last;
    return false;
  }

  /** Keeps a value. @param bytes they are copied */
  keep(hash: number, bytes: Uint8Array, value: V, weight: number): void {
    this.#put(hash, { bytes: Uint8Array.prototype.slice.call(bytes), value, weight });
  }

  #put(hash: number, kept: Kept<V>): void {
    this.#young.set(hash, kept);
    this.#weight += kept.weight;
    if (this.#young.size < this.#bounds.values && this.#weight < this.#bounds.weight) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }
}

/** FNV-1a; 31 bits, which V8 keeps without an object of their own. @param salt tells apart whose bytes they are */
export function hashOf(bytes: Uint8Array, salt = 0): number {
  let hash = FNV_OFFSET ^ salt;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, FNV_PRIME);
  return (hash ^ (hash >>> 31)) >> 1;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
