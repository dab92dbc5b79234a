import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
interface Vectors {
  found: boolean;
  _version: number;
  term_vectors: Record<string, { field_statistics?: unknown; terms: Record<string, unknown> }>;
}
const vectors = async (uri: string, body?: unknown) => (await call('GET', uri, body)).body as Vectors;

beforeAll(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  const properties = {
    full: { type: 'string', term_vector: 'with_positions_offsets' },
    pos: { type: 'string', term_vector: 'with_positions', position_offset_gap: 5 },
    yes: { type: 'string', term_vector: 'yes' },
    plain: { type: 'string' },
    exact: { type: 'string', index: 'not_analyzed' },
    n: { type: 'long' },
    i: { type: 'integer' },
    d: { type: 'date' },
    f: { type: 'double' },
  };
  await call('PUT', '/tv', { settings, mappings: { t: { properties } } });
  const first = {
    full: 'tea for two, two for tea',
    pos: ['one two', 'one'],
    yes: 'a b a',
    plain: 'old tea',
    exact: 'Old Tea',
  };
  await call('PUT', '/tv/t/1', { ...first, n: '9007199254740993', i: 3, d: '2014-06-01', f: -1.5 });
  await call('PUT', '/tv/t/2', {
    full: 'tea alone',
    pos: 'one',
    yes: 'b',
    plain: 'tea tea',
    n: -5,
    d: '2014-01-01',
    f: 2,
  });
  await call('POST', '/tv/_refresh');
});
afterAll(() => resilin.close());

describe('term vectors', () => {
  it('show what the mapping keeps, with what the index knows', async () => {
    const { term_vectors: found } = await vectors('/tv/t/1/_termvector?term_statistics=true');
    expect(Object.keys(found).sort()).toEqual(['full', 'pos', 'yes']);
    expect(found.full!.field_statistics).toEqual({ sum_doc_freq: 5, doc_count: 2, sum_ttf: 8 });
    expect(found.full!.terms.two).toEqual({
      doc_freq: 1,
      ttf: 2,
      term_freq: 2,
      tokens: [
        { position: 2, start_offset: 8, end_offset: 11 },
        { position: 3, start_offset: 13, end_offset: 16 },
      ],
    });
    expect(found.pos!.terms.one).toEqual({
      doc_freq: 2,
      ttf: 3,
      term_freq: 2,
      tokens: [{ position: 0 }, { position: 7 }],
    });
    expect(found.yes!.terms.a).toEqual({ doc_freq: 1, ttf: 2, term_freq: 2 });
  });

  it('are made for fields that are asked for', async () => {
    const { term_vectors: found } = await vectors('/tv/t/1/_termvector', {
      fields: ['pl*', 'exact', 'n'],
      positions: false,
    });
    expect(found).toEqual({
      plain: {
        field_statistics: { sum_doc_freq: 3, doc_count: 2, sum_ttf: 4 },
        terms: {
          old: { term_freq: 1, tokens: [{ start_offset: 0, end_offset: 3 }] },
          tea: { term_freq: 1, tokens: [{ start_offset: 4, end_offset: 7 }] },
        },
      },
      exact: {
        field_statistics: { sum_doc_freq: 1, doc_count: 1, sum_ttf: -1 },
        terms: { 'Old Tea': { term_freq: 1, tokens: [{ start_offset: 0, end_offset: 7 }] } },
      },
    });
  });

  it('are made of documents that are given', async () => {
    const body = {
      doc: { plain: 'Old new' },
      field_statistics: false,
      term_statistics: true,
      per_field_analyzer: { plain: 'keyword' },
    };
    const { term_vectors: found, _version } = await vectors('/tv/t/_termvector', body);
    expect([_version, found]).toEqual([
      0,
      {
        plain: {
          terms: { 'Old new': { term_freq: 1, tokens: [{ position: 0, start_offset: 0, end_offset: 7 }] } },
        },
      },
    ]);
  });

  it('come in one answer for many documents', async () => {
    const docs = [
      { _index: 'tv', _type: 't', _id: '2', fields: ['yes'], field_statistics: false },
      { _index: 'tv', _type: 't', _id: '9' },
      { _index: 'none', _type: 't', _id: '1' },
    ];
    expect((await call('POST', '/_mtermvectors', { docs })).body).toMatchObject({
      docs: [
        { found: true, term_vectors: { yes: { terms: { b: { term_freq: 1 } } } } },
        { found: false, _version: 0 },
        { error: '[none] missing' },
      ],
    });
    expect((await call('POST', '/tv/t/1/_termvector', { unheard: 1 })).status).toBe(400);
  });
});

