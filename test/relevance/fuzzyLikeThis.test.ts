import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

/** `fuzzy_like_this`: scores against the formula of Lucene's FuzzyLikeThisQuery, worked out here by hand. */

const texts = [
  'red river',
  'rivers run deep',
  'a raven',
  'the international station',
  'an internatiomal stop',
  'mill',
];
let api: Api;

async function ok(method: string, uri: string, body?: unknown): Promise<unknown> {
  const answer = await api.call(method, uri, body);
  expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBeLessThan(300);
  return answer.body;
}

beforeAll(async () => {
  api = await openApi(coreBytes());
  await ok('PUT', '/a', {
    settings: { number_of_shards: 1 },
    mappings: { t: { properties: { x: { type: 'string' }, n: { type: 'long' } } } },
  });
  for (const [i, x] of texts.entries()) await ok('PUT', `/a/t/${i}?refresh=true`, { x });
});

afterAll(() => api.close());

async function hits(query: object): Promise<[id: number, score: number][]> {
  const answer = (await ok('POST', '/a/_search', { query })) as {
    hits: { hits: { _id: string; _score: number }[] };
  };
  return answer.hits.hits.map(({ _id, _score }) => [Number(_id), _score]);
}

it('gives variants a boost of their likeness squared by the idf of the word', async () => {
  // river is in one edit of rivr, rivers in two.
  const found = await hits({ fuzzy_like_this: { fields: ['x'], like_text: 'rivr' } });
  expect(found.map(([id]) => id)).toEqual([0, 1]);
  const own = Math.log(6 / 2) + 1;
  const boost = (likeness: number) => likeness ** 2 * (Math.log(6 / 2) + 1);
  const weights = [boost(1 - 1 / 4) * own, boost(1 - 2 / 4) * own];
  const norm = 1 / Math.hypot(...weights);
  // Two words have the norm 0.625, three 0.5.
  expect(found[0]![1]).toBeCloseTo(weights[0]! * norm * own * 0.625, 5);
  expect(found[1]![1]).toBeCloseTo(weights[1]! * norm * own * 0.5, 5);
});

it('finds long words that are further off than automata reach', async () => {
  const query = (fuzziness: number) => ({
    fuzzy_like_this_field: { x: { like_text: 'inernatiomol', fuzziness } },
  });
  expect((await hits(query(0.5))).map(([id]) => id)).toEqual([4, 3]);
  expect((await hits(query(0.9))).map(([id]) => id)).toEqual([]);
  expect(
    (await hits({ flt: { fields: ['x'], like_text: 'inernatiomol', fuzziness: 3 } })).map(([id]) => id),
  ).toEqual([4, 3]);
});

it('keeps the best terms, and the same prefix', async () => {
  const query = { fields: ['x'], like_text: 'rivr mil' };
  expect((await hits({ flt: { ...query, max_query_terms: 1 } })).length).toBe(1);
  expect((await hits({ flt: { ...query, prefix_length: 4 } })).map(([id]) => id)).toEqual([]);
  const scores = await hits({ flt: { fields: ['x'], like_text: 'river', ignore_tf: true } });
  expect(scores[0]![0]).toBe(0);
});

it.each([
  [{ fields: ['n'], like_text: 'x' }, "more_like_this doesn't support binary/numeric fields: [n]"],
  [{ fields: [], like_text: 'x' }, "fuzzy_like_this requires 'fields' to be non-empty"],
  [{ fields: ['x'] }, "fuzzy_like_this requires 'like_text' to be specified"],
  [{ fields: ['x'], like_text: 'x', fuzziness: 1.5 }, 'fractional edit distances are not allowed'],
])('refuses %j', async (body, text) => {
  const answer = await api.call('POST', '/a/_search', { query: { fuzzy_like_this: body } });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(text);
});
