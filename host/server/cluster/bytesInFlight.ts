import { orAborted } from './natsErrors.js';

/** Bounds the bytes that were sent and not acknowledged yet; who would exceed it waits, in turn. */
export class BytesInFlight {
  readonly #limit: number;
  readonly #waiting: { bytes: number; go: () => void }[] = [];
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves when that many bytes may be sent; what it resolves with gives them back. */
  async take(bytes: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const counted = Math.min(bytes, this.#limit);
    if (this.#waiting.length > 0 || this.#taken + counted > this.#limit) {
      let waiter: { bytes: number; go: () => void } | undefined;
      const turn = new Promise<void>((resolve) => {
        waiter = { bytes: counted, go: resolve };
        this.#waiting.push(waiter);
      });
      try {
        await orAborted(turn, signal);
      } catch (error) {
        const at = this.#waiting.indexOf(waiter!);
        if (at >= 0) this.#waiting.splice(at, 1);
        else this.#release(counted);
        throw error;
      }
    } else this.#taken += counted;
    return () => this.#release(counted);
  }

  #release(bytes: number): void {
    this.#taken -= bytes;
    while (this.#waiting.length > 0 && this.#taken + this.#waiting[0]!.bytes <= this.#limit) {
      const next = this.#waiting.shift()!;
      this.#taken += next.bytes;
      next.go();
    }
  }
}
