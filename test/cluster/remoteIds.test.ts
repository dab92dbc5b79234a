/** Documents that queries name by their ids, through a node without data: the copy finds their keys as the search begins. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReadAsker } from '../../host/replication/readAsker.js';
import { fillKeys, MOST_FILLED, readKeyPlaces } from '../../host/shard/keyPlaces.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

describe('a search for ids', () => {
  let simulated: SimulatedCluster;
  /** With data, and without. */
  let a: SimulatedNode;
  let c: SimulatedNode;
  /** What copies are asked. */
  let asked: string[];
  /** Whether copies are of a version that fills in no keys. */
  let isOlder: boolean;

  beforeEach(async () => {
    asked = [];
    isOlder = false;
    const { ask } = ReadAsker.prototype;
    vi.spyOn(ReadAsker.prototype, 'ask').mockImplementation(function (this: ReadAsker, node, item, limit) {
      asked.push(item.question.kind);
      const { places: _, ...head } = item.question.head;
      return ask.call(this, node, isOlder ? { ...item, question: { ...item.question, head } } : item, limit);
    });
    simulated = new SimulatedCluster();
    a = await simulated.start('a');
    c = await simulated.start('c', { data: false });
    const parts = { type: 'nested', properties: { n: { type: 'integer' } } };
    const mappings = { book: { properties: { parts, n: { type: 'integer' } } }, note: {} };
    const settings = { number_of_shards: 1, refresh_interval: -1 };
    await a.call('PUT', '/books', { settings, mappings });
    for (let i = 0; i < 20; i++)
      await a.call('PUT', `/books/book/${i}`, { title: `word ${i % 3}`, n: i, parts: [{ n: i }, { n: -i }] });
    await a.call('PUT', '/books/note/1', { title: 'word' });
    await a.call('DELETE', '/books/book/3');
    await a.call('POST', '/books/_refresh');
    // Searches don't see these yet.
    await a.call('PUT', '/books/book/5', { title: 'changed', n: 50 });
    await a.call('PUT', '/books/book/new', { title: 'new', n: 51 });
    await a.call('DELETE', '/books/book/6');
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    await simulated.close([a, c]);
  });

  /** What both answer, and what the copy was asked for that. */
  async function same(body: unknown, uri = '/books/_search') {
    const own = await a.written('POST', uri, JSON.stringify(body));
    asked = [];
    const other = await c.written('POST', uri, JSON.stringify(body));
    const untimed = (text: string) => text.replaceAll(/"took":\d+/g, '').replaceAll(/"_node":"[^"]*"/g, '');
    expect(untimed(other.text)).toBe(untimed(own.text));
    return { found: JSON.parse(other.text), asked };
  }

  const ids = (...values: string[]) => ({ ids: { values } });

  it('asks a copy once, wherever they stand', async () => {
    const one = await same({ query: ids('1', '5', '6', '3', 'new', '1', 'none', 'y'.repeat(3000)) });
    expect(one.found.hits.hits.map(({ _id }: { _id: string }) => _id).sort()).toEqual(['1', '1', '5', '6']);
    expect(one.asked).toEqual(['search']);
    const bodies = [
      { query: { filtered: { query: { match: { title: 'word' } }, filter: ids('2', '4', '9') } } },
      { query: { bool: { must: { match: { title: 'word' } }, should: [ids('2'), ids('4', '3')] } } },
      { query: { bool: { must: { match_all: {} }, must_not: ids('1', '2', '3') } }, size: 30 },
      { query: { filtered: { filter: { not: { and: [ids('7'), ids('7', '8')] } } } }, size: 30 },
      { query: { match_all: {} }, post_filter: ids('8', '9'), sort: [{ n: 'desc' }] },
      { query: { term: { _uid: 'book#4' } } },
      { query: { ids: { type: 'note', values: ['1', '2'] } } },
      { aggs: { some: { filter: ids('1', '2', '7'), aggs: { n: { sum: { field: 'n' } } } } }, size: 0 },
      { query: ids('none') },
      { query: { nested: { path: 'parts', query: { bool: { must_not: ids('1') } } } }, size: 30 },
      { query: ids('1', '2'), explain: true },
    ];
    for (const body of bodies) {
      const { asked: questions } = await same(body);
      expect(questions.filter((kind) => kind !== 'search')).toEqual([]);
    }
    await same({ query: ids('1', '2') }, '/books/_search?search_type=dfs_query_then_fetch');
    expect((await same({ query: ids('1', '2', '3') }, '/books/_count')).found.count).toBe(3);
  });

  it('asks for keys first where it is not known how many there are, or where they are many', async () => {
    expect((await same({ query: { prefix: { _uid: 'book#1' } }, size: 30 })).asked).toEqual([
      'keys',
      'search',
    ]);
    const both = { bool: { should: [{ prefix: { _uid: 'book#1' } }, ids('2', '3')] } };
    expect((await same({ query: both, size: 30 })).asked).toEqual(['keys', 'search']);
    const many = Array.from({ length: MOST_FILLED + 1 }, (_, i) => `${i}`);
    expect((await same({ query: { ids: { type: 'book', values: many } }, size: 30 })).asked).toEqual([
      'keys',
      'search',
    ]);
  });

  it('asks a copy of an older version for the keys', async () => {
    isOlder = true;
    expect((await same({ query: ids('1', '5', '3', 'none') })).asked).toEqual(['search', 'keys', 'search']);
    expect((await same({ query: { match: { title: 'word' } } })).asked).toEqual(['search']);
  });
});

describe('places for keys in a plan', () => {
  const plan = new Uint8Array(40);
  new DataView(plan.buffer).setUint32(4, 2, true);
  const place = { at: 4, uids: ['t#a', 't#b'] };

  it('are filled in with the keys of their documents, or with none', () => {
    const keys = new Map([['t#b', 2 ** 40 + 7]]);
    const filled = fillKeys(plan, readKeyPlaces([place], plan), (uid) => keys.get(uid));
    const view = new DataView(filled.buffer);
    expect([view.getBigUint64(8, true), view.getBigUint64(16, true)]).toEqual([0n, 2n ** 40n + 7n]);
    expect(filled.subarray(24)).toEqual(new Uint8Array(16));
    expect(plan[16]).toBe(0);
  });

  it.each([
    ['no list', {}],
    ['no places', [null]],
    ['no position', [{ uids: ['t#a', 't#b'] }]],
    ['a position before the plan', [{ ...place, at: -1 }]],
    ['a part of a position', [{ ...place, at: 4.5 }]],
    ['a position behind the plan', [{ ...place, at: 2 ** 40 }]],
    ['a list that goes on behind the plan', [{ at: 36, uids: ['t#a'] }]],
    ['another number of them', [{ at: 4, uids: ['t#a'] }]],
    ['ids that are none', [{ at: 4, uids: ['t#a', 1] }]],
    ['too many', [{ at: 4, uids: Array.from({ length: MOST_FILLED + 1 }, () => 't#a') }]],
  ])('that are %s are refused', (_, value) => {
    expect(() => readKeyPlaces(value, plan)).toThrow('places for keys');
  });
});
