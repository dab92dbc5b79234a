import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { ThreadPools } from '../../host/limits/threadPools.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  const lines = Array.from(
    { length: 200 },
    (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i},"s":"word${i}"}\n`,
  );
  await call('PUT', '/a', { settings: { number_of_shards: 1 } });
  await call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const set = (settings: Record<string, unknown>) => call('PUT', '/_cluster/settings', { transient: settings });
type Figures = Record<string, Record<string, number>>;
const stats = async (part: string) => {
  const { nodes } = (await call('GET', `/_nodes/stats/${part}`)).body as {
    nodes: Record<string, Record<string, Figures>>;
  };
  const [node] = Object.values(nodes);
  return (node!.breakers ?? node![part]) as Figures;
};

describe('queues', () => {
  it('refuse what is too much with 429, and count it', async () => {
    await set({ 'threadpool.search.size': 1, 'threadpool.search.queue_size': 2 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('GET', '/a/_search')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    expect(answers.find(({ status }) => status === 429)!.body).toEqual({
      error: 'EsRejectedExecutionException[rejected execution (queue capacity 2) on [search]]',
      status: 429,
    });
    expect((await stats('thread_pool')).search).toEqual({
      threads: 1,
      queue: 0,
      active: 0,
      rejected: 5,
      largest: 1,
      completed: 3,
    });
    const table = await call('GET', '/_cat/thread_pool?h=search.rejected,search.completed,search.queueSize');
    expect(table.body).toBe('5 3 2 \n');
    // Others are not concerned.
    expect((await call('GET', '/a/t/1')).status).toBe(200);
    await set({ 'threadpool.search.size': 64, 'threadpool.search.queue_size': 1000 });
    const again = await Promise.all(Array.from({ length: 8 }, () => call('GET', '/a/_search')));
    expect(again.every(({ status }) => status === 200)).toBe(true);
  });

  it('take turns between clients, and refuse whoever has the most that wait', async () => {
    const pools = new ThreadPools();
    pools.configure((name) =>
      name === 'threadpool.search.size' ? '1' : name.endsWith('queue_size') ? '4' : undefined,
    );
    const pool = pools.pool('search');
    const order: string[] = [];
    const enter = (name: string, asker: number) =>
      (pool.enter(asker) ?? Promise.resolve()).then(
        () => void order.push(name),
        (e: Error) => void order.push(`${name}: ${e.message}`),
      );
    const leave = async () => {
      pool.leave();
      await undefined;
      await undefined;
    };
    const entered = [enter('a1', 1), enter('a2', 1), enter('a3', 1), enter('a4', 1), enter('a5', 1)];
    // There is no room for another one of the first client, but for those of others: its last ones go.
    await expect(async () => pool.enter(1)).rejects.toThrow(
      'rejected execution (queue capacity 4) on [search]',
    );
    entered.push(enter('b1', 2), enter('c1', 3));
    await expect(async () => pool.enter(2)).rejects.toThrow('rejected execution');
    await Promise.all(entered.slice(3, 5));
    expect(order).toEqual([
      'a1',
      'a5: EsRejectedExecutionException[rejected execution (queue capacity 4) on [search]]',
      'a4: EsRejectedExecutionException[rejected execution (queue capacity 4) on [search]]',
    ]);
    expect(pools.stats('search')).toMatchObject({ active: 1, queue: 4, rejected: 4 });
    order.length = 0;
    for (let i = 0; i < 5; i++) await leave();
    expect(order).toEqual(['a2', 'b1', 'c1', 'a3']);
    expect(pools.stats('search')).toMatchObject({ active: 0, queue: 0, completed: 5 });
  });

  it('keep the order of writes', async () => {
    await set({ 'threadpool.index.size': 1 });
    const writes = Array.from({ length: 50 }, (_, i) => call('PUT', '/a/t/x', { n: i }));
    const versions = (await Promise.all(writes)).map(({ body }) => (body as { _version: number })._version);
    expect(versions).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect((await call('GET', '/a/t/x/_source')).body).toEqual({ n: 49 });
  });
});

describe('breakers', () => {
  const tripped =
    /^CircuitBreakingException\[\[REQUEST\] Data too large, data for \[.+\] would be larger than limit of \[2000\/1.9kb\]\]$/;

  it('refuse searches whose hits or buckets are too large', async () => {
    await set({ 'indices.breaker.request.limit': '2000b' });
    const aggregation = { size: 0, aggs: { all: { terms: { field: 's', size: 0 } } } };
    for (const body of [{ size: 200 }, { size: 100, sort: ['n'] }, aggregation]) {
      const { status, body: answer } = await call('POST', '/a/_search', body);
      expect(status).toBe(500);
      expect((answer as { error: string }).error).toMatch(tripped);
    }
    expect((await call('POST', '/a/_search', { size: 1 })).status).toBe(200);
    const { request } = await stats('breaker');
    expect(request).toMatchObject({ limit_size_in_bytes: 2000, estimated_size_in_bytes: 0, tripped: 3 });
  });

  it('count the tokens of a text before they are made, and let them go again', async () => {
    await set({ 'indices.breaker.request.limit': '10mb' });
    const grams = (length: number, more = '') =>
      call('POST', `/_analyze?tokenizer=path_hierarchy&filters=ngram${more}`, 'a/'.repeat(length));
    const { status, body } = await grams(500);
    expect([status, body]).toEqual([
      500,
      {
        error:
          'CircuitBreakingException[[REQUEST] Data too large, data for [<analyze>] would be larger than limit of [10485760/10mb]]',
        status: 500,
      },
    ]);
    expect((await stats('breaker')).request).toMatchObject({ estimated_size_in_bytes: 0, tripped: 1 });
    expect((await grams(180)).status).toBe(200);
    // Indented, all of them are shown at once.
    const indented = await grams(180, '&pretty');
    expect(indented).toMatchObject({ status: 500, body: { error: expect.stringContaining('[<analyze>]') } });
  });

  it('count the tokens that the text of a query comes to', async () => {
    const analysis = { analyzer: { grams: { tokenizer: 'path_hierarchy', filter: ['ngram'] } } };
    await call('PUT', '/grams', {
      settings: { number_of_shards: 1, analysis },
      mappings: { t: { properties: { g: { type: 'string', analyzer: 'grams' } } } },
    });
    await call('PUT', '/grams/t/1?refresh=true', { g: 'a' });
    await set({ 'indices.breaker.request.limit': '10mb' });
    const query = { match: { g: 'a/'.repeat(500) } };
    const requests = [
      call('POST', '/grams/_search', { query }),
      call('POST', '/grams/t/1/_explain', { query }),
      call('DELETE', '/grams/_query', { query }),
    ];
    const answers = (await Promise.all(requests)).map(({ body }) => JSON.stringify(body));
    const refused = 'Data too large, data for [<';
    expect(answers).toEqual(answers.map(() => expect.stringContaining(refused)));
    expect((await stats('breaker')).request).toMatchObject({ estimated_size_in_bytes: 0, tripped: 3 });
  });

  it('count the bytes of long plans, which each shard gets a copy of', async () => {
    const values = Array.from({ length: 10_000 }, (_, i) => `word${i}`);
    const search = () =>
      call('POST', '/a/_search', { query: { filtered: { filter: { terms: { s: values } } } } });
    expect((await search()).status).toBe(200);
    await set({ 'indices.breaker.request.limit': '150kb' });
    const { status, body } = await search();
    expect(status).toBe(500);
    expect((body as { error: string }).error).toContain('CircuitBreakingException[[REQUEST] Data too large');
    expect((await stats('breaker')).request!.estimated_size_in_bytes).toBe(0);
  });

  it('refuse more buckets than a shard may have, which a document is enough for', async () => {
    const values = Array.from({ length: 2100 }, (_, i) => i);
    await call('PUT', '/many', { settings: { number_of_shards: 1 } });
    await call('PUT', '/many/t/1?refresh=true', { a: values, b: values });
    const aggs = (size: number) => ({
      size: 0,
      aggs: { a: { terms: { field: 'a', size }, aggs: { b: { terms: { field: 'b', size } } } } },
    });
    const { status, body } = await call('POST', '/many/_search', aggs(0));
    expect(status).toBe(500);
    expect((body as { error: string }).error).toContain('CircuitBreakingException[the hits and buckets');
    const few = { aggs: { a: { filter: { range: { a: { gte: 3000 } } }, aggs: aggs(3).aggs } }, size: 0 };
    expect((await call('POST', '/many/_search', few)).status).toBe(200);
    expect((await stats('breaker')).request!.estimated_size_in_bytes).toBe(0);
  });

  it('refuse a bulk before anything of it is done', async () => {
    await set({ 'indices.breaker.request.limit': '2000b' });
    const { status } = await call('POST', '/a/t/_bulk', '{"index":{}}\n{"n":1}\n'.repeat(100));
    expect(status).toBe(500);
    await call('POST', '/a/_refresh');
    expect((await call('GET', '/a/_count')).body).toMatchObject({ count: 200 });
  });

  it('leave out of a multi-search what would make its answer too large', async () => {
    await set({ 'indices.breaker.request.limit': '100kb' });
    const { body } = await call('POST', '/a/_msearch', '{}\n{"size":100}\n'.repeat(50));
    const { responses } = body as { responses: { error?: string; hits?: { total: number } }[] };
    expect(responses).toHaveLength(50);
    const failed = responses.filter(({ error }) => error?.startsWith('CircuitBreakingException'));
    expect(failed.length).toBeGreaterThan(10);
    expect(responses.find(({ error }) => error === undefined)).toMatchObject({ hits: { total: 200 } });
    expect(failed.length).toBeLessThan(50);
  });

  it('count what scrolls hold', async () => {
    const { body } = await call('GET', '/a/_search?scroll=1m');
    expect((await stats('breaker')).request!.estimated_size_in_bytes).toBeGreaterThan(4096);
    await call('DELETE', '/_search/scroll', (body as { _scroll_id: string })._scroll_id);
    expect((await stats('breaker')).request!.estimated_size_in_bytes).toBe(0);
    await set({ 'indices.breaker.request.limit': '6000b' });
    expect((await call('GET', '/a/_search?scroll=1m&size=1')).status).toBe(500);
    expect((await call('GET', '/_nodes/stats/indices/search')).body).toMatchObject({
      nodes: expect.toSatisfy((nodes: Record<string, { indices: { search: { open_contexts: number } } }>) =>
        Object.values(nodes).every(({ indices }) => indices.search.open_contexts === 0),
      ),
    });
  });

  it('have a parent, and can be told to count only', async () => {
    await set({ 'indices.breaker.total.limit': '3kb' });
    const { body } = await call('POST', '/a/_search', { size: 200 });
    expect(body).toMatchObject({
      error: expect.stringMatching(/^CircuitBreakingException\[\[PARENT\] Data too/),
    });
    await set({ 'indices.breaker.total.limit': '-1' });
    expect((await call('POST', '/a/_search', { size: 200 })).status).toBe(200);
  });
});

it('texts of errors are cut', async () => {
  const query = `${'x'.repeat(1_000_000)} AND (`;
  for (const body of [
    { query: { query_string: { query } } },
    { query: { match: { [query]: { operator: 'x' } } } },
  ]) {
    const { status, body: answer } = await call('POST', '/_all/_search', body);
    expect(status).toBe(400);
    expect((answer as { error: string }).error.length).toBeLessThan(250_000);
  }
  expect((await call('GET', `/_search?q=${'('.repeat(20_000)}`)).status).toBe(400);
});

describe('a text of many tokens', () => {
  it('is analyzed whole, however its tokens are written', async () => {
    const text = 'red fox '.repeat(2500);
    const { body } = await call('POST', '/_analyze', text);
    const { tokens } = body as { tokens: { token: string; position: number }[] };
    expect(tokens).toHaveLength(5000);
    expect(tokens[4999]).toEqual({
      token: 'fox',
      start_offset: 19_996,
      end_offset: 19_999,
      type: '<ALPHANUM>',
      position: 5000,
    });
    expect((await call('POST', '/_analyze?pretty', text)).body).toEqual(body);
  });

  it('is refused where its tokens would take too much', async () => {
    await set({ 'indices.breaker.request.limit': '1mb' });
    const { status, body } = await call('POST', '/_analyze', 'red fox '.repeat(10_000));
    expect([status, body]).toEqual([
      500,
      { error: expect.stringMatching(/^CircuitBreakingException\[\[REQUEST\].+<analyze>/), status: 500 },
    ]);
  });
});
