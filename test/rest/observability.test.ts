import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Principal } from '../../host/security/principal.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import type { SlowEntry } from '../../host/settings/slowlog.js';
import { NO_PLATFORM } from '../../host/rest/cluster/node.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { slowLogOf } from '../../host/server/log.js';
import { Metrics } from '../../host/server/metrics.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { WorkLimit } from '../../host/workLimit.js';

let engine: Engine;
let slow: SlowEntry[];
let call: (method: string, uri: string, body?: unknown) => Promise<{ status: number; text: string }>;

beforeEach(async () => {
  const module = await WebAssembly.compile(coreBytes());
  slow = [];
  const parts = { storage: new MemoryStorage(), blobs: new MemoryBlobs(), clock: wallClock };
  const transport = new LocalTransport(module);
  engine = await Engine.open({ ...parts, transport, module, slow: (entry) => slow.push(entry) });
  const meter = new Metrics(engine, '0', NO_PLATFORM);
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0', meter });
  call = async (method, uri, body) => {
    const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
    const answer = await router.handle(method, uri, bytes, Principal.unrestricted, WorkLimit.none);
    return { status: answer.status, text: new TextDecoder().decode(answer.body) };
  };
  await call('PUT', '/a', { settings: { number_of_shards: 1 } });
});
afterEach(() => engine.close());

describe('the slow log', () => {
  it('is silent until an index has thresholds', async () => {
    await call('PUT', '/a/t/1?refresh=true', { s: 'red fox' });
    await call('POST', '/a/_search', { query: { match: { s: 'fox' } } });
    expect(slow).toEqual([]);
  });

  it('tells of queries, fetches and documents at the loudest level that is passed', async () => {
    await call('PUT', '/a/_settings', {
      'index.search.slowlog.threshold.query.warn': '10s',
      'index.search.slowlog.threshold.query.info': '0ms',
      'index.search.slowlog.threshold.query.debug': '0ms',
      'index.search.slowlog.threshold.fetch.trace': '0ms',
      'index.indexing.slowlog.threshold.index.warn': '0ms',
    });
    await call('PUT', '/a/t/1?refresh=true', { s: 'red fox' });
    await call('POST', '/a/_search', { query: { match: { s: 'fox' } } });
    const took = expect.any(Number);
    const place = { index: 'a', shard: 0, took };
    const source = '{"query":{"match":{"s":"fox"}}}';
    const search = { types: [], groups: [], searchType: 'QUERY_AND_FETCH', total: 1, totalShards: 1 };
    expect(slow).toEqual([
      { kind: 'index', level: 'warn', ...place, source: '{"s":"red fox"}', type: 't', id: '1' },
      { kind: 'query', level: 'info', ...place, source, ...search },
      { kind: 'fetch', level: 'trace', ...place, source, ...search },
    ]);
    slow.length = 0;
    await call('PUT', '/a/_settings', {
      'index.indexing.slowlog.source': '9',
      'index.search.slowlog.threshold.fetch.trace': '-1',
    });
    await call('PUT', '/a/t/2?routing=r', { s: 'red fox' });
    await call('PUT', '/b', { settings: { number_of_shards: 1 } });
    await call('POST', '/a,b/t/_search?search_type=dfs_query_then_fetch', { stats: ['g'] });
    expect(slow).toMatchObject([
      { kind: 'index', source: '{"s":"red', id: '2', routing: 'r' },
      { kind: 'query', types: ['t'], groups: ['g'], searchType: 'DFS_QUERY_THEN_FETCH', totalShards: 2 },
    ]);
    slow.length = 0;
    await call('PUT', '/a/_settings', {
      'index.search.slowlog.level': 'WARN',
      'index.indexing.slowlog.threshold.index.warn': '-1',
    });
    await call('PUT', '/a/t/1?refresh=true', { s: 'red fox' });
    await call('POST', '/a/_search');
    expect(slow).toEqual([]);
  });

  it('is written as lines of JSON, whatever the level of the log', () => {
    let text = '';
    const out = new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    });
    const log = pino({ level: 'warn', base: null, timestamp: false }, out);
    const tell = slowLogOf(log);
    const search = {
      types: ['t', 'u'],
      groups: ['g'],
      searchType: 'QUERY_THEN_FETCH',
      total: 1,
      totalShards: 5,
    };
    const place = { index: 'a', shard: 0, source: '{}' };
    tell({ kind: 'query', level: 'trace', ...place, took: 12.345, ...search });
    tell({ kind: 'index', level: 'warn', ...place, took: 0.0345, type: 't', id: '1', routing: undefined });
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      {
        level: 10,
        logger: 'index.search.slowlog.query',
        took_millis: 12.3,
        ...place,
        types: ['t', 'u'],
        searchType: 'QUERY_THEN_FETCH',
        total: 1,
        totalShards: 5,
        stats: ['g'],
        msg: '[a][0] took[12.3ms], took_millis[12], types[t,u], stats[g], search_type[QUERY_THEN_FETCH], total_shards[5], source[{}], extra_source[], ',
      },
      {
        level: 40,
        logger: 'index.indexing.slowlog.index',
        took_millis: 0,
        ...place,
        type: 't',
        id: '1',
        msg: '[a][0] took[34.5micros], took_millis[0], type[t], id[1], routing[], source[{}]',
      },
    ]);
  });
});

