import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

interface Shown {
  _id: string;
  _type: string;
  _score: number | null;
  _nested?: unknown;
  _source?: unknown;
  inner_hits?: Record<string, { hits: { total: number; max_score: number | null; hits: Shown[] } }>;
  [key: string]: unknown;
}

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const find = async (body: unknown, index = 'boats') => {
  const answer = (await call('POST', `/${index}/_search`, body)).body as { hits: { hits: Shown[] } };
  return answer.hits.hits;
};
/** What is shown of a hit under a name. */
const under = (hit: Shown | undefined, name: string) => hit!.inner_hits![name]!.hits;

const one = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
const crew = {
  type: 'nested',
  properties: {
    role: { type: 'string' },
    age: { type: 'integer' },
    trips: { type: 'nested', properties: { to: { type: 'string' } } },
  },
};

beforeAll(async () => {
  resilin = await createEngine();
  await call('PUT', '/boats', {
    settings: one,
    mappings: { boat: { properties: { name: { type: 'string' }, crew } } },
  });
  await call('PUT', '/boats/boat/1', {
    name: 'heron',
    crew: [
      { role: 'cook and pilot', age: 40, trips: [{ to: 'oslo' }, { to: 'riga' }] },
      { role: 'pilot', age: 30 },
      { role: 'cook', age: 50, trips: [{ to: 'riga' }] },
    ],
  });
  await call('PUT', '/boats/boat/2', { name: 'gull', crew: [{ role: 'guest', age: 7 }] });
  await call('PUT', '/boats/boat/3?refresh=true', { name: 'tern' });
  await call('PUT', '/ports', {
    settings: one,
    mappings: { port: {}, ship: { _parent: { type: 'port' } }, box: { _parent: { type: 'ship' } } },
  });
  await call('PUT', '/ports/port/1', { name: 'riga' });
  await call('PUT', '/ports/ship/1?parent=1', { cargo: 'salt and coal', n: 1 });
  await call('PUT', '/ports/ship/2?parent=1', { cargo: 'coal', n: 2 });
  await call('PUT', '/ports/ship/3?parent=2', { cargo: 'coal', n: 3 });
  await call('PUT', '/ports/box/1?parent=2&routing=1&refresh=true', { of: 'tea' });
});
afterAll(() => resilin.close());

const pilots = (inner_hits: unknown) => ({
  query: { nested: { path: 'crew', query: { match: { 'crew.role': 'pilot' } }, inner_hits } },
});

describe('inner hits of a nested query', () => {
  it('are the objects that it matches, with the scores that they have by themselves', async () => {
    const [hit, ...others] = await find(pilots({}));
    expect(others).toEqual([]);
    const { total, max_score, hits } = under(hit, 'crew');
    expect(total).toBe(2);
    expect(max_score).toBe(hits[0]!._score);
    expect(hits.map(({ _nested }) => _nested)).toEqual([
      { field: 'crew', offset: 1 },
      { field: 'crew', offset: 0 },
    ]);
    expect(hits[0]).toMatchObject({ _id: '1', _type: 'boat', _source: { role: 'pilot', age: 30 } });
  });

  it('have a name, a page and an order of their own', async () => {
    const sorted = { name: 'hands', from: 1, size: 1, sort: { 'crew.age': 'desc' }, _source: 'role' };
    const [hit] = await find(pilots(sorted));
    expect(under(hit, 'hands')).toMatchObject({
      total: 2,
      max_score: null,
      hits: [{ _nested: { offset: 1 }, _score: null, sort: [30], _source: { role: 'pilot' } }],
    });
  });

  it('are highlighted, explained and shown by their fields', async () => {
    const [hit] = await find(
      pilots({
        size: 1,
        explain: true,
        version: true,
        highlight: { fields: { 'crew.role': {} } },
        fielddata_fields: ['crew.age'],
      }),
    );
    const [first] = under(hit, 'crew').hits;
    expect(first).toMatchObject({
      _version: 1,
      highlight: { 'crew.role': ['<em>pilot</em>'] },
      fields: { 'crew.age': [30] },
      _explanation: { value: first!._score },
    });
  });

  it('are counted alone where none are wanted, and none are behind the last', async () => {
    const [counted] = await find(pilots({ size: 0 }));
    expect(under(counted, 'crew')).toEqual({ total: 2, max_score: 0, hits: [] });
    const [behind] = await find(pilots({ from: 2 }));
    expect(under(behind, 'crew')).toEqual({ total: 0, max_score: null, hits: [] });
  });

  it('come of filters as of queries', async () => {
    const nested = { path: 'crew', filter: { term: { 'crew.role': 'guest' } }, inner_hits: {} };
    const [hit] = await find({ query: { filtered: { filter: { nested } } } });
    expect(under(hit, 'crew')).toMatchObject({ total: 1, max_score: 1, hits: [{ _id: '2' }] });
  });

  it('come with the pages of a scroll', async () => {
    const uri = '/boats/_search?scroll=1m&size=1';
    const first = (await call('POST', uri, { ...pilots({}), query: { match_all: {} }, inner_hits: {} }))
      .body as {
      _scroll_id: string;
    };
    expect(first).not.toHaveProperty('hits.hits.0.inner_hits');
    const inner_hits = { all: { path: { crew: {} } } };
    const begun = (await call('POST', uri, { inner_hits })).body as { _scroll_id: string };
    const next = await call('GET', `/_search/scroll?scroll_id=${begun._scroll_id}`);
    const [hit] = (next.body as { hits: { hits: Shown[] } }).hits.hits;
    expect(under(hit, 'all').total).toBe(1);
  });
});

