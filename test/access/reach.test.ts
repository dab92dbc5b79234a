/**
 * What kinds of queries, filters, functions, sorts, aggregations and suggesters may tell of: each says so, and who may see nothing of an
 * index but what an alias's filter lets through gets no more, however it is written.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGGREGATION_KINDS } from '../../host/aggregation/registry.js';
import { createEngine, Principal, type Resilin } from '../../host/index.js';
import { Compiler } from '../../host/query/compiler.js';
import { FUNCTION_KINDS } from '../../host/query/compound/functionScore.js';
import { FILTER_KINDS, QUERY_KINDS, queryKind } from '../../host/query/kinds.js';
import type { Reach } from '../../host/query/reach.js';
import { SORT_KINDS } from '../../host/query/sort/sort.js';
import { SUGGESTER_KINDS } from '../../host/suggest/request.js';

const window = new Principal('user', 'window', {
  cluster: 'none',
  grants: [{ indices: ['window', 'open'], access: 'read' }],
});

let resilin: Resilin;
const root = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const ask = async (method: string, uri: string, body?: unknown) => {
  const { status, body: answer } = await resilin.as(window).request(method, uri, body);
  return { status, text: JSON.stringify(answer) };
};
const search = (body: unknown) => ask('POST', '/window/_search', body);

beforeAll(async () => {
  resilin = await createEngine({ guarded: true });
  await root('PUT', '/secret', {
    settings: { number_of_shards: 1 },
    mappings: {
      t: { properties: { s: { type: 'string' }, shown: { type: 'boolean' }, n: { type: 'nested' } } },
      child: { _parent: { type: 't' }, properties: { s: { type: 'string' } } },
    },
    aliases: {
      window: { filter: { term: { shown: true } } },
      joined: { filter: { has_child: { type: 'child', query: { match: { s: 'canary' } } } } },
    },
  });
  await root('PUT', '/secret/t/1', { s: 'canary', shown: false, list: ['plain'] });
  await root('PUT', '/secret/t/2', { s: 'plain', shown: true, n: { s: 'part' } });
  await root('PUT', '/secret/child/1?parent=2', { s: 'canary' });
  await root('PUT', '/open/t/1', { list: ['plain'] });
  const child = '{"has_child":{"type":"child","query":{"match":{"s":"canary"}}}}';
  await root('PUT', '/_search/template/child', { template: `{"query":${child}}` });
  await root('PUT', '/_search/template/childQuery', { template: child });
  await root('PUT', '/_search/template/plain', { template: '{"match":{"s":"{{word}}"}}' });
  await root('POST', '/_refresh');
});
afterAll(() => resilin.close());

const child = { has_child: { type: 'child', query: { match: { s: 'canary' } } } };
const childText = JSON.stringify(child);
const words = { terms: { field: 's', min_doc_count: 0 } };
const filtered = (filter: unknown) => ({ query: { filtered: { filter } } });

/** Each tells of what the filter doesn't let through. */
const BEYOND: [what: string, body: unknown][] = [
  ['a join', { query: child }],
  ['a join under its other name', { query: { hasChild: child.has_child } }],
  ['a join to a parent', { query: { has_parent: { parent_type: 't', query: { match: { s: 'canary' } } } } }],
  ['the best children', { query: { top_children: { type: 'child', query: { match: { s: 'canary' } } } } }],
  ['a join in a filter', filtered(child)],
  ['a join in a bool of nots', filtered({ bool: { must_not: [{ not: child }] } })],
  ['a join in a query as a filter', filtered({ fquery: { query: child } })],
  ['a key that a second one hides', `{"query":{"bool":{"must":${childText},"must":{"match_all":{}}}}}`],
  [
    'a key with an escape',
    childText.replace('has_child', '\\u0068as_child').replace(/^(.*)$/, '{"query":$1}'),
  ],
  ['a wrapped query', { query: { wrapper: { query: btoa(childText) } } }],
  ['a query wrapped twice', wrapped(wrapped(child))],
  ['a wrapped filter', filtered({ wrapper: { filter: btoa(childText) } })],
  ['a query in Base64', { query_binary: btoa(childText) }],
  ['a filter in Base64', { post_filter_binary: btoa(childText) }],
  ['a template', { query: { template: { query: child, params: {} } } }],
  [
    'a template with holes',
    { query: { template: { query: childText.replace('has', '{{a}}'), params: { a: 'has' } } } },
  ],
  ['a stored template', { query: { template: { id: 'childQuery' } } }],
  ['a filter of what is found', { post_filter: child }],
  ['a nested query', { query: { nested: { path: 'n', query: child } } }],
  ['a filter of a function', { query: { function_score: { functions: [{ filter: child, weight: 2 }] } } }],
  ['a query that scores again', { rescore: { query: { rescore_query: child } } }],
  ['a query to highlight', { highlight: { fields: { s: { highlight_query: child } } } }],
  ['a filter of a sort', { sort: [{ 'n.s': { order: 'asc', nested_path: 'n', nested_filter: child } }] }],
  ['inner hits', { inner_hits: { x: { type: { child: { query: { match_all: {} } } } } } }],
  [
    'inner hits of nested ones',
    { inner_hits: { x: { path: { n: { inner_hits: { y: { type: { child: {} } } } } } } } },
  ],
  ['words of no document', { aggs: { w: words } }],
  ['words of no document below', { aggs: { g: { global: {}, aggs: { w: words } } } }],
  [
    'words of no document under another name',
    { aggregations: { w: { terms: { field: 's', minDocCount: 0 } } } },
  ],
  ['a facet of all words', { facets: { w: { terms: { field: 's', all_terms: true } } } }],
  ['a filter of a facet', { facets: { w: { terms: { field: 's' }, facet_filter: child } } }],
  ['a filter of an aggregation', { aggs: { f: { filter: child } } }],
  ['one of several filters', { aggs: { f: { filters: { filters: { a: child } } } } }],
  ['children', { aggs: { c: { children: { type: 'child' } } } }],
  ['significant terms', { aggs: { s: { significant_terms: { field: 's' } } } }],
  ['suggested words', { suggest: { a: { text: 'canari', term: { field: 's' } } } }],
];

