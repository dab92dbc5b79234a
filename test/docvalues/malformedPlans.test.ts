import { expect, test } from 'vitest';
import { CoreError } from '../../host/core/status.js';
import { encodePlan } from '../../host/searchBody/encode.js';
import type { Plan } from '../../host/plan/plan.js';
import type { PlanNode } from '../../host/plan/nodes.js';
import type { SortKey } from '../../host/plan/sortKeys.js';
import { random } from '../search/corpus.js';
import { coreOf, FIELD, index, randomDocuments } from './columnShards.js';
import { BUILDS } from '../support/cores.js';

const box = { top: 60, left: 170, bottom: -60, right: -170 };
const circle = { field: FIELD.point, formula: 0, lat: 1, lon: 2, lower: 1e5, upper: 1e6 } as const;
const filters: PlanNode[] = [
  { kind: 'geoDistance', ...circle, box: undefined },
  { kind: 'geoDistance', ...circle, box },
  { kind: 'geoBox', field: FIELD.point, box },
  {
    kind: 'geoPolygon',
    field: FIELD.point,
    points: [0, 30, 60, 0].map((lat, i) => ({ lat, lon: (i % 3) * 30 })),
  },
];
const order = { descending: true, single: false, mode: 1 } as const;
const keys: SortKey<never>[] = [
  { kind: 'score', descending: true },
  { kind: 'column', ...order, field: FIELD.long, type: 'long', missing: 5n },
  { kind: 'column', ...order, field: FIELD.double, type: 'double', missing: 0.5 },
  { kind: 'column', ...order, field: FIELD.key, type: 'string', missing: new Uint8Array([107, 49]) },
  {
    kind: 'distance',
    ...order,
    field: FIELD.point,
    formula: 1,
    unit: 1000,
    points: [
      { lat: 1, lon: 1 },
      { lat: 2, lon: 2 },
    ],
  },
  { kind: 'document', descending: false },
];
const plans: Plan[] = filters.map((node, i) => ({
  k: 20,
  inOrder: false,
  root: { kind: 'constant', boost: 1, node },
  sort: { keys: keys.slice(i), trackScores: i % 2 === 0 },
}));

test.each(BUILDS)('plans that are cut off or damaged never trap: %s', (build) => {
  const core = coreOf(build);
  const shard = index(core, randomDocuments(5, 400, true), 2, new Set([4]));
  const survive = (bytes: Uint8Array): boolean => {
    try {
      core.search(shard, bytes);
      return true;
    } catch (e) {
      expect(e).toBeInstanceOf(CoreError);
      expect(core.dead).toBe(false);
      return false;
    }
  };
  const next = random(99);
  for (const plan of plans) {
    const bytes = encodePlan(plan);
    expect(survive(bytes)).toBe(true);
    for (let n = 0; n < bytes.length; n++) expect(survive(bytes.slice(0, n))).toBe(false);
    for (let n = 0; n < 150; n++) {
      const copy = bytes.slice();
      for (let k = 0; k <= n % 4; k++) copy[Math.floor(next() * copy.length)]! ^= 1 << Math.floor(next() * 8);
      survive(copy);
    }
    expect(survive(bytes)).toBe(true);
  }
});
