import { describe, expect, it } from 'vitest';
import { abiVersion } from '../../host/coreLibrary/exports.js';
import {
  all,
  bool,
  exists,
  keys,
  match,
  none,
  phrase,
  prefix,
  range,
  term,
} from '../../host/coreLibrary/queries.js';
import { sumStatistics } from '../../host/coreLibrary/statistics.js';
import { decodeResult } from '../../host/core/result.js';
import { documents, FIELDS, newCore, shardOf } from './made.js';

it('sees documents after a refresh, and gives them keys in their order', async () => {
  const shard = await (await newCore()).createShard({ fields: FIELDS });
  expect(shard.add({ title: 'the name of the rose', tag: ['a', 'b'], year: 1980n })).toBe(1);
  expect(shard.addAll([{ title: null }, { title: 'rose' }])).toBe(2);
  expect(shard.search(all()).total).toBe(0);
  shard.refresh();
  expect(shard.search(term('title', 'rose'))).toMatchObject({ total: 2, hits: [{ key: 3 }, { key: 1 }] });
  expect(shard.search(term('tag', 'b')).hits.map(({ key }) => key)).toEqual([1]);
  expect(shard.search(all()).total).toBe(3);
  expect(shard.search(exists('title')).total).toBe(2);
  shard.delete(3);
  shard.delete(77);
  shard.refresh();
  expect(shard.search(term('title', 'rose')).hits.map(({ key }) => key)).toEqual([1]);
  expect(shard.search(keys(2, 3, 1, 1)).hits.map(({ key }) => key)).toEqual([1, 2]);
  expect(shard.search(none())).toEqual({ total: 0, maxScore: null, hits: [] });
  expect(shard.search(bool({ mustNot: [term('title', 'rose')] })).total).toBe(0);
});

it('adds as many documents as are given, in segments that are merged', async () => {
  const core = await newCore();
  const shard = await core.createShard({ fields: FIELDS });
  const many = documents(40_000);
  for (let from = 0; from < many.length; from += 10_000) {
    shard.addAll(many.slice(from, from + 10_000));
    shard.refresh();
  }
  expect(shard.segments().reduce((sum, { documents: of }) => sum + of, 0)).toBe(40_000);
  shard.merge();
  expect(shard.segments()).toMatchObject([{ documents: 40_000, live: 40_000, firstKey: 1, lastKey: 40_000 }]);
  const withRose = many.filter(({ title }) => title.split(' ').includes('rose')).length;
  expect(shard.search(term('title', 'rose'), { hits: 0 })).toEqual({
    total: withRose,
    maxScore: null,
    hits: [],
  });
  expect(core.memoryBytes).toBeGreaterThan(0);
});

describe('plans', async () => {
  const made = documents(300);
  const shard = await shardOf(made);

  it('are bytes, which print as Lucene does and are searched as often as one likes', () => {
    const plan = shard.plan(bool({ must: [term('title', 'rose')], should: [match('title', 'the time')] }), {
      hits: 3,
    });
    expect(String(plan)).toBe('+title:rose (title:the title:time)');
    const first = shard.search(plan);
    expect(shard.search(plan)).toEqual(first);
    const { total, keys: found } = decodeResult(shard.searchBytes(plan.bytes));
    expect([total, [...found]]).toEqual([first.total, first.hits.map(({ key }) => key)]);
  });

  it('find the same where every posting is scored', () => {
    const query = match('title', 'rose of the time');
    const [plain, exhaustive] = [shard.plan(query), shard.plan(query, { exhaustive: true })];
    expect(exhaustive.bytes).not.toEqual(plain.bytes);
    expect(shard.search(exhaustive)).toEqual(shard.search(plain));
  });

  it('sort by fields, scores and the order of documents', () => {
    const order = (a: (typeof made)[number], b: (typeof made)[number]) =>
      a.year - b.year || b.weight - a.weight;
    const expected = [...made].sort(order);
    const { hits } = shard.search(all(), {
      hits: 300,
      sort: [
        { by: 'field', field: 'year' },
        { by: 'field', field: 'weight', order: 'desc' },
      ],
    });
    expect(hits.map(({ sort }) => sort)).toEqual(expected.map(({ year, weight }) => [BigInt(year), weight]));
    const byTag = shard.search(term('title', 'rose'), {
      sort: [{ by: 'field', field: 'tag', order: 'desc' }, { by: 'score' }],
    });
    expect(byTag.hits[0]!.sort).toEqual(['tag4', byTag.hits[0]!.score]);
    const last = shard.search(all(), { hits: 1, sort: [{ by: 'document', order: 'desc' }] });
    expect(last.hits[0]!.key).toBe(300);
  });

  it('put documents without a value where they are wanted', async () => {
    const some = await shardOf([{ year: 5, tag: 'b' }, {}, { year: -7, tag: 'a' }]);
    const order = (field: string, direction: 'asc' | 'desc', missing: 'first' | 'last') =>
      some
        .search(all(), { sort: [{ by: 'field', field, order: direction, missing }] })
        .hits.map(({ key }) => key);
    for (const field of ['year', 'tag']) {
      expect(order(field, 'asc', 'last')).toEqual([3, 1, 2]);
      expect(order(field, 'desc', 'last')).toEqual([1, 3, 2]);
      expect(order(field, 'asc', 'first')).toEqual([2, 3, 1]);
      expect(order(field, 'desc', 'first')).toEqual([2, 1, 3]);
    }
  });

  it('filter behind the query, and leave out what scores too little', () => {
    const query = term('title', 'rose');
    const whole = shard.search(query, { hits: 300 });
    const after = shard.search(query, { hits: 300, filter: range('year', { gte: 1900 }) });
    expect(after.hits).toEqual(whole.hits.filter(({ key }) => made[key - 1]!.year >= 1900));
    const middle = whole.hits[Math.floor(whole.hits.length / 2)]!.score;
    const least = shard.search(query, { hits: 300, minScore: middle });
    expect(least.hits).toEqual(whole.hits.filter(({ score }) => score >= middle));
  });

  it('take phrases with places for whatever stands there', async () => {
    const some = await shardOf([
      { title: 'rose x garden' },
      { title: 'rose garden' },
      { title: 'rose y park' },
    ]);
    const found = some.search(phrase('title', ['rose', null, ['garden', 'park']]), {
      sort: [{ by: 'document' }],
    });
    expect(found.hits.map(({ key }) => key)).toEqual([1, 3]);
  });
});

