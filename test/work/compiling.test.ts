/** What a query may ask for is bounded before it is compiled. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FieldNames } from '../../host/mapping/fieldNames.js';
import type { LeafField } from '../../host/mapping/field.js';
import { startNode, type TestNode } from './node.js';

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  const properties = Object.fromEntries(
    Array.from({ length: 4200 }, (_, i) => [`f${i}`, { type: 'string' }]),
  );
  const own = { s: { type: 'geo_shape' }, p: { type: 'geo_point' } };
  await node.call('PUT', '/a', {
    settings: { number_of_shards: 1 },
    mappings: { t: { properties: { ...properties, ...own } } },
  });
});
afterAll(() => node.engine.close());

const search = (query: object) => node.call('POST', '/a/_search', { query });

it.each([
  ['multi_match', { multi_match: { query: 'red', fields: ['f*'] } }],
  ['query_string', { query_string: { query: 'red', fields: ['f*'] } }],
  ['a pattern within query_string', { query_string: { query: 'f\\*:red' } }],
  ['simple_query_string', { simple_query_string: { query: 'red', fields: ['f*'] } }],
])('refuses %s on too many fields', async (_name, query) => {
  const answer = await search(query);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain('a query may ask for at most 4096 fields, this one asks for 4200');
});

it('searches as many fields as it may', async () => {
  const fields = Array.from({ length: 4096 }, (_, i) => `f${i}`);
  // A turn for each step would take half a minute.
  const patiently = (query: object) => node.call('POST', '/a/_search', { query }, { patient: true });
  const answer = await patiently({ multi_match: { query: 'red', fields } });
  expect(answer.status).toBe(200);
  const most = await patiently({ multi_match: { query: 'red', type: 'most_fields', fields } });
  expect(most.body.error).toContain('maxClauseCount is set to 1024');
});

const ring = (length: number) =>
  Array.from({ length }, (_, i) => [
    Math.cos((i / length) * 2 * Math.PI),
    Math.sin((i / length) * 2 * Math.PI),
  ]);
const collection = (inner: object) => ({ type: 'geometrycollection', geometries: [inner, inner] });
const polygon = (length: number) => ({ type: 'polygon', coordinates: [[...ring(length), [1, 0]]] });

it.each([
  ['geo_polygon', { filtered: { filter: { geo_polygon: { p: { points: ring(10_001) } } } } }],
  ['geo_shape', { geo_shape: { s: { shape: polygon(10_001) } } }],
  ['a collection', { geo_shape: { s: { shape: collection(polygon(5001)) } } }],
])('refuses %s of too many vertices', async (_name, query) => {
  const answer = await search(query);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain('the shapes of a query may have at most 10000 vertices');
});

const long = 'red '.repeat(70_000);
it.each([
  ['match', { match: { f1: long } }],
  ['multi_match', { multi_match: { query: long, fields: ['f1', 'f2'] } }],
  ['query_string', { query_string: { query: long, default_field: 'f1' } }],
  ['simple_query_string', { simple_query_string: { query: long, fields: ['f1'] } }],
])('refuses %s of a text that is too long', async (_name, query) => {
  const answer = await search(query);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain('may have at most 262144 characters, this one has 280000');
});

it('takes texts of any length that others are to be like', async () => {
  const like = { fields: ['f1'], like_text: long, min_term_freq: 1, min_doc_freq: 1 };
  expect((await search({ more_like_this: like })).status).toBe(200);
});

it('refuses variants of too many words', async () => {
  const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
  const like = (text: string) => search({ fuzzy_like_this: { fields: ['f1', 'f2'], like_text: text } });
  expect((await like(words(20))).status).toBe(200);
  const answer = await like(words(513));
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain('a fuzzy_like_this may have at most 1024 words, these have 1026');
});

it('refuses to analyze a text that is too long', async () => {
  const answer = await node.call('POST', '/_analyze', 'red '.repeat(140_000));
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain('at most 524288 characters, this one has 560000');
});

it('reads some more clauses than there may be, and then no more', async () => {
  const clauses = (count: number) => [
    ...Array.from({ length: count }, () => ({ match_all: {} })),
    { unknown: {} },
  ];
  const few = await search({ bool: { should: clauses(2000) } });
  expect(few.body.error).toContain('No query registered for [unknown]');
  const many = await search({ bool: { should: clauses(5000) } });
  expect(many.body.error).toContain('maxClauseCount is set to 1024');
});

it('makes suggestions in turns, and no more where the client has gone', async () => {
  await node.call('PUT', '/a/t/1?refresh=true', { f1: 'red fox' });
  const body = Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`s${i}`, { text: 'redd', term: { field: 'f1' } }]),
  );
  const all = await node.call('POST', '/a/_suggest', body);
  expect(all.body.s199[0].options[0].text).toBe('red');
  expect(all.turns).toBeGreaterThanOrEqual(200);
  const gone = await node.call('POST', '/a/_suggest', body, { goneAfter: 5 });
  expect(gone.turns).toBeLessThan(30);
});

it('ends suggestions for a text of many words when the time is over, or the client has gone', async () => {
  const text = Array.from({ length: 100 }, (_, i) => `redd${i}`).join(' ');
  const body = { s: { text, term: { field: 'f1' } } };
  const all = await node.call('POST', '/a/_suggest', body);
  expect(all.body.s).toHaveLength(100);
  expect(all.turns).toBeGreaterThanOrEqual(100);
  const gone = await node.call('POST', '/a/_suggest', body, { goneAfter: 20 });
  expect(gone.turns).toBeLessThan(30);
  const late = await node.call('POST', '/a/_suggest', body, { lateAfter: 20 });
  expect(late.turns).toBeLessThan(30);
  expect(late.text).toContain('the request took longer than it may');
});

it('finds fields by their names as one look at each of them would', () => {
  const field = (fullName: string, indexName = fullName) => ({ fullName, indexName }) as LeafField;
  const all = [field('a.b.c'), field('x.c'), field('b.c', 'short'), field('c.d', 'x.c'), field('b.c')];
  const names = new FieldNames(all);
  const ways: ((each: LeafField, name: string) => boolean)[] = [
    ({ fullName }, name) => fullName === name,
    ({ indexName }, name) => indexName === name,
    ({ fullName }, name) => fullName.endsWith(`.${name}`),
  ];
  for (const name of ['a.b.c', 'b.c', 'c', 'x.c', 'short', 'd', 'c.d', 'none', '', '.c']) {
    const expected = ways
      .map((is) => all.find((each) => is(each, name)))
      .find((found) => found !== undefined);
    expect(names.find(name), name).toBe(expected);
  }
});

describe('many patterns', () => {
  const PATTERNS = 40;
  /** Others than those of before, which are at hand. */
  let made = 0;
  const patterns = () => ({
    bool: {
      should: Array.from({ length: PATTERNS }, () => ({ regexp: { f1: `.*${made++}x[a-z].*(a|b).*` } })),
    },
  });
  const ask = (more: object, options = {}) =>
    node.call('POST', '/a/_search', { query: patterns(), ...more }, options);

  it('are read in turns', async () => {
    expect((await ask({})).turns).toBeGreaterThan(2 * PATTERNS);
    const named = { size: 0, aggs: { x: { filters: { filters: [patterns()] } } } };
    expect((await node.call('POST', '/a/_search', named)).turns).toBeGreaterThan(2 * PATTERNS);
  });

  it('end with their client', async () => {
    expect(await ask({}, { goneAfter: 5 })).toMatchObject({ status: 503, turns: 5 });
  });

  it.each([
    ['a complement', '~(.*a.{8})&abc'],
    ['an intersection', '(.*a.{6}&.*b.{6})&abc'],
    ['a look-ahead', '(?!.*a.{8})abc'],
  ])('are read in turns where %s takes long', async (_name, pattern) => {
    // What is left of it are four states.
    const query = { regexp: { f1: pattern } };
    const aggs = { x: { terms: { field: 'f1', include: pattern } } };
    const body = pattern.startsWith('(?') ? { aggs } : { query };
    const short = await node.call('POST', '/a/_search', { query: { regexp: { f1: 'ab[c]' } } });
    expect((await node.call('POST', '/a/_search', body)).turns).toBeGreaterThan(short.turns + 10);
  });

  it.each(['query_then_fetch', 'dfs_query_then_fetch'])(
    'are left where the time of a %s is over',
    async (type) => {
      const body = { query: patterns(), timeout: '1m' };
      const late = await node.call('POST', `/a/_search?search_type=${type}`, body, { lateAfter: 5 });
      expect(late).toMatchObject({
        status: 200,
        turns: 5,
        body: {
          timed_out: true,
          _shards: { total: 1, successful: 1, failed: 0 },
          hits: { total: 0, max_score: null, hits: [] },
        },
      });
    },
  );
});

