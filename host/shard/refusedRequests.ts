/** The requests that have made a shard's core trap, so that none of them goes on doing so. */
import { ElasticsearchError } from '../errors.js';

/** A request that has trapped the core so often is refused. */
const MOST_TRAPS = 2;
/** Requests that are remembered; the oldest is forgotten first. */
const REMEMBERED = 64;

/** How often each trapped the core, by the bytes that were handed to it. */
export class RefusedRequests {
  readonly #traps = new Map<string, number>();

  /** The core has trapped as it carried a request out. */
  note(request: Uint8Array): void {
    const key = keyOf(request);
    const times = (this.#traps.get(key) ?? 0) + 1;
    this.#traps.delete(key);
    this.#traps.set(key, times);
    if (this.#traps.size > REMEMBERED) this.#traps.delete(this.#traps.keys().next().value!);
  }

  /** Throws for a request that has trapped the core too often; `shard` is its name in the message. */
  check(request: Uint8Array, shard: string): void {
    // Nearly always.
    if (this.#traps.size === 0) return;
    if ((this.#traps.get(keyOf(request)) ?? 0) < MOST_TRAPS) return;
    const detail = `${shard} the request has made the core of the shard trap ${MOST_TRAPS} times, and is refused`;
    throw new ElasticsearchError('ElasticsearchIllegalStateException', detail, { status: 500 });
  }
}

/** Equal for equal bytes, and hardly ever else: their number, and two hashes of them. */
function keyOf(bytes: Uint8Array): string {
  let [a, b] = [0x811c9dc5, 0];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = (Math.imul(b, 31) + byte) | 0;
  }
  return `${bytes.length} ${a} ${b}`;
}
