/** What a question about speed is. */
import type { KernelModule } from '../kernelModule.js';
import type { Case } from './case.js';
import type { ColumnIndex } from './columnIndex.js';
import type { SyntheticIndex } from './syntheticIndex.js';

/** What cases run on; the indices are made when the first case asks for them. */
export interface Subjects {
  /** A fresh instance of the kernels. */
  kernels(): KernelModule;
  synthetic(): SyntheticIndex;
  columns(): ColumnIndex;
}

/** One question about the speed of a kernel; a file each, listed in registry.ts. */
export interface Question {
  readonly title: string;
  /** What the time is divided by: a word such as `posting`. */
  readonly item: string;
  cases(subjects: Subjects): Case[];
}
