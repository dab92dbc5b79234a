import { expect, it } from 'vitest';
import { CoreError } from '../../host/coreLibrary/coreErrors.js';
import { fetched, openCore } from '../../host/coreLibrary/loadedCore.js';
import {
  all,
  bool,
  functionScore,
  match,
  phrase,
  prefix,
  type Query,
  range,
  regexp,
  spanNear,
  spanTerm,
  term,
} from '../../host/coreLibrary/queries.js';
import { documents, FIELDS, newCore, shardOf } from './made.js';

const shard = await shardOf(documents(2000), {
  fields: { ...FIELDS, bare: { type: 'text', index: 'documents' }, other: { type: 'text' } },
});

/** The status and the field that something fails with. */
async function failureOf(work: () => unknown): Promise<[string, string | undefined]> {
  try {
    await work();
  } catch (e) {
    if (e instanceof CoreError) return [e.status, e.field];
    throw e;
  }
  throw new Error('it did not fail');
}
const searching = (query: Query) => failureOf(() => shard.search(query));

it('names what is wrong with a query', async () => {
  expect(await searching(term('nothing', 'x'))).toEqual(['argument', 'nothing']);
  expect(await searching(term('year', 'x'))).toEqual(['argument', 'year']);
  expect(await searching(term('year', 1.5))).toEqual(['argument', 'year']);
  expect(await searching(term('year', 2n ** 63n))).toEqual(['argument', 'year']);
  expect(await searching(term('title', 5))).toEqual(['argument', 'title']);
  expect(await searching(prefix('year', '19'))).toEqual(['argument', 'year']);
  expect(await searching(range('year', { gt: 1, gte: 2 }))).toEqual(['argument', undefined]);
  expect(await searching({ kind: 'rose' } as never)).toEqual(['argument', undefined]);
  expect(await searching({ kind: 'spanRose' } as never)).toEqual(['argument', undefined]);
  expect(await searching(regexp('title', '['))).toEqual(['argument', undefined]);
  expect(await searching(functionScore(all(), [{ script: '1 +' }]))).toEqual(['argument', undefined]);
  expect(await searching(functionScore(all(), [{ script: "doc['title'].value" }]))).toEqual([
    'argument',
    'title',
  ]);
  expect(await searching(functionScore(all(), [{ script: 'x' }]))).toEqual(['argument', undefined]);
  expect(await failureOf(() => shard.search(all(), { hits: -1 }))).toEqual(['argument', undefined]);
  expect(await failureOf(() => shard.search(all(), { sort: [{ by: 'field', field: 'title' }] }))).toEqual([
    'argument',
    'title',
  ]);
});

it('names positions and values that are missing', async () => {
  const some = await shardOf([{ bare: 'a rose', title: 'x' }], {
    fields: { bare: { type: 'text', index: 'frequencies' }, title: { type: 'text' }, year: { type: 'long' } },
  });
  expect(await failureOf(() => some.search(phrase('bare', 'a rose')))).toEqual(['positions', 'bare']);
  const spans = spanNear([spanTerm('bare', 'a'), spanTerm('bare', 'rose')]);
  expect(await failureOf(() => some.search(spans))).toEqual(['positions', 'bare']);
  const byYear = functionScore(all(), [{ field: 'year' }]);
  expect(await failureOf(() => some.search(byYear))).toEqual(['value', undefined]);
  expect(some.search(functionScore(all(), [{ field: 'year', missing: 3 }])).hits[0]!.score).toBe(3);
  const negative = functionScore(all(), [{ field: 'year', missing: -3, modifier: 'sqrt' }]);
  expect(await failureOf(() => some.search(negative))).toEqual(['number', undefined]);
});

