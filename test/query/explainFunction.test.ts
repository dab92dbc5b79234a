/** The texts are those that 1.7.3 gave, or follow from the same templates. */
import { expect, test } from 'vitest';
import { explainFunction } from '../../host/explain/explainFunction.js';
import { DecayShape, Modifier, ValueMode } from '../../host/plan/scoreFunction.js';

const scored = { value: 1, description: 'score', details: [], matched: true };
const context = { name: (field: number) => ['stock', 'price'][field] ?? '', values: () => [31] };

test('a decay tells its formula, the value of the document and the origin', () => {
  const own = {
    type: 'decay',
    shape: DecayShape.gauss,
    field: 0,
    origin: 30,
    scale: 10,
    offset: 0,
    decay: 0.5,
    mode: ValueMode.min,
  } as const;
  const found = explainFunction(own, 0.9930925, context, scored);
  expect(found.description).toBe('Function for field stock:');
  expect(found.details.map(({ description }) => description)).toEqual([
    'exp(-0.5*pow(MIN[Math.max(Math.abs(31.0(=doc value) - 30.0(=origin))) - 0.0(=offset), 0)],2.0)/72.13475204444818)',
  ]);
  const empty = explainFunction(
    { ...own, shape: DecayShape.linear },
    1,
    { ...context, values: () => [] },
    scored,
  );
  expect(empty.details[0]?.description).toBe('max(0.0, ((20.0 - MIN[0.0])/20.0)');
});

test('a field value tells its modifier and factor', () => {
  const own = { type: 'fieldValue', field: 1, name: 'n', factor: 1, modifier: Modifier.log1p } as const;
  expect(explainFunction(own, 2, context, scored).description).toBe(
    "field value function: log1p(doc['price'].value * factor=1.0)",
  );
});
