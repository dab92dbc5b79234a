import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// What weighs in a query although it matches nothing, and which boosts are lost on the way, by Lucene 4.10's rules.

let resilin: Resilin;

beforeAll(async () => {
  resilin = await createEngine();
  await resilin.request('PUT', '/w', { settings: { number_of_shards: 1 } });
  const texts = ['a house by the sea', 'the sea', 'houses and boats', 'boats'];
  for (const [i, text] of texts.entries()) await resilin.request('PUT', `/w/t/${i}`, { text, n: i });
  await resilin.request('POST', '/w/_refresh');
});

afterAll(() => resilin.close());

async function scores(query: unknown): Promise<[string, number][]> {
  const { body } = await resilin.request('POST', '/w/_search', { query });
  const { hits } = (body as { hits: { hits: { _id: string; _score: number }[] } }).hits;
  return hits.map(({ _id, _score }) => [_id, _score]);
}

describe('a filter that lets nothing through', () => {
  const nothing = { terms: { text: [] } };

  test('still weighs as a constant score', async () => {
    const query = { bool: { should: [{ ids: { values: ['0'] } }, { constant_score: { filter: nothing } }] } };
    expect(await scores(query)).toEqual([['0', 0.35355338]]);
  });

  test('leaves the weight of the query it is put to', async () => {
    const filtered = { filtered: { query: { match_all: { boost: 2 } }, filter: nothing } };
    const query = { bool: { should: [{ ids: { values: ['0'] } }, filtered] } };
    expect(await scores(query)).toEqual([['0', 0.2236068]]);
  });
});

describe('the beginning of a phrase', () => {
  const prefix = { match_phrase_prefix: { text: { query: 'boa', boost: 9 } } };
  const term = (boost: number) => ({ term: { text: { value: 'boats', boost } } });
  const beside = (query: unknown) => ({ bool: { should: [query, { match_all: {} }] } });

  test('has no boost of its own', async () => {
    expect(await scores(beside(prefix))).toEqual(await scores(beside(term(1))));
  });

  test('has that of the query it is alone in', async () => {
    const alone = { dis_max: { queries: [prefix], boost: 0.5 } };
    expect(await scores(beside(alone))).toEqual(await scores(beside(term(0.5))));
  });
});

describe('a conjunction of three', () => {
  // Of Lucene 4.10.4: the word first, which is in two documents, then what is as long as the segment, in order.
  test.each([
    [1.6, 1.3943219],
    [2, 1.3814771],
  ])('adds what is short to Lucene first, with a boost of %d', async (boost, score) => {
    const must = [
      { match_all: { boost } },
      { range: { n: { lte: 0, boost: 0.7 } } },
      { term: { text: 'sea' } },
    ];
    expect(await scores({ bool: { must } })).toEqual([['0', score]]);
  });
});
