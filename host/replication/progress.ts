/** How far the shards of one node have followed their index's log, and who waits for that. */
import { onAbort } from '../cluster/onAbort.js';

/** The messages of one shard that are being carried out, by position, and those who wait. */
export class ShardProgress {
  readonly #running: number[] = [];
  #waiting: { position: number; resolve: () => void }[] = [];
  /** Every message of the log up to this has been handed to its shard. */
  #read: number;

  constructor(read: number) {
    this.#read = read;
  }

  /** What the log has been read up to. */
  get position(): number {
    return this.#read;
  }

  /** What all messages are carried out up to. */
  get carriedOut(): number {
    return this.#running.length === 0 ? this.#read : this.#running[0]! - 1;
  }

  /** Whether nothing is being carried out. */
  get isIdle(): boolean {
    return this.#running.length === 0;
  }

  /** Whether all that the log has for the shard up to a position is carried out, and on the disk. */
  isAt(position: number): boolean {
    return this.#read >= position && (this.#running[0] ?? Number.POSITIVE_INFINITY) > position;
  }

  /** Resolves when that is so; rejects with the signal's reason. */
  async reach(position: number, signal: AbortSignal): Promise<void> {
    if (this.isAt(position)) return;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const waiting = { position, resolve: () => done(resolve) };
      const abort = () => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        reject(signal.reason);
      };
      const done = (settled: () => void) => {
        unlisten();
        settled();
      };
      const unlisten = onAbort(signal, abort);
      this.#waiting.push(waiting);
    });
  }

  /** The log has been read up to there. */
  read(position: number): void {
    // A log is read again from before where another shard begins to follow it.
    this.#read = Math.max(this.#read, position);
    this.#wake();
  }

  /** A message is being carried out: messages end in their order. */
  begin(position: number): void {
    this.#running.push(position);
  }

  end(position: number): void {
    this.#running.splice(this.#running.indexOf(position), 1);
    this.#wake();
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const ready = this.#waiting.filter(({ position }) => this.isAt(position));
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter((each) => !ready.includes(each));
    for (const { resolve } of ready) resolve();
  }
}
