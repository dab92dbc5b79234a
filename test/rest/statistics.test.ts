import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  await call('PUT', '/a', {
    settings: { number_of_shards: 1, refresh_interval: -1 },
    mappings: {
      t: {
        properties: {
          s: { type: 'string' },
          n: { type: 'long' },
          k: { type: 'string', index: 'not_analyzed' },
          c: { type: 'completion' },
          inner: { type: 'nested', properties: { x: { type: 'long' } } },
        },
      },
      parent: {},
      child: { _parent: { type: 'parent' } },
    },
  });
});
afterEach(() => resilin.close());

const call = async (method: string, uri: string, body?: unknown) => {
  const { status, body: answer } = await resilin.request(method, uri, body);
  return { status, body: answer as never };
};
const search = (body: object, uri = '/a/_search') => call('POST', uri, body);
const index = async (count: number, refresh = true) => {
  const lines = Array.from(
    { length: count },
    (_, i) => `{"index":{}}\n{"s":"red fox${i}","n":${i * 7},"k":"key${i}"}\n`,
  );
  await call('POST', `/a/t/_bulk${refresh ? '?refresh=true' : ''}`, lines.join(''));
};
type Part = Record<string, number> & {
  fields: Record<string, Record<string, number>>;
  types: Record<string, Record<string, number>>;
  groups: Record<string, Record<string, number>>;
};
const stats = async (part: string, query = ''): Promise<Part> => {
  const { body } = await call('GET', `/a/_stats/${part}${query}`);
  const [shown] = Object.values((body as { _all: { total: Record<string, Part> } })._all.total);
  return shown!;
};