function wrapped(query: unknown): { query: unknown } {
  const inner = typeof query === 'object' && query !== null && 'query' in query ? query.query : query;
  return { query: { wrapper: { query: btoa(JSON.stringify(inner)) } } };
}

describe('through an alias with a filter nothing beyond it is told by', () => {
  it.each(BEYOND)('%s', async (_, body) => {
    // It is something that can be asked.
    expect((await root('POST', '/secret/_search', body)).status).toBe(200);
    const { status, text } = await search(body);
    expect([status, text]).toEqual([403, expect.stringContaining('AuthorizationException[action [')]);
    expect(text).not.toContain('"hits"');
    expect((await ask('POST', '/window,open/_search', body)).status).toBe(403);
    expect((await ask('POST', '/_search?scroll=1m', body)).status).toBe(403);
  });

  it('a search of several, a template of the URL, a count', async () => {
    const several = await ask('POST', '/_msearch', `{"index":"window"}\n{"query":${childText}}\n`);
    expect(several.text).toContain('AuthorizationException');
    expect(several.text).not.toContain('"hits"');
    for (const [uri, body] of [
      ['/window/_search/template', { id: 'child' }],
      ['/window/_search/template', { template: { query: child } }],
      ['/window/_count', { query: child }],
      ['/window/_search/exists', { query: child }],
      ['/window/_search?search_type=scan&scroll=1m', { query: child }],
      [`/window/_search?source=${encodeURIComponent(JSON.stringify({ query: child }))}`, undefined],
      ['/window/_search?suggest_field=s&suggest_text=canari', undefined],
    ] as const)
      expect([uri, (await ask('POST', uri, body)).status]).toEqual([uri, 403]);
  });

  it('documents that a query names in what is not granted', async () => {
    const lookup = (index: string, id: string) => ({ terms: { s: { index, type: 't', id, path: 'list' } } });
    expect((await search(filtered(lookup('secret', '1')))).text).toContain('AuthorizationException');
    expect((await search(filtered(lookup('window', '1')))).text).toContain('AuthorizationException');
    expect((await search(filtered(lookup('open', '1')))).text).toContain('"total":1');
    const like = {
      more_like_this: { fields: ['s'], docs: [{ _type: 't', _id: '1' }], min_doc_freq: 1, min_term_freq: 1 },
    };
    expect((await search({ query: like })).text).toContain('AuthorizationException');
  });
});

