/** Queries that are stored, as registered ones, filters of aliases and warmers, are compiled in turns, and their memory is counted. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkLimit } from '../../host/workLimit.js';
import { startNode, type TestNode } from './node.js';

/** A query whose text has tokens that are read in turns, and of which nothing is kept from one compilation to the next. */
const like = (word: string) => ({
  more_like_this: { fields: ['x'], like_text: `${word} `.repeat(40_000), min_term_freq: 1, min_doc_freq: 1 },
});

let node: TestNode;
let yields: { mock: { calls: unknown[] } };

beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node.engine.close());

beforeEach(async () => {
  await node.call('PUT', '/a', {
    settings: { number_of_shards: 1 },
    mappings: { t: { properties: { x: { type: 'string' }, at: { type: 'date' } } } },
  });
  // Of limits that nobody handed down.
  vi.spyOn(WorkLimit.prototype, 'due', 'get').mockReturnValue(true);
  vi.spyOn(WorkLimit.prototype, 'elapsed', 'get').mockReturnValue(Number.POSITIVE_INFINITY);
  yields = vi.spyOn(WorkLimit.prototype, 'yield');
});
afterEach(async () => {
  vi.restoreAllMocks();
  node.engine.breakers.configure(() => undefined);
  await node.call('DELETE', '/a');
});

/** How often others got the event loop while something was done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  const before = yields.mock.calls.length;
  await work();
  return yields.mock.calls.length - before;
}

const put = (id: string, query: object) => node.call('PUT', `/a/.percolator/${id}`, { query });
const percolated = async (x: string) => {
  const { body } = await node.call('POST', '/a/t/_percolate', { doc: { x, at: new Date().toISOString() } });
  return body.matches.map(({ _id }: { _id: string }) => _id).sort();
};
const noMemory = () =>
  node.engine.breakers.configure((name) => (name === 'indices.breaker.request.limit' ? '1mb' : undefined));

describe('registered queries', () => {
  it('are compiled in turns when they are written, when they are loaded, and when they change', async () => {
    const short = await turnsOf(() => put('short', { match: { x: 'blue' } }));
    expect(await turnsOf(() => put('long', like('red')))).toBeGreaterThan(short + 4);
    const loading = await turnsOf(async () => expect(await percolated('red')).toEqual(['long']));
    const loaded = await turnsOf(async () => expect(await percolated('red')).toEqual(['long']));
    expect(loading).toBeGreaterThan(loaded + 4);
    // Checked, and made ready.
    expect(await turnsOf(() => put('other', like('red')))).toBeGreaterThan(short + 8);
    expect(await percolated('red')).toEqual(['long', 'other']);
  });

  it('whose plans depend on the time are compiled in turns for each document', async () => {
    const recent = { range: { at: { gte: 'now-1d' } } };
    await put('timely', { bool: { must: [recent, like('red')] } });
    await percolated('red');
    const turns = await turnsOf(async () => expect(await percolated('red')).toEqual(['timely']));
    await node.call('DELETE', '/a/.percolator/timely');
    await put('timely', { bool: { must: [recent, { match: { x: 'red' } }] } });
    const short = await turnsOf(async () => expect(await percolated('red')).toEqual(['timely']));
    expect(turns).toBeGreaterThan(short + 4);
  });

  it('of which one replaces another that is being compiled', async () => {
    await put('first', { match: { x: 'green' } });
    await percolated('green');
    await Promise.all([
      put('q', like('red')),
      put('q', { match: { x: 'blue' } }),
      node.call('DELETE', '/a/.percolator/first'),
    ]);
    expect(await percolated('red')).toEqual([]);
    expect(await percolated('blue')).toEqual(['q']);
    expect(await percolated('green')).toEqual([]);
  });

  it('of which a bulk has many give others their turns', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => [
      JSON.stringify({ index: { _type: '.percolator', _id: `q${i}` } }),
      JSON.stringify({ query: { match: { x: `word${i}` } } }),
    ]);
    await percolated('red');
    const turns = await turnsOf(() => node.call('POST', '/a/_bulk', `${lines.flat().join('\n')}\n`));
    expect(turns).toBeGreaterThanOrEqual(50);
    expect(await percolated('word7')).toEqual(['q7']);
  });

  it('are refused where there is no memory for compiling them', async () => {
    noMemory();
    const refused = await put('long', like('red'));
    expect(refused.text).toContain('CircuitBreakingException');
    expect(refused.text).toContain('<percolator>');
    node.engine.breakers.configure(() => undefined);
    expect(node.engine.breakers.stats.request.used).toBe(0);
    expect((await put('long', like('red'))).status).toBe(201);
    noMemory();
    const asked = await node.call('POST', '/a/t/_percolate', { doc: { x: 'red' } });
    // No answer that leaves out a query.
    expect(asked.text).toContain('CircuitBreakingException');
    node.engine.breakers.configure(() => undefined);
    expect(await percolated('red')).toEqual(['long']);
    expect(node.engine.breakers.stats.request.used).toBe(0);
  });
});

describe('filters of aliases', () => {
  const filter = { query: like('red') };

  it.each([
    ['_alias', 'PUT', '/a/_alias/b', { filter }],
    ['_aliases', 'POST', '/_aliases', { actions: [{ add: { index: 'a', alias: 'b', filter } }] }],
    ['a new index', 'PUT', '/new', { aliases: { b: { filter } } }],
  ])('%s', async (_name, method, uri, body) => {
    if (uri === '/new') Object.assign(body, { mappings: { t: { properties: { x: { type: 'string' } } } } });
    const gone = await node.call(method, uri, body, { goneAfter: 3 });
    expect(gone).toMatchObject({ status: 503, turns: 3 });
    noMemory();
    const refused = await node.call(method, uri, body);
    expect(refused.text).toContain('[<alias>]');
    node.engine.breakers.configure(() => undefined);
    const done = await node.call(method, uri, body);
    expect(done).toMatchObject({ status: 200 });
    expect(done.turns).toBeGreaterThan(4);
    expect(node.engine.breakers.stats.request.used).toBe(0);
    if (uri === '/new') await node.call('DELETE', '/new');
  });
});

it('warmers', async () => {
  const done = await node.call('PUT', '/a/_warmer/w', { query: like('red') });
  expect(done).toMatchObject({ status: 200 });
  expect(done.turns).toBeGreaterThan(4);
  const gone = await node.call('PUT', '/a/_warmer/w', { query: like('blue') }, { goneAfter: 3 });
  expect(gone).toMatchObject({ status: 503, turns: 3 });
});
