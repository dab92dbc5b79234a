import type { SyncFile } from '../../host/storage/fileJournal.js';
import type { Random } from '../torture/random.js';

const SECTOR = 512;

/** The machine lost its power. */
export class PowerCut extends Error {}

/** Calls that change files until the power goes; infinite where it doesn't. */
export interface Power {
  left: number;
}

type Change = { size: number } | { at: number; bytes: Uint8Array };

/** A file that loses what was not flushed: of each write any of its sectors, of the size any change but those before one that is kept. */
export class CrashFile implements SyncFile {
  readonly #power: Power;
  #seen: Uint8Array;
  #kept: Uint8Array;
  #changes: Change[] = [];
  /** Thrown by a write after so many others, when it has written its bytes. */
  refusal: { error: Error; after: number } | undefined;
  /** Thrown by the next flush. */
  failure: Error | undefined;

  constructor(power: Power, kept: Uint8Array = new Uint8Array(0)) {
    this.#power = power;
    this.#kept = kept;
    this.#seen = kept.slice();
  }

  getSize(): number {
    return this.#seen.length;
  }

  read(into: Uint8Array, { at }: { at: number }): number {
    const found = this.#seen.subarray(at, at + into.length);
    into.set(found);
    return found.length;
  }

  write(bytes: Uint8Array, { at }: { at: number }): number {
    this.#spend();
    const change = { at, bytes: bytes.slice() };
    this.#changes.push(change);
    this.#seen = changed(this.#seen, change);
    const { refusal } = this;
    if (refusal !== undefined && refusal.after-- === 0) {
      this.refusal = undefined;
      throw refusal.error;
    }
    return bytes.length;
  }

  truncate(size: number): void {
    this.#spend();
    this.#changes.push({ size });
    this.#seen = changed(this.#seen, { size });
  }

  flush(): void {
    this.#spend();
    if (this.failure !== undefined) throw this.failure;
    this.#kept = this.#seen.slice();
    this.#changes = [];
  }

  close(): void {}

  /** The file as the next process finds it. */
  afterCrash(random: Random, power: Power): CrashFile {
    let kept = this.#kept;
    for (const change of this.#changes) {
      if ('size' in change) {
        if (random.chance(0.5)) kept = changed(kept, change);
        continue;
      }
      const { at, bytes } = change;
      for (let from = 0; from < bytes.length; ) {
        const to = Math.min(bytes.length, from + SECTOR - ((at + from) % SECTOR));
        if (random.chance(0.5)) kept = changed(kept, { at: at + from, bytes: bytes.subarray(from, to) });
        from = to;
      }
    }
    return new CrashFile(power, kept);
  }

  #spend(): void {
    if (this.#power.left-- <= 0) throw new PowerCut('the power is gone');
  }
}

/** Bytes after a change; what lies between their end and a write is zeros. */
function changed(bytes: Uint8Array, change: Change): Uint8Array {
  if ('size' in change) {
    const out = new Uint8Array(change.size);
    out.set(bytes.subarray(0, change.size));
    return out;
  }
  const out = new Uint8Array(Math.max(bytes.length, change.at + change.bytes.length));
  out.set(bytes);
  out.set(change.bytes, change.at);
  return out;
}
