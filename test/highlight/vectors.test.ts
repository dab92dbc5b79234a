import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sentenceEnds } from '../../host/highlight/sentences.js';
import { createEngine, type Resilin } from '../../host/index.js';
import { highlights, HARBOUR as TEXT } from './highlighter.js';

const VALUES = ['short harbour', 'second value', 'harbour third'];

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  await resilin.request('PUT', '/h', {
    settings: { number_of_shards: 1 },
    mappings: {
      t: {
        properties: {
          v: { type: 'string', term_vector: 'with_positions_offsets' },
          en: { type: 'string', analyzer: 'english', term_vector: 'with_positions_offsets' },
          p: { type: 'string', index_options: 'offsets' },
        },
      },
    },
  });
  await resilin.request('PUT', '/h/t/1', { v: TEXT, en: TEXT, p: TEXT });
  await resilin.request('PUT', '/h/t/2?refresh=true', { v: VALUES, p: VALUES });
});
afterAll(() => resilin.close());

/** The fragments are what Elasticsearch 1.7.3 answered, asked for the same of the same texts. */
describe('the fast vector highlighter', () => {
  test.each([
    [
      {},
      [
        'The <em>harbour</em> was quiet. Two <em>boats</em> came in with the morning tide, and the <em>harbour</em> master wrote their names',
        'in the <em>harbour</em> remembered a winter as mild as this one! Later that day the wind turned; the <em>boats</em> stayed',
        'stayed in the <em>harbour</em> for a week, and the <em>harbour</em> filled with talk.',
      ],
      ['short <em>harbour</em>', '<em>harbour</em> third'],
    ],
    [
      { order: 'score', fragment_size: 60, number_of_fragments: 2 },
      [
        'The <em>harbour</em> was quiet. Two <em>boats</em> came in with the morning tide',
        'wind turned; the <em>boats</em> stayed in the <em>harbour</em> for a week, and the',
      ],
      ['short <em>harbour</em>', '<em>harbour</em> third'],
    ],
    [
      { boundary_chars: '.,!', boundary_max_scan: 30, fragment_size: 30 },
      [
        'The <em>harbour</em> was quiet. Two boa',
        'e, and the <em>harbour</em> master wrote their names in his book',
        ' Nobody in the <em>harbour</em> remembered a winter as mild as this one',
        ' Later that day the wind turned; the <em>boats</em> stayed in the harbour for a week',
        'e <em>harbour</em> for a week, and the harbour filled with talk',
      ],
      ['short <em>harbour</em>'],
    ],
    [
      { phrase_limit: 1 },
      [
        'The <em>harbour</em> was quiet. Two boats came in with the morning tide, and the harbour master wrote their names',
      ],
      ['short <em>harbour</em>'],
    ],
    [
      { number_of_fragments: 0 },
      [TEXT.replace(/harbour|boats/g, '<em>$&</em>')],
      ['short <em>harbour</em>', '<em>harbour</em> third'],
    ],
  ])('%j', async (options, long, several) => {
    const query = { match: { v: 'harbour boats' } };
    expect(await highlights(resilin, '1', query, { fields: { v: options } })).toEqual({ v: long });
    expect(await highlights(resilin, '2', query, { fields: { v: options } })).toEqual({ v: several });
  });

  test('a phrase is marked as one', async () => {
    const query = { match_phrase: { v: 'harbour master' } };
    expect(await highlights(resilin, '1', query, { fields: { v: { fragment_size: 30 } } })).toEqual({
      v: ['and the <em>harbour master</em> wrote their'],
    });
  });

  test('takes one of several tags by the part of the query', async () => {
    const query = { match: { v: 'boats harbour' } };
    const highlight = {
      pre_tags: ['<1>', '<2>'],
      post_tags: ['</1>', '</2>'],
      fields: { v: { fragment_size: 40, number_of_fragments: 1 } },
    };
    expect(await highlights(resilin, '1', query, highlight)).toEqual({
      v: ['The <2>harbour</2> was quiet. Two <1>boats</1> came in'],
    });
  });

  test('marks what another field of the same text finds', async () => {
    const query = { match: { en: 'remembering' } };
    const highlight = { fields: { v: { matched_fields: ['v', 'en'], fragment_size: 18 } } };
    expect(await highlights(resilin, '1', query, highlight)).toEqual({
      v: ['harbour <em>remembered</em> a winter'],
    });
  });

  test('refuses fragments with no room for a term', async () => {
    const query = { match: { v: 'harbour' } };
    expect(await highlights(resilin, '1', query, { fields: { v: { fragment_size: 17 } } })).toContain(
      'fragCharSize(17) is too small. It must be 18 or higher.',
    );
  });
});

describe('the postings highlighter', () => {
  const query = { match: { p: 'harbour boats' } };

  test('gives the best sentences in the order of the text', async () => {
    expect(await highlights(resilin, '1', query, { fields: { p: {} } })).toEqual({
      p: [
        'The <em>harbour</em> was quiet.',
        'Two <em>boats</em> came in with the morning tide, and the <em>harbour</em> master wrote their names in his book.',
        'Nobody in the <em>harbour</em> remembered a winter as mild as this one!',
        'Later that day the wind turned; the <em>boats</em> stayed in the <em>harbour</em> for a week, and the <em>harbour</em> filled with talk.',
      ],
    });
    expect(await highlights(resilin, '1', query, { fields: { p: { number_of_fragments: 1 } } })).toEqual({
      p: [
        'Later that day the wind turned; the <em>boats</em> stayed in the <em>harbour</em> for a week, and the <em>harbour</em> filled with talk.',
      ],
    });
  });

  test('takes values for sentences, or each value whole', async () => {
    const marked = { p: ['short <em>harbour</em>', '<em>harbour</em> third'] };
    expect(await highlights(resilin, '2', query, { fields: { p: {} } })).toEqual(marked);
    expect(await highlights(resilin, '2', query, { fields: { p: { number_of_fragments: 0 } } })).toEqual(
      marked,
    );
  });

  test('gives the first sentence where nothing is found', async () => {
    const highlight = { fields: { p: { no_match_size: 5, highlight_query: { match: { p: 'nothing' } } } } };
    expect(await highlights(resilin, '1', query, highlight)).toEqual({ p: ['The harbour was quiet.'] });
  });
});

test('what a constant score stands around is marked if it is a query', async () => {
  const match = { match: { v: 'quiet' } };
  const highlight = { fields: { v: { fragment_size: 18 } } };
  expect(await highlights(resilin, '1', { constant_score: { query: match } }, highlight)).toEqual({
    v: ['harbour was <em>quiet</em>. Two boats'],
  });
  expect(
    await highlights(resilin, '1', { constant_score: { filter: { term: { v: 'quiet' } } } }, highlight),
  ).toBe(undefined);
});

describe('sentences', () => {
  test.each([
    ['One. Two', ['One. ', 'Two']],
    ['Version 1.7 is old. it says', ['Version 1.7 is old. it says']],
    ['"Stop!" he said. (Then) "Go."', ['"Stop!" ', 'he said. ', '(Then) "Go."']],
    ['a\u2029b', ['a\u2029', 'b']],
    ['...', ['...']],
    ['', []],
  ])('%j', (text, sentences) => {
    let from = 0;
    const found = sentenceEnds(text).map((end) => {
      const sentence = text.slice(from, end);
      from = end;
      return sentence;
    });
    expect(found).toEqual(sentences);
  });
});
