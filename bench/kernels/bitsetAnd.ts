/**
 * How long does it take to count what two filters over 8 million documents have in common?
 *
 * Measured: one andCount over two bitsets of 8,000,000 bits, half full, 1 MB each, read from the last cache or memory as the
 * machine has it. Not measured: making the bitsets.
 */
import { type Case, type KernelCore, microseconds, type Question } from './question.js';

const DOCS = 8_000_000;

function cases(core: KernelCore): Case[] {
  const bytes = core.call<(n: number) => number>('sizeInBytes')(DOCS);
  const andCount = core.call<(a: number, b: number, bytes: number) => number>('andCount');
  const count = core.call<(set: number, bytes: number) => number>('count');
  const [a, b] = [0x9e3779b1, 0x85ebca6b].map((factor) => {
    const set = core.block(bytes);
    const content = new Uint8Array(core.memory.buffer, set, bytes);
    for (let i = 0; i < DOCS / 8; i++) content[i] = Math.imul(i + 1, factor) >>> 24;
    return set;
  }) as [number, number];
  return [
    { name: 'AND and count, 8 M bits', work: DOCS, run: () => void andCount(a, b, bytes) },
    { name: 'count alone, 8 M bits', work: DOCS, run: () => void count(a, bytes) },
  ];
}

export const bitsetAnd: Question = {
  title: 'bitset AND + count',
  unit: 'us',
  figure: microseconds,
  better: 'lower',
  target: 100,
  cases,
};
