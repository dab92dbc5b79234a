/**
 * The whole route table, asked by people who may not touch an index, under all its names: they never read anything of it, and never
 * change it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Grants, Principal, type Resilin } from '../../host/index.js';
import { offeredRoutes } from '../../host/rest/routes.js';

/** Words that only hidden documents, mappings and settings have. */
const HIDDEN = 'canary';

const grants = (cluster: Grants['cluster'], ...list: [string, 'read' | 'write' | 'manage'][]): Grants => ({
  cluster,
  grants: list.map(([name, access]) => ({ indices: [name], access })),
});
const principals = {
  nobody: new Principal('user', 'nobody', grants('none')),
  reader: new Principal('user', 'reader', grants('none', ['open-*', 'read'])),
  writer: new Principal('user', 'writer', grants('none', ['open-*', 'write'])),
  manager: new Principal('user', 'manager', grants('none', ['open-*', 'manage'], ['other', 'manage'])),
  monitor: new Principal('user', 'monitor', grants('monitor')),
  window: new Principal('user', 'window', grants('none', ['window', 'manage'], ['open-*', 'manage'])),
};

let resilin: Resilin;
const root = async (method: string, uri: string, body?: unknown) => {
  const answer = await resilin.request(method, uri, body);
  return answer;
};

const secretMapping = {
  parent: { properties: { s: { type: 'string' }, shown: { type: 'boolean' } } },
  child: { _parent: { type: 'parent' }, properties: { s: { type: 'string' } } },
  t: {
    properties: {
      s: { type: 'string' },
      shown: { type: 'boolean' },
      sug: { type: 'completion' },
      shape: { type: 'geo_shape' },
      canary_field: { type: 'string' },
    },
  },
};

const setUpOpen = async () => {
  await root('DELETE', '/open-1,open-2,open-x');
  await root('PUT', '/open-1', { mappings: { t: { properties: { shape: { type: 'geo_shape' } } } } });
  await root('PUT', '/open-1/t/1?refresh=true', { s: 'red fox', list: ['1'] });
  await root('POST', '/_aliases', { actions: [{ add: { index: 'open-1', alias: 'mixed' } }] });
};

beforeAll(async () => {
  resilin = await createEngine({ guarded: true });
  await root('PUT', '/secret', {
    settings: { number_of_shards: 1, 'index.canary': 'canary' },
    mappings: secretMapping,
    aliases: { 'secret-alias': {}, window: { filter: { term: { shown: true } } } },
    warmers: { canarywarmer: { source: { query: { match: { s: 'canary' } } } } },
  });
  const hidden = { s: 'canary fox', sug: 'canary', shown: false, list: ['canary1'], q: 'canary' };
  await root('PUT', '/secret/t/1', {
    ...hidden,
    shape: { type: 'point', coordinates: [1, 1] },
  });
  await root('PUT', '/secret/t/2', { s: 'plain fox', shown: true });
  await root('PUT', '/secret/parent/1', { s: 'plain', shown: true });
  await root('PUT', '/secret/child/1?parent=1', { s: 'canary' });
  await root('PUT', '/secret/.percolator/canaryquery', { query: { match: { s: 'fox' } } });
  await root('POST', '/secret/_refresh');
  await setUpOpen();
  await root('POST', '/_aliases', { actions: [{ add: { index: 'secret', alias: 'mixed' } }] });
  await root('PUT', '/_template/tpl', { template: 'canary*', settings: {} });
  await root('PUT', '/_search/template/stored', { template: { query: { match: { s: '{{canary}}' } } } });
  await root('PUT', '/_snapshot/backup', { type: 'fs', settings: { location: 'backup' } });
  await root('PUT', '/_snapshot/backup/one?wait_for_completion=true', { indices: 'secret' });
});
afterAll(() => resilin.close());

/** Everything there is of the hidden index. */
async function fingerprint(): Promise<string> {
  const parts = await Promise.all([
    root('GET', '/secret'),
    root('POST', '/secret/_search?version=true&size=100', { sort: '_uid' }),
    root('GET', '/secret/t/1'),
    root('GET', '/_cluster/settings'),
    root('GET', '/_template'),
    root('GET', '/_search/template/stored'),
    root('GET', '/_snapshot/backup/_all'),
    root('GET', '/secret/_alias'),
  ]);
  return JSON.stringify(parts.map(({ status, body }) => [status, body])).replaceAll(/"took":\d+/g, '');
}

