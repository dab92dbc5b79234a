import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** What stands in the explanations of a search's hits besides its query, as Elasticsearch 1.7.3 says it. */

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);

interface Explanation {
  value: number;
  description: string;
  details?: Explanation[];
}

async function explained(search: object): Promise<[number | null, Explanation]> {
  const { body } = await call('POST', '/i/_search', { ...search, explain: true });
  const [hit] = (body as { hits: { hits: { _score: number | null; _explanation: Explanation }[] } }).hits
    .hits;
  return [hit!._score, hit!._explanation];
}
const constant = (boost: number, field = 'a', value = 'x') => ({
  constant_score: { filter: { term: { [field]: value } }, boost },
});
/** The tree of descriptions and values, without what stands below a query. */
const shape = ({ value, description, details = [] }: Explanation): unknown[] =>
  description.startsWith('ConstantScore') ? [value] : [value, description, ...details.map(shape)];

beforeAll(async () => {
  resilin = await createEngine();
  await call('PUT', '/i', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await call('PUT', '/i/t/1?refresh=true', { a: 'x', n: 0 });
});
afterAll(() => resilin.close());

describe('a rescorer', () => {
  const weights = (mode?: string) => ({
    window_size: 1,
    query: {
      rescore_query: constant(3),
      query_weight: 0.5,
      rescore_query_weight: 2,
      ...(mode === undefined ? {} : { score_mode: mode }),
    },
  });
  const first = [0.5, 'product of:', [1], [0.5, 'primaryWeight']];
  const second = [2, 'product of:', [1], [2, 'secondaryWeight']];

  it.each([
    [undefined, 2.5, 'sum of:'],
    ['total', 2.5, 'sum of:'],
    ['multiply', 1, 'product of:'],
    ['avg', 1.25, 'avg of:'],
    ['max', 2, 'max of:'],
    ['min', 0.5, 'min of:'],
  ])('of mode %s', async (mode, value, description) => {
    const [score, explanation] = await explained({ query: constant(2), rescore: weights(mode) });
    expect(score).toBe(value);
    expect(shape(explanation)).toEqual([value, description, first, second]);
  });

  it('whose query does not match weighs the score alone', async () => {
    const rescore = { query: { rescore_query: constant(3, 'a', 'y'), query_weight: 0.5 } };
    const [score, explanation] = await explained({ query: constant(2), rescore });
    expect(score).toBe(0.5);
    expect(shape(explanation)).toEqual(first);
  });

  it('stands around those before it', async () => {
    const [score, explanation] = await explained({
      query: constant(2),
      rescore: [weights(), weights('max')],
    });
    expect(score).toBe(2);
    const inner = [2.5, 'sum of:', first, second];
    expect(shape(explanation)).toEqual([
      2,
      'max of:',
      [1.25, 'product of:', inner, [0.5, 'primaryWeight']],
      second,
    ]);
  });

  it('is told of though the hits are sorted', async () => {
    const [score, explanation] = await explained({ query: constant(2), rescore: weights(), sort: 'n' });
    expect(score).toBeNull();
    expect(shape(explanation)).toEqual([2.5, 'sum of:', first, second]);
  });
});

it('a boost of an index is a static factor', async () => {
  const [score, explanation] = await explained({ indices_boost: { i: 0.5 } });
  expect(score).toBe(0.5);
  expect(shape(explanation)).toEqual([
    0.5,
    'function score, product of:',
    [1],
    [0.5, 'Math.min of', [0.5, 'static boost factor', [0.5, 'boostFactor']], [3.4028235e38, 'maxBoost']],
    [1, 'queryBoost'],
  ]);
});

it('a function of a value that is no number names the value', async () => {
  const query = { function_score: { field_value_factor: { field: 'n', factor: 2, modifier: 'ln' } } };
  const { status, body } = await call('POST', '/i/_search', { query });
  expect(status).toBe(500);
  expect((body as { error: string }).error).toContain(
    'nested: ElasticsearchException[Result of field modification [ln(0.0)] must be a number]',
  );
});
