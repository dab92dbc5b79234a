/** Errors about hits inside of others: those of `top_hits` and inner hits tell of these hits, and what is around them of the search. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;

beforeAll(async () => {
  resilin = await createEngine();
  const properties = {
    n: { type: 'integer' },
    parts: { type: 'nested', properties: { n: { type: 'integer' } } },
  };
  await resilin.request('PUT', '/i', { settings: { number_of_shards: 1 }, mappings: { d: { properties } } });
  await resilin.request('PUT', '/i/d/1?refresh=true', { n: 1, parts: [{ n: 2 }] });
});
afterAll(() => resilin.close());

const asked = async (body: object) => {
  const { body: answer } = await resilin.request('POST', '/i/_search', body);
  return String((answer as { error?: string }).error)
    .replace(/^.*shardFailures \{\[[^\]]*\]\[i\]\[0\]: /s, '')
    .replace(/Failed to parse source \[.*?\]\]\]; /s, '')
    .replace(/\[B@[0-9a-f]+/g, '[B@0');
};

const top = (hits: object) => ({ a: { top_hits: hits } });
const nested = (inner_hits: object) => ({ nested: { path: 'parts', query: { match_all: {} }, inner_hits } });
const unsorted = 'Parse Failure [No mapping found for [nosuch] in order to sort on]]; }]';
const parts = 'query[ToParentBlockJoinQuery (filtered(ConstantScore(*:*))->cache(_type:__parts))],';

it.each<[object, string, string]>([
  [
    { size: 5, aggs: top({ sort: 'nosuch', from: 2 }), from: 1 },
    'from[-1],size[5]',
    `SearchParseException[[i][0]: from[0],size[3]: ${unsorted}`,
  ],
  [
    { query: { term: { n: 1 } }, aggs: top({ size: 2, from: 1, sort: 'nosuch' }) },
    'query[ConstantScore(n:`\b\0\0\0\u0001)],from[-1],size[-1]',
    `SearchParseException[[i][0]: query[ConstantScore(n:\`\b\0\0\0\u0001)],from[1],size[2]: ${unsorted}`,
  ],
  [
    { size: 4, inner_hits: { x: { path: { parts: { sort: 'nosuch' } } } }, from: 1 },
    'from[-1],size[4]',
    `SearchParseException[[i][0]: from[0],size[3]: ${unsorted}`,
  ],
  [
    { size: 4, query: nested({ sort: 'nosuch' }), from: 1 },
    'from[-1],size[4]',
    `QueryParsingException[[i] Failed to parse [_inner_hits]]; nested: SearchParseException[[i][0]: from[0],size[3]: ${unsorted}`,
  ],
  [
    { size: 4, query: nested({ size: 'x' }) },
    'from[-1],size[4]',
    'QueryParsingException[[i] Failed to parse [_inner_hits]]; nested: NumberFormatException[For input string: "x"]; }]',
  ],
  [
    { query: nested({}), inner_hits: { x: { path: { parts: { sort: 'nosuch' } } } } },
    `${parts}from[-1],size[-1]`,
    `SearchParseException[[i][0]: ${parts}from[0],size[3]: ${unsorted}`,
  ],
  [
    { aggs: top({ size: 'x' }) },
    'from[-1],size[-1]',
    'ElasticsearchException[For input string: "x"]; nested: NumberFormatException[For input string: "x"]; }]',
  ],
  [
    { aggs: top({ size: null }) },
    'from[-1],size[-1]',
    'SearchParseException[[i][0]: from[-1],size[-1]: Parse Failure [Unexpected token VALUE_NULL in [a].]]; }]',
  ],
  [
    { inner_hits: { x: { path: { parts: { fields: {} } } } } },
    'from[-1],size[-1]',
    'ElasticsearchIllegalArgumentException[Unknown key for a START_OBJECT for nested query: [fields].]; }]',
  ],
])('%j', async (body, around, inside) => {
  expect(await asked(body)).toBe(`SearchParseException[[i][0]: ${around}: Parse Failure [nested: ${inside}`);
});

it('has its place in the body told by both', async () => {
  const problem =
    'Current token (VALUE_TRUE) not numeric, can not use numeric value accessors\n at [Source: [B@0; line: 1, column: 38]';
  expect(await asked({ aggs: top({ size: true }) })).toContain(
    `ElasticsearchException[${problem}]; nested: JsonParseException[${problem}]; }]`,
  );
});