it('names limits', async () => {
  const deep = (levels: number): Query => {
    let query: Query = term('title', 'x');
    for (let level = 0; level < levels; level++) query = bool({ must: [query, all()] });
    return query;
  };
  expect(await searching(deep(100))).toEqual(['limit', undefined]);
  expect(await searching(deep(100_000))).toEqual(['limit', undefined]);
  const many = Array.from({ length: 1025 }, (_, i) => term('title', `x${i}`));
  expect(await searching(bool({ should: many }))).toEqual(['clauses', undefined]);
  expect(await searching(match('title', many.map((_, i) => `x${i}`).join(' ')))).toEqual([
    'clauses',
    undefined,
  ]);
  const wide = await shardOf(Array.from({ length: 1100 }, (_, i) => ({ title: `w${i}` })));
  const scoring = prefix('title', 'w', { rewrite: 'scoring' });
  expect(await failureOf(() => wide.search(scoring))).toEqual(['clauses', undefined]);
  const long = 'x'.repeat(40_000);
  expect(await failureOf(() => shard.add({ tag: long }))).toEqual(['limit', 'tag']);
  // The time is looked at after so many units of work, which a short search never comes to.
  const slow = bool({ should: Array.from({ length: 1000 }, () => phrase('title', 'the rose', { slop: 5 })) });
  expect(await failureOf(() => shard.search(slow, { timeout: 0 }))).toEqual(['interrupted', undefined]);
  expect(shard.search(slow, { timeout: 600_000 }).total).toBeGreaterThan(0);
  expect(await failureOf(() => shard.search(all(), { timeout: Number.NaN }))).toEqual([
    'argument',
    undefined,
  ]);
});

it('names bytes that are wrong, and goes on', async () => {
  expect(await failureOf(() => shard.searchBytes(new Uint8Array(9)))).toEqual(['plan', undefined]);
  expect(await failureOf(() => shard.load(new Uint8Array(1000)))).toEqual(['image', undefined]);
  const image = shard.image(0).slice();
  image[image.length >> 1]! ^= 1;
  expect(await failureOf(() => shard.load(image))).toEqual(['image', undefined]);
  expect(await failureOf(() => shard.image(7))).toEqual(['argument', undefined]);
  expect(shard.search(all()).total).toBe(2000);
});

it('adds nothing of what is wrong', async () => {
  const few = await shardOf([{ title: 'one' }]);
  expect(await failureOf(() => few.addAll([{ title: 'two' }, { nothing: 'x' }]))).toEqual([
    'argument',
    'nothing',
  ]);
  expect(await failureOf(() => few.add({ year: 'x' }))).toEqual(['argument', 'year']);
  expect(few.add({ title: 'two' })).toBe(2);
  few.refresh();
  expect(few.search(all()).total).toBe(2);
});

it('names what is wrong with a shard', async () => {
  const core = await newCore();
  const made = (fields: object, more: object = {}) =>
    failureOf(() => core.createShard({ fields, ...more } as never));
  expect(await made({ a: { type: 'text', analyzer: 'nothing' } })).toEqual(['argument', 'a']);
  expect(await made({ a: { type: 'date' } })).toEqual(['argument', 'a']);
  expect(await made({ a: { type: 'text', index: 'all' } })).toEqual(['argument', 'a']);
  expect(await made({}, { similarity: { type: 'BM26' } })).toEqual(['argument', undefined]);
  expect(await made({}, { similarity: { type: 'BM25', k1: Number.NaN } })).toEqual(['argument', undefined]);
  const dfr = { type: 'DFR', basicModel: 'x', afterEffect: 'l', normalization: 'h2' };
  expect(await made({}, { similarity: dfr })).toEqual(['argument', undefined]);
  expect(
    await made({ a: { type: 'text', analyzer: 'x' } }, { analysis: { analyzer: { x: { tokenizer: 'y' } } } }),
  ).toEqual(['argument', undefined]);
  const closed = await core.createShard({ fields: FIELDS });
  closed.close();
  closed.close();
  expect(await failureOf(() => closed.search(all()))).toEqual(['argument', undefined]);
  expect(await failureOf(() => closed.explain(all(), 1))).toEqual(['argument', undefined]);
  expect(await failureOf(() => openCore(5 as never, fetched))).toEqual(['argument', undefined]);
});
