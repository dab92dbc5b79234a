/** How far the opening of a shard is: what `_recovery` tells. */

/** Reading the segments, indexing what came after them again, at the end. */
export type RecoveryStage = 'INIT' | 'INDEX' | 'TRANSLOG' | 'DONE';

/** A shard's way from the disk to memory; times in milliseconds. */
export class RecoveryProgress {
  stage: RecoveryStage = 'INIT';
  /** Since the epoch. */
  started = 0;
  stopped = 0;
  /** Segments of the manifest and their bytes, and how many of them could be used as they were. */
  files = { total: 0, reused: 0, bytes: 0, reusedBytes: 0 };
  /** Operations after the segments, and how many of them are indexed again. */
  operations = { total: 0, recovered: 0 };
  indexMs = 0;
  replayMs = 0;
  /** Why segments could not be used. */
  problems: string[] = [];

  get ms(): number {
    return Math.max(0, this.stopped - this.started);
  }
}
