/**
 * Bodies of searches that come again and again, parsed: most clients ask a few things many times. A body is kept when it comes for the
 * second time, so that those that never come again cost a hash of their bytes and nothing else.
 */
import { isObject } from '../../json/values.js';
import { hashOf, RepeatedBytes } from '../../repeatedBytes.js';
import { noteRepeated } from '../../search/repeatedSearch.js';

/** Bodies of more bytes aren't kept. */
const MOST_BYTES = 2048;
/** Of each of the two generations: bodies, and bytes of them. What they are compiled to takes some twenty times that. */
const MOST_BODIES = 1024;
const MOST_KEPT_BYTES = 128 * 1024;
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

/** The bodies. */
export class RepeatedBodies {
  readonly #kept = new RepeatedBytes<RepeatedBody>({ values: MOST_BODIES, weight: MOST_KEPT_BYTES });

  /** How many are known. */
  get size(): number {
    return this.#kept.size;
  }

  /**
   * A body that came before, parsed; undefined for another one, and for what is no object.
   * @param read reads it as the first time it came
   */
  of(bytes: Uint8Array, read: (bytes: Uint8Array) => ParsedBody): RepeatedBody | undefined {
    if (bytes.length > MOST_BYTES) return undefined;
    const hash = hashOf(bytes);
    const known = this.#kept.get(hash, bytes);
    if (known !== undefined || !this.#kept.cameBefore(hash)) return known;
    const { text, body, unreadable } = read(bytes);
    if (unreadable !== undefined || !isObject(body)) return undefined;
    const kept = { text, body, unreadable };
    noteRepeated(body);
    this.#kept.keep(hash, bytes, kept, bytes.length);
    return kept;
  }
}