describe('statistics', () => {
  it('count merges, what they read and how long they take', async () => {
    expect(await stats('merge')).toMatchObject({
      total: 0,
      total_docs: 0,
      total_size_in_bytes: 0,
      current: 0,
    });
    for (let i = 0; i < 3; i++) await index(20);
    const size = (await stats('store')).size_in_bytes!;
    await call('POST', '/a/_optimize?max_num_segments=1');
    const merges = await stats('merge');
    expect(merges).toMatchObject({ total: 1, total_docs: 60, total_size_in_bytes: size, current: 0 });
    expect((await stats('segments')).count).toBe(1);
  });

  it('tell what filters are cached, until they are cleared', async () => {
    await index(300);
    expect(await stats('filter_cache')).toEqual({ memory_size_in_bytes: 0, evictions: 0 });
    await search({
      query: { filtered: { query: { match: { s: 'red' } }, filter: { prefix: { k: 'key1' } } } },
    });
    expect((await stats('filter_cache')).memory_size_in_bytes).toBeGreaterThan(40);
    await call('POST', '/a/_cache/clear?fielddata=true');
    expect((await stats('filter_cache')).memory_size_in_bytes).toBeGreaterThan(40);
    await call('POST', '/a/_cache/clear?filter=true');
    expect((await stats('filter_cache')).memory_size_in_bytes).toBe(0);
  });

  it('tell how many filters had to make room for others', async () => {
    await index(10);
    const filter = (first: string) => {
      const long = Array.from({ length: 230 }, (_, i) => `${first}${i}`.padEnd(30_000, 'x'));
      return { query: { filtered: { query: { match: { s: 'red' } }, filter: { terms: { k: long } } } } };
    };
    for (const first of ['a', 'b', 'c', 'd', 'e', 'f']) await search(filter(first));
    expect((await stats('filter_cache')).evictions).toBe(2);
    await call('POST', '/a/_optimize?max_num_segments=1');
    expect(await stats('filter_cache')).toMatchObject({ evictions: 2 });
  });

  it('tell what searches needed of the values of fields, field by field', async () => {
    await index(300);
    expect(await stats('fielddata', '?fields=*')).toEqual({ memory_size_in_bytes: 0, evictions: 0 });
    await search({ query: { match: { s: 'red' } } });
    await search({ query: { range: { n: { gte: 10 } } } });
    expect((await stats('fielddata')).memory_size_in_bytes).toBe(0);
    await search({ sort: ['n'] });
    const one = await stats('fielddata', '?fields=*');
    expect(Object.keys(one.fields)).toEqual(['n']);
    expect(one.memory_size_in_bytes).toBeGreaterThan(300);
    await search({ aggs: { words: { terms: { field: 's' } }, keys: { terms: { field: 'k' } } } });
    await search({ query: { function_score: { random_score: { seed: 1 } } } });
    const { fields, memory_size_in_bytes: all } = await stats('fielddata', '?fielddata_fields=*');
    expect(Object.keys(fields).sort()).toEqual(['_uid', 'k', 'n', 's']);
    expect(all).toBe(Object.values(fields).reduce((sum, each) => sum + each.memory_size_in_bytes!, 0));
    expect(Object.keys((await stats('fielddata', '?fields=k,n*')).fields).sort()).toEqual(['k', 'n']);
    const { body: table } = await call('GET', '/_cat/fielddata?bytes=b&h=total,s,k,nosuch');
    expect(table).toBe(`${all} ${fields.s!.memory_size_in_bytes} ${fields.k!.memory_size_in_bytes} \n`);
    const { body } = await call('GET', '/_nodes/stats/breaker');
    const [node] = Object.values(
      (body as { nodes: Record<string, { breakers: Record<string, Part> }> }).nodes,
    );
    expect(node!.breakers.fielddata!.estimated_size_in_bytes).toBe(all);
    // What a merge replaces needs nothing any more.
    await call('POST', '/a/_cache/clear?fielddata=true');
    expect((await stats('fielddata')).memory_size_in_bytes).toBe(0);
    await search({ sort: ['n'] });
    await index(10);
    await call('POST', '/a/_optimize?max_num_segments=1');
    expect((await stats('fielddata')).memory_size_in_bytes).toBe(0);
  });

  it('tell what joins need', async () => {
    await call('PUT', '/a/parent/1', { s: 'x' });
    await call('PUT', '/a/child/1?parent=1&refresh=true', { s: 'y' });
    expect(await stats('id_cache')).toEqual({ memory_size_in_bytes: 0 });
    const { body } = await search({ query: { has_child: { type: 'child', query: { match_all: {} } } } });
    expect(body).toMatchObject({ hits: { total: 1 } });
    const { memory_size_in_bytes: size } = await stats('id_cache');
    expect(size).toBeGreaterThan(0);
    expect((await stats('fielddata', '?fields=_parent')).fields._parent!.memory_size_in_bytes).toBe(size);
    await call('POST', '/a/_cache/clear?id_cache=true');
    expect(await stats('id_cache')).toEqual({ memory_size_in_bytes: 0 });
  });

  it('count writes by type and searches by group', async () => {
    await index(5);
    await call('PUT', '/a/u/1', { s: 'x' });
    await call('DELETE', '/a/u/1');
    await call('POST', '/a/t/1/_update', { doc: { s: 'x' }, upsert: { s: 'x' } });
    await call('POST', '/a/t/1/_update', { doc: { s: 'x' }, detect_noop: true });
    const writes = await stats('indexing', '?types=*');
    expect(writes).toMatchObject({ index_total: 7, delete_total: 1, noop_update_total: 1, index_current: 0 });
    expect(writes.types).toMatchObject({ t: { index_total: 6 }, u: { index_total: 1, delete_total: 1 } });
    expect((await stats('indexing')).types).toBeUndefined();
    await search({ stats: ['g1', 'g2'] });
    await search({ stats: ['g2'] });
    await search({});
    const searches = await stats('search', '?groups=g*');
    expect(searches).toMatchObject({ query_total: 3, fetch_total: 3, query_current: 0 });
    expect(searches.groups).toMatchObject({
      g1: { query_total: 1, fetch_total: 1 },
      g2: { query_total: 2, fetch_total: 2 },
    });
    expect(Object.keys((await stats('search', '?groups=g1')).groups)).toEqual(['g1']);
  });

  it('count scrolls shard by shard', async () => {
    await call('PUT', '/b', { settings: { number_of_shards: 3 } });
    const { body } = await call('GET', '/a,b/_search?scroll=1m');
    const contexts = async (name: string) => {
      const { body: all } = await call('GET', `/${name}/_stats/search`);
      return (all as { _all: { total: { search: Part } } })._all.total.search.open_contexts;
    };
    expect([await contexts('a'), await contexts('b'), await contexts('a,b')]).toEqual([1, 3, 4]);
    await call('DELETE', '/_search/scroll', (body as { _scroll_id: string })._scroll_id);
    expect(await contexts('a,b')).toBe(0);
  });

  it('tell what is not persisted, what is in no segment, and what is hidden', async () => {
    await call('POST', '/a/_flush');
    expect(await stats('translog')).toEqual({ operations: 0, size_in_bytes: 0 });
    await call('PUT', '/a/t/1', { inner: [{ x: 1 }, { x: 2 }] });
    await call('PUT', '/a/t/1', { inner: [{ x: 1 }, { x: 3 }] });
    const translog = await stats('translog');
    expect(translog.operations).toBeGreaterThan(1);
    expect(translog.size_in_bytes).toBeGreaterThan(50);
    const before = await stats('segments');
    expect(before.index_writer_memory_in_bytes).toBeGreaterThan(0);
    expect(before.version_map_memory_in_bytes).toBeGreaterThan(0);
    expect(before.fixed_bit_set_memory_in_bytes).toBe(0);
    await call('POST', '/a/_refresh');
    const after = await stats('segments');
    expect(after).toMatchObject({
      index_writer_memory_in_bytes: 0,
      version_map_memory_in_bytes: 0,
      count: 1,
    });
    expect(after.fixed_bit_set_memory_in_bytes).toBeGreaterThan(0);
    await call('POST', '/a/_flush');
    expect(await stats('translog')).toEqual({ operations: 0, size_in_bytes: 0 });
    expect((await stats('flush')).total).toBe(2);
  });

  it('tell how large completions are, and count what is suggested and percolated', async () => {
    await call('PUT', '/a/t/1?refresh=true', { c: 'walnut' });
    const completion = await stats('completion', '?fields=*');
    expect(completion.size_in_bytes).toBeGreaterThan(6);
    expect(completion.fields).toEqual({ c: { size_in_bytes: completion.size_in_bytes } });
    await call('POST', '/a/_suggest', { x: { text: 'wa', completion: { field: 'c' } } });
    expect(await stats('suggest')).toMatchObject({ total: 1, current: 0 });
    await call('PUT', '/a/.percolator/1?refresh=true', { query: { match: { s: 'red' } } });
    await call('POST', '/a/t/_percolate', { doc: { s: 'red fox' } });
    expect(await stats('percolate')).toMatchObject({ total: 1, current: 0, queries: 1 });
  });

  it('count gets, refreshes and documents', async () => {
    await index(3);
    await call('PUT', '/a/t/1', { s: 'x' });
    await call('GET', '/a/t/1');
    await call('GET', '/a/t/none');
    expect(await stats('get')).toMatchObject({ total: 2, exists_total: 1, missing_total: 1, current: 0 });
    expect(await stats('docs')).toEqual({ count: 3, deleted: 0 });
    const { total } = await stats('refresh');
    await call('POST', '/a/_refresh');
    expect((await stats('refresh')).total).toBe(total! + 1);
    expect(await stats('docs')).toEqual({ count: 4, deleted: 0 });
  });

  it('of the node count on when an index is deleted', async () => {
    await index(3);
    await search({});
    await call('DELETE', '/a');
    const { body } = await call('GET', '/_nodes/stats/indices');
    const [node] = Object.values(
      (body as { nodes: Record<string, { indices: Record<string, Part> }> }).nodes,
    );
    expect(node!.indices).toMatchObject({
      indexing: { index_total: 3, index_current: 0 },
      search: { query_total: 1, query_current: 0 },
      docs: { count: 0 },
    });
  });
});

