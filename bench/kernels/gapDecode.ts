/**
 * How fast do packed gaps become document ids?
 *
 * Measured: unpackGaps128 (unpacking and running sums in one) over 256 blocks of one width in a row, into the same 128 values.
 * Source and result stay in the first two caches. Not measured: reading blocks from memory, block headers, what is done with the ids.
 */
import { billionsPerSecond, type Case, type KernelCore, type Question } from './question.js';

const BLOCKS = 256;
const ROUNDS = 8;

function cases(core: KernelCore): Case[] {
  const decode =
    core.call<(src: number, dst: number, bits: number, blocks: number) => number>('decodeGapBlocks');
  const src = core.block(BLOCKS * 16 * 16);
  const dst = core.block(512);
  const bytes = new Uint8Array(core.memory.buffer, src, BLOCKS * 16 * 16);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.imul(i + 1, 0x9e3779b1) >>> 24;
  return Array.from({ length: 16 }, (_, i) => ({
    name: `${i + 1} bits`,
    work: ROUNDS * BLOCKS * 128,
    run: () => {
      for (let round = 0; round < ROUNDS; round++) decode(src, dst, i + 1, BLOCKS);
    },
  }));
}

export const gapDecode: Question = {
  title: 'block decode with delta',
  unit: 'G ints/s',
  figure: billionsPerSecond,
  better: 'higher',
  target: 3,
  aim: 4,
  cases,
};
