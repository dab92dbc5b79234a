import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

// Joins held to a naive model: documents in a map, every parent asked for its children. Documents come, change, move to other
// parents and go; segments are made and merged in between.

interface Child {
  parent: string;
  n: number;
}

interface Family {
  mums: Map<string, number>;
  kids: Map<string, Child>;
}

const TYPES = ['kid', 'pup'] as const;
const ids = fc.integer({ min: 0, max: 7 }).map(String);
const value = fc.integer({ min: 0, max: 5 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('mum' as const), id: ids, n: value }) },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom(...TYPES),
      id: fc.integer({ min: 0, max: 15 }).map(String),
      parent: ids,
      n: value,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('delete' as const),
      type: fc.constantFrom('mum', ...TYPES),
      id: ids,
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('refresh' as const, 'merge' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const MODES = {
  none: () => 1,
  min: (n: number[]) => Math.min(...n),
  max: (n: number[]) => Math.max(...n),
  sum: (n: number[]) => n.reduce((a, b) => a + b, 0),
  avg: (n: number[]) => Math.fround(n.reduce((a, b) => a + b, 0) / n.length),
};

/** Documents with at least that value, each with the value for a score. */
const atLeast = (n: number) => ({
  function_score: {
    query: { filtered: { filter: { range: { n: { gte: n } } } } },
    functions: [{ field_value_factor: { field: 'n' } }],
    boost_mode: 'replace',
  },
});

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  const kid = { _parent: { type: 'mum' }, properties: { n: { type: 'long' } } };
  const settings = { number_of_shards: 2, number_of_replicas: 0, refresh_interval: '-1' };
  const mappings = { mum: { properties: { n: { type: 'long' } } }, kid, pup: kid };
  await resilin.request('PUT', '/kin', { settings, mappings });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);

async function found(query: unknown, size = 100): Promise<[string, number][]> {
  const { status, body } = await call('POST', '/kin/_search', { query, size, fields: [] });
  expect(status, JSON.stringify(body)).toBe(200);
  const { hits } = body as { hits: { hits: { _type: string; _id: string; _score: number }[] } };
  return sorted(hits.hits.map(({ _type, _id, _score }) => [`${_type}#${_id}`, _score]));
}

const sorted = (list: [string, number][]) => list.sort(([a], [b]) => (a < b ? -1 : 1));

async function play(steps: readonly Step[]): Promise<Family> {
  const family: Family = { mums: new Map(), kids: new Map() };
  // The shard of a child is its parent's; one that moves is deleted where it was, as a user of 1.7 has to.
  const remove = async (uid: string) => {
    const [type, id] = uid.split('#');
    const child = family.kids.get(uid);
    family.kids.delete(uid);
    if (child !== undefined) await call('DELETE', `/kin/${type}/${id}?parent=${child.parent}`);
  };
  for (const each of steps) {
    if (each.what === 'mum') {
      family.mums.set(each.id, each.n);
      await call('PUT', `/kin/mum/${each.id}`, { n: each.n });
    } else if (each.what === 'kid' || each.what === 'pup') {
      const uid = `${each.what}#${each.id}`;
      if (family.kids.get(uid)?.parent !== each.parent) await remove(uid);
      family.kids.set(uid, each);
      await call('PUT', `/kin/${each.what}/${each.id}?parent=${each.parent}`, { n: each.n });
    } else if (each.what === 'delete') {
      if (each.type === 'mum') {
        family.mums.delete(each.id);
        await call('DELETE', `/kin/mum/${each.id}`);
      } else await remove(`${each.type}#${each.id}`);
    } else if (each.what === 'refresh') await call('POST', '/kin/_refresh');
    else await call('POST', '/kin/_optimize?max_num_segments=1');
  }
  await call('POST', '/kin/_refresh');
  return family;
}

function childrenOf({ kids }: Family, parent: string, type: string, n: number): number[] {
  return [...kids]
    .filter(([uid, kid]) => uid.startsWith(`${type}#`) && kid.parent === parent && kid.n >= n)
    .map(([, kid]) => kid.n);
}

