import { expect, test } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';

/**
 * Nested objects against a model that keeps documents as they are: whatever is written, replaced, deleted, merged and recovered,
 * queries, sorts and aggregations see the objects of the documents that are there, and nothing else.
 */

interface Reply {
  who: string;
  votes: number;
}
interface Comment {
  who: string;
  stars: number[];
  replies: Reply[];
}
interface Doc {
  title: string;
  comments: Comment[];
}
type Docs = Map<string, Doc>;

/** What aggregations find: numbers, buckets, and others below by their names. */
interface Found {
  key: string;
  doc_count: number;
  value: number;
  buckets: Found[];
  all: Found;
  again: Found;
  comments: Found;
  documents: Found;
  replies: Found;
  titles: Found;
  votes: Found;
  who: Found;
}

/** Mulberry32: the same numbers in every run. */
function random(seed: number): (below: number) => number {
  let a = seed;
  return (below) => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const WHO = ['ana', 'bo', 'cy', 'di'];
const TITLES = ['sea', 'sea', 'sea', 'tram', 'salt'];

const keyword = { type: 'string', index: 'not_analyzed' };
const MAPPING = {
  properties: {
    title: keyword,
    comments: {
      type: 'nested',
      properties: {
        who: keyword,
        stars: { type: 'integer' },
        replies: { type: 'nested', properties: { who: keyword, votes: { type: 'double' } } },
      },
    },
  },
};

function makeDoc(below: (n: number) => number): Doc {
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make);
  return {
    title: TITLES[below(TITLES.length)]!,
    comments: some(3, () => ({
      who: WHO[below(WHO.length)]!,
      stars: some(2, () => below(5)),
      replies: some(3, () => ({ who: WHO[below(WHO.length)]!, votes: below(8) / 2 })),
    })),
  };
}

class Tested {
  resilin!: Resilin;
  readonly storage = new MemoryStorage();
  readonly blobs = new MemoryBlobs();
  readonly docs: Docs = new Map();

  async open(): Promise<void> {
    this.resilin = await createEngine({ storage: this.storage, blobs: this.blobs });
  }

  async call(method: string, uri: string, body?: unknown): Promise<unknown> {
    const { status, body: answer } = await this.resilin.request(method, uri, body);
    if (status >= 400) throw new Error(JSON.stringify(answer));
    return answer;
  }

  async search(body: object): Promise<{
    hits: {
      total: number;
      max_score: number;
      hits: { _id: string; _score: number; sort: unknown[] }[];
    };
    aggregations: Found;
  }> {
    return (await this.call('POST', '/a/_search', { size: 1000, ...body })) as never;
  }

  async ids(query: object): Promise<string[]> {
    const { hits } = await this.search({ query });
    expect(hits.total).toBe(hits.hits.length);
    return hits.hits.map(({ _id }) => _id).sort();
  }

  where(test: (doc: Doc) => boolean): string[] {
    return [...this.docs].flatMap(([id, doc]) => (test(doc) ? [id] : [])).sort();
  }

