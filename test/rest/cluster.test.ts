import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  await call('PUT', '/apples', {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    aliases: { fruit: {}, red: { filter: { term: { k: 'x' } }, routing: '1' } },
    mappings: { t: { properties: { k: { type: 'string' } } } },
  });
  await call('PUT', '/pears', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
  await call('PUT', '/apples/t/1?refresh=true', { k: 'x' });
  await call('PUT', '/apples/t/2?refresh=true', { k: 'y' });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const body = async (uri: string) => (await call('GET', uri)).body;

describe('tables', () => {
  it('line up, and show the wanted columns under the names they were asked by', async () => {
    expect(await body('/_cat/indices?v&h=health,status,i,pri,rep,dc')).toBe(
      'health status i      pri rep dc \n' +
        'green  open   apples   1   0  2 \n' +
        'yellow open   pears    2   1  0 \n',
    );
    await call('POST', '/pears/_close');
    expect(await body('/_cat/indices/pears?h=health,status,index,pri')).toBe(' close pears  \n');
    expect(await body('/_cat/count/apples?h=count,nosuch')).toBe('2 \n');
    // What segments take in memory is a plain number of bytes, as in 1.7.
    expect(await body('/_cat/segments/apples?h=size,size.memory')).toMatch(/^( *[\d.]+k?b +\d+ \n)+$/);
    expect(await body('/_cat/aliases?h=alias,index,filter,routing.search')).toBe(
      'fruit apples - - \nred   apples * 1 \n',
    );
  });

  it('tell shadow replicas from others', async () => {
    await call('PUT', '/plums', { settings: { number_of_shards: 1, shadow_replicas: true } });
    expect(await body('/_cat/shards/plums,pears?h=index,shard,prirep')).toBe(
      'pears 0 p \npears 0 r \npears 1 p \npears 1 r \nplums 0 p \nplums 0 s \n',
    );
  });

  it('show what the primaries have of a figure besides it', async () => {
    expect(await body('/_cat/indices/pears?v&pri&h=i,sc,pri,mt')).toBe(
      'i     sc pri.sc pri mt pri.mt \npears  0      0   2  0      0 \n',
    );
    expect(await body('/_cat/indices/pears?v&pri=false&h=i,sc')).toBe('i     sc \npears  0 \n');
    expect(await body('/_cat/indices/pears?h=query_cache.hit_count,pri.memory.total')).toBe('0 0b \n');
  });

  it('tell how shards were opened, and of those that are under way alone', async () => {
    expect(await body('/_cat/recovery/apples?v&h=index,time,type,stage,fp,bp,trp')).toMatch(
      /^index {2}time *type {4}stage fp {3}bp {3}trp {4}\napples \d+ *gateway done {2}0.0% 0.0% 100.0% \n$/,
    );
    expect(await body('/_cat/recovery?active_only')).toBe('');
  });

  it('say what their columns mean', async () => {
    expect(await body('/_cat/master?help')).toBe(
      'id   |   | node id    \nhost | h | host name  \nip   |   | ip address \nnode | n | node name  \n',
    );
    expect(await body('/_cat')).toContain('=^.^=\n/_cat/allocation\n');
    expect((await call('GET', '/_cat/nosuch')).status).toBe(400);
  });

  it('come as JSON and YAML too, and sizes in the wanted unit', async () => {
    expect(await body('/_cat/shards/apples?format=json&h=index,prirep,state,docs')).toEqual([
      { index: 'apples', prirep: 'p', state: 'STARTED', docs: '2' },
    ]);
    expect(await body('/_cat/count/apples?format=yaml&h=count')).toBe('---\n- count: "2"\n');
    expect(await body('/_cat/indices/apples?h=store.size&bytes=b')).toMatch(/^\d+ \n$/);
  });

  it.each([
    'allocation',
    'shards',
    'master',
    'nodes',
    'indices',
    'segments',
    'count',
    'recovery',
    'health',
    'pending_tasks',
    'aliases',
    'thread_pool',
    'plugins',
    'fielddata',
  ])('%s', async (name) => {
    for (const more of ['?v', '?help', '?format=json', '?h=index,node'])
      expect((await call('GET', `/_cat/${name}${more}`)).status).toBe(200);
  });
});

describe('statistics', () => {
  it('are those of what was done', async () => {
    await call('GET', '/apples/_search');
    await call('GET', '/apples/t/1');
    await call('GET', '/apples/t/9');
    await call('DELETE', '/apples/t/2?refresh=true');
    const stats = (await body('/apples/_stats/docs,indexing,get,search')) as {
      indices: { apples: { primaries: unknown } };
    };
    expect(stats.indices.apples.primaries).toMatchObject({
      docs: { count: 1 },
      indexing: { index_total: 2, delete_total: 1 },
      get: { total: 2, exists_total: 1, missing_total: 1 },
      search: { query_total: 1, fetch_total: 1, open_contexts: 0 },
    });
    expect(await body('/_cluster/stats?filter_path=indices.count,indices.docs.count')).toEqual({
      indices: { count: 2, docs: { count: 1 } },
    });
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await body('/apples/_recovery?human&filter_path=*.shards.start_time,*.shards.stop_time')).toEqual({
      apples: { shards: [{ start_time: date, stop_time: date }] },
    });
    expect(await body('/apples/_stats/store?human&filter_path=_all.total.store.size')).toEqual({
      _all: { total: { store: { size: expect.stringMatching(/^[\d.]+k?b$/) } } },
    });
  });

  it.each([
    '/_stats',
    '/_stats?level=shards',
    '/_segments',
    '/_status',
    '/_recovery',
    '/_nodes',
    '/_nodes/stats',
    '/_nodes/_local/stats/indices,http',
    '/_nodes/http',
    '/_nodes/hot_threads',
    '/_cluster/state',
    '/_cluster/stats?human',
    '/_cluster/pending_tasks',
  ])('%s', async (uri) => {
    expect((await call('GET', uri)).status).toBe(200);
  });
});

