import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';
import { index } from './indexed.js';
import type { Doc } from './naiveAggregations.js';

let api: Api;
beforeAll(async () => {
  api = await openApi(coreBytes());
});
afterAll(() => api.close());

type Key = string | number;
interface Significant {
  key: Key;
  doc_count: number;
  bg_count: number;
  score: number;
}
interface Answer {
  doc_count: number;
  buckets: Significant[];
}

/** Documents by each value that they have. */
function tally(docs: readonly Doc[], field: 'word' | 'whole'): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const doc of docs)
    for (const key of new Set(doc[field] as Key[])) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** All terms that are more frequent among the documents found than in the background, by JLH: the change times the ratio. */
function significant(
  found: readonly Doc[],
  background: readonly Doc[],
  field: 'word' | 'whole',
  least = 3,
): Answer {
  const all = tally(background, field);
  const buckets = [...tally(found, field)].map(([key, doc_count]): Significant => {
    const bg_count = all.get(key) ?? 0;
    const here = doc_count / found.length;
    // A term that the background lacks counts as one that is in a single document.
    const there = Math.max(bg_count, 1) / background.length;
    const score = background.length === 0 ? 0 : (here - there) * (here / there);
    return { key, doc_count, bg_count, score: here > there ? score : 0 };
  });
  return {
    doc_count: found.length,
    buckets: buckets.filter(({ doc_count, score }) => doc_count >= least && score > 0),
  };
}

/** Equal but for the order of terms with the same score and rounding of the last digits. */
function expectSame(got: Answer, wanted: Answer): void {
  const scores = got.buckets.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const byKey = ({ doc_count, buckets }: Answer) => ({
    doc_count,
    buckets: buckets
      .map(({ key, doc_count, bg_count, score }) => ({
        key,
        doc_count,
        bg_count,
        score: score.toPrecision(13),
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
  });
  expect(byKey(got)).toEqual(byKey(wanted));
}

const doc: fc.Arbitrary<Doc> = fc.record({
  word: fc.array(fc.constantFrom('a', 'b', 'bb', 'é', '𝄞', 'zebra'), { maxLength: 4 }),
  whole: fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 3 }),
  fraction: fc.integer({ min: 0, max: 3 }),
  time: fc.constant(0),
  lat: fc.constant(0),
  lon: fc.constant(0),
});
const segments = fc.array(fc.array(doc, { minLength: 5, maxLength: 25 }), { minLength: 3, maxLength: 3 });
/** A document of each segment stays. */
const deletions = fc.uniqueArray(fc.nat(74), { maxLength: 15 });

async function indexed(parts: readonly Doc[][], candidates: readonly number[]) {
  const starts = parts.map((_, i) => parts.slice(0, i).reduce((sum, { length }) => sum + length, 0));
  const all = parts.flat();
  const deleted = candidates.filter((number) => number < all.length && !starts.includes(number));
  await index(api, parts, { shards: 1, deleted });
  return { all, live: all.filter((_, i) => !deleted.includes(i)) };
}

async function ask(query: object, aggs: object): Promise<Record<string, Answer>> {
  const { status, body } = await api.call('POST', '/a/_search?search_type=count', { query, aggs });
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as { aggregations: Record<string, Answer> }).aggregations;
}

it('significant terms have the scores of the formula', async () => {
  await fc.assert(
    fc.asyncProperty(
      segments,
      deletions,
      fc.constantFrom('word' as const, 'whole' as const),
      fc.nat(3),
      async (parts, candidates, field, part) => {
        const { all, live } = await indexed(parts, candidates);
        const found = live.filter(({ fraction }) => fraction === part);
        const { usual, every, few, filtered } = await ask(
          { term: { fraction: part } },
          {
            usual: { significant_terms: { field, size: 0 } },
            every: { significant_terms: { field, size: 0, min_doc_count: 1 } },
            few: { significant_terms: { field, size: 2, min_doc_count: 1 } },
            filtered: {
              significant_terms: { field, size: 0, background_filter: { range: { fraction: { gte: 1 } } } },
            },
          },
        );
        // Frequencies count what is deleted until it is merged away; those of a filter don't.
        expectSame(usual!, significant(found, all, field));
        const wanted = significant(found, all, field, 1);
        expectSame(every!, wanted);
        const best = wanted.buckets.map(({ score }) => score).sort((a, b) => b - a);
        expect(few!.buckets.map(({ score }) => score.toPrecision(13))).toEqual(
          best.slice(0, 2).map((score) => score.toPrecision(13)),
        );
        const background = live.filter(({ fraction }) => fraction! >= 1);
        expectSame(filtered!, significant(found, background, field));
      },
    ),
    { numRuns: 20 },
  );
});

