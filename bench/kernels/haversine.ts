/**
 * How many distances a second do the formulas of 1.7 give, each alone?
 *
 * Measured: the sum of the distances of 4,096 points, spread evenly over the earth, from one. Filters, rings and sorts ask them only
 * where chords of unit vectors can't decide.
 */
import { billionsPerSecond, type Case, type KernelCore, type Question } from './question.js';

const POINTS = 4096;
const ROUNDS = 8;
const FORMULAS = ['sloppy_arc', 'arc', 'plane'];

function cases(core: KernelCore): Case[] {
  const sum =
    core.call<(formula: number, lat: number, lon: number, points: number, n: number) => number>(
      'sumOfDistances',
    );
  const points = core.block(POINTS * 16);
  const numbers = new Float64Array(core.memory.buffer, points, POINTS * 2);
  for (let i = 0; i < POINTS; i++) {
    const [x, y] = [(i + 0.5) / POINTS, (i * 0.6180339887498949) % 1];
    numbers[2 * i] = (Math.asin(2 * x - 1) * 180) / Math.PI;
    numbers[2 * i + 1] = 360 * y - 180;
  }
  return FORMULAS.map((name, formula) => ({
    name,
    work: ROUNDS * POINTS,
    run: () => {
      for (let round = 0; round < ROUNDS; round++) sum(formula, 50.08, 14.44, points, POINTS);
    },
  }));
}

export const haversine: Question = {
  title: 'distance by a formula (haversine)',
  unit: 'billion points per second',
  figure: billionsPerSecond,
  better: 'higher',
  cases,
};
