/** Phrases hold fragments together, also where their words count everywhere, and beyond the end of a text: as Lucene 4.10.4. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
});
afterAll(() => resilin.close());

const near = (...terms: string[]) => ({
  span_near: { clauses: terms.map((term) => ({ span_term: { f: term } })), slop: 0, in_order: false },
});

async function fragments(
  values: readonly (string | string[])[],
  query: unknown,
  options: object,
): Promise<string[][]> {
  const f = { type: 'string', analyzer: 'whitespace' };
  await resilin.request('PUT', '/w', {
    settings: { number_of_shards: 1 },
    mappings: { t: { properties: { f } } },
  });
  for (const [id, value] of values.entries()) await resilin.request('PUT', `/w/t/${id}`, { f: value });
  await resilin.request('POST', '/w/_refresh');
  const highlight = { highlight_query: query, fields: { f: options } };
  const { body } = await resilin.request('POST', '/w/_search', { highlight });
  await resilin.request('DELETE', '/w');
  const { hits } = body as { hits: { hits: { highlight?: { f: string[] } }[] } };
  return hits.hits.map((hit) => hit.highlight?.f ?? []);
}

test('words that count everywhere hold a fragment where a phrase has them', async () => {
  const text = 'c fox. ffff brown ffff b eee a  lazy, dd c dd  c brown b ffff';
  const should = [{ term: { f: 'brown' } }, { term: { f: 'lazy,' } }, near('brown', 'c')];
  const options = { number_of_fragments: 4, fragment_size: 8, order: 'score' };
  expect(await fragments([text], { bool: { should } }, options)).toEqual([
    ['  <em>c</em> <em>brown</em> b ffff', ' <em>brown</em> ffff', '  <em>lazy,</em>'],
  ]);
});

test('a phrase that a text ends within holds the next text together, of the same hit and of the next', async () => {
  const values = [
    'lazy, eee dd c lazy, b eee ffff brown ffff fox. lazy, brown fox.  a quick c quick lazy, a b fox. ffff lazy, eee c  dd dd  b quick',
    'b lazy, b  c lazy, dd a fox. ffff quick quick lazy, a c lazy, brown  brown lazy, brown ffff  eee b fox.',
    'ffff a brown b dd  c  c lazy, b fox. a b  quick  lazy, fox.  ffff dd a quick c quick',
  ];
  const marked = [
    [' quick c quick lazy, a <em>b</em>', ' <em>fox.</em> ffff lazy, eee c'],
    ['  brown lazy, brown ffff  eee <em>b</em> <em>fox.</em>'],
    [
      'ffff a brown b dd  c  c lazy, <em>b</em> <em>fox.</em> a <em>b</em>  quick  lazy, fox.  ffff dd a quick c quick',
    ],
  ];
  const query = { match_phrase: { f: { query: 'fox. b', slop: 1 } } };
  const options = { number_of_fragments: 4, fragment_size: 23 };
  expect(await fragments([values], query, options)).toEqual([marked.flat()]);
  expect(await fragments(values, query, options)).toEqual(marked);
});