describe('field statistics', () => {
  it('tell the bounds of fields, digits and all', async () => {
    const text = JSON.stringify((await call('GET', '/tv/_field_stats?fields=n,i,d,f,plain')).body);
    const { indices } = JSON.parse(text) as { indices: { _all: { fields: Record<string, unknown> } } };
    const { fields } = indices._all;
    expect(fields.d).toEqual({
      max_doc: 2,
      doc_count: 2,
      density: 100,
      sum_doc_freq: 8,
      sum_total_term_freq: -1,
      min_value: '2014-01-01T00:00:00.000Z',
      max_value: '2014-06-01T00:00:00.000Z',
    });
    expect(fields.f).toMatchObject({ min_value: -1.5, max_value: 2 });
    expect(fields.i).toMatchObject({ doc_count: 1, density: 50, sum_doc_freq: 4, min_value: 3 });
    expect(fields.plain).toMatchObject({
      sum_doc_freq: 3,
      sum_total_term_freq: 4,
      min_value: 'old',
      max_value: 'tea',
    });
    expect(fields.n).toMatchObject({ min_value: -5 });
  });

  it("refuse fields that aren't there", async () => {
    const { body } = await call('GET', '/tv/_field_stats?fields=x&level=indices');
    expect(JSON.stringify(body)).toContain("IllegalArgumentException[field [x] doesn't exist]");
    expect((await call('GET', '/tv/_field_stats?level=x')).status).toBe(400);
  });
});

describe('more like this', () => {
  it('finds documents like one that is there', async () => {
    const uri = '/tv/t/1/_mlt?mlt_fields=full&min_term_freq=1&min_doc_freq=1';
    const ids = async (more = '') => {
      const { body } = await call('GET', uri + more);
      return (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id);
    };
    expect(await ids()).toEqual(['2']);
    expect(await ids('&include=true')).toEqual(['1', '2']);
    expect(await ids('&search_from=1')).toEqual([]);
    expect((await call('GET', '/tv/t/9/_mlt')).body).toMatchObject({
      error: 'DocumentMissingException[[_na][_na] [t][9]: document missing]',
      status: 404,
    });
    expect((await call('GET', '/tv/t/1/_mlt?mlt_fields=none')).status).toBe(500);
  });

  it('are made with the default analyzer where the one that is named is not there', async () => {
    const body = { doc: { plain: 'Tea' }, fields: ['plain'], per_field_analyzer: { plain: 'nosuch' } };
    const found = (await call('POST', '/tv/t/_termvector', body)).body as {
      term_vectors: Record<string, { terms: object }>;
    };
    expect(Object.keys(found.term_vectors.plain!.terms)).toEqual(['tea']);
  });

  it('are left out of likeness where the document or its index is not there', async () => {
    const like = (docs: unknown) => ({ query: { more_like_this: { fields: ['full'], docs } } });
    const asked = like([{ _index: 'nosuch', _type: 't', _id: '1' }, { _id: 'nosuch' }]);
    expect(await call('POST', '/tv/_search', asked)).toMatchObject({
      status: 200,
      body: { hits: { total: 0 } },
    });
  });
});

describe('payloads', () => {
  const ONE = { number_of_shards: 1, number_of_replicas: 0 };
  const filter = {
    floats: { type: 'delimited_payload_filter' },
    ints: { type: 'delimited_payload_filter', encoding: 'int', delimiter: '#' },
    texts: { type: 'delimited_payload_filter', encoding: 'identity' },
  };
  const chains: [
    name: string,
    filters: string[],
    text: string,
    payloads: Record<string, string | undefined>,
  ][] = [
    [
      'floats',
      ['floats', 'lowercase'],
      'One|1.0 two|x three|-2.5',
      { one: 'P4AAAA==', two: undefined, three: 'wCAAAA==' },
    ],
    ['ints', ['ints'], 'a#7 b|7 c#-1', { a: 'AAAABw==', 'b|7': undefined, c: '/////w==' }],
    ['texts', ['lowercase', 'texts'], 'A|NOUN b', { a: 'bm91bg==', b: undefined }],
    ['types', ['type_as_payload'], 'x', { x: 'd29yZA==' }],
  ];

  it.each(chains)('of %s are shown where the mapping keeps them', async (_, filters, text, payloads) => {
    const resilin = await createEngine();
    const analysis = { filter, analyzer: { marked: { tokenizer: 'whitespace', filter: filters } } };
    const field = (term_vector: string) => ({ type: 'string', analyzer: 'marked', term_vector });
    const properties = { f: field('with_positions_offsets_payloads'), g: field('with_positions_offsets') };
    await resilin.request('PUT', '/a', { settings: { ...ONE, analysis }, mappings: { t: { properties } } });
    await resilin.request('PUT', '/a/t/1?refresh=true', { f: text, g: text });
    const tokens = async (query: string, name: 'f' | 'g') => {
      const { body } = await resilin.request('GET', `/a/t/1/_termvector?fields=f,g&${query}`);
      const { terms } = (body as { term_vectors: Record<string, { terms: Record<string, unknown> }> })
        .term_vectors[name]!;
      return Object.fromEntries(
        Object.entries(terms).map(([term, of]) => [
          term,
          (of as { tokens: { payload?: string }[] }).tokens[0]!.payload,
        ]),
      );
    };
    expect(await tokens('', 'f')).toEqual(payloads);
    for (const shown of [tokens('payloads=false', 'f'), tokens('', 'g')])
      expect(Object.values(await shown).every((payload) => payload === undefined)).toBe(true);
    await resilin.close();
  });
});