  async write(below: (n: number) => number): Promise<void> {
    const lines: unknown[] = [];
    for (let i = below(30); i >= 0; i--) {
      const id = `d${below(40)}`;
      if (below(4) === 0) {
        lines.push({ delete: { _id: id } });
        this.docs.delete(id);
      } else {
        const doc = makeDoc(below);
        lines.push({ index: { _id: id } }, doc);
        this.docs.set(id, doc);
      }
    }
    await this.call('POST', '/a/t/_bulk', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}

const nested = (path: string, query: object, more: object = {}) => ({ nested: { path, query, ...more } });
const term = (field: string, value: unknown) => ({ term: { [field]: value } });
const all = (...must: object[]) => ({ bool: { must } });

async function checkQueries(t: Tested): Promise<void> {
  expect(await t.call('GET', '/a/_count')).toMatchObject({ count: t.docs.size });
  expect(await t.ids({ match_all: {} })).toEqual(t.where(() => true));
  for (const a of WHO) {
    expect(await t.ids(term('comments.who', a))).toEqual([]);
    const low = all(term('comments.who', a), { range: { 'comments.stars': { lte: 2 } } });
    const isLow = ({ who, stars }: Comment) => who === a && stars.some((n) => n <= 2);
    const found = t.where(({ comments }) => comments.some(isLow));
    expect(await t.ids(nested('comments', low))).toEqual(found);
    const filter = { nested: { path: 'comments', filter: { and: low.bool.must } } };
    expect(await t.ids({ filtered: { filter } })).toEqual(found);
    expect(await t.ids({ constant_score: { filter: { not: filter } } })).toEqual(
      t.where(({ comments }) => !comments.some(isLow)),
    );
    expect(await t.ids({ bool: { must_not: nested('comments', low) } })).toEqual(
      t.where(({ comments }) => !comments.some(isLow)),
    );
    // A rare list leads, and only the blocks of its documents are looked at.
    expect(await t.ids(all(term('title', 'salt'), nested('comments', low)))).toEqual(
      t.where(({ title, comments }) => title === 'salt' && comments.some(isLow)),
    );
    for (const b of WHO) {
      const reply = nested('comments.replies', term('comments.replies.who', b));
      expect(await t.ids(all(nested('comments', term('comments.who', a)), reply))).toEqual(
        t.where(
          ({ comments }) =>
            comments.some(({ who }) => who === a) &&
            comments.some(({ replies }) => replies.some(({ who }) => who === b)),
        ),
      );
      expect(await t.ids(nested('comments', all(term('comments.who', a), reply)))).toEqual(
        t.where(({ comments }) =>
          comments.some(({ who, replies }) => who === a && replies.some((each) => each.who === b)),
        ),
      );
      const without = { bool: { must: term('comments.who', a), must_not: reply } };
      expect(await t.ids(nested('comments', without))).toEqual(
        t.where(({ comments }) =>
          comments.some(({ who, replies }) => who === a && !replies.some((each) => each.who === b)),
        ),
      );
    }
  }
}

const votesOf = ({ comments }: Doc, of = (_: Comment) => true) =>
  comments.filter(of).flatMap(({ replies }) => replies.map(({ votes }) => votes));
const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);

/** What several numbers come to. */
const MODES: Record<string, (list: readonly number[]) => number> = {
  min: (list) => Math.min(...list),
  max: (list) => Math.max(...list),
  sum,
  avg: (list) => sum(list) / list.length,
};

async function checkScores(t: Tested): Promise<void> {
  const field_value_factor = { field: 'comments.replies.votes' };
  const query = { function_score: { boost_mode: 'replace', field_value_factor } };
  for (const score_mode of ['avg', 'max', 'sum', 'none']) {
    const { hits } = await t.search({ query: nested('comments.replies', query, { score_mode }) });
    for (const { _id, _score } of hits.hits) {
      const votes = votesOf(t.docs.get(_id)!);
      expect(_score).toBeCloseTo(score_mode === 'none' ? 0 : MODES[score_mode]!(votes), 5);
    }
    expect(hits.total).toBe(t.where((doc) => votesOf(doc).length > 0).length);
  }
}

async function checkSorts(t: Tested): Promise<void> {
  for (const mode of Object.keys(MODES)) {
    for (const order of ['asc', 'desc']) {
      const nested_filter = nested('comments.replies', term('comments.replies.who', 'bo'));
      const plain = { 'comments.stars': { order, mode, missing: -1 } };
      const deep = { 'comments.replies.votes': { order, mode, missing: 99 } };
      const some = { 'comments.stars': { order, mode, nested_path: 'comments', nested_filter, missing: -1 } };
      const { hits } = await t.search({ sort: [plain, deep, some, { title: order }] });
      expect(hits.hits.length).toBe(t.docs.size);
      const value = (list: readonly number[], missing: number, round: boolean) => {
        if (list.length === 0) return missing;
        return round ? Math.round(MODES[mode]!(list)) : MODES[mode]!(list);
      };
      for (const { _id, sort } of hits.hits) {
        const doc = t.docs.get(_id)!;
        const byBo = doc.comments.filter(({ replies }) => replies.some(({ who }) => who === 'bo'));
        expect(sort).toEqual([
          value(
            doc.comments.flatMap(({ stars }) => [...new Set(stars)]),
            -1,
            true,
          ),
          value(votesOf(doc), 99, false),
          value(
            byBo.flatMap(({ stars }) => [...new Set(stars)]),
            -1,
            true,
          ),
          doc.title,
        ]);
      }
      const sign = order === 'asc' ? 1 : -1;
      const first = hits.hits.map(({ sort }) => sign * (sort[0] as number));
      expect(first).toEqual([...first].sort((a, b) => a - b));
    }
  }
  const { hits } = await t.search({ sort: { 'comments.who': 'asc' } });
  for (const { _id, sort } of hits.hits) {
    const [least] = t.docs
      .get(_id)!
      .comments.map(({ who }) => who)
      .sort();
    expect(sort).toEqual([least ?? null]);
  }
}

async function checkAggregations(t: Tested): Promise<void> {
  const { aggregations } = await t.search({
    size: 0,
    aggs: {
      titles: {
        terms: { field: 'title' },
        aggs: {
          comments: {
            nested: { path: 'comments' },
            aggs: {
              who: {
                terms: { field: 'comments.who' },
                aggs: {
                  documents: { reverse_nested: {} },
                  replies: {
                    nested: { path: 'comments.replies' },
                    aggs: {
                      votes: { sum: { field: 'comments.replies.votes' } },
                      comments: { reverse_nested: { path: 'comments' } },
                      documents: { reverse_nested: {}, aggs: { titles: { terms: { field: 'title' } } } },
                      who: {
                        terms: { field: 'comments.replies.who' },
                        aggs: { comments: { reverse_nested: { path: 'comments' } } },
                      },
                    },
                  },
                },
              },
              again: {
                reverse_nested: {},
                aggs: { replies: { nested: { path: 'comments.replies' } } },
              },
            },
          },
          replies: { nested: { path: 'comments.replies' } },
        },
      },
      all: { global: {}, aggs: { comments: { nested: { path: 'comments' } } } },
    },
  });
  const docs = [...t.docs.values()];
  const count = (list: readonly unknown[]) => list.length;
  expect(aggregations.all.comments.doc_count).toBe(count(docs.flatMap(({ comments }) => comments)));
  for (const title of aggregations.titles.buckets) {
    const here = docs.filter((doc) => doc.title === title.key);
    expect(title.doc_count).toBe(here.length);
    const comments = here.flatMap((doc) => doc.comments);
    expect(title.comments.doc_count).toBe(comments.length);
    expect(title.replies.doc_count).toBe(count(here.flatMap((doc) => votesOf(doc))));
    const commented = here.filter((doc) => doc.comments.length > 0);
    expect(title.comments.again.doc_count).toBe(commented.length);
    expect(title.comments.again.replies.doc_count).toBe(count(commented.flatMap((doc) => votesOf(doc))));
    for (const bucket of title.comments.who.buckets) {
      const by = comments.filter(({ who }) => who === bucket.key);
      expect(bucket.doc_count).toBe(by.length);
      const having = (test: (comment: Comment) => boolean) =>
        here.filter((doc) => doc.comments.some((each) => each.who === bucket.key && test(each)));
      expect(bucket.documents.doc_count).toBe(having(() => true).length);
      const replies = by.flatMap((comment) => comment.replies);
      expect(bucket.replies.doc_count).toBe(replies.length);
      expect(bucket.replies.votes.value).toBeCloseTo(sum(replies.map(({ votes }) => votes)), 9);
      const replied = by.filter((comment) => comment.replies.length > 0);
      expect(bucket.replies.comments.doc_count).toBe(replied.length);
      const roots = having((comment) => comment.replies.length > 0).length;
      expect(bucket.replies.documents.doc_count).toBe(roots);
      expect(sum(bucket.replies.documents.titles.buckets.map(({ doc_count }) => doc_count))).toBe(roots);
      for (const inner of bucket.replies.who.buckets) {
        const answered = by.filter((comment) => comment.replies.some(({ who }) => who === inner.key));
        expect(inner.comments.doc_count).toBe(answered.length);
      }
    }
  }
}

async function checkAll(t: Tested): Promise<void> {
  await checkQueries(t);
  await checkScores(t);
  await checkSorts(t);
  await checkAggregations(t);
}

test.each([1, 3])(
  'whatever becomes of the documents, their objects go with them (%d shards)',
  async (shards) => {
    const below = random(shards);
    const t = new Tested();
    await t.open();
    await t.call('PUT', '/a', {
      settings: { number_of_shards: shards, refresh_interval: '-1' },
      mappings: { t: MAPPING },
    });
    for (let round = 0; round < 6; round++) {
      for (let i = below(4); i >= 0; i--) {
        await t.write(below);
        if (below(2) === 0) await t.call('POST', '/a/_refresh');
      }
      await t.call('POST', '/a/_refresh');
      await checkAll(t);
      if (round === 2) {
        await t.call('POST', '/a/_flush');
        await t.write(below);
        await t.resilin.close();
        await t.open();
        await checkAll(t);
      }
      if (round === 4) {
        await t.call('POST', '/a/_optimize?max_num_segments=1');
        await checkAll(t);
      }
    }
    await t.resilin.close();
  },
);