describe('through an alias with a filter is answered', () => {
  it.each([
    ['a wrapped query', { query: { wrapper: { query: btoa('{"match":{"s":"plain"}}') } } }],
    ['a template', { query: { template: { query: { match: { s: '{{w}}' } }, params: { w: 'plain' } } } }],
    ['a stored template', { query: { template: { id: 'plain', params: { word: 'plain' } } } }],
    ['a query for a name that is refused as a kind', { query: { match: { has_child: 'x' } } }, 0],
    ['words that are found', { aggs: { w: { terms: { field: 's' } } } }],
    ['empty buckets', { aggs: { h: { histogram: { field: 'x', interval: 1, min_doc_count: 0 } } } }],
    ['a nested part', { query: { nested: { path: 'n', query: { match: { 'n.s': 'part' } } } } }],
  ])('%s', async (_, body, total = 1) => {
    const { status, text } = await search(body);
    expect([status, text]).toEqual([200, expect.stringContaining(`"hits":{"total":${total},`)]);
    expect(text).not.toContain('canary');
  });

  it('what a filter of its own reaches', async () => {
    const joined = new Principal('user', 'joined', {
      cluster: 'none',
      grants: [{ indices: ['joined'], access: 'read' }],
    });
    const { status, body } = await resilin.as(joined).request('POST', '/joined/_search', {
      aggs: { all: { global: {} } },
    });
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('"hits":{"total":1,')]);
    const refused = await resilin.as(joined).request('POST', '/joined/_search', { query: child });
    expect(refused.status).toBe(403);
  });
});

describe('every kind', () => {
  const REACHES: readonly (Reach | undefined)[] = ['found', 'named', 'scripts', 'index'];
  const kinds: [string, { reach?: Reach }][] = [
    ...[...QUERY_KINDS, ...FILTER_KINDS, ...FUNCTION_KINDS, ...SORT_KINDS].map(
      (kind): [string, { reach?: Reach }] => [kind.names[0]!, kind],
    ),
    ...Object.entries(AGGREGATION_KINDS),
    ...SUGGESTER_KINDS,
  ];

  it('says what it may tell of', () => {
    for (const [name, { reach }] of kinds) expect([name, REACHES.includes(reach)]).toEqual([name, true]);
  });

  it('is refused to who is confined, where it says nothing', async () => {
    for (const [kind, body] of [
      [queryKind('match')!, { query: { match: { s: 'plain' } } }],
      [FILTER_KINDS.find(({ names }) => names.includes('term'))!, filtered({ term: { s: 'plain' } })],
      [AGGREGATION_KINDS.max!, { aggs: { m: { max: { field: 'x' } } } }],
      [
        FUNCTION_KINDS.find(({ names }) => names.includes('random_score'))!,
        { query: { function_score: { random_score: {} } } },
      ],
    ] as [{ reach?: Reach }, unknown][]) {
      expect((await search(body)).status).toBe(200);
      const said = kind.reach!;
      delete kind.reach;
      try {
        const told = await search(body);
        expect([body, told.status]).toEqual([body, 403]);
        expect((await root('POST', '/secret/_search', body)).status).toBe(200);
      } finally {
        kind.reach = said;
      }
    }
  });

  it('has documents and stored texts for itself only where it says so', () => {
    const { model, registry } = resilin.engine.index('secret');
    const compiler = new Compiler({
      index: 'secret',
      model,
      registry,
      now: () => 0,
      source: () => 'document',
      stored: () => 'text',
    });
    const there = () => [compiler.source('secret', 't', '1'), compiler.stored('mustache', 'x')];
    expect(there()).toEqual([undefined, undefined]);
    expect(compiler.reaching('x', undefined, there)).toEqual([undefined, undefined]);
    expect(compiler.reaching('x', 'found', there)).toEqual([undefined, undefined]);
    expect(compiler.reaching('x', 'named', there)).toEqual(['document', undefined]);
    expect(compiler.reaching('x', 'scripts', there)).toEqual([undefined, 'text']);
    // What stands inside says for itself.
    const inner = () => compiler.reaching('y', 'found', there);
    expect(compiler.reaching('x', 'named', inner)).toEqual([undefined, undefined]);
    expect(() => compiler.reaching('x', 'named', () => compiler.query({ match: 1 }))).toThrow();
    expect(there()).toEqual([undefined, undefined]);
  });
});
