import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

/** `_validate/query?rewrite=true`: queries as a shard rewrites them, in Lucene's syntax. */

let api: Api;

beforeAll(async () => {
  api = await openApi(coreBytes());
  await api.call('PUT', '/a', { settings: { number_of_shards: 1 } });
  const texts = ['old mill', 'the mail', 'a river', 'the old mill by the river'];
  for (const [i, x] of texts.entries()) await api.call('PUT', `/a/t/${i}?refresh=true`, { x, y: x });
});

afterAll(() => api.close());

// Without a word of its kind, Lucene's ConstantScoreAutoRewrite makes a query of no clauses of a prefix.
it.each([
  [{ prefix: { x: 'ri' } }, 'ConstantScore(x:ri*)'],
  [{ fuzzy: { x: { value: 'rivr', fuzziness: 1 } } }, 'x:river^0.75'],
  [{ match: { x: { query: 'mil', fuzziness: 1 } } }, 'x:mail^0.6666666 x:mill^0.6666666'],
  [{ match_phrase_prefix: { x: 'old mil' } }, 'x:"old mill"'],
  [
    { more_like_this: { fields: ['x'], like_text: 'old mill', min_term_freq: 1, min_doc_freq: 1 } },
    'x:old x:mill',
  ],
  [
    { bool: { must: { prefix: { x: 'we' } }, must_not: { fuzzy: { x: 'rivr' } }, boost: 2 } },
    '(+ConstantScore() -x:river^0.75)^2.0',
  ],
  [{ multi_match: { query: 'mill', fields: ['x', 'y'] } }, '(x:mill | y:mill)'],
  [
    { filtered: { query: { match: { x: 'old mill' } }, filter: { term: { y: 'a' } } } },
    'filtered(x:old x:mill)->cache(y:a)',
  ],
  [{ fuzzy_like_this: { fields: ['x'], like_text: 'rivr', max_query_terms: 1 } }, 'x:river^0.7243211'],
])('%j', async (query, text) => {
  const answer = await api.call('POST', '/a/_validate/query?rewrite=true', { query });
  expect(answer.body).toMatchObject({
    valid: true,
    explanations: [{ index: 'a', valid: true, explanation: text }],
  });
});

it('says what a shard refuses', async () => {
  const query = { range: { x: { gte: 'a', rewrite: 'nosuch' } } };
  const answer = await api.call('POST', '/a/_validate/query?rewrite=true', { query });
  expect(answer.body).toMatchObject({ valid: false, explanations: [{ index: 'a', valid: false }] });
});

it('shows words of equal weight in one order, whether the mapping grew or was read again', async () => {
  await api.call('PUT', '/grown', { settings: { number_of_shards: 1 } });
  await api.call('PUT', '/grown/t/1?refresh=true', { z: 'tea', y: 'cup' });
  const doc = { _index: 'grown', _type: 't', doc: { z: 'tea', y: 'cup' } };
  const query = { more_like_this: { docs: [doc], min_term_freq: 1, min_doc_freq: 1 } };
  const shown = async () => {
    const { body } = await api.call('GET', '/grown/t/_validate/query?rewrite=true', { query });
    return (body as { explanations: { explanation: string }[] }).explanations[0]!.explanation;
  };
  const before = await shown();
  expect(before).toContain('y:cup z:tea');
  await api.call('POST', '/grown/_close');
  await api.call('POST', '/grown/_open');
  await api.call('GET', '/_cluster/health/grown?wait_for_status=yellow');
  expect(await shown()).toBe(before);
});
