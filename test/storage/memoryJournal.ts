import type { Journal } from '../../host/storage/journal.js';

/** A journal that lasts as long as the object, and can be told to fail. */
export class MemoryJournal implements Journal {
  pieces: Uint8Array<ArrayBuffer>[] = [];
  /** Thrown by what writes while it is set. */
  refusal: Error | undefined;
  /** How often it was written anew. */
  replaced = 0;

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.pieces;
  }

  async append(batches: Uint8Array<ArrayBuffer>): Promise<void> {
    await Promise.resolve();
    if (this.refusal !== undefined) throw this.refusal;
    this.pieces.push(batches);
  }

  async replace(pieces: Iterable<Uint8Array<ArrayBuffer>>): Promise<void> {
    const all = [...pieces];
    await Promise.resolve();
    if (this.refusal !== undefined) throw this.refusal;
    this.pieces = all;
    this.replaced++;
  }

  async close(): Promise<void> {}

  get bytes(): number {
    return this.pieces.reduce((sum, { length }) => sum + length, 0);
  }
}