it('finds the cells of a shape in turns', async () => {
  const around = (relation: string) => ({ geo_shape: { s: { shape: polygon(2000), relation } } });
  for (const relation of ['intersects', 'within']) {
    const atOnce = await node.call('POST', '/a/_search', { query: around(relation) }, { patient: true });
    expect(atOnce.status).toBe(200);
    const inTurns = await search(around(relation));
    expect(inTurns.body).toEqual({ ...atOnce.body, took: inTurns.body.took });
    expect(inTurns.turns).toBeGreaterThan(10);
  }
});

describe('limits of this server', () => {
  const deepest = (levels: number): object =>
    levels === 0 ? { match_all: {} } : { bool: { must: [deepest(levels - 1)] } };
  it.each([
    ['texts', { match: { f1: long } }],
    ['levels', deepest(400)],
    ['fields', { multi_match: { query: 'red', fields: ['f*'] } }],
    ['states', { regexp: { f1: '(a|b)*a(a|b){30}' } }],
    ['vertices', { geo_shape: { s: { shape: polygon(10_001) } } }],
  ])('of %s refuse a query to percolate with 400', async (_name, query) => {
    const registered = await node.call('PUT', '/a/.percolator/1', { query });
    expect(registered.status).toBe(400);
    expect(registered.body.error).toContain('PercolatorException[[a] failed to parse query [1]]');
  });

  it('refuse what is to be suggested for with 400', async () => {
    const asked = { s: { text: 'red '.repeat(300_000), term: { field: 'f1' } } };
    const answer = await node.call('POST', '/a/_suggest', asked);
    expect(answer.status).toBe(400);
    expect(answer.body._shards.failures[0].reason).toContain('a text to suggest for may have at most');
  });

  it('leave other errors of queries to percolate as 1.7 has them', async () => {
    const registered = await node.call('PUT', '/a/.percolator/1', { query: { unknown: {} } });
    expect(registered.status).toBe(500);
  });
});

