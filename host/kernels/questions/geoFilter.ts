/**
 * How many points a second can be told to lie within a distance, a ring, or a box?
 *
 * Measured: plans that count which of a million points, spread evenly over the earth, lie within 100, 1000 and 10,000 km of one in
 * Europe, between 1000 and 5000 km, and in a box of 20 by 20 degrees; points by time. In it: the call and the counting of the bits. Every
 * run decides anew: what is kept of filters is dropped before it.
 */
import type { PlanNode } from '../../plan/nodes.js';
import { DOCS, FIELD } from './columnIndex.js';
import type { Case } from './case.js';
import type { Question, Subjects } from './question.js';

function cases(subjects: Subjects): Case[] {
  const index = subjects.columns();
  const count = (name: string, node: PlanNode) =>
    index.case(name, { k: 0, root: { kind: 'constant', boost: 1, node } }, 10, DOCS - 10);
  const circle = (lower: number, upper: number): PlanNode => ({
    kind: 'geoDistance',
    field: FIELD.point,
    formula: 0,
    lat: 50,
    lon: 14,
    lower,
    upper,
    box: undefined,
  });
  const box = { top: 60, left: 0, bottom: 40, right: 20 };
  return [
    count('within 100 km', circle(Number.NEGATIVE_INFINITY, 1e5)),
    count('within 1000 km', circle(Number.NEGATIVE_INFINITY, 1e6)),
    count('within 10,000 km', circle(Number.NEGATIVE_INFINITY, 1e7)),
    count('ring from 1000 to 5000 km', circle(1e6, 5e6)),
    count('box', { kind: 'geoBox', field: FIELD.point, box }),
  ];
}

export const geoFilter: Question = { title: 'points within a distance', item: 'point', cases };
