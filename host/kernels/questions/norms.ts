/**
 * How fast do lengths of fields become norm bytes, and these floats?
 *
 * Measured: 65,536 norms in a row. Searches look the floats up in a table instead.
 */
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const NORMS = 65_536;

function cases(subjects: Subjects): Case[] {
  const kernels = subjects.kernels();
  const { calls } = kernels;
  const [floats, bytes] = [kernels.block(4 * NORMS), kernels.block(NORMS)];
  const values = new Float32Array(kernels.bytes.buffer, floats, NORMS);
  for (let i = 0; i < NORMS; i++) values[i] = 1 / Math.sqrt(1 + (i % 1000));
  calls.encodeNorms(floats, NORMS, bytes);
  return [
    { name: 'made', items: NORMS, bytes: 4 * NORMS, run: () => calls.encodeNorms(floats, NORMS, bytes) },
    { name: 'read', items: NORMS, bytes: NORMS, run: () => calls.decodeNorms(bytes, NORMS, floats) },
  ];
}

export const norms: Question = { title: 'norms', item: 'norm', cases };
