/** A node without data answers as those do that have the copies. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryStorage } from '../../host/storage/memory.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
/** With data, and without. */
let a: SimulatedNode;
let c: SimulatedNode;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  a = await simulated.start('a');
  c = await simulated.start('c', { data: false });
});

afterEach(async () => {
  await simulated.close([a, c]);
});

/** What both answer, which is the same but for how long it took. */
async function same(method: string, uri: string, body?: unknown) {
  const [own, other] = [await a.call(method, uri, body), await c.call(method, uri, body)];
  // How long it took doesn't matter.
  for (const each of [own, other])
    each.body = JSON.parse(JSON.stringify(each.body).replaceAll(/"took":\d+/g, '"took":0'));
  expect(other).toEqual(own);
  return own;
}

async function books(settings: Record<string, unknown> = { number_of_shards: 3, refresh_interval: -1 }) {
  await a.call('PUT', '/books', {
    settings,
    mappings: {
      book: { properties: { year: { type: 'integer' }, color: { type: 'string', index: 'not_analyzed' } } },
    },
  });
  for (let i = 0; i < 40; i++) {
    const doc = { title: `word${i % 4} common ${i}`, year: 1900 + i, color: ['red', 'blue', 'green'][i % 3] };
    expect((await a.call('PUT', `/books/book/${i}`, doc)).status).toBe(201);
  }
  for (const i of [3, 13, 23]) await a.call('DELETE', `/books/book/${i}`);
  await a.call('POST', '/books/_refresh');
}

describe('a search through a node without data', () => {
  it('finds what is found on the node that has the shards', async () => {
    await books();
    const found = await same('POST', '/books/_search', { query: { match: { title: 'word1' } }, size: 20 });
    expect(found.body.hits.total).toBe(9);
    await same('POST', '/books/_search', { sort: [{ year: 'desc' }], from: 5, size: 7, version: true });
    await same('POST', '/books/_search', { query: { ids: { values: ['1', '2', '13', 'x'] } } });
    await same('POST', '/books/_search?search_type=dfs_query_then_fetch&explain=true', {
      query: { match: { title: 'word1' } },
    });
    await same('POST', '/books/_search', {
      aggs: {
        colors: {
          terms: { field: 'color' },
          aggs: { best: { top_hits: { size: 2, sort: { year: 'asc' } } } },
        },
      },
      highlight: { fields: { title: {} } },
      query: { match: { title: 'common' } },
    });
    expect((await same('GET', '/books/_count?q=common')).body.count).toBe(37);
    await same('POST', '/books/_search', { query: { prefix: { _uid: 'book#1' } }, size: 50 });
  });
});

