/**
 * How fast are packed blocks unpacked when no sums are wanted (frequencies, positions)?
 *
 * Measured: unpack128 over 256 blocks of one width in a row, into the same 128 values; source and result stay in the first two
 * caches. Not measured: reading blocks from memory.
 */
import { billionsPerSecond, type Case, type KernelCore, type Question } from './question.js';

const BLOCKS = 256;
const ROUNDS = 16;
const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32];

function cases(core: KernelCore): Case[] {
  const unpack = core.call<(src: number, dst: number, bits: number, blocks: number) => void>('unpackBlocks');
  const src = core.block(BLOCKS * 16 * 32);
  const dst = core.block(512);
  const bytes = new Uint8Array(core.memory.buffer, src, BLOCKS * 16 * 32);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.imul(i + 1, 0x9e3779b1) >>> 24;
  return WIDTHS.map((bits) => ({
    name: `${bits} bits`,
    work: ROUNDS * BLOCKS * 128,
    run: () => {
      for (let round = 0; round < ROUNDS; round++) unpack(src, dst, bits, BLOCKS);
    },
  }));
}

export const unpack: Question = {
  title: 'plain unpack',
  unit: 'G ints/s',
  figure: billionsPerSecond,
  better: 'higher',
  cases,
};
