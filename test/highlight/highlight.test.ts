import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { highlights, HARBOUR as TEXT } from './highlighter.js';

const BOTH = { match: { f: 'harbour boats' } };

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  await resilin.request('PUT', '/h', {
    settings: { number_of_shards: 1 },
    mappings: {
      t: {
        properties: {
          f: { type: 'string', fields: { en: { type: 'string', analyzer: 'english' } } },
          g: { type: 'string' },
          hidden: { type: 'string', index: 'no' },
          kept: { type: 'string', store: true },
        },
        _source: { excludes: ['kept'] },
      },
    },
  });
  await resilin.request('PUT', '/h/t/1', { f: TEXT, g: 'no water', hidden: 'harbour', kept: 'a harbour' });
  await resilin.request('PUT', '/h/t/2?refresh=true', {
    f: ['short harbour', 'nothing', 'harbour <b> third'],
  });
});
afterAll(() => resilin.close());

/** The fragments are what Elasticsearch 1.7.3 answered, asked for the same of the same text. */
describe('fragments of a long text', () => {
  test.each([
    [
      {},
      [
        'The <em>harbour</em> was quiet. Two <em>boats</em> came in with the morning tide, and the <em>harbour</em> master wrote their',
        ' wind turned; the <em>boats</em> stayed in the <em>harbour</em> for a week, and the <em>harbour</em> filled with talk.',
        ' names in his book. Nobody in the <em>harbour</em> remembered a winter as mild as this one! Later that day the',
      ],
    ],
    [
      { fragment_size: 40, number_of_fragments: 3 },
      [
        'The <em>harbour</em> was quiet. Two <em>boats</em> came',
        ' in with the morning tide, and the <em>harbour</em>',
        '. Nobody in the <em>harbour</em> remembered a winter',
      ],
    ],
    [
      { order: 'score', fragment_size: 60, number_of_fragments: 2 },
      [
        'The <em>harbour</em> was quiet. Two <em>boats</em> came in with the morning',
        ' tide, and the <em>harbour</em> master wrote their names in his book',
      ],
    ],
    [{ number_of_fragments: 0 }, [TEXT.replace(/harbour|boats/g, '<em>$&</em>')]],
  ])('%j', async (options, f) => {
    expect(await highlights(resilin, '1', BOTH, { fields: { f: options } })).toEqual({ f });
  });
});

describe('terms', () => {
  const near = (slop: number) => ({
    span_near: {
      clauses: [{ span_term: { f: 'harbour' } }, { span_term: { f: 'quiet' } }],
      slop,
      in_order: true,
    },
  });
  test.each([
    [{ match_phrase: { f: 'harbour master' } }, ['harbour', 'master']],
    [{ match_phrase: { f: { query: 'quiet harbour', slop: 3 } } }, ['harbour', 'quiet']],
    [{ match_phrase_prefix: { f: 'the wi' } }, ['the', 'wind']],
    [{ prefix: { f: 'rememb' } }, ['remembered']],
    [{ wildcard: { f: 'b?ok' } }, ['book']],
    [{ regexp: { f: 'b(oo|a)k' } }, ['book']],
    [{ fuzzy: { f: 'wimd' } }, ['wind']],
    [near(1), ['harbour', 'quiet']],
    [near(0), undefined],
    [{ bool: { must_not: [{ match: { f: 'nothing' } }], must: [{ term: { f: 'book' } }] } }, ['book']],
    [{ match: { f: 'nothing' } }, undefined],
    [{ constant_score: { filter: { term: { f: 'harbour' } } } }, undefined],
  ])('of %j', async (query, terms) => {
    const or = { bool: { should: [query, { match_all: {} }] } };
    const found = await highlights(resilin, '1', or, { fields: { f: { number_of_fragments: 0 } } });
    const [text] = (found as { f: string[] } | undefined)?.f ?? [];
    expect(text?.match(/(?<=<em>)\w+/g)?.map(String)).toEqual(terms);
  });
});

describe('options', () => {
  const HARBOUR = { match: { f: 'harbour' } };
  test.each([
    [
      'tags and encoder',
      { pre_tags: ['['], post_tags: [']'], encoder: 'html', fields: { f: {} } },
      { f: ['short [harbour]', '[harbour] &lt;b&gt; third'] },
    ],
    [
      'styled tags',
      { tags_schema: 'styled', fields: [{ f: { number_of_fragments: 1 } }] },
      { f: ['short <em class="hlt1">harbour</em>'] },
    ],
    [
      'multi-fields by pattern',
      { fields: { 'f.*': {} } },
      { 'f.en': ['short <em>harbour</em>', '<em>harbour</em> <b> third'] },
    ],
    [
      'a query of its own',
      { highlight_query: { match: { f: 'third' } }, fields: { f: {} } },
      { f: ['harbour <b> <em>third</em>'] },
    ],
    ['fields that are not there', { fields: { nosuch: {}, g: {} } }, undefined],
    [
      'an unknown type',
      { fields: { f: { type: 'nosuch' } } },
      expect.stringContaining(
        'ElasticsearchIllegalArgumentException[unknown highlighter type [nosuch] for the field [f]]',
      ),
    ],
    [
      'vectors that are not there',
      { fields: { f: { type: 'fvh' } } },
      expect.stringContaining(
        'the field [f] should be indexed with term vector with position offsets to be used',
      ),
    ],
  ])('%s', async (_, highlight, expected) => {
    expect(await highlights(resilin, '2', HARBOUR, highlight)).toEqual(expected);
  });

  test('other fields than the one searched, unless that is asked for', async () => {
    const fields = { hidden: {}, kept: {}, g: { no_match_size: 4 } };
    expect(await highlights(resilin, '1', HARBOUR, { fields })).toEqual({
      hidden: ['<em>harbour</em>'],
      kept: ['a <em>harbour</em>'],
      g: ['no'],
    });
    expect(await highlights(resilin, '1', HARBOUR, { require_field_match: true, fields })).toEqual({
      g: ['no'],
    });
  });
});

describe('`_all`', () => {
  const highlighted = async (all: object, options: object) => {
    const mappings = {
      t: {
        _all: { store: true, ...all },
        properties: { secret: { type: 'string', include_in_all: false } },
      },
    };
    await resilin.request('PUT', '/a', { settings: { number_of_shards: 1 }, mappings });
    const source = { a: 'Small boat', n: 7, secret: 'boat', o: [{ x: ['two', 'oars'] }, { x: 'a boat' }] };
    await resilin.request('PUT', '/a/t/1?refresh=true', source);
    const { body } = await resilin.request('POST', '/a/_search', {
      query: { match: { _all: 'boat' } },
      highlight: { fields: { _all: options } },
    });
    await resilin.request('DELETE', '/a');
    return (body as { hits: { hits: { highlight?: { _all: string[] } }[] } }).hits.hits[0]!.highlight?._all;
  };
  const all = ['Small <em>boat</em> 7 two oars a <em>boat</em> '];

  test('is highlighted where it is stored', async () => {
    expect(await highlighted({}, {})).toEqual(all);
    expect(await highlighted({ term_vector: 'with_positions_offsets' }, {})).toEqual(all);
    expect(await highlighted({}, { force_source: true })).toBeUndefined();
    expect(await highlighted({ store: false }, {})).toBeUndefined();
  });
});
