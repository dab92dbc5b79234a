/** What is nested a hundred thousand levels deep is refused with a sentence before anything recurses into it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeJson, encodeJson } from '../../host/storage/records.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../../host/json/jsonDepth.js';
import { startNode, type TestNode } from './node.js';

const DEEP = 100_000;
const wrapped = (open: string, inner: string, close: string, levels = DEEP) =>
  open.repeat(levels) + inner + close.repeat(levels);
const OBJECT = wrapped('{"a":', '1', '}');
const LIST = wrapped('[', '1', ']');
const BOOL = wrapped('{"bool":{"must":', '{"match_all":{}}', '}}');
const text = (value: string) => JSON.stringify(value);
const ALL = '{"match_all":{}}';
const TOO_DEEP = `objects and lists may be nested ${MAX_JSON_DEPTH} levels deep, not deeper`;

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  const properties = {
    g: { type: 'geo_shape' },
    free: { type: 'object', enabled: false },
    m: { type: 'string' },
  };
  await node.call('PUT', '/a', { settings: { number_of_shards: 1 }, mappings: { t: { properties } } });
  await node.call('PUT', '/a/t/1?refresh=true', { x: 'red' });
});
afterAll(() => node.engine.close());

const call = (method: string, uri: string, body: string) => node.call(method, uri, body, { patient: true });

it.each([
  ['POST', '/a/_search', OBJECT],
  ['POST', '/a/_search', `{"query":${BOOL}}`],
  ['POST', '/a/_search', `{"query":{"filtered":{"filter":${wrapped('{"not":', ALL, '}')}}}}`],
  ['POST', '/a/_search', `{${wrapped('"aggs":{"a":{"terms":{"field":"x"},', '"meta":{}', '}}')}}`],
  ['POST', '/a/_search', `{"aggs":{"a":{"terms":{"field":"x"},"meta":${OBJECT}}}}`],
  ['POST', '/a/_search', `{"fields":${LIST}}`],
  ['POST', '/a/_search', `{"sort":${LIST}}`],
  ['POST', '/a/_search', wrapped('{a:', '1', '}')],
  ['POST', '/a/_search', '{"a":'.repeat(DEEP)],
  ['POST', '/a/_search', `{"query":{"geo_shape":{"g":{"shape":{"type":"polygon","coordinates":${LIST}}}}}}`],
  ['POST', '/a/_search/template', `{"template":"{{a}}","params":${OBJECT}}`],
  ['PUT', '/a/t/2', OBJECT],
  ['PUT', '/a/t/2', `{"m":${LIST}}`],
  ['PUT', '/a/t/2', `{"g":{"type":"polygon","coordinates":${LIST}}}`],
  ['POST', '/a/t/1/_update', `{"doc":${OBJECT}}`],
  ['PUT', '/a/.percolator/1', `{"query":${BOOL}}`],
  ['PUT', '/a/_mapping/t', `{"t":{"_meta":${OBJECT}}}`],
  ['PUT', '/a/_mapping/t', `{"t":{${wrapped('"properties":{"a":{', '"type":"string"', '}}')}}}`],
  [
    'PUT',
    '/a/_mapping/t',
    `{"t":{"properties":{"m":{"type":"string",${wrapped('"fields":{"a":{', '"type":"string"', '}}')}}}}}`,
  ],
  ['PUT', '/b', `{"settings":${OBJECT}}`],
  ['PUT', '/a/_settings', OBJECT],
  ['PUT', '/_cluster/settings', `{"transient":${OBJECT}}`],
  ['PUT', '/_template/t', `{"template":"q*","mappings":{"t":${OBJECT}}}`],
  ['POST', '/_aliases', `{"actions":[{"add":{"index":"a","alias":"z","filter":${BOOL}}}]}`],
  ['PUT', '/_search/template/t', `{"template":${OBJECT}}`],
  ['POST', '/_mget', `{"docs":${LIST}}`],
] as const)('JSON: %s %s %.60s', async (method, uri, body) => {
  const answer = await call(method, uri, body);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toContain(TOO_DEEP);
});

it.each([
  ['POST', '/_bulk', `{"index":{"_index":"a","_type":"t"}}\n${OBJECT}\n`],
  ['POST', '/_msearch', `{"index":"a"}\n{"query":${BOOL}}\n`],
  ['POST', '/a/t/_percolate', `{"doc":${OBJECT}}`],
] as const)('JSON of one of several: %s %s', async (method, uri, body) => {
  const answer = await call(method, uri, body);
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer.body)).toContain(TOO_DEEP);
});

it('as deep as may be', async () => {
  const deep = wrapped('[', '1', ']', MAX_JSON_DEPTH - 2);
  expect((await call('PUT', '/a/t/3?refresh=true', `{"free":${deep}}`)).status).toBe(201);
  const found = await call('GET', '/a/t/3?_source_exclude=nothing*', '');
  expect(JSON.stringify(found.body._source.free)).toBe(deep);
  expect(
    (await call('PUT', '/a/_mapping/t', `{"t":{"_meta":{"a":${wrapped('[', '1', ']', 900)}}}}`)).status,
  ).toBe(200);
  // What was stored can be stored again with each change, and shown.
  expect((await call('PUT', '/a/_alias/other', '')).status).toBe(200);
});

describe('a text', () => {
  const query = (body: string) => ['POST', '/a/_search', `{"query":${body}}`] as const;
  it.each([
    ['query_string, parentheses', query(`{"query_string":{"query":${text(wrapped('(', 'a', ')'))}}}`), 400],
    ['query_string, not', query(`{"query_string":{"query":${text('!'.repeat(DEEP))}}}`), 400],
    ['regexp, parentheses', query(`{"regexp":{"x":${text(wrapped('(', 'a', ')'))}}}`), 400],
    ['regexp, alternatives', query(`{"regexp":{"x":${text('a|'.repeat(DEEP))}}}`), 400],
    ['wildcard', query(`{"wildcard":{"x":${text('a?*'.repeat(DEEP))}}}`), 400],
    ['fuzzy', query(`{"fuzzy":{"x":${text('a'.repeat(DEEP))}}}`), 400],
    [
      'simple_query_string, closed',
      query(`{"simple_query_string":{"query":${text(wrapped('(', 'a', ')'))}}}`),
      200,
    ],
    [
      'simple_query_string, open',
      query(`{"simple_query_string":{"query":${text('('.repeat(2 * DEEP))}}}`),
      200,
    ],
    [
      'an expression',
      [
        'POST',
        '/a/_search',
        `{"script_fields":{"f":{"lang":"expression","script":${text(wrapped('(', '1', ')'))}}}}`,
      ],
      400,
    ],
    [
      'an expression of minus',
      [
        'POST',
        '/a/_search',
        `{"script_fields":{"f":{"lang":"expression","script":${text(`${'-'.repeat(DEEP)}1`)}}}}`,
      ],
      400,
    ],
    [
      'a pattern of an aggregation',
      [
        'POST',
        '/a/_search',
        `{"aggs":{"a":{"terms":{"field":"x","include":${text(wrapped('(', 'a', ')'))}}}}}`,
      ],
      400,
    ],
    [
      'sections',
      [
        'POST',
        '/a/_search/template',
        `{"template":${text(wrapped('{{#a}}', 'x', '{{/a}}'))},"params":{"a":1}}`,
      ],
      400,
    ],
    [
      'a format of dates',
      [
        'PUT',
        '/d',
        `{"mappings":{"t":{"properties":{"d":{"type":"date","format":${text('yyyy||'.repeat(DEEP))}}}}}}`,
      ],
      400,
    ],
    ['an id of a scroll', ['POST', '/_search/scroll', 'abcd'.repeat(DEEP)], 400],
    ['ids of scrolls', ['DELETE', '/_search/scroll', 'abcd,'.repeat(3 * DEEP)], 400],
  ] as const)('%s', async (_, [method, uri, body], status) => {
    expect((await call(method, uri, body)).status).toBe(status);
  });

  it('to suggest for: a word that is too long has none', async () => {
    const suggest = { s: { text: 'red'.repeat(30_000), term: { field: 'x', analyzer: 'keyword' } } };
    const answer = await call('POST', '/a/_suggest', JSON.stringify(suggest));
    expect(answer).toMatchObject({ status: 200, body: { s: [{ options: [] }] } });
    const longer = { s: { text: 'red '.repeat(DEEP), term: { field: 'x' } } };
    const refused = await call('POST', '/a/_suggest', JSON.stringify(longer));
    expect(JSON.stringify(refused.body)).toContain('may have at most 262144 characters');
  });
});

it('brackets in strings open nothing', () => {
  const brackets = JSON.stringify({ a: '["\\'.repeat(5000), b: '[{'.repeat(5000) });
  expect(isTooDeep(brackets)).toBe(false);
  const deep = (levels: number) => `{"a":"\\\\","b":${wrapped('[', '"]]]"', ']', levels)}}`;
  expect(isTooDeep(deep(MAX_JSON_DEPTH - 1))).toBe(false);
  expect(isTooDeep(deep(MAX_JSON_DEPTH))).toBe(true);
});

it('what was taken is read again after a restart', () => {
  const meta = wrapped('[', '1', ']', MAX_JSON_DEPTH - 3);
  const stored = encodeJson({ mapping: { types: { t: { _meta: { a: JSON.parse(meta) } } } } });
  expect(JSON.stringify(decodeJson(stored))).toContain(meta);
});
