/**
 * Indices that are named inside bodies, by parameters and by other means. Whoever may touch everything gets an answer that tells of the
 * hidden index, so that each of these ways is one; whoever may not, doesn't.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Grants, Principal, type Resilin } from '../../host/index.js';
import { SCRIPT_INDEX } from '../../host/metadata/scriptIndex.js';
import { RESTRICTED_INDICES } from '../../host/security/grants.js';

const may = (...list: [string, 'read' | 'write' | 'manage'][]): Grants['grants'] =>
  list.map(([name, access]) => ({ indices: [name], access }));
const principal = (grants: Grants['grants'], cluster: Grants['cluster'] = 'none', name = 'ann') =>
  new Principal('user', name, { grants, cluster });

const everything = principal(may(['*', 'manage']), 'manage', 'root');
const onlyOpen = principal(may(['open*', 'manage']));
const reader = principal(may(['open*', 'read']), 'none', 'reader');
const window = principal(may(['window', 'read']), 'none', 'window');
const door = principal(may(['door', 'write']), 'none', 'door');

let resilin: Resilin;
const root = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const ask = async (who: Principal, method: string, uri: string, body?: unknown) => {
  const { status, body: answer } = await resilin.as(who).request(method, uri, body);
  return { status, text: JSON.stringify(answer), answer: answer as Record<string, never> };
};

beforeAll(async () => {
  resilin = await createEngine({ guarded: true });
  const mappings = {
    t: {
      properties: {
        s: { type: 'string', term_vector: 'yes' },
        shown: { type: 'boolean' },
        sug: { type: 'completion' },
        shape: { type: 'geo_shape' },
      },
    },
    child: { _parent: { type: 't' } },
  };
  const settings = { number_of_shards: 1 };
  await root('PUT', '/secret', {
    settings,
    mappings,
    aliases: { window: { filter: { term: { shown: true } } }, door: {}, both: {} },
  });
  await root('PUT', '/open', { settings, mappings, aliases: { both: {}, 'open-alias': {} } });
  const hidden = { s: 'canary', sug: 'canary', shown: false, list: ['needle'] };
  await root('PUT', '/secret/t/1', { ...hidden, shape: { type: 'point', coordinates: [1, 1] } });
  await root('PUT', '/secret/t/2', { s: 'plain', shown: true });
  await root('PUT', '/secret/child/1?parent=2', { s: 'canary' });
  await root('PUT', '/secret/.percolator/canary', { query: { match: { s: 'needle' } } });
  await root('PUT', '/open/t/1', {
    s: 'needle canary',
    shape: { type: 'point', coordinates: [1, 1] },
  });
  await root('PUT', '/open/t/2', { s: 'straw' });
  await root('PUT', '/_search/template/any', { template: { query: { match_all: {} } } });
  await root('POST', '/_refresh');
});
afterAll(() => resilin.close());

const lookup = { index: 'secret', type: 't', id: '1', path: 'list' };
const doc = { _index: 'secret', _type: 't', _id: '1' };

/** Each a way to read of the hidden index, and what tells that it worked. */
const READS: [what: string, method: string, uri: string, body: unknown, sign: RegExp][] = [
  ['a search', 'GET', '/secret/_search', undefined, /canary/],
  ['one of several indices', 'GET', '/open,secret/_search', undefined, /"_index":"secret"/],
  ['an alias of both', 'GET', '/both/_search', undefined, /"_index":"secret"/],
  ['an item of _mget', 'POST', '/_mget', { docs: [doc] }, /"found":true/],
  ['an item of _mget in another index', 'POST', '/open/t/_mget', { docs: [doc] }, /"found":true/],
  ['a search of _msearch', 'POST', '/_msearch', '{"index":"secret"}\n{}\n', /canary/],
  ['a search of _msearch in another', 'POST', '/open/_msearch', '{"indices":["secret"]}\n{}\n', /canary/],
  [
    'a terms lookup',
    'POST',
    '/open/_search',
    { query: { filtered: { filter: { terms: { s: lookup } } } } },
    /"hits":\{"total":1,/,
  ],
  [
    'a terms lookup of a count',
    'POST',
    '/open/_count',
    { query: { filtered: { filter: { terms: { s: lookup } } } } },
    /"count":1/,
  ],
  [
    'a document that others are like',
    'POST',
    '/open/_search',
    {
      query: {
        more_like_this: { fields: ['s'], docs: [doc], include: true, min_doc_freq: 1, min_term_freq: 1 },
      },
    },
    /"hits":\{"total":1,/,
  ],
  [
    'an indexed shape',
    'POST',
    '/open/_search',
    {
      query: {
        geo_shape: { shape: { indexed_shape: { index: 'secret', type: 't', id: '1', path: 'shape' } } },
      },
    },
    /"hits":\{"total":1,/,
  ],
  [
    'documents like one',
    'GET',
    '/open/t/1/_mlt?search_indices=secret&include=true&min_doc_freq=1&min_term_freq=1',
    undefined,
    /canary/,
  ],
  [
    'documents like one elsewhere',
    'GET',
    '/secret/t/1/_mlt?search_indices=open&include=true&min_doc_freq=1&min_term_freq=1',
    undefined,
    /needle/,
  ],
  [
    'percolation of a stored document',
    'GET',
    '/secret/t/1/_percolate?percolate_index=open',
    undefined,
    /"total":0/,
  ],
  ['percolation elsewhere', 'GET', '/open/t/1/_percolate?percolate_index=secret', undefined, /"total":1/],
  [
    'an item of _mpercolate',
    'POST',
    '/_mpercolate',
    '{"percolate":{"index":"open","type":"t","id":"1","percolate_index":"secret"}}\n{}\n',
    /"total":1/,
  ],
  ['an item of _mtermvectors', 'POST', '/_mtermvectors', { docs: [doc] }, /canary/],
  ['a search by template', 'POST', '/secret/_search/template', { id: 'any' }, /canary/],
  ['a scan', 'GET', '/secret/_search?search_type=scan&scroll=1m', undefined, /_scroll_id/],
  ['a scroll', 'GET', '/secret/_search?scroll=1m', undefined, /canary/],
  ['field statistics', 'GET', '/secret/_field_stats?fields=s', undefined, /doc_count/],
  [
    'suggestions',
    'POST',
    '/secret/_suggest',
    { a: { text: 'canar', completion: { field: 'sug' } } },
    /canary/,
  ],
  ['a validation', 'GET', '/secret/_validate/query?rewrite=true&q=s:can*', undefined, /"valid":true/],
  ['an analyzer', 'GET', '/secret/_analyze?text=x', undefined, /tokens/],
  ['an explanation', 'GET', '/secret/t/1/_explain?q=s:canary', undefined, /"matched":true/],
  ['a table', 'GET', '/_cat/count/secret', undefined, /\d+ \d+:/],
  ['the shards', 'GET', '/_cat/shards/secret', undefined, /secret/],
  ['the state', 'GET', '/_cluster/state/_all/secret', undefined, /canary|mappings/],
  ['figures', 'GET', '/secret/_stats', undefined, /primaries/],
  ['health', 'GET', '/_cluster/health/secret', undefined, /active_shards/],
];

describe('of a hidden index nothing is read by', () => {
  for (const [what, method, uri, body, sign] of READS) {
    it(what, async () => {
      expect((await ask(everything, method, uri, body)).text).toMatch(sign);
      for (const who of [onlyOpen, reader]) {
        const { text } = await ask(who, method, uri, body);
        expect(text).not.toMatch(sign);
        expect(text).toContain('AuthorizationException[action [');
      }
    });
  }
});

describe('what names no index', () => {
  it('means those that may be touched', async () => {
    for (const uri of ['/_search', '/_all/_search', '/*/_search', '/s*,o*/_search', '/-nothing*/_search']) {
      const { answer } = await ask(reader, 'GET', `${uri}?fields=_index`);
      expect([uri, (answer as unknown as { hits: { total: number } }).hits.total]).toEqual([uri, 2]);
    }
    expect((await ask(reader, 'GET', '/s*/_search')).text).toContain('"total":0');
    expect(Object.keys((await ask(reader, 'GET', '/_mapping')).answer)).toEqual(['open']);
    expect(Object.keys((await ask(reader, 'GET', '/_aliases')).answer)).toEqual(['open']);
    expect((await ask(reader, 'GET', '/_cat/indices')).text).not.toContain('secret');
    expect((await ask(reader, 'GET', '/_cat/aliases')).text).not.toContain('secret');
    expect((await ask(reader, 'GET', '/_stats')).text).not.toContain('secret');
    expect(Object.keys((await ask(door, 'GET', '/_mapping')).answer)).toEqual(['secret']);
  });

  it('is refused by name whether it is there or not', async () => {
    for (const name of ['secret', 'nowhere', 'both', 'window']) {
      const { status, text } = await ask(reader, 'GET', `/${name}/_search?ignore_unavailable=true`);
      expect([name, status, text]).toEqual([
        name,
        403,
        '{"error":"AuthorizationException[action [indices:data/read/search] is unauthorized for user [reader]]","status":403}',
      ]);
    }
    expect((await ask(reader, 'GET', '/open-nowhere/_search')).status).toBe(404);
    expect((await ask(reader, 'HEAD', '/secret')).status).toBe(403);
  });
});

describe('an alias', () => {
  it('grants its indices, and what is granted by its indices', async () => {
    expect((await ask(door, 'GET', '/door/_search')).text).toContain('canary');
    expect((await ask(door, 'GET', '/door/t/1')).status).toBe(200);
    expect((await ask(door, 'GET', '/_search')).text).toContain('canary');
    expect((await ask(door, 'GET', '/secret/_search')).status).toBe(403);
    expect((await ask(door, 'PUT', '/door/t/9?refresh=true', { s: 'x' })).status).toBe(201);
    expect((await ask(door, 'DELETE', '/door/t/9?refresh=true')).status).toBe(200);
    expect((await ask(door, 'DELETE', '/door')).status).toBe(403);
    expect((await ask(reader, 'GET', '/open-alias/_search')).status).toBe(200);
  });

  it('with a filter grants what the filter lets through, to searches alone', async () => {
    for (const uri of ['/window/_search', '/_search', '/_all/_search', '/w*/_search']) {
      const { text } = await ask(window, 'GET', uri);
      expect(text).toContain('plain');
      expect(text).not.toContain('canary');
    }
    expect((await ask(window, 'GET', '/window/_count')).text).toContain('"count":1');
    const all = { size: 0, aggs: { all: { global: {}, aggs: { words: { terms: { field: 's' } } } } } };
    expect((await ask(window, 'POST', '/window/_search', all)).text).not.toContain('canary');
    const search = (body: unknown): [string, string, unknown] => ['POST', '/window/_search', body];
    const words = (more: object) => search({ aggs: { w: { terms: { field: 's', ...more } } } });
    const child = { has_child: { type: 'child', query: { match: { s: 'canary' } } } };
    const refused: [string, string, unknown?][] = [
      words({ min_doc_count: 0 }),
      words({ minDocCount: 0 }),
      search({ query: child }),
      search({ query: { hasChild: child.has_child } }),
      ['POST', '/window/_count', { query: child }],
      ['POST', '/window/_search/exists', { query: child }],
      ['POST', '/window/_search?search_type=scan&scroll=1m', { query: child }],
      ['POST', '/window/_search/template', { template: { query: child } }],
      search({ query: { wrapper: { query: btoa(JSON.stringify(child)) } } }),
      search({ query: { template: { query: child, params: {} } } }),
      search({ aggs: { s: { significant_terms: { field: 's' } } } }),
      search({ aggs: { kids: { children: { type: 'child' }, aggs: { w: { terms: { field: 's' } } } } } }),
      search({ suggest: { a: { text: 'canar', completion: { field: 'sug' } } } }),
      ['GET', '/window/_search?suggest_field=s&suggest_text=canar'],
      ['GET', '/window/t/1'],
      ['GET', '/window/t/2'],
      ['GET', '/window/t/1/_explain?q=s:canary'],
      ['GET', '/window/t/1/_termvector'],
      ['GET', '/window/t/1/_mlt'],
      ['GET', '/window/_mapping'],
      ['GET', '/window/_stats'],
      ['GET', '/window/_field_stats?fields=s'],
      ['GET', '/window/_validate/query?rewrite=true&q=s:can*'],
      ['POST', '/window/_suggest', { a: { text: 'canar', completion: { field: 'sug' } } }],
      ['PUT', '/window/t/3', {}],
      ['DELETE', '/window/_query?q=s:canary'],
    ];
    for (const [method, uri, body] of refused) {
      const { status, text } = await ask(window, method, uri, body);
      expect([method, uri, body, status]).toEqual([method, uri, body, 403]);
      expect(text).not.toContain('canary"');
    }
  });
});

describe('writes', () => {
  it('of a bulk are refused each for itself', async () => {
    const lines = [
      { index: { _index: 'open', _type: 't', _id: 'b' } },
      { s: 'x' },
      { index: { _index: 'secret', _type: 't', _id: '1' } },
      { s: 'x' },
      { delete: { _index: 'secret', _type: 't', _id: '1' } },
      { update: { _index: 'both', _type: 't', _id: '1' } },
      { doc: { s: 'x' } },
      { create: { _index: 'nowhere', _type: 't' } },
      { s: 'x' },
      { delete: { _index: 'open', _type: 't', _id: 'b' } },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const { answer, status } = await ask(onlyOpen, 'POST', '/_bulk', text);
    expect(status).toBe(200);
    const { items } = answer as unknown as { items: Record<string, { status: number; error?: string }>[] };
    const error = 'AuthorizationException[action [indices:data/write/bulk] is unauthorized for user [ann]]';
    expect(items.flatMap(Object.values).map((item) => [item.status, item.error])).toEqual([
      [201, undefined],
      [403, error],
      [403, error],
      [403, error],
      [403, error],
      [200, undefined],
    ]);
    expect((await ask(reader, 'POST', '/open/t/_bulk', text)).status).toBe(403);
    expect((await root('HEAD', '/nowhere')).status).toBe(404);
  });

  it('make an index where its name is granted', async () => {
    const writer = principal(may(['logs-*', 'write']));
    expect((await ask(writer, 'PUT', '/logs-1/t/1', { s: 'x' })).status).toBe(201);
    expect((await ask(writer, 'PUT', '/other/t/1', { s: 'x' })).status).toBe(403);
    expect((await ask(writer, 'PUT', '/logs-2')).status).toBe(403);
    expect((await ask(writer, 'DELETE', '/logs-1')).status).toBe(403);
    expect((await root('DELETE', '/logs-1')).status).toBe(200);
  });

  it('of documents that only readers have are none', async () => {
    // A document that is analyzed as if it were there would bring its fields into the mapping.
    const given = { doc: { another: 'x' } };
    expect((await ask(reader, 'POST', '/open/t/_termvector', given)).status).toBe(403);
    expect((await ask(onlyOpen, 'POST', '/open/t/_termvector', given)).status).toBe(200);
  });
});

describe('aliases', () => {
  const add = (index: string, alias: string, filter?: object) => ({
    add: { index, alias, ...(filter && { filter }) },
  });
  it('take both names', async () => {
    const refused = [
      add('secret', 'open-2'),
      add('open', 'other'),
      add('open,secret', 'open-2'),
      add('both', 'open-2'),
      { remove: { index: 'secret', alias: 'door' } },
      { remove: { index: 'open', alias: 'both' } },
    ];
    for (const action of refused)
      expect([action, (await ask(onlyOpen, 'POST', '/_aliases', { actions: [action] })).status]).toEqual([
        action,
        403,
      ]);
    expect((await ask(onlyOpen, 'DELETE', '/open/_alias/open-alias,both')).status).toBe(403);
    const done = [add('open', 'open-2'), { remove: { index: '*', alias: '*' } }];
    for (const action of done)
      expect((await ask(onlyOpen, 'POST', '/_aliases', { actions: [action] })).status).toBe(200);
    // Patterns found the covered ones.
    expect((await root('GET', '/_alias')).body).toEqual({
      '.scripts': { aliases: {} },
      open: { aliases: { both: {} } },
      secret: { aliases: { window: { filter: { term: { shown: true } } }, door: {}, both: {} } },
    });
    await root('PUT', '/open/_alias/open-alias');
    expect((await ask(onlyOpen, 'PUT', '/open-3', { aliases: { other: {} } })).status).toBe(403);
    expect((await ask(onlyOpen, 'PUT', '/open-3', { aliases: { 'open-4': {} } })).status).toBe(200);
    expect((await ask(onlyOpen, 'DELETE', '/_all')).status).toBe(200);
    expect(Object.keys((await root('GET', '/_mapping')).body as object)).toEqual(['.scripts', 'secret']);
    expect((await root('GET', '/_search/template/any')).status).toBe(200);
    await root('PUT', '/open/t/1?refresh=true', { s: 'needle canary' });
    await root('PUT', '/open/t/2?refresh=true', { s: 'straw' });
  });

  it('and their filters look up nothing that their makers or users may not', async () => {
    const filter = { terms: { s: lookup } };
    const refused = await ask(onlyOpen, 'POST', '/_aliases', { actions: [add('open', 'open-5', filter)] });
    expect(refused.text).toContain('AuthorizationException[action [indices:admin/aliases]');
    await root('POST', '/_aliases', { actions: [add('open', 'open-5', filter)] });
    expect((await ask(everything, 'GET', '/open-5/_count')).text).toContain('"count":1');
    expect((await ask(reader, 'GET', '/open-5/_count')).text).not.toContain('"count":1');
    await root('DELETE', '/open/_alias/open-5');
  });
});

it('registered queries look up nothing in other indices, since they run for everybody', async () => {
  const query = { query: { filtered: { filter: { terms: { s: lookup } } } } };
  const { text } = await ask(onlyOpen, 'PUT', '/open/.percolator/q?refresh=true', query);
  expect(text).toMatch(/unauthorized for user \[queries of open\]/);
  const found = await ask(onlyOpen, 'POST', '/open/t/_percolate', { doc: { s: 'needle' } });
  expect(found.text).not.toContain('"total":1');
  await root('DELETE', '/open/.percolator/q');
});

describe('the index of stored scripts', () => {
  const all = principal(may(['*', 'manage']), 'none', 'all');
  const named = principal(may(['.scripts', 'read']), 'none', 'named');
  const source = { index: '.scripts', type: 'mustache', id: 'any', path: 'template' };

  it('is one of those that no pattern grants', () => {
    expect(RESTRICTED_INDICES).toContain(SCRIPT_INDEX);
  });

  it('is not what `*` grants', async () => {
    await root('PUT', '/open/t/1?refresh=true', { s: 'needle canary' });
    const requests: [string, string, unknown?][] = [
      ['GET', '/.scripts/_search'],
      ['GET', '/.scripts/mustache/any'],
      ['PUT', '/.scripts/mustache/any', { template: 'changed' }],
      ['DELETE', '/.scripts'],
      ['PUT', '/.scripts/_alias/mine'],
      ['PUT', '/.scripts/_settings', { 'index.refresh_interval': '7s' }],
      ['GET', '/_search/template/any'],
    ];
    for (const [method, uri, body] of requests)
      expect([method, uri, (await ask(all, method, uri, body)).status]).toEqual([method, uri, 403]);
    const lines = '{"delete":{"_index":".scripts","_type":"mustache","_id":"any"}}\n';
    expect((await ask(all, 'POST', '/_bulk', lines)).text).toContain('AuthorizationException');
    const lookup = { query: { filtered: { filter: { terms: { s: source } } } } };
    expect((await ask(all, 'POST', '/open/_search', lookup)).text).toContain('AuthorizationException');
    const doc = { _index: '.scripts', _type: 'mustache', _id: 'any' };
    expect((await ask(all, 'POST', '/_mget', { docs: [doc] })).text).toContain('AuthorizationException');
    expect((await ask(all, 'GET', '/_search?size=100')).text).not.toContain('match_all');
    expect((await ask(all, 'GET', '/.s*/_search')).text).toContain('"total":0');
    expect(Object.keys((await ask(all, 'GET', '/_mapping')).answer)).not.toContain('.scripts');
    expect((await ask(all, 'POST', '/open/_search/template', { id: 'any' })).status).toBe(200);
    expect((await root('GET', '/_search/template/any')).status).toBe(200);
  });

  it('is not reached by an alias either, which `*` grants', async () => {
    await root('PUT', '/.scripts/_alias/shelf');
    await root('PUT', '/.scripts/_alias/part', { filter: { match_all: {} } });
    const byAlias = principal(may(['shelf', 'manage']), 'none', 'byAlias');
    for (const who of [all, byAlias])
      for (const [method, uri, body] of [
        ['GET', '/shelf/_search'],
        ['GET', '/part/_search'],
        ['GET', '/shelf/mustache/any'],
        ['PUT', '/shelf/mustache/any', { template: 'changed' }],
        ['DELETE', '/shelf'],
        ['GET', '/shelf/_mapping'],
      ] as [string, string, unknown?][])
        expect([method, uri, (await ask(who, method, uri, body)).status]).toEqual([method, uri, 403]);
    expect((await ask(all, 'GET', '/sh*/_search')).text).toContain('"total":0');
    expect((await ask(all, 'GET', '/_search?size=100')).text).not.toContain('match_all');
    expect((await ask(named, 'GET', '/shelf/_search')).text).toContain('match_all');
    await root('DELETE', '/.scripts/_alias/shelf,part');
  });

  it('is granted by its name', async () => {
    expect((await ask(named, 'GET', '/.scripts/_search')).text).toContain('match_all');
    expect((await ask(named, 'PUT', '/.scripts/mustache/any', {})).status).toBe(403);
  });
});

it('the Fetch API serves a principal too', async () => {
  const get = async (path: string) => (await resilin.as(reader).fetch(new Request(`http://x${path}`))).status;
  expect([await get('/open/_search'), await get('/secret/_search')]).toEqual([200, 403]);
});

it('a scroll is for whoever has opened it', async () => {
  const open = async (who: Principal) =>
    (await ask(who, 'GET', '/open/_search?scroll=1m&size=1')).answer._scroll_id as unknown as string;
  const [own, other] = [await open(onlyOpen), await open(reader)];
  const next = async (who: Principal, id: string) =>
    (await ask(who, 'GET', `/_search/scroll?scroll=1m&scroll_id=${id}`)).status;
  expect([await next(onlyOpen, own), await next(reader, other)]).toEqual([200, 200]);
  expect([await next(reader, own), await next(onlyOpen, other), await next(everything, own)]).toEqual([
    404, 404, 404,
  ]);
  expect((await root('GET', `/_search/scroll?scroll_id=${own}`)).status).toBe(404);
  expect((await ask(reader, 'DELETE', '/_search/scroll', own)).status).toBe(404);
  expect((await ask(reader, 'DELETE', '/_search/scroll/_all')).status).toBe(200);
  expect([await next(onlyOpen, own), await next(reader, other)]).toEqual([200, 404]);
  // With other grants it is somebody else.
  expect(await next(principal(may(['open*', 'read'])), own)).toBe(404);
  expect((await ask(onlyOpen, 'DELETE', '/_search/scroll', own)).status).toBe(200);
  const last = await open(reader);
  expect((await ask(everything, 'DELETE', '/_search/scroll/_all')).status).toBe(200);
  expect(await next(reader, last)).toBe(404);
});

it('the cluster is for those who are told so', async () => {
  const manager = principal([], 'manage', 'manager');
  const monitor = principal([], 'monitor', 'monitor');
  const of = async (method: string, uri: string, body?: unknown) =>
    Promise.all([reader, monitor, manager].map(async (who) => (await ask(who, method, uri, body)).status));
  expect(await of('GET', '/_cluster/state')).toEqual([403, 200, 200]);
  expect(await of('GET', '/_nodes/stats')).toEqual([403, 200, 200]);
  expect(await of('GET', '/_nodes/hot_threads')).toEqual([403, 200, 200]);
  expect(await of('GET', '/_template')).toEqual([403, 200, 200]);
  expect(await of('PUT', '/_template/x', { template: 'x*' })).toEqual([403, 403, 200]);
  expect(await of('PUT', '/_cluster/settings', { transient: {} })).toEqual([403, 403, 400]);
  expect(await of('PUT', '/_snapshot/x', { type: 'fs', settings: { location: 'x' } })).toEqual([
    403, 403, 200,
  ]);
  expect(await of('POST', '/_snapshot/x/y/_restore')).toEqual([403, 403, 404]);
  expect(await of('GET', '/secret/_stats')).toEqual([403, 200, 200]);
  expect(await of('GET', '/secret/_search')).toEqual([403, 403, 403]);
  expect(await of('DELETE', '/secret')).toEqual([403, 403, 403]);
  expect(await of('GET', '/')).toEqual([200, 200, 200]);
});
