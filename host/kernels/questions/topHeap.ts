/**
 * What does the heap of the best hits cost by itself?
 *
 * Measured: 65,536 scores in no order, of which the best 1, 10, 100 and 1000 are kept and taken out in order. What searches pay
 * besides, for decoding and scoring, is another question (topK.ts).
 */
import { generator } from './generator.js';
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const SCORES = 65_536;

function cases(subjects: Subjects): Case[] {
  const kernels = subjects.kernels();
  const { calls } = kernels;
  const src = kernels.block(4 * SCORES);
  const random = generator(3);
  new Float32Array(kernels.bytes.buffer, src, SCORES).set(Float32Array.from({ length: SCORES }, random));
  return [1, 10, 100, 1000].map((k) => {
    const [places, best] = [kernels.block(4 * k), kernels.block(4 * k)];
    return {
      name: `k = ${k}`,
      items: SCORES,
      bytes: 4 * SCORES,
      run: () => {
        calls.topK(src, SCORES, k, places, best);
        calls.requestReset();
      },
    };
  });
}

export const topHeap: Question = { title: 'heap of the best scores', item: 'score', cases };
