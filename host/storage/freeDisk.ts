/** How much of a disk is left, and when that is too little to write more. */
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DiskFull } from '../storeErrors.js';

/** So many bytes of the disk stay free for deletions, or a twentieth of a small disk. */
const RESERVE_BYTES = 64 * 1024 * 1024;
/** The disk is asked at most that often, in milliseconds. */
const INTERVAL_MS = 50;

/** Says whether there is room. */
export interface FreeDiskCheck {
  /** Why nothing more may be written now; undefined while there is room. */
  refusal(): DiskFull | undefined;
}

/** Sizes of a disk in bytes. */
export interface DiskStats {
  total: number;
  /** For this user. */
  free: number;
}

/** The room on a disk. */
export class FreeDisk implements FreeDiskCheck {
  readonly #disk: () => DiskStats;
  readonly #interval: number;
  #asked = Number.NEGATIVE_INFINITY;
  #refusal: DiskFull | undefined;

  /** @param interval milliseconds for which an answer holds */
  constructor(disk: () => DiskStats, interval = INTERVAL_MS) {
    this.#disk = disk;
    this.#interval = interval;
  }

  refusal(): DiskFull | undefined {
    const now = performance.now();
    if (now - this.#asked < this.#interval) return this.#refusal;
    this.#asked = now;
    let sizes: DiskStats;
    try {
      sizes = this.#disk();
    } catch (e) {
      // As of a folder that is gone.
      const { message } = e as Error;
      this.#refusal = new DiskFull(
        `nothing can be written: the data folder can't be found any more: ${message}`,
      );
      return this.#refusal;
    }
    const { total, free } = sizes;
    const reserve = Math.min(RESERVE_BYTES, total / 20);
    this.#refusal =
      free >= reserve
        ? undefined
        : new DiskFull(
            `the disk is full: ${mebibytes(free)} are free and ${mebibytes(reserve)} must be; reads and deletions go on, ` +
              'writes do when there is room',
          );
    return this.#refusal;
  }
}

/** The disk that a folder is on. */
export function diskOf(folder: string): DiskStats {
  const { bsize, blocks, bavail } = statfsSync(folder);
  return { total: bsize * blocks, free: bsize * bavail };
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)}mb`;
}

/** What a file must be able to grow by. */
const GROWTH_BYTES = 1024 * 1024;

/**
 * Whether a file could grow: tried with another one beside it that is removed again, which has a hole in place of what the file has.
 * A write that ends early because the disk or a bound on files is reached is told of by LMDB as if the disk had failed.
 */
export function canGrow(file: string): boolean {
  const path = join(dirname(file), 'growth.part');
  try {
    const length = statSync(file).size;
    const fd = openSync(path, 'w');
    try {
      return writeSync(fd, Buffer.alloc(GROWTH_BYTES), 0, GROWTH_BYTES, length) === GROWTH_BYTES;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  } finally {
    rmSync(path, { force: true });
  }
}