const NAMES = [
  'secret',
  'secret-alias',
  'mixed',
  '_all',
  '*',
  'open-1,secret',
  's*',
  '-open-1',
  'open-1',
  'window',
];
const LINES = [
  '{"index":{"_index":"secret","_type":"t","_id":"1"}}\n{"s":"changed"}\n{"delete":{"_index":"secret","_type":"t","_id":"1"}}\n{"update":{"_index":"mixed","_type":"t","_id":"1"}}\n{"doc":{"s":"changed"}}\n',
  '{"index":"secret"}\n{"query":{"match_all":{}}}\n{"index":"_all"}\n{"fields":["s"]}\n',
  '{"percolate":{"index":"secret","type":"t","id":"1"}}\n{}\n{"percolate":{"index":"open-1","type":"t","percolate_index":"secret"}}\n{"doc":{"s":"fox"}}\n',
];
const BODIES: unknown[] = [
  {},
  { query: { match_all: {} } },
  {
    query: { filtered: { filter: { terms: { s: { index: 'secret', type: 't', id: '1', path: 'list' } } } } },
  },
  {
    query: {
      more_like_this: {
        fields: ['s'],
        docs: [{ _index: 'secret', _type: 't', _id: '1' }],
        min_doc_freq: 1,
        min_term_freq: 1,
      },
    },
  },
  {
    query: {
      geo_shape: { shape: { indexed_shape: { index: 'secret', type: 't', id: '1', path: 'shape' } } },
    },
  },
  { docs: [{ _index: 'secret', _type: 't', _id: '1' }], ids: ['1'] },
  { doc: { s: 'changed' }, doc_as_upsert: true },
  { actions: [{ add: { index: 'secret', alias: 'open-x' } }] },
  { actions: [{ remove: { index: 'open-1', alias: 'mixed' } }, { remove: { index: '*', alias: '*' } }] },
  { index: 'secret', alias: 'open-x' },
  { t: { properties: { changed: { type: 'long' } } } },
  { settings: {}, aliases: { 'secret-alias': {} }, mappings: {} },
  { 'index.refresh_interval': '7s' },
  { indices: 'secret', rename_pattern: 'secret', rename_replacement: 'open-x' },
  { template: 'stored', params: { canary: 'canary' } },
  { transient: { 'indices.ttl.interval': '61s' } },
  { size: 0, aggs: { all: { global: {}, aggs: { words: { terms: { field: 's' } } } } } },
  { size: 0, aggs: { words: { terms: { field: 's', min_doc_count: 0 } } } },
  { size: 0, aggs: { words: { significant_terms: { field: 's', min_doc_count: 1 } } } },
  { size: 0, aggs: { kids: { children: { type: 'child' }, aggs: { words: { terms: { field: 's' } } } } } },
  {
    suggest: {
      text: 'canar',
      a: { term: { field: 's', min_word_length: 1 } },
      b: { completion: { field: 'sug' } },
    },
  },
  { text: 'canar', a: { term: { field: 's', min_word_length: 1 } }, b: { completion: { field: 'sug' } } },
  { query: { match: { s: 'fox' } }, aggs: { words: { terms: { field: 's' } } }, explain: true },
  ...LINES,
];

const routes = () =>
  offeredRoutes().map(({ method, path, endpoint }) => ({
    method,
    template: path,
    privilege: endpoint.privilege,
  }));

const PARTS: Record<string, string> = {
  type: 't',
  id: '1',
  name: 'open-x',
  alias: '*',
  metric: '_all',
  repository: 'backup',
  snapshot: 'one',
  lang: 'mustache',
  fields: '*',
  feature: '_mapping',
};
/** Other values of the same parts. */
const OTHER: Record<string, string> = { ...PARTS, type: 'child', name: '*', id: 'stored', metric: 'docs' };

describe('whoever has no grant over an index', () => {
  it('neither sees nor changes anything of it, whatever the route and the name', async () => {
    const before = await fingerprint();
    let turn = 0;
    for (const { method, template } of routes()) {
      const asked: string[] = [];
      for (const [who, principal] of Object.entries(principals)) {
        for (const name of template.includes('{index}') || template.includes('{indices}')
          ? NAMES
          : [NAMES[turn % 9]!]) {
          const body = BODIES[turn++ % BODIES.length];
          const parts = turn % 3 === 0 ? OTHER : PARTS;
          const path = template.replaceAll(/\{(\w+)\}/g, (_, part: string) =>
            encodeURIComponent(part === 'index' || part === 'indices' ? name : (parts[part] ?? '_all')),
          );
          const uri = `${path}?refresh=true&percolate_index=secret&search_indices=secret&text=x`;
          const { body: answer } = await resilin.as(principal).request(method, uri, body);
          const sent = JSON.stringify([uri, body]);
          const told = JSON.stringify(answer);
          asked.push(`${who} ${sent}`);
          const mayKnow = who === 'monitor' || told.includes('[{{canary}}]');
          if (!mayKnow && !sent.includes(HIDDEN) && told.includes(HIDDEN))
            throw new Error(`${who}: ${method} ${sent}: ${told}`);
          if (who === 'monitor' && /canary (?!query)/.test(told.replaceAll('{{canary}}', '')))
            throw new Error(`${who}: ${method} ${sent}: ${told}`);
          // The name itself is not told to those who haven't said it; through a window its documents are named.
          if (!['monitor', 'window'].includes(who) && !sent.includes('secret') && told.includes('secret'))
            throw new Error(`${who}: ${method} ${sent}: ${told}`);
        }
      }
      if ((await fingerprint()) !== before)
        throw new Error(`changed by one of\n${method} ${asked.join('\n')}`);
      if ((await root('HEAD', '/open-1/t/1')).status !== 200) await setUpOpen();
    }
  }, 60_000);

  it('is refused all routes without any grant, but those that show nothing', async () => {
    for (const { method, template, privilege } of routes()) {
      const path = template.replaceAll(/\{(\w+)\}/g, 'open-1');
      const { status } = await resilin.as(principals.nobody).request(method, path);
      if (privilege !== 'authenticated') expect([method, template, status]).toEqual([method, template, 403]);
      else expect(status).not.toBe(403);
    }
  });
});
