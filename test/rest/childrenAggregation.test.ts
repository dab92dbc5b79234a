import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// Three generations over two shards and several segments, with documents that were replaced and deleted.

interface Person {
  type: string;
  id: string;
  parent?: string;
  root: string;
  n: number;
  tags: string[];
}

const TAGS = ['a', 'b', 'c'];
let resilin: Resilin;
let people: Person[];
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);

function person(type: string, i: number, parent?: Person): Person {
  const tags = TAGS.filter((_, t) => (i + t) % (2 + t) === 0);
  const id = `${type}${i}`;
  return {
    type,
    id,
    root: parent?.root ?? id,
    n: (i * 7) % 10,
    tags,
    ...(parent === undefined ? {} : { parent: parent.id }),
  };
}

beforeEach(async () => {
  resilin = await createEngine();
  const properties = { n: { type: 'long' }, tags: { type: 'string', index: 'not_analyzed' } };
  await call('PUT', '/kin', {
    settings: { number_of_shards: 2, number_of_replicas: 0, refresh_interval: '-1' },
    mappings: {
      gran: { properties },
      mum: { _parent: { type: 'gran' }, properties },
      kid: { _parent: { type: 'mum' }, properties },
    },
  });
  const grans = Array.from({ length: 9 }, (_, i) => person('gran', i));
  const mums = Array.from({ length: 30 }, (_, i) => person('mum', i, grans[(i * 5) % 8]));
  const kids = Array.from({ length: 80 }, (_, i) => person('kid', i, mums[(i * 11) % 27]));
  // Children before their parents, in other segments.
  for (const [i, list] of [kids.slice(0, 40), mums, grans, kids.slice(40), mums.slice(0, 9)].entries()) {
    const lines = list.flatMap(({ type, id, parent, root, n, tags }) => [
      { index: { _type: type, _id: id, ...(parent === undefined ? {} : { parent, routing: root }) } },
      { n, tags: i === 4 ? ['z'] : tags },
    ]);
    if (i === 4) for (const each of list) each.tags = ['z'];
    await call(
      'POST',
      '/kin/_bulk?refresh=true',
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    );
  }
  const gone = kids.filter((_, i) => i % 9 === 0);
  for (const { id, root } of gone) await call('DELETE', `/kin/kid/${id}?routing=${root}`);
  await call('POST', '/kin/_refresh');
  people = [...grans, ...mums, ...kids.filter((each) => !gone.includes(each))];
});
afterEach(() => resilin.close());

const ofType = (type: string, parents: readonly Person[]) =>
  people.filter((each) => each.type === type && parents.some(({ id }) => id === each.parent));
const sum = (list: readonly Person[]) => list.reduce((total, { n }) => total + n, 0);

async function aggregate(
  aggs: unknown,
  query: unknown = { match_all: {} },
  type = '',
): Promise<Record<string, unknown>> {
  const { status, body } = await call('POST', `/kin${type}/_search?search_type=count`, { query, aggs });
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { aggregations: Record<string, unknown> }).aggregations;
}

describe('children', () => {
  it('of the documents found, with metrics and buckets below', async () => {
    const aggs = {
      mums: {
        children: { type: 'mum' },
        aggs: { n: { sum: { field: 'n' } }, tags: { terms: { field: 'tags', order: { _term: 'asc' } } } },
      },
    };
    const grans = people.filter(({ type, n }) => type === 'gran' && n >= 4);
    const mums = ofType('mum', grans);
    const tags = [...new Set(mums.flatMap((each) => each.tags))].sort();
    expect(await aggregate(aggs, { range: { n: { gte: 4 } } }, '/gran')).toMatchObject({
      mums: {
        doc_count: mums.length,
        n: { value: sum(mums) },
        tags: {
          buckets: tags.map((key) => ({
            key,
            doc_count: mums.filter((each) => each.tags.includes(key)).length,
          })),
        },
      },
    });
  });

  it('below buckets, several of which a parent may be in, and of children', async () => {
    const aggs = {
      tags: {
        terms: { field: 'tags', order: { _term: 'asc' } },
        aggs: {
          mums: {
            children: { type: 'mum' },
            aggs: { kids: { children: { type: 'kid' }, aggs: { n: { sum: { field: 'n' } } } } },
          },
        },
      },
    };
    const expected = TAGS.map((key) => {
      const mums = ofType(
        'mum',
        people.filter(({ type, tags }) => type === 'gran' && tags.includes(key)),
      );
      const kids = ofType('kid', mums);
      return {
        key,
        mums: { doc_count: mums.length, kids: { doc_count: kids.length, n: { value: sum(kids) } } },
      };
    });
    expect(expected.some(({ mums }) => mums.kids.doc_count > 0)).toBe(true);
    expect(await aggregate(aggs, undefined, '/gran')).toMatchObject({ tags: { buckets: expected } });
  });

  it('have top hits, each once, in the order asked for and with the score 1', async () => {
    const top = { top_hits: { size: 100, sort: [{ n: 'desc' }, '_score'], track_scores: true } };
    const aggs = {
      mums: {
        children: { type: 'mum' },
        aggs: { top, best: { top_hits: { size: 100 } }, kids: { children: { type: 'kid' }, aggs: { top } } },
      },
    };
    interface Top {
      hits: { total: number; hits: { _id: string; _score: number; sort: number[] }[] };
    }
    const mums = ofType(
      'mum',
      people.filter(({ type }) => type === 'gran'),
    );
    const answer = (await aggregate(aggs, { terms: { tags: ['a', 'b'] } }, '/gran')) as {
      mums: { top: Top; best: Top; kids: { top: Top } };
    };
    const found = mums.filter(({ parent }) =>
      people.some(({ id, tags }) => id === parent && (tags.includes('a') || tags.includes('b'))),
    );
    const kids = ofType('kid', found);
    for (const [{ hits }, list] of [
      [answer.mums.top, found],
      [answer.mums.best, found],
      [answer.mums.kids.top, kids],
    ] as const) {
      expect(hits.total).toBe(list.length);
      expect(hits.hits.map(({ _id }) => _id).sort()).toEqual(list.map(({ id }) => id).sort());
      expect(new Set(hits.hits.map(({ _score }) => _score))).toEqual(new Set([1]));
    }
    for (const { hits } of [answer.mums.top, answer.mums.kids.top]) {
      const values = hits.hits.map(({ sort }) => sort[0]!);
      expect(values).toEqual(values.toSorted((a, b) => b - a));
    }
  });

  it('order the buckets above', async () => {
    const aggs = {
      tags: {
        terms: { field: 'tags', order: { 'mums>n.sum': 'desc' } },
        aggs: { mums: { children: { type: 'mum' }, aggs: { n: { stats: { field: 'n' } } } } },
      },
    };
    const { tags } = (await aggregate(aggs, undefined, '/gran')) as {
      tags: { buckets: { mums: { n: { sum: number } } }[] };
    };
    const sums = tags.buckets.map(({ mums }) => mums.n.sum);
    expect(sums).toEqual([...sums].sort((a, b) => b - a));
  });

  it('of types without parents are refused, and of types that are not there none', async () => {
    expect(await aggregate({ x: { children: { type: 'nosuch' } } })).toEqual({ x: { doc_count: 0 } });
    const { status, body } = await call('POST', '/kin/_search', {
      aggs: { x: { children: { type: 'gran' } } },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: expect.stringContaining('[children] _parent field not configured') });
  });
});