describe('documents through a node without data', () => {
  it('reads them by their ids, searchable or not', async () => {
    await books();
    await a.call('PUT', '/books/book/1', { title: 'changed', year: 2001, color: 'black' });
    await a.call('PUT', '/books/book/new', { title: 'not refreshed', year: 2002 });
    for (const id of ['1', '2', '13', 'new', 'x', 'y'.repeat(600)]) {
      await same('GET', `/books/book/${id}`);
      await same('GET', `/books/book/${id}?realtime=false`);
      await same('GET', `/books/_all/${id}?fields=year,title`);
      await same('HEAD', `/books/book/${id}`);
      await same('GET', `/books/book/${id}/_source`);
      await same('POST', `/books/book/${id}/_explain`, { query: { match: { title: 'word1' } } });
      await same('GET', `/books/book/${id}/_termvector?fields=title&term_statistics=true`);
      await same('GET', `/books/book/${id}/_mlt?min_term_freq=1&min_doc_freq=1`);
    }
    const docs = ['1', '2', '13', 'new', 'x'].map((_id) => ({ _index: 'books', _type: 'book', _id }));
    await same('POST', '/_mget', { docs: [...docs, { _index: 'none', _type: 'book', _id: '1' }] });
    await same('POST', '/books/book/_mget?realtime=false', { ids: ['1', '2', 'new'] });
    await same('POST', '/books/book/_mtermvectors', { ids: ['1', '2', 'new'] });
    expect((await c.call('GET', '/books/book/1?version=7')).status).toBe(409);
  });

  it('reads what was acknowledged just now, by whichever node', async () => {
    await books();
    for (let i = 0; i < 10; i++) {
      const { body } = await (i % 2 === 0 ? a : c).call('PUT', '/books/book/1', { year: i });
      const read = await (i % 2 === 0 ? c : a).call('GET', '/books/book/1');
      expect(read.body).toMatchObject({ _version: body._version, _source: { year: i } });
    }
    await c.call('POST', '/books/book/1/_update', { doc: { year: 20 } });
    expect((await c.call('GET', '/books/book/1')).body._source.year).toBe(20);
  });

  it('looks documents up that queries name', async () => {
    await books();
    await a.call('PUT', '/lists/list/l', { years: [1901, 1902, 1939] });
    const terms = { year: { index: 'lists', type: 'list', id: 'l', path: 'years' } };
    const found = await same('POST', '/books/_search', { query: { filtered: { filter: { terms } } } });
    expect(found.body.hits.total).toBe(3);
    await same('POST', '/books/_search', {
      query: { more_like_this: { fields: ['title'], ids: ['1'], min_term_freq: 1, min_doc_freq: 1 } },
    });
    await same('POST', '/books/_count', { query: { filtered: { filter: { terms } } } });
    await a.call('POST', '/_search/template/t', { template: { query: { term: { year: '{{year}}' } } } });
    await same('GET', '/_search/template/t');
    await same('POST', '/books/_search/template', { template: { id: 't' }, params: { year: 1901 } });
    expect(
      (await c.call('DELETE', '/books/book/_query', { query: { filtered: { filter: { terms } } } })).status,
    ).toBe(200);
    expect((await same('GET', '/books/_count')).body.count).toBe(34);
  });
});

