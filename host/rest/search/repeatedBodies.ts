/**
 * Bodies of searches that come again and again, parsed: most clients ask a few things many times. A body is kept when it comes for the
 * second time, so that those that never come again cost a hash of their bytes and nothing else.
 */
import { isObject } from '../../json/values.js';
import { noteRepeated } from '../../search/repeatedSearch.js';

/** Bodies of more bytes aren't kept. */
const MOST_BYTES = 2048;
/** Of each of the two generations: bodies, and bytes of them. What they are compiled to takes some twenty times that. */
const MOST_BODIES = 1024;
const MOST_KEPT_BYTES = 128 * 1024;
/** Pairs of hashes of bodies that have come lately; a power of two. */
const SEEN = 4096;

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** A body that comes again. */
export interface RepeatedBody {
  readonly text: string;
  readonly body: object;
  readonly unreadable: undefined;
}

/** A body that may be none. */
interface ParsedBody {
  text: string;
  body: unknown;
  unreadable?: unknown;
}

interface Kept extends RepeatedBody {
  readonly bytes: Uint8Array;
}

/** The bodies; those that were not asked for while as many others came as a generation has are forgotten. */
export class RepeatedBodies {
  #young = new Map<number, Kept>();
  #old = new Map<number, Kept>();
  #youngBytes = 0;
  /** Those at each place that the last bits of a hash tell, the later one first. */
  readonly #seen = new Int32Array(2 * SEEN);

  /** How many are known. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /**
   * A body that came before, parsed; undefined for another one, and for what is no object.
   * @param read reads it as the first time it came
   */
  of(bytes: Uint8Array, read: (bytes: Uint8Array) => ParsedBody): RepeatedBody | undefined {
    if (bytes.length > MOST_BYTES) return undefined;
    const hash = hashOf(bytes);
    const known = this.#young.get(hash) ?? this.#old.get(hash);
    if (known !== undefined && isSame(known.bytes, bytes)) {
      if (this.#old.delete(hash)) this.#keep(hash, known);
      return known;
    }
    if (!this.#cameBefore(hash)) return undefined;
    const { text, body, unreadable } = read(bytes);
    if (unreadable !== undefined || !isObject(body)) return undefined;
    // A copy: the bytes may be a view of all that came by a connection.
    const kept: Kept = { text, body, unreadable: undefined, bytes: Uint8Array.prototype.slice.call(bytes) };
    noteRepeated(body);
    this.#keep(hash, kept);
    return kept;
  }

  /** Whether a body of this hash has come lately; it has from now on. */
  #cameBefore(hash: number): boolean {
    const seen = this.#seen;
    const place = 2 * (hash & (SEEN - 1));
    const last = seen[place]!;
    if (last === hash || seen[place + 1] === hash) return true;
    seen[place] = hash;
    seen[place + 1] = last;
    return false;
  }

  #keep(hash: number, body: Kept): void {
    this.#young.set(hash, body);
    this.#youngBytes += body.bytes.length;
    if (this.#young.size < MOST_BODIES && this.#youngBytes < MOST_KEPT_BYTES) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}

/** FNV-1a; 31 bits, which V8 keeps without an object of their own. */
function hashOf(bytes: Uint8Array): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, FNV_PRIME);
  return (hash ^ (hash >>> 31)) >> 1;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
