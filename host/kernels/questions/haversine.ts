/**
 * How many distances a second do the formulas of 1.7 give, each alone?
 *
 * Measured: the sum of the distances of 4,096 points, spread evenly over the earth, from one. Filters, rings and sorts ask them only
 * where chords of unit vectors can't decide.
 */
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

const POINTS = 4096;
const ROUNDS = 8;
const FORMULAS = ['sloppy_arc', 'arc', 'plane'];

function cases(subjects: Subjects): Case[] {
  const kernels = subjects.kernels();
  const { calls } = kernels;
  const points = kernels.block(POINTS * 16);
  const numbers = new Float64Array(kernels.bytes.buffer, points, POINTS * 2);
  for (let i = 0; i < POINTS; i++) {
    const [x, y] = [(i + 0.5) / POINTS, (i * 0.6180339887498949) % 1];
    numbers[2 * i] = (Math.asin(2 * x - 1) * 180) / Math.PI;
    numbers[2 * i + 1] = 360 * y - 180;
  }
  return FORMULAS.map((name, formula) => ({
    name,
    items: ROUNDS * POINTS,
    run: () => {
      for (let round = 0; round < ROUNDS; round++)
        calls.sumOfDistances(formula, 50.08, 14.44, points, POINTS);
    },
  }));
}

export const haversine: Question = { title: 'distance by a formula (haversine)', item: 'point', cases };
