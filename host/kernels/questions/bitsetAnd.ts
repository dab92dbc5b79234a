/**
 * How long does it take to count what two filters over 8 million documents have in common?
 *
 * Measured: one andCount over two bitsets of 8,000,000 bits, half full, 1 MB each, read from the last cache or memory as the
 * machine has it. Not measured: making the bitsets.
 */
import { fillWithoutPattern } from './packedBlocks.js';
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const DOCS = 8_000_000;
const BYTES = DOCS / 8;

function cases(subjects: Subjects): Case[] {
  const kernels = subjects.kernels();
  const { calls } = kernels;
  const [a, b] = [0x9e3779b1, 0x85ebca6b].map((factor) => {
    const set = kernels.block(BYTES);
    fillWithoutPattern(kernels.bytes.subarray(set, set + BYTES), factor);
    return set;
  }) as [number, number];
  return [
    {
      name: 'AND and count, 8 M bits',
      items: DOCS,
      bytes: 2 * BYTES,
      run: () => void calls.andCount(a, b, BYTES),
    },
    { name: 'count alone, 8 M bits', items: DOCS, bytes: BYTES, run: () => void calls.count(a, BYTES) },
  ];
}

export const bitsetAnd: Question = { title: 'bitset AND + count', item: 'document', cases };