describe('the state', () => {
  it('shows metadata, blocks and where shards are', async () => {
    await call('POST', '/pears/_close');
    expect(
      await body('/_cluster/state/metadata,blocks,routing_table?filter_path=metadata.indices.*.state,blocks'),
    ).toEqual({
      blocks: {
        indices: {
          pears: { '4': { description: 'index closed', retryable: false, levels: ['read', 'write'] } },
        },
      },
      metadata: { indices: { apples: { state: 'open' }, pears: { state: 'close' } } },
    });
    expect(await body('/_cluster/state/routing_table/apples?filter_path=**.state')).toMatchObject({
      routing_table: { indices: { apples: { shards: { '0': [{ state: 'STARTED' }] } } } },
    });
  });

  it('has settings that can be changed, and passes over those that cannot', async () => {
    const change = { transient: { 'indices.ttl.interval': '61s', nosuch: 1 } };
    expect((await call('PUT', '/_cluster/settings', change)).body).toEqual({
      acknowledged: true,
      persistent: {},
      transient: { indices: { ttl: { interval: '61s' } } },
    });
    expect(await body('/_cluster/settings?flat_settings=true')).toEqual({
      persistent: {},
      transient: { 'indices.ttl.interval': '61s' },
    });
  });
});

describe('answers', () => {
  it('take the shape that is asked for', async () => {
    expect(await body('/apples/t/1?filter_path=_id,_source')).toEqual({ _id: '1', _source: { k: 'x' } });
    expect(await body('/apples/t/1?filter_path=_source.k')).toEqual({});
    expect(await body('/apples/_search?filter_path=hits.hits._id,**.failed')).toEqual({
      _shards: { failed: 0 },
      hits: { hits: [{ _id: '1' }, { _id: '2' }] },
    });
    expect(await body('/apples/t/1?case=camelCase')).toMatchObject({ Index: 'apples', _source: { k: 'x' } });
    expect(await body('/apples/t/1?format=yaml')).toBe(
      '---\n_index: "apples"\n_type: "t"\n_id: "1"\n_version: 1\nfound: true\n_source:\n  k: "x"\n',
    );
    expect(await body('/apples/_alias?format=yaml')).toContain('    fruit: {}\n');
  });
});