describe('what takes several steps through a node without data', () => {
  it('percolates with the queries that are registered now', async () => {
    await books();
    const register = (node: SimulatedNode, id: string, query: unknown) =>
      node.call('PUT', `/books/.percolator/${id}`, { query, kind: id.length });
    for (let i = 0; i < 8; i++)
      expect((await register(i % 2 === 0 ? a : c, `q${i}`, { match: { title: `word${i}` } })).status).toBe(
        201,
      );
    const percolate = async () => {
      const found = await same('POST', '/books/book/_percolate', { doc: { title: 'word1 word2 word9' } });
      return found.body.matches.map(({ _id }: { _id: string }) => _id).sort();
    };
    expect(await percolate()).toEqual(['q1', 'q2']);
    await register(c, 'q3', { match: { title: 'word9' } });
    await a.call('DELETE', '/books/.percolator/q1');
    expect(await percolate()).toEqual(['q2', 'q3']);
    await same('GET', '/books/book/2/_percolate');
    await same('GET', '/books/book/2/_percolate/count');
    await a.call('POST', '/books/_refresh');
    const body = {
      doc: { title: 'word2' },
      size: 5,
      query: { match_all: {} },
      aggs: { k: { terms: { field: 'kind' } } },
    };
    await same('POST', '/books/book/_percolate', body);
  });

  it('reads what other nodes have acknowledged, on a node whose copies are behind', async () => {
    const { clock } = simulated;
    /** A disk that takes long. */
    class Slow extends MemoryStorage {
      override async commit(...args: Parameters<MemoryStorage['commit']>) {
        await clock.sleep(300);
        return super.commit(...args);
      }
    }
    const b = await simulated.start('b');
    const slow = await simulated.start('slow', { storage: new Slow() });
    try {
      const settings = { number_of_shards: 1, number_of_replicas: 2 };
      const mappings = { note: { properties: { text: { type: 'string' } } } };
      await a.call('PUT', '/notes', { settings, mappings });
      expect((await a.call('PUT', '/notes/note/1', { text: 'coffee' })).status).toBe(201);
      for (const word of ['tea', 'coffee']) {
        const query = { query: { match: { text: word } } };
        expect((await a.call('PUT', `/notes/.percolator/${word}`, query)).status).toBe(201);
        const { body } = await slow.call('POST', '/notes/note/_percolate', { doc: { text: word } });
        expect(body.matches.map(({ _id }: { _id: string }) => _id)).toEqual([word]);
      }
      await a.call('PUT', '/notes/note/1', { text: 'tea' });
      const { body } = await slow.call('GET', '/notes/note/1/_percolate');
      expect(body.matches.map(({ _id }: { _id: string }) => _id)).toEqual(['tea']);
      await a.call('PUT', '/lists', { settings });
      await a.call('PUT', '/lists/list/l', { words: ['none'] });
      await a.call('POST', '/_refresh');
      await a.call('PUT', '/lists/list/l', { words: ['tea'] });
      const terms = { text: { index: 'lists', type: 'list', id: 'l', path: 'words' } };
      const looked = { query: { filtered: { filter: { terms } } } };
      expect((await slow.call('POST', '/notes/_count', looked)).body.count).toBe(1);
      await a.call('PUT', '/notes/note/2', { text: 'water' });
      expect((await slow.call('GET', '/notes/note/2/_mlt')).status).toBe(200);
    } finally {
      for (const { engine } of [b, slow]) await engine.close();
    }
  });

  it('scrolls and scans, and suggests', async () => {
    await books();
    for (const uri of [
      '/books/_search?scroll=1m&size=7&sort=year',
      '/books/_search?scroll=1m&size=4&search_type=scan',
    ]) {
      const ids: string[][] = [];
      for (const node of [a, c]) {
        const own: string[] = [];
        let { body } = await node.call('POST', uri);
        for (;;) {
          own.push(...body.hits.hits.map(({ _id }: { _id: string }) => _id));
          const before = own.length;
          body = (await node.call('POST', '/_search/scroll?scroll=1m', body._scroll_id)).body;
          // Written anew meanwhile: a scroll reads what there was.
          await a.call('PUT', '/books/book/39?refresh=true', { title: `again ${before}`, year: 5 });
          expect(body._shards.failed).toBe(0);
          if (body.hits.hits.length === 0 && own.length > 0) break;
        }
        ids.push(own);
      }
      expect(ids[0]!.length).toBe(37);
      expect(ids[1]!.sort()).toEqual(ids[0]!.sort());
    }
    await same('POST', '/books/_suggest', { s: { text: 'wurd1', term: { field: 'title' } } });
    await same('POST', '/books/_search', {
      size: 0,
      suggest: { s: { text: 'wurd1 comon', phrase: { field: 'title', max_errors: 2 } } },
    });
    await same('GET', '/books/_field_stats?fields=year,title');
    await same('GET', '/books/_validate/query?q=title:word1&explain=true&rewrite=true');
  });

  it('finds nested documents, parents and children, and inner hits', async () => {
    await a.call('PUT', '/family', {
      settings: { number_of_shards: 2, refresh_interval: -1 },
      mappings: {
        parent: { properties: { pets: { type: 'nested', properties: { name: { type: 'string' } } } } },
        child: { _parent: { type: 'parent' } },
      },
    });
    for (let i = 0; i < 8; i++) {
      const pets = [{ name: `cat ${i}` }, { name: `dog ${i % 3}` }];
      await c.call('PUT', `/family/parent/${i}`, { name: `parent ${i}`, pets });
      await a.call('PUT', `/family/child/${i}?parent=${i % 4}`, { age: i });
    }
    await c.call('POST', '/family/_refresh');
    const nested = { path: 'pets', query: { match: { 'pets.name': 'dog' } }, inner_hits: { size: 1 } };
    await same('POST', '/family/_search', { query: { nested }, size: 20 });
    const child = { type: 'child', query: { range: { age: { gt: 2 } } }, inner_hits: {} };
    await same('POST', '/family/_search', { query: { has_child: child } });
    const parent = { parent_type: 'parent', query: { match: { name: '1' } }, inner_hits: {} };
    await same('POST', '/family/_search', { query: { has_parent: parent } });
    await same('POST', '/family/_search', {
      size: 0,
      aggs: {
        pets: { nested: { path: 'pets' }, aggs: { some: { top_hits: { size: 3 } } } },
        young: { children: { type: 'child' }, aggs: { ages: { avg: { field: 'age' } } } },
      },
    });
    await same('GET', '/family/child/3?parent=3');
  });
});
