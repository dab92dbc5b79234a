import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { createHttp, everybody } from '../../host/server/http.js';
import { DrivenClient, everyCall, type Row } from '../support/drivenClient.js';

/**
 * The client that programs of the time used, told to speak to a 1.7: every call that it has, by every address it
 * may take, must answer what a program looks for in it. The groups build on each other, so they are in one file.
 */

// Its types are unknown; where it isn't installed there is nothing to test.
const name = 'elasticsearch';
const library = await import(name).catch(() => undefined);

// biome-ignore lint/suspicious/noExplicitAny: the client has no types.
let client: any;
let resilin: Resilin;
let app: ReturnType<typeof createHttp>;
let driven: DrivenClient;
const drive = (rows: readonly Row[]) => driven.drive(rows);

const acknowledged = { acknowledged: true };
const has = (text: string) => expect.stringContaining(text);
const lib = { index: 'lib' };
const book = { index: 'lib', type: 'book' };
/** One index: its primary is there, its replica has nowhere to be. */
const everywhere = { _shards: { total: 2, successful: 1, failed: 0 } };
const rose = { query: { match: { title: 'rose' } } };
const roses = { hits: { total: 2, hits: [{ _id: '1' }, { _id: '2' }] } };

describe.skipIf(library === undefined)('the JavaScript client of Elasticsearch 1.7', () => {
  beforeAll(async () => {
    resilin = await createEngine();
    app = createHttp(createRouter(resilin.engine, { node: 'n', cluster: 'c', version: '0' }), everybody);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    client = new library.default.Client({ host: { host: '127.0.0.1', port }, apiVersion: '1.7', log: [] });
    driven = new DrivenClient(client);
  });
  afterAll(async () => {
    client.close();
    await app.close();
    await resilin.close();
  });

  it('makes, describes and changes indices', async () => {
    const properties = { title: { type: 'string' }, year: { type: 'integer' } };
    const settings = { number_of_shards: 1 };
    const author = { properties: { author: { type: 'string', index: 'not_analyzed' } } };
    const mapped = { properties: { ...properties, ...author.properties } };
    const year = { year: { full_name: 'year', mapping: { year: { type: 'integer' } } } };
    const shards = { name: 'index.number_of_shards' };
    const interval = { body: { index: { refresh_interval: '-1' } } };
    const shelf = { name: 'shelf' };
    const filter = { term: { author: 'eco' } };
    const logs = { template: 'log-*', order: 1 };
    const warmer = { name: 'w', body: { query: { match_all: {} } } };
    const warmed = { lib: { warmers: { w: { source: warmer.body } } } };
    await drive([
      ['indices.create', { ...lib, body: { settings, mappings: { book: { properties } } } }, acknowledged],
      [
        'indices.create',
        lib,
        { status: 400, message: has('IndexAlreadyExistsException[[lib] already exists]') },
      ],
      ['indices.exists', lib, true],
      ['indices.exists', { index: 'none' }, false],
      ['indices.existsType', book, true],
      ['indices.existsType', { ...lib, type: 'none' }, false],
      [
        'indices.putMapping',
        [
          { ...book, body: author },
          { type: 'book', body: author },
        ],
        acknowledged,
      ],
      ['indices.getMapping', [{}, lib, { type: 'book' }, book], { lib: { mappings: { book: mapped } } }],
      [
        'indices.getFieldMapping',
        [{}, lib, { type: 'book' }, book].map((each) => ({ ...each, field: 'year' })),
        { lib: { mappings: { book: year } } },
      ],
      [
        'indices.getSettings',
        [{}, lib, shards, { ...lib, ...shards }],
        { lib: { settings: { index: { number_of_shards: '1' } } } },
      ],
      ['indices.putSettings', [interval, { ...lib, ...interval }], acknowledged],
      ['indices.putAlias', { ...lib, ...shelf, body: { filter } }, acknowledged],
      ['indices.existsAlias', [shelf, { ...lib, ...shelf }, lib], true],
      ['indices.existsAlias', { name: 'none' }, false],
      [
        'indices.getAlias',
        [{}, lib, shelf, { ...lib, ...shelf }],
        { lib: { aliases: { shelf: { filter } } } },
      ],
      [
        'indices.getAliases',
        [{}, lib, shelf, { ...lib, ...shelf }],
        { lib: { aliases: { shelf: { filter } } } },
      ],
      [
        'indices.get',
        [lib, { ...lib, feature: '_settings,_mappings,_aliases' }],
        {
          lib: {
            aliases: { shelf: {} },
            mappings: { book: mapped },
            settings: { index: { number_of_replicas: '1' } },
          },
        },
      ],
      ['indices.deleteAlias', { ...lib, ...shelf }, acknowledged],
      ['indices.updateAliases', { body: { actions: [{ add: { ...lib, alias: 'books' } }] } }, acknowledged],
      ['indices.getAlias', {}, { lib: { aliases: { books: {} } } }],
      ['indices.putTemplate', { name: 'logs', body: logs }, acknowledged],
      ['indices.existsTemplate', { name: 'logs' }, true],
      ['indices.getTemplate', [{}, { name: 'logs' }], { logs: { template: 'log-*', order: 1 } }],
      ['indices.deleteTemplate', { name: 'logs' }, acknowledged],
      ['indices.existsTemplate', { name: 'logs' }, false],
      ['indices.putWarmer', [warmer, { ...lib, ...warmer }, { ...book, ...warmer }], acknowledged],
      ['indices.getWarmer', [{}, lib, { name: 'w' }, { ...lib, name: 'w' }, { ...book, name: 'w' }], warmed],
      ['indices.deleteWarmer', { ...lib, name: 'w' }, acknowledged],
      [
        'indices.analyze',
        [{ text: 'A Rose' }, { ...lib, body: 'A Rose' }],
        {
          tokens: [
            { token: 'a', position: 1 },
            { token: 'rose', start_offset: 2, end_offset: 6, type: '<ALPHANUM>' },
          ],
        },
      ],
    ]);
  });

  it('writes and reads documents', async () => {
    const one = { ...book, id: '1' };
    const at = { _index: 'lib', _type: 'book', _id: '1' };
    const source = { title: 'The rose', year: 1980, author: 'eco' };
    const ids = { body: { ids: ['1', '9'] } };
    const docs = { body: { docs: [at, { ...at, _id: '9' }] } };
    const vector = {
      title: { terms: { rose: { term_freq: 1, tokens: [{ position: 1, start_offset: 4, end_offset: 8 }] } } },
    };
    const vectors = { docs: [{ ...at, found: true, term_vectors: vector }] };
    const asks = { body: { docs: [{ ...at, fields: ['title'] }] } };
    await drive([
      ['index', { ...one, body: source }, { ...at, _version: 1, created: true }],
      [
        'index',
        { ...book, body: { title: 'A red rose', year: 1990 } },
        { _id: has(''), _version: 1, created: true },
      ],
      [
        'create',
        { ...one, body: {} },
        { status: 409, message: has('DocumentAlreadyExistsException[[lib][0] [book][1]') },
      ],
      ['get', one, { ...at, _version: 1, found: true, _source: source }],
      ['get', { ...book, id: '9' }, { status: 404 }],
      ['getSource', one, source],
      ['exists', one, true],
      ['exists', { ...book, id: '9' }, false],
      ['update', { ...one, body: { doc: { pages: 500 } } }, { ...at, _version: 2 }],
      [
        'mget',
        [docs, { ...lib, ...docs }, { ...book, ...ids }],
        { docs: [{ ...at, _version: 2, found: true }, { found: false }] },
      ],
      ['delete', { ...book, id: '9' }, { status: 404 }],
      ['indices.refresh', lib, everywhere],
      [
        'deleteByQuery',
        { ...book, q: 'year:1990' },
        { _indices: { lib: { _shards: { total: 1, successful: 1, failed: 0 } } } },
      ],
      ['deleteByQuery', { ...lib, body: { query: { term: { year: 1990 } } } }, { _indices: { lib: {} } }],
      [
        'bulk',
        [
          { body: [{ index: { ...at, _id: '2' } }, { title: 'A red rose', year: 1990 }] },
          { ...lib, body: [{ update: { _type: 'book', _id: '2' } }, { doc: { author: 'who' } }] },
          { ...book, refresh: true, body: [{ index: { _id: '3' } }, { title: 'A name', year: 2000 }] },
        ],
        { errors: false, items: [{}] },
      ],
      [
        'bulk',
        { ...book, body: [{ delete: { _id: '4' } }, { create: { _id: '1' } }, {}] },
        { errors: true, items: [{ delete: { status: 404, found: false } }, { create: { status: 409 } }] },
      ],
      ['delete', { ...book, id: '4' }, { status: 404 }],
      [
        'explain',
        { ...one, body: rose },
        {
          ...at,
          matched: true,
          explanation: { value: expect.any(Number), description: has('weight(title:rose in 2)') },
        },
      ],
      [
        'termvector',
        [
          { ...one, fields: 'title' },
          { ...book, body: { doc: source, fields: ['title'] } },
        ],
        { found: true, term_vectors: vector },
      ],
      ['mtermvectors', [asks, { ...lib, ...asks }, { ...book, ids: '1', fields: 'title' }], vectors],
      [
        'mlt',
        { ...one, mlt_fields: 'title', min_term_freq: 1, min_doc_freq: 1 },
        { hits: { total: 1, hits: [{ _id: '2' }] } },
      ],
    ]);
  });

  it('searches', async () => {
    const places = [{}, lib, book];
    const everyPlace = (parameters: object) => places.map((each) => ({ ...each, ...parameters }));
    const searches = [{ index: 'lib', type: 'book' }, rose];
    const suggestion = { s: { text: 'rsoe', term: { field: 'title' } } };
    await drive([
      ['search', everyPlace({ body: rose }), roses],
      [
        'search',
        { ...lib, q: 'title:rose', size: 1, sort: 'year:desc', fields: 'year' },
        { hits: { total: 2, hits: [{ fields: { year: [1990] }, sort: [1990] }] } },
      ],
      [
        'search',
        { ...lib, searchType: 'count', body: { aggs: { years: { max: { field: 'year' } } } } },
        { hits: { total: 3, hits: [] }, aggregations: { years: { value: 2000 } } },
      ],
      ['search', { index: 'none' }, { status: 404, message: has('IndexMissingException[[none] missing]') }],
      [
        'search',
        { body: '{"query":{"nonsense":{}}}' },
        { status: 400, message: has('No query registered for [nonsense]') },
      ],
      ['count', everyPlace({ body: rose }), { count: 2, _shards: { total: 1, successful: 1, failed: 0 } }],
      ['searchExists', everyPlace({ body: rose }), { exists: true }],
      [
        'searchShards',
        everyPlace({}),
        { nodes: {}, shards: [[{ index: 'lib', shard: 0, primary: true, state: 'STARTED' }]] },
      ],
      [
        'indices.validateQuery',
        everyPlace({ body: rose, explain: true }),
        { valid: true, explanations: [{ index: 'lib', explanation: has('title:rose') }] },
      ],
      ['msearch', everyPlace({ body: searches }), { responses: [roses] }],
      [
        'suggest',
        [{ body: suggestion }, { ...lib, body: suggestion }],
        {
          s: [{ text: 'rsoe', offset: 0, length: 4, options: [{ text: 'rose', freq: expect.any(Number) }] }],
        },
      ],
      [
        'fieldStats',
        [{ fields: 'year' }, { ...lib, fields: 'year' }],
        { indices: { _all: { fields: { year: { min_value: 1980, max_value: 2000 } } } } },
      ],
    ]);
  });

  it('scrolls', async () => {
    for (const search_type of ['scan', 'query_then_fetch']) {
      let page = await client.search({ ...lib, scroll: '30s', size: 1, search_type });
      let seen = page.hits.hits.length;
      do {
        page = await client.scroll({ scrollId: page._scroll_id, scroll: '30s' });
        seen += page.hits.hits.length;
      } while (page.hits.hits.length > 0);
      expect(seen).toBe(3);
      await drive([
        [
          'scroll',
          [{ scrollId: page._scroll_id }, { body: page._scroll_id }],
          { hits: { total: 3, hits: [] } },
        ],
        ['clearScroll', { scrollId: page._scroll_id }, {}],
        ['clearScroll', { body: page._scroll_id }, { status: 404 }],
        [
          'scroll',
          { scrollId: page._scroll_id },
          { status: 404, message: has('SearchContextMissingException') },
        ],
      ]);
    }
  });

  it('asks stored templates and percolators', async () => {
    const doc = { title: 'one more rose' };
    const places = [{}, lib, book];
    const matches = { total: 1, matches: [{ _index: 'lib', _id: 'p' }] };
    const percolation = { body: [{ percolate: book }, { doc }] };
    await drive([
      [
        'putTemplate',
        { id: 't', body: { template: { query: { match: { title: '{{word}}' } } } } },
        { _id: 't', created: true },
      ],
      ['getTemplate', { id: 't' }, { _id: 't', found: true, lang: 'mustache' }],
      [
        'searchTemplate',
        places.map((each) => ({ ...each, body: { id: 't', params: { word: 'rose' } } })),
        roses,
      ],
      ['deleteTemplate', { id: 't' }, { _id: 't', found: true }],
      [
        'putScript',
        { lang: 'expression', id: 's', body: { script: 'doc["year"].value * 2' } },
        { _id: 's', created: true },
      ],
      [
        'getScript',
        { lang: 'expression', id: 's' },
        { _id: 's', found: true, script: 'doc["year"].value * 2' },
      ],
      ['deleteScript', { lang: 'expression', id: 's' }, { _id: 's', found: true }],
      // They were documents of an index of their own.
      ['indices.delete', { index: '.scripts' }, { acknowledged: true }],
      ['index', { ...lib, type: '.percolator', id: 'p', refresh: true, body: rose }, { created: true }],
      [
        'percolate',
        [
          { ...book, body: { doc } },
          { ...book, id: '1' },
        ],
        matches,
      ],
      [
        'countPercolate',
        [
          { ...book, body: { doc } },
          { ...book, id: '1' },
        ],
        { total: 1 },
      ],
      ['mpercolate', places.map((each) => ({ ...each, ...percolation })), { responses: [matches] }],
      ['delete', { ...lib, type: '.percolator', id: 'p', refresh: true }, { found: true }],
    ]);
  });

  it('looks after indices', async () => {
    const everyOrOne = [{}, lib];
    const stats = { indices: { lib: { primaries: { docs: { count: 3 } } } } };
    const docs = { metric: 'docs' };
    await drive([
      ['indices.refresh', everyOrOne, everywhere],
      ['indices.flush', everyOrOne, everywhere],
      ['indices.flushSynced', everyOrOne, { lib: { successful: expect.any(Number) } }],
      ['indices.optimize', everyOrOne.map((each) => ({ ...each, max_num_segments: 1 })), everywhere],
      ['indices.clearCache', everyOrOne, everywhere],
      ['indices.upgrade', everyOrOne, { ...everywhere, upgraded_indices: { lib: has('4.10') } }],
      ['indices.getUpgrade', everyOrOne, { indices: { lib: { size_to_upgrade_in_bytes: 0 } } }],
      ['indices.stats', [{}, lib, docs, { ...lib, ...docs }], stats],
      [
        'indices.segments',
        everyOrOne,
        { indices: { lib: { shards: { 0: [{ num_committed_segments: 1 }] } } } },
      ],
      ['indices.recovery', everyOrOne, { lib: { shards: [{ id: 0, stage: 'DONE', primary: true }] } }],
      ['indices.status', everyOrOne, { ...everywhere, indices: { lib: { docs: { num_docs: 3 } } } }],
      ['indices.close', lib, acknowledged],
      ['search', lib, { status: 403, message: has('IndexClosedException') }],
      ['indices.open', lib, acknowledged],
      ['cluster.health', { ...lib, waitForStatus: 'yellow' }, { status: 'yellow', timed_out: false }],
      ['search', { ...lib, body: rose }, roses],
    ]);
  });

  it('watches the cluster and its node', async () => {
    const node = (holds: object) => ({ cluster_name: 'c', nodes: { [resilin.engine.nodeId]: holds } });
    const nodeId = '_local';
    const transient = { 'indices.recovery.concurrent_streams': 4 };
    const jvm = { metric: 'jvm' };
    await drive([
      ['ping', {}, true],
      ['info', {}, { status: 200, version: { number: '1.7.3' }, tagline: 'You Know, for Search' }],
      [
        'cluster.health',
        [{}, lib],
        { cluster_name: 'c', status: 'yellow', active_primary_shards: 1, unassigned_shards: 1 },
      ],
      [
        'cluster.state',
        {},
        {
          cluster_name: 'c',
          master_node: resilin.engine.nodeId,
          metadata: { indices: { lib: {} } },
          routing_table: { indices: { lib: {} } },
        },
      ],
      [
        'cluster.state',
        [{ metric: 'metadata' }, { metric: 'metadata', ...lib }],
        { metadata: { indices: { lib: { state: 'open' } } } },
      ],
      [
        'cluster.stats',
        [{}, { nodeId }],
        { status: 'yellow', indices: { count: 1, docs: { count: 3 } }, nodes: { count: { total: 1 } } },
      ],
      ['cluster.pendingTasks', {}, { tasks: [] }],
      ['cluster.putSettings', { body: { transient } }, acknowledged],
      ['cluster.getSettings', {}, { transient: { indices: { recovery: { concurrent_streams: '4' } } } }],
      ['cluster.reroute', { body: { commands: [] }, dryRun: true }, { acknowledged: true, state: {} }],
      ['nodes.info', [{}, { nodeId }], node({ name: 'n', version: '1.7.3', http_address: has('inet[') })],
      ['nodes.info', [jvm, { nodeId, ...jvm }], node({ jvm: {} })],
      [
        'nodes.stats',
        [{}, { nodeId }],
        node({ indices: { docs: { count: 3 } }, os: {}, process: {}, jvm: {}, thread_pool: {} }),
      ],
      ['nodes.stats', [jvm, { nodeId, ...jvm }], node({ jvm: { mem: {} } })],
      [
        'nodes.stats',
        [{}, { nodeId }].map((each) => ({ ...each, metric: 'indices', indexMetric: 'docs' })),
        node({ indices: { docs: { count: 3 } } }),
      ],
      ['nodes.hotThreads', [{}, { nodeId }], has('::: [n]')],
      ['nodes.shutdown', [{}, { nodeId }], { status: 500, message: has('Shutdown is disabled') }],
    ]);
  });

  it('prints tables', async () => {
    const matches = (pattern: RegExp) => expect.stringMatching(pattern);
    await drive([
      ['cat.help', {}, has('/_cat/indices/{index}\n')],
      ['cat.aliases', [{}, { name: 'books' }], matches(/^books +lib +- +- +- *\n$/)],
      ['cat.allocation', [{ h: 'shards' }, { nodeId: '_local', h: 'shards' }], matches(/^ *1 \n/)],
      ['cat.count', [{ h: 'count' }, { ...lib, h: 'count' }], '3 \n'],
      ['cat.fielddata', [{ v: true }, { v: true, fields: 'year' }], matches(/^id +host +ip +node +total/)],
      ['cat.health', { h: 'cluster,status' }, 'c yellow \n'],
      ['cat.indices', [{ h: 'index,docs.count' }, { ...lib, h: 'index,docs.count' }], 'lib 3 \n'],
      ['cat.master', { h: 'id,node' }, `${resilin.engine.nodeId} n \n`],
      ['cat.nodes', { h: 'name,master,version' }, 'n * 1.7.3 \n'],
      ['cat.pendingTasks', { v: true }, matches(/^insertOrder timeInQueue priority source *\n$/)],
      ['cat.plugins', { v: true }, matches(/^name component version type url/)],
      ['cat.recovery', [{ h: 'index,shard,stage' }, { ...lib, h: 'index,shard,stage' }], 'lib 0 done \n'],
      ['cat.segments', [{}, lib], matches(/^lib +0 +p .* 3 +\d+ .* true +true /)],
      [
        'cat.shards',
        [{ h: 'index,prirep,state' }, { ...lib, h: 'index,prirep,state' }],
        matches(/^lib p STARTED +\nlib r UNASSIGNED \n$/),
      ],
      ['cat.threadPool', { h: 'bulk.active,search.rejected' }, '0 0 \n'],
    ]);
  });

  it('keeps snapshots', async () => {
    const repository = 'r';
    const taken = { repository, snapshot: 's' };
    const held = { snapshots: [{ snapshot: 's', indices: ['lib'], state: 'SUCCESS' }] };
    await drive([
      [
        'snapshot.createRepository',
        { repository, body: { type: 'fs', settings: { location: 'r' } } },
        acknowledged,
      ],
      ['snapshot.getRepository', [{}, { repository }], { r: { type: 'fs', settings: { location: 'r' } } }],
      ['snapshot.verifyRepository', { repository }, { nodes: { [resilin.engine.nodeId]: { name: 'n' } } }],
      ['snapshot.create', { ...taken, waitForCompletion: true }, { snapshot: held.snapshots[0] }],
      ['snapshot.get', taken, held],
      [
        'snapshot.status',
        taken,
        { snapshots: [{ snapshot: 's', state: 'SUCCESS', shards_stats: { done: 1 } }] },
      ],
      ['snapshot.status', [{}, { repository }], { snapshots: [] }],
      ['indices.close', lib, acknowledged],
      [
        'snapshot.restore',
        { ...taken, waitForCompletion: true },
        { snapshot: { snapshot: 's', indices: ['lib'], shards: { successful: 1 } } },
      ],
      ['search', { ...lib, body: rose }, roses],
      ['snapshot.delete', taken, acknowledged],
      ['snapshot.deleteRepository', { repository }, acknowledged],
    ]);
  });

  it('deletes types and indices', async () => {
    await drive([
      ['indices.deleteMapping', book, acknowledged],
      ['count', {}, { count: 0 }],
      ['indices.delete', lib, acknowledged],
      ['indices.exists', lib, false],
    ]);
  });

  it('was asked for all that it can do', () => {
    const { default: api } = library as { default: { Client: { apis: Record<string, object> } } };
    expect(everyCall(api.Client.apis['1.7']!).filter((each) => !driven.asked.has(each))).toEqual([]);
  });
});