describe('metrics', () => {
  const value = (text: string, line: string) =>
    Number(
      text
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.slice(line.length + 1),
    );

  it('are what Prometheus reads, and true', async () => {
    for (const id of ['1', '2']) await call('PUT', `/a/t/${id}?refresh=true`, { s: 'red fox' });
    await call('POST', '/a/_search');
    await call('GET', '/a/t/1');
    await call('GET', '/a/t/none');
    const { status, text } = await call('GET', '/metrics');
    expect(status).toBe(200);
    const samples = new Set<string>();
    for (const line of text
      .trimEnd()
      .split('\n')
      .filter((each) => each !== '')) {
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?[\d.e+-]+)$/,
      );
      if (!line.startsWith('#')) samples.add(line.replace(/(_bucket|_sum|_count)?[ {].*/, ''));
    }
    for (const name of samples) {
      expect(text).toMatch(new RegExp(`^# HELP ${name} `, 'm'));
      expect(text).toMatch(new RegExp(`^# TYPE ${name} (gauge|counter|histogram)$`, 'm'));
    }
    for (const line of [
      'resilin_documents 2',
      'resilin_indexing_total 2',
      'resilin_query_total 1',
      'resilin_get_total{found="true"} 1',
      'resilin_get_total{found="false"} 1',
      'resilin_pool_completed_total{pool="index"} 2',
      'resilin_pool_active{pool="management"} 1',
      'resilin_indices 1',
      'resilin_request_duration_seconds_count{pool="search"} 1',
      'resilin_request_duration_seconds_bucket{le="+Inf",pool="index"} 2',
      'resilin_http_request_duration_seconds_count{method="PUT",route="/{index}/{type}/{id}"} 2',
      'resilin_http_request_duration_seconds_count{method="GET",route="/{index}/{type}/{id}"} 2',
    ])
      expect(text.split('\n')).toContain(line);
    expect(value(text, 'resilin_request_duration_seconds_sum{pool="search"}')).toBeGreaterThan(0);
  });

  it('count on when an index is deleted', async () => {
    await call('PUT', '/a/t/1', { s: 'x' });
    await call('DELETE', '/a');
    await call('PUT', '/b/t/1?refresh=true', { s: 'x' });
    const { text } = await call('GET', '/metrics');
    expect(value(text, 'resilin_indexing_total')).toBe(2);
    expect(value(text, 'resilin_documents')).toBe(1);
  });

  it('of one server are not those of another', async () => {
    await call('POST', '/a/_search');
    expect(await new Metrics(engine, '0', NO_PLATFORM).text()).not.toContain('_count{pool="search"}');
  });

  it('leave an index of that name alone', async () => {
    await call('PUT', '/metrics/t/1', { s: 'x' });
    expect(JSON.parse((await call('GET', '/metrics')).text)).toHaveProperty('metrics.mappings');
    expect((await call('GET', '/metrics/t/1')).status).toBe(200);
    expect((await call('GET', '/_prometheus/metrics')).text).toContain('resilin_documents ');
  });

  it('are not there where nothing measures', async () => {
    const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
    const { status, body } = await router.handle(
      'GET',
      '/metrics',
      new Uint8Array(0),
      Principal.unrestricted,
      WorkLimit.none,
    );
    expect(status).toBe(501);
    expect(new TextDecoder().decode(body)).toContain('UnsupportedOperationException');
  });
});