describe('joins agree with a naive model', () => {
  it('whatever happens to the documents', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), value, value, async (steps, n, least) => {
        await call('DELETE', '/kin/mum,kid,pup/_query', { query: { match_all: {} } });
        const family = await play(steps);
        for (const type of TYPES) {
          for (const [mode, combine] of Object.entries(MODES)) {
            const most = least + 2;
            const bounds = { min_children: least, max_children: most };
            for (const limits of [{}, bounds]) {
              const expected = [...family.mums.keys()].flatMap((id): [string, number][] => {
                const values = childrenOf(family, id, type, n);
                if (values.length === 0) return [];
                if (limits === bounds && (values.length < least || values.length > most)) return [];
                return [[`mum#${id}`, combine(values)]];
              });
              const query = { has_child: { type, score_mode: mode, query: atLeast(n), ...limits } };
              expect(await found(query)).toEqual(sorted(expected));
            }
          }
        }
        for (const mode of ['none', 'score']) {
          const query = { has_parent: { parent_type: 'mum', score_mode: mode, query: atLeast(n) } };
          const expected = [...family.kids].flatMap(([uid, { parent }]): [string, number][] => {
            const own = family.mums.get(parent);
            return own === undefined || own < n ? [] : [[uid, mode === 'none' ? 1 : own]];
          });
          expect(await found(query)).toEqual(sorted(expected));
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('joins', () => {
  beforeEach(async () => {
    const lines: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      lines.push({ index: { _type: 'mum', _id: `m${i}` } }, { n: i });
      for (let k = 0; k < i; k++)
        lines.push({ index: { _type: 'kid', _id: `k${i}${k}`, parent: `m${i}` } }, { n: k });
    }
    await call(
      'POST',
      '/kin/_bulk?refresh=true',
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
    );
  });

  const kids = (query: unknown, more = {}) => ({ has_child: { type: 'kid', query, ...more } });
  const names = async (query: unknown, size?: number) => (await found(query, size)).map(([uid]) => uid);

  it('stand inside each other, inside filters, and beside other queries', async () => {
    const many = kids({ match_all: {} }, { min_children: 3 });
    expect(await names({ has_parent: { parent_type: 'mum', query: many } })).toEqual([
      'kid#k30',
      'kid#k31',
      'kid#k32',
    ]);
    const filtered = (filter: unknown) => ({ filtered: { filter } });
    expect(await names(filtered({ has_child: { type: 'kid', filter: { term: { n: 2 } } } }))).toEqual([
      'mum#m3',
    ]);
    expect(await names(filtered(kids({ term: { n: 2 } }, { filter: { term: { n: 1 } } })))).toEqual([
      'mum#m3',
    ]);
    expect(await names(filtered({ not: kids({ match_all: {} }) }))).toEqual([
      ...['k10', 'k20', 'k21', 'k30', 'k31', 'k32'].map((id) => `kid#${id}`),
      'mum#m0',
    ]);
    const must = [{ range: { n: { lte: 2 } } }, kids({ term: { n: 1 } })];
    expect(await names({ bool: { must } })).toEqual(['mum#m2']);
  });

  it('weigh as one constant, and not at all where nothing is found', async () => {
    const should = (n: number) => ({
      bool: { should: [{ term: { n: 3 } }, kids({ term: { n } }, { boost: 3 })] },
    });
    const [[, all]] = (await found(should(2))) as [[string, number]];
    expect(all).toBeGreaterThan(1);
    const [[, alone]] = (await found(should(9))) as [[string, number]];
    // Half the clauses match; the weight of the other is not in the norm.
    expect(alone).toBeCloseTo(0.5, 6);
  });

  it('of the best children ask for more until there are enough parents', async () => {
    const query = {
      top_children: { type: 'kid', query: { match_all: {} }, factor: 1, incremental_factor: 2 },
    };
    expect(await names(query, 3)).toEqual(['mum#m1', 'mum#m2', 'mum#m3']);
    expect((await names(query, 1)).length).toBeGreaterThan(0);
  });

  it('of the best children are found whatever types are searched, and other documents are not', async () => {
    const top = { top_children: { type: 'kid', query: { match_all: {} }, score: 'avg' } };
    const kidsOnly = async (query: unknown) => {
      const { body } = await call('GET', '/kin/kid/_search?size=50', { query });
      const { hits } = (body as { hits: { hits: { _type: string; _id: string; _score: number }[] } }).hits;
      return hits.map(({ _type, _id }) => `${_type}#${_id}`).sort();
    };
    expect(await kidsOnly(top)).toEqual(['mum#m1', 'mum#m2', 'mum#m3']);
    expect(await kidsOnly({ bool: { should: [top, { term: { n: 3 } }] } })).toEqual(
      (await names({ bool: { should: [top, { term: { n: 3 } }] } })).filter(
        (name) => /^mum#m[123]$/.test(name) || name.startsWith('kid'),
      ),
    );
    expect(await kidsOnly({ bool: { must: [{ match_all: {} }, top] } })).toEqual([]);
    expect(await kidsOnly({ function_score: { query: top, weight: 2 } })).toHaveLength(3);
    expect(await kidsOnly({ constant_score: { query: top } })).toHaveLength(3);
    expect(await kidsOnly({ filtered: { query: top, filter: { term: { n: 3 } } } })).toEqual([]);
  });

  it('are found by terms of `_parent`', async () => {
    expect(await names({ term: { _parent: 'm2' } })).toEqual(['kid#k20', 'kid#k21']);
    expect(await names({ filtered: { filter: { terms: { _parent: ['mum#m1', 'm2'] } } } })).toEqual([
      'kid#k10',
      'kid#k20',
      'kid#k21',
    ]);
  });

  it('explain no more than 1.7', async () => {
    const { body } = await call('GET', '/kin/mum/m2/_explain', {
      query: kids({ match_all: {} }, { boost: 2 }),
    });
    expect(body).toMatchObject({
      matched: true,
      explanation: { value: 2, description: 'not implemented yet...' },
    });
  });

  it('of the best children are explained in segments without parents of any, as 1.7 does', async () => {
    const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
    await call('PUT', '/near', { settings, mappings: { mum: {}, kid: { _parent: { type: 'mum' } } } });
    await call('PUT', '/near/mum/1', {});
    await call('PUT', '/near/kid/2?parent=1&refresh=true', {});
    await call('PUT', '/near/mum/3?refresh=true', {});
    const query = {
      bool: {
        must: { match_all: {} },
        must_not: { top_children: { type: 'kid', query: { match_all: {} } } },
      },
    };
    const { body } = await call('GET', '/near/mum/3/_explain', { query });
    expect(body).toMatchObject({
      matched: false,
      explanation: {
        details: [
          { description: 'ConstantScore(*:*), product of:' },
          { details: [{ value: 1, description: 'not implemented yet...' }] },
        ],
      },
    });
  });

  it.each([
    [{ has_child: { type: 'x', query: { match_all: {} } } }, '[has_child] No mapping for for type [x]'],
    [
      { has_child: { type: 'mum', query: { match_all: {} } } },
      '[has_child]  Type [mum] does not have parent mapping',
    ],
    [kids({ match_all: {} }, { nosuch: 1 }), '[has_child] query does not support [nosuch]'],
    [kids({ match_all: {} }, { score_mode: 'x' }), 'No score type for child query [x] found'],
    [
      kids({ match_all: {} }, { min_children: 3, max_children: 2 }),
      "[has_child] 'max_children' is less than 'min_children'",
    ],
    [{ has_parent: { query: { match_all: {} } } }, "[has_parent] query requires 'parent_type' field"],
    [
      { has_parent: { parent_type: 'x', query: { match_all: {} } } },
      "[has_parent] query configured 'parent_type' [x] is not a valid type",
    ],
    [{ top_children: { type: 'mum', query: { match_all: {} } } }, 'Type [mum] does not have parent mapping'],
  ])('%j is refused', async (query, error) => {
    const { status, body } = await call('POST', '/kin/_search', { query });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: expect.stringContaining(`${error}]`) });
  });
});

describe('a limit', () => {
  const ids = async (filter: unknown, query?: unknown, type = '') => {
    const { body } = await call('POST', `/one${type}/_search?size=20`, {
      query: { filtered: { query, filter } },
    });
    const { hits } = body as { hits: { hits: { _id: string }[] } };
    return hits.hits.map(({ _id }) => Number(_id)).sort((a, b) => a - b);
  };
  const limit = (value: number) => ({ limit: { value } });

  it('lets the first documents through that it is asked about', async () => {
    await call('PUT', '/one', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
    for (let i = 0; i < 12; i++) await call('PUT', `/one/${i % 2 === 0 ? 'a' : 'b'}/${i}`, { n: i % 3 });
    await call('DELETE', '/one/a/0');
    await call('POST', '/one/_refresh');
    expect(await ids(limit(3))).toEqual([1, 2, 3]);
    expect(await ids(limit(0))).toEqual([]);
    expect(await ids(limit(99))).toHaveLength(11);
    expect(await ids(limit(2), { match: { n: 2 } })).toEqual([2, 5]);
    expect(await ids(limit(2), undefined, '/b')).toEqual([1, 3]);
    expect(await ids({ and: [{ term: { n: 1 } }, limit(2)] })).toEqual([1, 4]);
    expect(await ids({ not: limit(9) })).toEqual([10, 11]);
  });

  it('wants a number', async () => {
    const { body } = await call('POST', '/kin/_search', { query: { filtered: { filter: { limit: {} } } } });
    expect(body).toMatchObject({ error: expect.stringContaining('No value specified for limit filter') });
  });
});