describe('requests for several', () => {
  const refused = async (body: unknown) =>
    ((await call('GET', '/_mtermvectors', body)).body as { error: string }).error;

  it('say what each document lacks, and refuse what is no part of them', async () => {
    expect(await refused({ docs: [{ _index: 'tv', _type: 't', _id: '1' }, { _index: 'tv' }] })).toBe(
      'ActionRequestValidationException[Validation Failed: 1: type is missing;2: id or doc is missing;3: at multi term vectors for doc 1;]',
    );
    expect(await refused({ docs: [1] })).toBe(
      'ElasticsearchIllegalArgumentException[docs array element should include an object]',
    );
    expect(await refused({ ids: [{}] })).toBe(
      'ElasticsearchIllegalArgumentException[ids array element should only contain ids]',
    );
    expect(await refused({ some: [] })).toBe(
      'ElasticsearchParseException[No parameter named someand type ARRAY]',
    );
    expect(await refused({ some: {} })).toBe(
      'ElasticsearchParseException[No parameter named someand type OBJECT]',
    );
    expect(await refused({ some: 1 })).toBe(
      'ElasticsearchParseException[_mtermvectors: Parameter somenot supported]',
    );
  });

  it('answer each id once, in the order of a set of Java', async () => {
    const { body } = await call('GET', '/tv/t/_mtermvectors', { ids: ['1', 'zz', '10', '10'] });
    expect((body as { docs: { _id: string }[] }).docs.map(({ _id }) => _id)).toEqual(['zz', '1', '10']);
  });
});

// Recorded from Elasticsearch 1.7.3.
describe('term vectors of what is kept beside the fields of a source', () => {
  const of = async (uri: string, body?: unknown) => (await vectors(`/kept/t${uri}`, body)).term_vectors;
  const terms = (found: Vectors['term_vectors']) =>
    Object.fromEntries(Object.entries(found).map(([name, field]) => [name, Object.keys(field.terms)]));
  const fields = {
    raw: { type: 'string', index: 'not_analyzed' },
    eng: { type: 'string', analyzer: 'english' },
  };
  const properties = {
    title: { type: 'string', fields },
    kw: { type: 'string', index: 'not_analyzed' },
    nest: { type: 'nested', properties: { x: { type: 'string', term_vector: 'yes' } } },
    cp: { type: 'string', copy_to: 'all2' },
    n: { type: 'short' },
  };
  const _all = { enabled: true, term_vector: 'with_positions_offsets' };
  const source = { title: 'quick foxes', kw: 'red', nest: { x: 'blue' }, cp: 'green' };

  beforeAll(async () => {
    const settings = { number_of_shards: 1, refresh_interval: '-1' };
    await call('PUT', '/kept', { settings, mappings: { t: { _all, properties } } });
    await call('PUT', '/kept/t/1?refresh=true', source);
  });

  it('are those of multi-fields, of `_all`, and of copies', async () => {
    expect(terms(await of('/1/_termvector?fields=title.raw,title.eng'))).toEqual({
      'title.raw': ['quick foxes'],
      'title.eng': ['fox', 'quick'],
    });
    const all = await of('/1/_termvector');
    expect(terms(all)).toEqual({ _all: ['blue', 'foxes', 'green', 'quick', 'red'] });
    expect(all._all).toMatchObject({
      field_statistics: { sum_doc_freq: 5, doc_count: 1, sum_ttf: 5 },
      terms: { green: { term_freq: 1, tokens: [{ position: 4, start_offset: 21, end_offset: 26 }] } },
    });
    expect(terms(await of('/_termvector', { doc: { cp: 'green', title: 'red' } }))).toEqual({
      all2: ['green'],
      cp: ['green'],
      title: ['red'],
      'title.eng': ['red'],
      'title.raw': ['red'],
    });
  });

  it('count where there are no frequencies', async () => {
    expect((await of('/1/_termvector?fields=kw&term_statistics=true')).kw).toMatchObject({
      terms: { red: { doc_freq: 1, ttf: -1, term_freq: 1 } },
    });
  });

  it('are made of what is not refreshed yet, as of a document that is given', async () => {
    await call('PUT', '/kept/t/2', source);
    expect(terms(await of('/2/_termvector'))).toEqual({});
    expect(terms(await of('/2/_termvector?fields=all2,title.raw'))).toEqual({
      all2: ['green'],
      'title.raw': ['quick foxes'],
    });
  });

  it('fail as a whole with a document that does not fit the mapping', async () => {
    expect(await call('GET', '/kept/t/_termvector', { doc: { n: '2015-01-01' } })).toEqual({
      status: 500,
      body: {
        error:
          'ElasticsearchException[failed to execute term vector request]; nested: MapperParsingException[failed to parse [n]]; ' +
          'nested: NumberFormatException[For input string: "2015-01-01"]; ',
        status: 500,
      },
    });
  });
});
