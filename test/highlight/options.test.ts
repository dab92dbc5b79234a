/** Options of highlighting and what they reach, as Elasticsearch 1.7.3 has them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { highlights } from './highlighter.js';

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  const text = { type: 'string' };
  await resilin.request('PUT', '/h', {
    settings: { number_of_shards: 1 },
    mappings: {
      t: {
        properties: {
          title: text,
          loc: { type: 'geo_point' },
          flag: { type: 'boolean' },
          bin: { type: 'binary' },
          n: { type: 'integer' },
          sug: { type: 'completion' },
          v: { ...text, term_vector: 'with_positions_offsets' },
          p: { ...text, index_options: 'offsets' },
          nest: { type: 'nested', properties: { name: { ...text, store: true }, plain: text } },
        },
      },
    },
  });
  await resilin.request('PUT', '/h/t/1', {
    title: 'quick fox',
    loc: '38.4,-71',
    flag: true,
    bin: 'aGVsbG8=',
    n: 1,
    sug: 'Foxes run',
    v: 'quick brown fox',
    p: 'Quick fox.',
    nest: { name: 'quick', plain: 'quick' },
  });
  await resilin.request('PUT', '/h/t/2?refresh=true', { title: 'brown brown red brown' });
});
afterAll(() => resilin.close());

const QUICK = { match: { title: 'quick' } };

test.each(['x', null, []])(
  '%j in place of options takes the end of the body for its own',
  async (highlight) => {
    expect(await highlights(resilin, '1', QUICK, highlight)).toContain(
      'nested: ElasticsearchParseException[End of query source reached but query is not complete.]',
    );
  },
);

describe('tags', () => {
  test.each([
    ['before alone', { pre_tags: ['<b>'], fields: { title: {} } }, '<b>quick</em> fox'],
    [
      'that are no arrays are read over',
      { pre_tags: '<b>', post_tags: '</b>', fields: { title: {} } },
      '<em>quick</em> fox',
    ],
    [
      'of a schema belong to all fields',
      { fields: { title: { tags_schema: 'styled' } } },
      '<em>quick</em> fox',
    ],
    ['encoders do too', { pre_tags: ['<'], fields: { title: { encoder: 'html' } } }, '<quick</em> fox'],
  ])('%s', async (_, highlight, title) => {
    expect(await highlights(resilin, '1', QUICK, highlight)).toEqual({ title: [title] });
  });

  test.each([
    ['plain', 'title', 'ArrayIndexOutOfBoundsException'],
    ['postings', 'title', 'should be indexed with positions and offsets in the postings list'],
  ])('none at all for the %s highlighter', async (type, field, error) => {
    const highlight = { pre_tags: [], fields: { [field]: { type } } };
    expect(await highlights(resilin, '1', QUICK, highlight)).toContain(error);
  });
});

describe('fields', () => {
  test('a pattern reaches everything with a text, and what is stored in nested documents only there', async () => {
    const found = await highlights(
      resilin,
      '1',
      { match_all: {} },
      { no_match_size: 20, fields: { '*': {} } },
    );
    expect(found).toEqual({
      title: ['quick fox'],
      loc: ['38.4,-71'],
      flag: ['true'],
      bin: ['aGVsbG8'],
      sug: ['Foxes run'],
      v: ['quick brown fox'],
      p: ['Quick fox.'],
      'nest.plain': ['quick'],
    });
  });

  test('without options are none, and a type in front of a name is no part of it', async () => {
    const highlight = { no_match_size: 20, fields: { title: 'x', 't.title': {} } };
    expect(await highlights(resilin, '1', QUICK, highlight)).toBeUndefined();
  });

  test('of an array with two in one object are refused', async () => {
    const error = await highlights(resilin, '1', QUICK, { fields: [{ title: {}, v: {} }] });
    expect(error).toContain('Parse Failure [Error while trying to parse Highlighter element in request]');
  });

  test('named twice keep the highlighter of the first time', async () => {
    const fields = { title: { highlight_query: { match: { title: 'fox' } } }, 'ti*': { pre_tags: ['<b>'] } };
    expect(await highlights(resilin, '1', QUICK, { fields })).toEqual({ title: ['quick <em>fox</em>'] });
  });

  test('with -1 for a number go by what is said of all', async () => {
    const highlight = { fragment_size: 5, fields: { v: { fragment_size: -1, type: 'plain' } } };
    const found = await highlights(resilin, '1', { match: { v: 'quick brown fox' } }, highlight);
    expect(found).toEqual({ v: [' <em>brown</em> <em>fox</em>', '<em>quick</em>'] });
  });
});

describe('terms', () => {
  test.each([
    ['a range of numbers', { range: { n: { lt: 10 } } }],
    ['a range without bounds', { range: { n: {} } }],
    [
      'more_like_this of terms in many documents',
      { more_like_this: { like_text: 'quick', fields: ['title'] } },
    ],
  ])('%s has none', async (_, query) => {
    const or = { bool: { should: [query, { match_all: {} }] } };
    expect(await highlights(resilin, '1', or, { fields: { title: {} } })).toBeUndefined();
  });

  const like = { like_text: 'quick thinking', fields: ['title'], min_term_freq: 1, min_doc_freq: 1 };
  test.each([
    ['more_like_this', { more_like_this: like }, '<em>quick</em> fox'],
    ['fuzzy_like_this', { flt: { like_text: 'quik dog', fields: ['title'] } }, '<em>quick</em> <em>fox</em>'],
  ])('%s', async (_, query, title) => {
    expect(await highlights(resilin, '1', query, { fields: { title: {} } })).toEqual({ title: [title] });
  });

  const nested = { nested: { path: 'nest', query: { match: { 'nest.plain': 'quick' } } } };
  test('of queries for nested documents are none for the fast vector highlighter', async () => {
    const fields = { v: {}, p: {}, title: {} };
    expect(await highlights(resilin, '1', nested, { fields })).toEqual({
      p: ['<em>Quick</em> fox.'],
      title: ['<em>quick</em> fox'],
    });
  });

  test('of a prefix are some for the postings highlighter only where it stands alone', async () => {
    const prefix = { prefix: { p: 'qui' } };
    expect(await highlights(resilin, '1', prefix, { fields: { p: {} } })).toBeUndefined();
    const marked = { p: ['<em>Quick</em> fox.'] };
    const alone = { p: { highlight_query: prefix } };
    expect(await highlights(resilin, '1', prefix, { fields: alone })).toEqual(marked);
    const scoring = { prefix: { p: { value: 'qui', rewrite: 'scoring_boolean' } } };
    expect(await highlights(resilin, '1', scoring, { fields: { p: {} } })).toEqual(marked);
  });

  test('span_first marks every span within its bound', async () => {
    const query = { span_first: { match: { span_term: { title: 'brown' } }, end: 2 } };
    const found = await highlights(resilin, '2', query, { fields: { title: {} } });
    expect(found).toEqual({ title: ['<em>brown</em> <em>brown</em> red brown'] });
  });
});

describe('a highlighter that the mapping has nothing for', () => {
  const fields = { title: { type: 'fvh' } };
  const search = async (index: string, body: object) =>
    (await resilin.request('POST', `/${index}/_search`, body)).body as {
      error?: string;
      _shards: { failed: number; failures: { reason: string; status: number }[] };
      hits: { total: number; hits: { _id: string }[] };
    };

  test('is no matter where nothing is highlighted', async () => {
    const found = await search('h', { query: { match: { title: 'nosuch' } }, highlight: { fields } });
    expect(found).toMatchObject({ _shards: { failed: 0 }, hits: { total: 0 } });
    expect(await search('h', { size: 0, highlight: { fields } })).toMatchObject({ hits: { total: 2 } });
  });

  test('fails the only shard', async () => {
    const { error } = await search('h', { query: QUICK, highlight: { fields } });
    expect(error).toContain('Failed to execute phase [query_fetch], all shards failed');
  });

  test('of several shards fails those with hits, whose hits are left out', async () => {
    await resilin.request('PUT', '/other', { settings: { number_of_shards: 1 } });
    await resilin.request('PUT', '/other/u/9?refresh=true', { name: 'quick' });
    const found = await search('h,other', { highlight: { fields } });
    expect(found.hits).toMatchObject({ total: 3, hits: [{ _id: '9' }] });
    expect(found._shards.failures).toEqual([
      {
        index: 'h',
        shard: 0,
        status: 400,
        reason:
          'ElasticsearchIllegalArgumentException[the field [title] should be indexed with term vector with position offsets to be used with fast vector highlighter]',
      },
    ]);
  });

  test('of all shards decides the status, though 1.7 counts what was found', async () => {
    const failing = { type: 'string' };
    for (const index of ['one', 'two']) {
      const mappings = { t: { properties: { title: failing } } };
      await resilin.request('PUT', `/${index}`, { settings: { number_of_shards: 1 }, mappings });
      await resilin.request('PUT', `/${index}/t/1?refresh=true`, { title: 'quick' });
    }
    const body = { query: QUICK, highlight: { fields } };
    const answer = await resilin.request('POST', '/one,two/_search', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { _shards: { successful: 0, failed: 2 }, hits: { total: 2, hits: [] } },
    });
    const lines = `{"index":"one,two"}\n${JSON.stringify(body)}\n`;
    expect(await resilin.request('POST', '/_msearch', lines)).toMatchObject({
      status: 200,
      body: { responses: [{ _shards: { failed: 2 } }] },
    });
    // One that fails nothing is a success.
    await resilin.request('PUT', '/none', { settings: { number_of_shards: 1 } });
    expect((await resilin.request('POST', '/one,none/_search', body)).status).toBe(200);
  });

  test('of too small fragments says in which search', async () => {
    const highlight = { fields: { v: { fragment_size: 5 } } };
    const { error } = await search('h', { query: { match: { v: 'fox' } }, highlight });
    expect(error).toContain(
      'FetchPhaseExecutionException[[h][0]: query[filtered(v:fox)->cache(org.elasticsearch.index.search.nested.NonNestedDocsFilter@',
    );
    expect(error).toContain(
      'from[0],size[10]: Fetch Failed [Failed to highlight field [v]]]; nested: IllegalArgumentException[fragCharSize(5) is too small. It must be 18 or higher.]; ',
    );
  });
});
