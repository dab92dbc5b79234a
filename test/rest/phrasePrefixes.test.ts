/** `match_phrase_prefix` over words that stand at one place: Lucene's phrases are told from others by the places left out. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  const analysis = {
    analyzer: { grams: { tokenizer: 'letter', filter: ['pairs'] } },
    filter: { pairs: { type: 'nGram', min_gram: 2, max_gram: 3 } },
  };
  const properties = { s: { type: 'string', analyzer: 'grams' } };
  await resilin.request('PUT', '/a', {
    settings: { number_of_shards: 1, analysis },
    mappings: { t: { properties } },
  });
  for (const [i, s] of ['tram', 'rat', 'am'].entries())
    await resilin.request('PUT', `/a/t/${i}?refresh=true`, { s });
});
afterEach(() => resilin.close());

const find = async (query: string) => {
  const body = { query: { match_phrase_prefix: { s: { query, max_expansions: 1 } } }, sort: '_uid' };
  const { hits } = (await resilin.request('POST', '/a/_search', body)).body as {
    hits: { hits: { _id: string }[] };
  };
  return hits.hits.map(({ _id }) => _id);
};

// Lucene 4.10.4 over these documents, asked once by hand.
it('words that stand alone are taken as they are, however many they are', async () => {
  expect(await find('tram')).toEqual(['0', '1', '2']);
});

it('words behind one that is left out are prefixes, of which few are used', async () => {
  expect(await find('x tram')).toEqual(['0']);
});
