import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** Expectations are those of Elasticsearch 1.7.3, recorded from one or read in its sources. */

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const found = async (query: unknown, index = 'i') => {
  const { status, body } = await call('POST', `/${index}/_search`, { query, sort: '_uid' });
  if (status !== 200) return (body as { error: string }).error;
  return (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id).join();
};
const filtered = (filter: unknown, index = 'i') => found({ filtered: { filter } }, index);
const said = (query: string) => found({ query_string: { query } });
const ONE = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };

beforeAll(async () => {
  resilin = await createEngine();
  await call('PUT', '/i', {
    settings: ONE,
    mappings: {
      t: {
        properties: {
          flag: { type: 'boolean' },
          n: { type: 'integer' },
          loc: { type: 'geo_point' },
          kw: { type: 'string', index: 'not_analyzed' },
          kept: { type: 'binary', store: true },
          columns: { type: 'binary', doc_values: true },
          plain: { type: 'binary' },
          silent: { type: 'integer', index: 'no', store: true },
          day: { type: 'date' },
        },
      },
    },
  });
  await call('PUT', '/i/t/1', { flag: true, n: 1, loc: 'dr5r', kw: '', kept: 'cXVpY2s=', silent: 4 });
  await call('PUT', '/i/t/2', { flag: false, n: 5, loc: '40,-70', columns: 'cXVpY2s=', plain: 'odd!' });
  await call('PUT', '/i/t/3?refresh=true', { day: 1357590615000, text: 'brown fox' });
});
afterAll(() => resilin.close());

describe('patterns on fields that are not texts', () => {
  it('are read as values first', async () => {
    expect(await found({ regexp: { flag: 'true' } })).toBe('1');
    expect(await found({ wildcard: { flag: 'false' } })).toBe('2');
    expect(await found({ fuzzy: { flag: 'false' } })).toBe('2');
    expect(await found({ regexp: { n: '1' } })).toBe('1');
    expect(await found({ wildcard: { n: '5' } })).toBe('2');
    expect(await filtered({ regexp: { flag: 'yes' } })).toBe('1');
    expect(await said('flag:/true/')).toBe('1');
  });

  it('fail where they are none', async () => {
    for (const query of [{ wildcard: { n: '*' } }, { regexp: { n: '.*' } }])
      expect(await found(query)).toContain('NumberFormatException[For input string: ');
    expect(await filtered({ regexp: { n: 'a' } })).toContain('NumberFormatException[For input string: "a"]');
    // Wildcards of query strings stay as they are.
    expect(await said('n:1?')).toBe('');
  });

  it('match nothing where the pattern of a wildcard is empty', async () => {
    expect(await found({ wildcard: { kw: '' } })).toBe('');
    expect(await found({ regexp: { kw: '' } })).toBe('1');
    expect(await found({ prefix: { kw: '' } })).toBe('1');
  });
});

describe('terms of geo points', () => {
  it('are the texts of their coordinates alone', async () => {
    expect(await found({ term: { loc: 'dr5r' } })).toBe('');
    expect(await said('loc:dr5r')).toBe('');
    expect(await found({ term: { loc: '40.0,-70.0' } })).toBe('2');
    expect(await found({ term: { loc: '40,-70' } })).toBe('');
  });
});

