/**
 * How fast do packed gaps become document numbers?
 *
 * Measured: unpackGaps128 (unpacking and running sums in one) over 256 blocks of one width in a row, into the same 128 values.
 * Source and result stay in the first two caches. Not measured: reading blocks from memory, block headers, what is done with the numbers.
 */
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';
import { packedBlocks } from './packedBlocks.js';

const BLOCKS = 256;
const ROUNDS = 8;

function cases(subjects: Subjects): Case[] {
  const { calls, src, dst } = packedBlocks(subjects, BLOCKS, 16);
  return Array.from({ length: 16 }, (_, i) => ({
    name: `${i + 1} bits`,
    items: ROUNDS * BLOCKS * 128,
    bytes: ROUNDS * BLOCKS * 16 * (i + 1),
    run: () => {
      for (let round = 0; round < ROUNDS; round++) calls.decodeGapBlocks(src, dst, i + 1, BLOCKS);
    },
  }));
}

export const gapDecode: Question = { title: 'block decode with delta', item: 'integer', cases };
