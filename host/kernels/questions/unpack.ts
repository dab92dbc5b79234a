/**
 * How fast are packed blocks unpacked when no sums are wanted (frequencies, positions)?
 *
 * Measured: unpack128 over 256 blocks of one width in a row, into the same 128 values; source and result stay in the first two
 * caches. Not measured: reading blocks from memory.
 */
import { packedBlocks } from './packedBlocks.js';
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const BLOCKS = 256;
const ROUNDS = 16;
const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32];

function cases(subjects: Subjects): Case[] {
  const { calls, src, dst } = packedBlocks(subjects, BLOCKS, 32);
  return WIDTHS.map((bits) => ({
    name: `${bits} bits`,
    items: ROUNDS * BLOCKS * 128,
    bytes: ROUNDS * BLOCKS * 16 * bits,
    run: () => {
      for (let round = 0; round < ROUNDS; round++) calls.unpackBlocks(src, dst, bits, BLOCKS);
    },
  }));
}

export const unpack: Question = { title: 'plain unpack', item: 'integer', cases };
