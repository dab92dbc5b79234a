import { expect, it } from 'vitest';
import { PlanBytes } from '../../host/core/planBytes.js';

it('a plan of more than 64 MB is refused before there is room for it', () => {
  const piece = new Uint8Array(16 * 1024 * 1024);
  const plan = new PlanBytes();
  for (let i = 0; i < 4; i++) plan.put(piece);
  expect(plan.length).toBe(64 * 1024 * 1024);
  expect(() => plan.u8(1)).toThrow('query is too complex: a plan of more than 67108864 bytes');
});