describe('inner hits beside the query', () => {
  it('are asked for by path, each with what is in it', async () => {
    const trips = { query: { match: { 'crew.trips.to': 'riga' } } };
    const hands = { sort: '_doc', size: 5, inner_hits: { trips: { path: { 'crew.trips': trips } } } };
    const found = await find({ sort: { _uid: 'asc' }, inner_hits: { hands: { path: { crew: hands } } } });
    expect(found.map((hit) => under(hit, 'hands').total)).toEqual([3, 1, 0]);
    const [last, middle, first] = under(found[0], 'hands').hits;
    expect(last!._nested).toEqual({ field: 'crew', offset: 2 });
    expect(under(middle, 'trips').total).toBe(0);
    expect(under(first, 'trips').hits).toMatchObject([
      {
        _nested: { field: 'crew', offset: 0, _nested: { field: 'trips', offset: 1 } },
        _source: { to: 'riga' },
      },
    ]);
  });

  it('must name a nested field or a type', async () => {
    const error = async (inner_hits: unknown) =>
      ((await call('POST', '/boats/_search', { inner_hits })).body as { error: string }).error;
    expect(await error({ a: { path: { sails: {} } } })).toContain("path [sails] doesn't exist");
    expect(await error({ a: { path: { name: {} } } })).toContain("path [name] doesn't exist");
    expect(await error({ a: { type: { ship: {} } } })).toContain("type [ship] doesn't exist");
    expect(await error({ a: { of: { crew: {} } } })).toContain('Either path or type object must be defined');
    expect(await error({ a: { path: { crew: { colour: 1 } } } })).toContain(
      'Unknown key for a VALUE_NUMBER for nested query: [colour].',
    );
  });
});

describe('inner hits of families', () => {
  const coal = { match: { cargo: 'coal' } };

  it('are the children of the hit that the query matches', async () => {
    const query = { has_child: { type: 'ship', query: coal, inner_hits: {} } };
    const [hit] = await find({ query }, 'ports');
    expect(under(hit, 'ship')).toMatchObject({ total: 2, hits: [{ _id: '2' }, { _id: '1' }] });
  });

  it('are the parent of the hit', async () => {
    const query = {
      has_parent: { parent_type: 'port', query: { match_all: {} }, inner_hits: { name: 'p' } },
    };
    const found = await find({ query }, 'ports');
    expect(found.map((hit) => under(hit, 'p').hits.map(({ _id }) => _id))).toEqual([['1'], ['1']]);
  });

  it('go on to the children of these', async () => {
    const ships = { sort: { n: 'desc' }, inner_hits: { boxes: { type: { box: {} } } } };
    const query = { has_child: { type: 'ship', query: coal } };
    const [hit] = await find({ query, inner_hits: { ships: { type: { ship: ships } } } }, 'ports');
    const shown = under(hit, 'ships').hits;
    expect(shown.map(({ _id }) => _id)).toEqual(['2', '1']);
    expect(shown.map((ship) => under(ship, 'boxes').total)).toEqual([1, 0]);
  });

  it('are none of a hit of another type', async () => {
    const [hit] = await find(
      { query: { match: { of: 'tea' } }, inner_hits: { s: { type: { port: {} } } } },
      'ports',
    );
    expect(under(hit, 's')).toEqual({ total: 0, max_score: 0, hits: [] });
  });
});