describe('the breaker of fielddata', () => {
  const limit = (bytes: number | string) =>
    call('PUT', '/_cluster/settings', { transient: { 'indices.breaker.fielddata.limit': bytes } });
  const breaker = async () => {
    const { body } = await call('GET', '/_nodes/stats/breaker');
    const [node] = Object.values(
      (body as { nodes: Record<string, { breakers: Record<string, Part> }> }).nodes,
    );
    return node!.breakers.fielddata!;
  };

  it('refuses what needs too much, whatever needs it, and nothing else', async () => {
    await index(300);
    await call('PUT', '/a/parent/1', { s: 'x' });
    await call('PUT', '/a/child/1?parent=1&refresh=true', { s: 'y' });
    await limit('100b');
    const needing: [string, object][] = [
      ['n', { sort: ['n'] }],
      ['k', { aggs: { a: { terms: { field: 'k' } } } }],
      ['s', { aggs: { a: { terms: { field: 's' } } } }],
      ['n', { aggs: { a: { avg: { field: 'n' } } } }],
      ['_uid', { query: { function_score: { random_score: { seed: 1 } } } }],
      [
        'n',
        {
          query: {
            function_score: { filter: { exists: { field: 'n' } }, field_value_factor: { field: 'n' } },
          },
        },
      ],
      ['n', { script_fields: { x: { lang: 'expression', script: "doc['n'].value" } }, sort: ['n'] }],
    ];
    for (const [field, body] of needing) {
      const answer = await search(body);
      expect(answer.status, JSON.stringify(body)).toBe(500);
      const said = `[FIELDDATA] Data too large, data for [${field}] would be larger than limit of [100/100b]`;
      expect((answer.body as { error: string }).error).toContain(
        `ElasticsearchException[org.elasticsearch.common.breaker.CircuitBreakingException: ${said}]; nested: ` +
          `UncheckedExecutionException[org.elasticsearch.common.breaker.CircuitBreakingException: ${said}]; nested: ` +
          `CircuitBreakingException[${said}]`,
      );
    }
    expect(await breaker()).toMatchObject({ limit_size_in_bytes: 100, tripped: needing.length });
    for (const body of [
      { query: { match: { s: 'red' } } },
      { query: { range: { n: { gte: 10 } } }, size: 3 },
      { query: { filtered: { filter: { range: { k: { gte: 'key1' } } } } } },
    ])
      expect((await search(body)).status).toBe(200);
    await limit('60%');
    for (const [, body] of needing) expect((await search(body)).status).toBe(200);
    expect((await breaker()).estimated_size_in_bytes).toBeGreaterThan(1000);
  });

  it('lets more be needed after a clearing', async () => {
    await index(300);
    await search({ sort: ['n'] });
    const { estimated_size_in_bytes: one } = await breaker();
    await limit(`${Math.ceil(one! * 1.03) + 50}b`);
    expect((await search({ sort: ['n'] })).status).toBe(200);
    expect((await search({ sort: ['k'] })).status).toBe(500);
    await call('POST', '/_cache/clear?fielddata=true');
    expect((await breaker()).estimated_size_in_bytes).toBe(0);
    expect((await search({ sort: ['n'] })).status).toBe(200);
  });

  it('counts towards the limit of all', async () => {
    await index(300);
    await call('PUT', '/_cluster/settings', { transient: { 'indices.breaker.total.limit': '500b' } });
    const { status, body } = await search({ sort: ['k'] });
    expect(status).toBe(500);
    expect((body as { error: string }).error).toContain('CircuitBreakingException[[PARENT] Data too large');
  });
});