it('cuts texts by the analyzers of Elasticsearch and by its own', async () => {
  const shard = await shardOf([{ english: 'running horses', stemmed: 'Horses and forks', cut: 'a,b;c' }], {
    fields: {
      english: { type: 'text', analyzer: 'english' },
      stemmed: { type: 'text', analyzer: 'kstemmed' },
      cut: { type: 'text', analyzer: 'by_comma', searchAnalyzer: 'keyword' },
    },
    analysis: {
      analyzer: {
        kstemmed: { tokenizer: 'uax_url_email', filter: ['lowercase', 'kstem'] },
        by_comma: { type: 'pattern', pattern: '[,;]' },
      },
    },
  });
  expect(shard.analyze('english', 'running horses').map(({ term: text }) => text)).toEqual(['run', 'hors']);
  expect(shard.analyze('stemmed', 'Horses of me@example.org')).toEqual([
    { term: 'horse', position: 1 },
    { term: 'of', position: 2 },
    { term: 'me@example.org', position: 3 },
  ]);
  expect(shard.search(match('english', 'runs')).total).toBe(1);
  expect(shard.search(match('stemmed', 'HORSE')).total).toBe(1);
  expect(shard.search(term('cut', 'b')).total).toBe(1);
  expect(shard.search(match('cut', 'a,b')).total).toBe(0);
});

it('scores several shards by their statistics together as one shard with all documents', async () => {
  const made = documents(500);
  for (const type of ['TF-IDF', 'BM25'] as const) {
    const definition = { fields: FIELDS, similarity: { type } };
    const whole = await shardOf(made, definition);
    const parts = [await shardOf(made.slice(0, 100), definition), await shardOf(made.slice(100), definition)];
    const query = match('title', 'rose garden forking');
    const statistics = sumStatistics(parts.map((part) => part.statistics(query)));
    expect(statistics.terms).toEqual(whole.statistics(query).terms);
    const scores = parts.flatMap((part, i) =>
      part.search(query, { hits: 500, statistics }).hits.map(({ key, score }) => [key + 100 * i, score]),
    );
    const expected = whole.search(query, { hits: 500 }).hits.map(({ key, score }) => [key, score]);
    const byKey = ([a]: number[], [b]: number[]) => a! - b!;
    expect(scores.sort(byKey)).toEqual(expected.sort(byKey));
    const alone = parts[0]!.search(query, { hits: 500 }).hits.map(({ score }) => score);
    expect(alone).not.toEqual(
      parts[0]!.search(query, { hits: 500, statistics }).hits.map(({ score }) => score),
    );
    const best = parts[0]!.search(query, { hits: 1, statistics }).hits[0]!;
    // As in Lucene, an explanation adds up in another order.
    expect((await parts[0]!.explain(query, best.key, { statistics }))!.value).toBeCloseTo(best.score, 5);
  }
});

it('tells what it knows of fields and terms', async () => {
  const shard = await shardOf([{ title: 'a rose is a rose' }, { title: 'a ruse' }, { tag: 'x' }]);
  expect(await shard.fieldStatistics('title')).toEqual({
    segments: 1,
    documents: 2,
    terms: 4,
    postings: 5,
    occurrences: 7,
  });
  expect(await shard.terms('title', { prefix: 'r' })).toEqual([
    { term: 'rose', documents: 1 },
    { term: 'ruse', documents: 1 },
  ]);
  expect(await shard.terms('title', { limit: 1 })).toEqual([{ term: 'a', documents: 2 }]);
  expect(shard.search(prefix('title', 'r')).total).toBe(2);
});

it("takes another shard's segments by their images, and goes on behind them", async () => {
  const made = documents(50);
  const first = await shardOf(made);
  const second = await (await newCore()).createShard({ fields: FIELDS });
  second.load(first.image(0));
  const query = match('title', 'rose time');
  expect(second.search(query)).toEqual(first.search(query));
  expect(second.add({ title: 'one more' })).toBe(51);
});

it('has one version with the core', () => {
  expect(abiVersion).toBe(7);
});
