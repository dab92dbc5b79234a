/**
 * How fast are numbers of variable length read and written?
 *
 * Measured: 16,384 numbers of one to five bytes, in turns of whole lists; small ones as positions and frequencies are (nine of ten in one byte),
 * and any. They stay in the first two caches.
 */
import { generator } from './generator.js';
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const NUMBERS = 16_384;

function cases(subjects: Subjects): Case[] {
  const kernels = subjects.kernels();
  const { calls } = kernels;
  const random = generator(2);
  const kinds: [string, () => number][] = [
    ['mostly one byte', () => Math.floor(random() < 0.9 ? 128 * random() : 16_384 * random())],
    ['one to five bytes', () => Math.floor(2 ** (32 * random()))],
  ];
  return kinds.flatMap(([name, make]) => {
    const [numbers, packed] = [kernels.block(4 * NUMBERS), kernels.block(5 * NUMBERS)];
    new Uint32Array(kernels.bytes.buffer, numbers, NUMBERS).set(Uint32Array.from({ length: NUMBERS }, make));
    const bytes = calls.writeVints(numbers, NUMBERS, packed) - packed;
    const back = kernels.block(4 * NUMBERS);
    return [
      {
        name: `read, ${name}`,
        items: NUMBERS,
        bytes,
        run: () => void calls.readVints(packed, NUMBERS, back),
      },
      {
        name: `written, ${name}`,
        items: NUMBERS,
        bytes,
        run: () => void calls.writeVints(numbers, NUMBERS, packed),
      },
    ];
  });
}

export const vints: Question = { title: 'numbers of variable length', item: 'integer', cases };