describe('ranges of geo points', () => {
  // As texts: dr5r is 40.6…,-74.1…, and a point has a comma behind its latitude.
  it.each([
    [{ lte: '5' }, '1,2'],
    [{ lt: '40.5' }, '2'],
    [{ gt: '40.5' }, '1'],
    [{ gte: '40.0,-70.0' }, '1,2'],
    [{ gt: '40.0,-70.0' }, '1'],
    [{ lte: '40.0,-70.0' }, '2'],
    [{ lt: '40.0,-70.0' }, ''],
    [{ gt: '40.0,-7', lt: '40.0,-71' }, '2'],
    [{ lt: '-' }, ''],
    [{ gt: 'a' }, ''],
    [{ gte: '4', lte: '40.1' }, '2'],
  ])('%j', async (bounds, ids) => {
    expect(await found({ range: { loc: bounds } })).toBe(ids);
    expect(await filtered({ range: { loc: bounds } })).toBe(ids);
  });

  it('agree with the order of the texts', async () => {
    const points = [-90, -45.25, -4.5, -0.5, 0, 0.5, 4, 4.25, 9, 12.5, 40, 45.125, 60, 90];
    await call('PUT', '/g', { settings: ONE, mappings: { t: { properties: { p: { type: 'geo_point' } } } } });
    for (const lat of points) await call('PUT', `/g/t/${lat}`, { p: { lat, lon: lat } });
    await call('POST', '/g/_refresh');
    const text = (lat: number) => (Number.isInteger(lat) ? `${lat}.0,${lat}.0` : `${lat},${lat}`);
    for (const bound of [
      '-',
      '-4',
      '-45.3',
      '0',
      '0.5,0',
      '4',
      '4.2',
      '4.25,4.25',
      '45.125,4',
      '5',
      '9.0',
      '99',
      '40.0',
    ])
      for (const [kind, holds] of [
        ['lt', (a: string) => a < bound],
        ['lte', (a: string) => a <= bound],
        ['gt', (a: string) => a > bound],
        ['gte', (a: string) => a >= bound],
      ] as const) {
        const wanted = points
          .filter((lat) => holds(text(lat)))
          .map(String)
          .sort();
        const { body } = await call('POST', '/g/_search', {
          query: { range: { p: { [kind]: bound } } },
          size: 20,
        });
        const ids = (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id).sort();
        expect([bound, kind, ids]).toEqual([bound, kind, wanted]);
      }
  });

  it('are those of query strings too', async () => {
    expect(await said('loc:<=6')).toBe('1,2');
    expect(await said('loc:[40.5 TO 41]')).toBe('1');
  });
});

describe('exists and missing', () => {
  it('know fields about documents', async () => {
    for (const field of ['_all', '_type', '_uid', '_source', '_version', '_a*', '*'])
      expect([field, await filtered({ exists: { field } })]).toEqual([field, '1,2,3']);
    for (const field of ['_routing', '_timestamp', '_index', '_id'])
      expect([field, await filtered({ exists: { field } })]).toEqual([field, '']);
    expect(await filtered({ missing: { field: '_all' } })).toBe('');
  });

  it('know what is kept without being indexed', async () => {
    expect(await filtered({ exists: { field: 'kept' } })).toBe('1');
    expect(await filtered({ exists: { field: 'columns' } })).toBe('2');
    expect(await filtered({ missing: { field: 'columns' } })).toBe('1,3');
    expect(await filtered({ exists: { field: 'silent' } })).toBe('1');
    expect(await filtered({ exists: { field: 'plain' } })).toBe('');
  });
});

describe('ids', () => {
  it('of the type _all are those of any', async () => {
    const ids = { values: ['1', '3'], type: '_all' };
    expect(await found({ ids })).toBe('1,3');
    expect(await filtered({ ids })).toBe('1,3');
  });
});

describe('binary fields', () => {
  it('refuse what is no Base64 only where they keep it', async () => {
    const put = async (body: unknown) => {
      const { status, body: answer } = await call('PUT', '/b/t/1', body);
      return status < 300 ? status : (answer as { error: string }).error;
    };
    const binary = { type: 'binary', store: true };
    await call('PUT', '/b', { settings: ONE, mappings: { t: { properties: { kept: binary } } } });
    expect(await put({ kept: 'odd!' })).toContain(
      "MapperParsingException[failed to parse [kept]]; nested: JsonParseException[Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS): Illegal character '!' (code 0x21) in base64 content",
    );
    expect(await put({ kept: 5 })).toContain('Current token (VALUE_NUMBER_INT) not VALUE_STRING');
    expect(await put({ kept: 'b2Rk' })).toBe(201);
    expect(await put({ kept: null })).toBe(200);
  });

  it('are analyzed as texts', async () => {
    const { body } = await call('GET', '/i/_analyze?field=plain&text=quick+fox');
    expect((body as { tokens: unknown[] }).tokens).toHaveLength(2);
  });
});

describe('dates', () => {
  it('that are given as numbers are no words of _all', async () => {
    expect(await said('1357590615000')).toBe('');
    expect(await said('brown')).toBe('3');
  });
});