describe('in turns', () => {
  const fields = Array.from({ length: 40 }, (_, i) => `f${i}`);

  it('is compiled a text on many fields, field by field', async () => {
    const query = { multi_match: { query: 'red fox', fields, type: 'most_fields' } };
    const few = await search({
      multi_match: { query: 'red fox', fields: ['f0', 'f1'], type: 'most_fields' },
    });
    const many = await search(query);
    expect(many.status).toBe(200);
    expect(many.turns - few.turns).toBeGreaterThanOrEqual(fields.length - 1);
    const atOnce = await node.call('POST', '/a/_search', { query }, { patient: true });
    expect({ ...atOnce.body, took: 0 }).toEqual({ ...many.body, took: 0 });
  });

  it('are compiled suggestions, one by one', async () => {
    const body = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`s${i}`, { text: 'reed', term: { field: 'f0' } }]),
    );
    const asked = await node.call('POST', '/a/_suggest', body);
    expect(Object.keys(asked.body)).toHaveLength(31);
    expect(asked.turns).toBeGreaterThanOrEqual(29);
    const atOnce = await node.call('POST', '/a/_suggest', body, { patient: true });
    expect(atOnce.text).toBe(asked.text);
    const gone = await node.call('POST', '/a/_suggest', body, { goneAfter: 5 });
    expect(gone.turns).toBe(5);
  });

  it('is compiled a search for many indices, index by index', async () => {
    for (let i = 0; i < 10; i++)
      await node.call('PUT', `/many${i}`, { settings: { number_of_shards: 1, number_of_replicas: 0 } });
    const one = await node.call('POST', '/many0/_search', { query: { match_all: {} } });
    const all = await node.call('POST', '/many*/_search', { query: { match_all: {} } });
    expect(all.body._shards).toEqual({ total: 10, successful: 10, failed: 0 });
    expect(all.turns - one.turns).toBeGreaterThanOrEqual(9);
    const late = await node.call('POST', '/many*/_search?timeout=1h', undefined, { lateAfter: 1 });
    expect(late.body._shards).toEqual({ total: 10, successful: 10, failed: 0 });
    const gone = await node.call('POST', '/many*/_search', undefined, { goneAfter: 3 });
    expect([gone.status, gone.turns]).toEqual([503, 3]);
  });
});