it('each bucket has significant terms of its own', async () => {
  await fc.assert(
    fc.asyncProperty(
      segments,
      deletions,
      fc.constantFrom('word' as const, 'whole' as const),
      async (parts, candidates, field) => {
        const { all, live } = await indexed(parts, candidates);
        const parted = { range: { field: 'fraction', ranges: [{ to: 1 }, { from: 1, to: 3 }, { from: 3 }] } };
        const told = { told: { significant_terms: { field, size: 0, min_doc_count: 2 } } };
        const { top } = (await ask({ match_all: {} }, { top: { ...parted, aggs: told } })) as unknown as {
          top: { buckets: { from?: number; to?: number; told: Answer }[] };
        };
        expect(top.buckets).toHaveLength(3);
        for (const { from = 0, to = 4, told } of top.buckets) {
          const found = live.filter(({ fraction }) => fraction! >= from && fraction! < to);
          expectSame(told, significant(found, all, field, 2));
        }
      },
    ),
    { numRuns: 15 },
  );
});

describe('a background that lacks documents that were found', () => {
  const BACKGROUND = 'does your background filter not include all documents in the bucket?';
  let engine: Resilin;
  const ask = (heuristic: object, background: unknown, below: object = {}) =>
    engine.request('POST', '/i/_search', {
      size: 0,
      query: { term: { g: 'in' } },
      aggs: {
        s: {
          significant_terms: { field: 'k', min_doc_count: 1, background_filter: background, ...heuristic },
        },
        ...below,
      },
    });

  beforeEach(async () => {
    engine = await createEngine();
    const k = { type: 'string', index: 'not_analyzed' };
    const settings = { number_of_shards: 1, number_of_replicas: 0 };
    await engine.request('PUT', '/i', { settings, mappings: { t: { properties: { k, g: k } } } });
    for (const [id, [group, word]] of [
      ['in', 'a'],
      ['in', 'a'],
      ['in', 'b'],
      ['out', 'a'],
      ['out', 'c'],
      ['out', 'c'],
    ].entries())
      await engine.request('PUT', `/i/t/${id}`, { g: group, k: word });
    await engine.request('POST', '/i/_refresh');
  });
  afterEach(() => engine.close());

  it.each(['mutual_information', 'chi_square', 'gnd'])('is refused by %s', async (name) => {
    const few = await ask({ [name]: {} }, { term: { k: 'c' } });
    expect(few.status).toBe(400);
    expect(JSON.stringify(few.body)).toContain(
      `ElasticsearchIllegalArgumentException[subsetFreq > supersetFreq, ${BACKGROUND}`,
    );
    const none = await ask({ [name]: { background_is_superset: true } }, { terms: { k: ['a', 'd'] } });
    expect(JSON.stringify(none.body)).toContain('[supersetFreq - subsetFreq > supersetSize - subsetSize, ');
    const told = await ask({ [name]: { background_is_superset: false } }, { term: { k: 'c' } });
    expect(told.status).toBe(200);
  });

  it('is refused by how many documents it lacks', async () => {
    const others = await ask({ gnd: {}, include: 'b' }, { term: { k: 'b' } });
    expect(JSON.stringify(others.body)).toContain(`subsetSize > supersetSize, ${BACKGROUND}`);
    const lacking = { bool: { should: [{ term: { k: 'a' } }, { term: { k: 'c' } }] } };
    const frequent = await ask({ gnd: {}, include: 'a' }, lacking);
    expect(frequent.status).toBe(200);
  });

  it('is scored by the others', async () => {
    for (const name of ['jlh', 'percentage'])
      expect((await ask({ [name]: {} }, { term: { k: 'c' } })).status).toBe(200);
  });

  it('fails the shards that have found them, and no others', async () => {
    await engine.request('PUT', '/j', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
    await engine.request('PUT', '/j/t/1?refresh=true', { g: 'out' });
    const { status, body } = await engine.request('POST', '/i,j/_search', {
      query: { match_all: {} },
      aggs: { s: { significant_terms: { field: 'k', background_filter: { term: { k: 'c' } }, gnd: {} } } },
    });
    const { _shards: shards, hits } = body as { _shards: { failed: number }; hits: { total: number } };
    expect([status, shards.failed, hits.total]).toEqual([200, 1, 1]);
  });
});
