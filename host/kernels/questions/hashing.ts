/**
 * How fast are bytes hashed?
 *
 * Measured: XXH64 over one megabyte at once, as segments are checked, and over strings of 8 and of 32 bytes one by one.
 */
import { fillWithoutPattern } from './packedBlocks.js';
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const BYTES = 1 << 20;

function cases(subjects: Subjects): Case[] {
  const kernels = subjects.kernels();
  const { calls } = kernels;
  const src = kernels.block(BYTES);
  fillWithoutPattern(kernels.bytes.subarray(src, src + BYTES), 0x9e3779b1);
  return [8, 32, BYTES].map((length) => ({
    name: length === BYTES ? 'XXH64 of a megabyte' : `XXH64 of ${length} bytes`,
    items: BYTES,
    bytes: BYTES,
    run: () => void calls.hashAll(src, length, BYTES / length),
  }));
}

export const hashing: Question = { title: 'hashing', item: 'byte', cases };
