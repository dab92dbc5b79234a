import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { BUILDS, coreBuilds } from '../support/cores.js';

/**
 * Phrases and spans over lists of all densities: words in most documents and in few, many times in one document, in runs of
 * documents; all hits, and the best ten, for which blocks are skipped.
 */

const DOCS = 2600;

/** A number below `limit` that looks random. */
function random(seed: number, limit: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return ((Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) ^ (mixed >>> 15)) >>> 0) % limit;
}

/** `of` and `the` abound, `run` stands in runs of documents, `rare` in few of them but often, `once` in one of fifty. */
function word(doc: number, at: number): string {
  const n = random(doc * 4096 + at, 100);
  if (n < 30) return 'the';
  if (n < 50) return 'of';
  if (n < 60 && (doc >> 7) % 4 === 1) return 'run';
  if (n < 80 && doc % 97 === 5) return 'rare';
  if (n < 64 && doc % 50 === 3) return 'once';
  return `w${n % 7}`;
}

/** Most documents are short, some have hundreds of words. */
const texts = Array.from({ length: DOCS }, (_, doc) =>
  Array.from({ length: doc % 300 === 5 ? 900 : 3 + random(doc + 1, 30) }, (_, at) => word(doc, at)),
);

const places = (words: string[], wanted: string) => [...words.keys()].filter((i) => words[i] === wanted);

/** Number of places where the words of a phrase stand one after the other. */
const phraseFreq = (words: string[], phrase: string[]) =>
  [...words.keys()].filter((i) => phrase.every((wanted, k) => words[i + k] === wanted)).length;

/** Whether `b` follows `a` with at most `slop` words between. */
function follows(words: string[], a: string, b: string, slop: number): boolean {
  let last = Number.NEGATIVE_INFINITY;
  return words.some((word, i) => {
    if (word === b && i - last - 1 <= slop) return true;
    if (word === a) last = i;
    return false;
  });
}

const term = (value: string) => ({ span_term: { x: value } });
const near = (a: string, b: string, slop: number, inOrder: boolean) => ({
  span_near: { clauses: [term(a), term(b)], slop, in_order: inOrder },
});

const words = ['of', 'the', 'run', 'rare', 'once', 'w3'];
/** A third of all ordered pairs. */
const pairs = words
  .flatMap((a) => words.filter((b) => b !== a).map((b) => [a, b] as const))
  .filter((_, i) => i % 3 === 1);

const cores = await coreBuilds('resilin');

describe.each(BUILDS)('%s core', (build) => {
  let api: Api;

  beforeAll(async () => {
    api = await openApi(cores[build]);
    const x = { type: 'string', fields: { plain: { type: 'string', norms: { enabled: false } } } };
    await api.call('PUT', '/a', {
      settings: { number_of_shards: 1, refresh_interval: '-1' },
      mappings: { t: { properties: { x } } },
    });
    const lines = texts.map((text, i) => `{"index":{"_id":"${i}"}}\n{"x":"${text.join(' ')}"}\n`);
    await api.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
    await api.call('POST', '/a/_optimize?max_num_segments=1');
  });

  afterAll(() => api.close());

  interface Found {
    hits: { total: number; hits: { _id: string; _score: number }[] };
  }

  async function search(query: object, size: number): Promise<Found['hits']> {
    return ((await api.call('POST', '/a/_search', { query, size, _source: false })).body as Found).hits;
  }

  /** Finds exactly the documents that `matches`, and the best of them first where only ten are wanted. */
  async function check(query: object, matches: (text: string[]) => boolean): Promise<void> {
    const all = await search(query, DOCS);
    const want = texts.flatMap((text, doc) => (matches(text) ? [String(doc)] : []));
    expect(all.hits.map(({ _id }) => _id).sort()).toEqual(want.sort());
    const best = await search(query, 10);
    expect(best.total).toBe(all.total);
    expect(best.hits).toEqual(all.hits.slice(0, 10));
  }

  it.each(pairs)('finds phrases of "%s %s"', async (a, b) => {
    for (const phrase of [
      [a, b],
      [a, b, 'the'],
      ['of', a, b, 'the'],
    ]) {
      await check({ match_phrase: { x: phrase.join(' ') } }, (text) => phraseFreq(text, phrase) > 0);
    }
    const { hits } = await search({ match_phrase: { 'x.plain': `${a} ${b}` } }, DOCS);
    // Without norms a score is the square root of the frequency times what is the same for all.
    const freqs = new Map(hits.map(({ _id }) => [_id, phraseFreq(texts[Number(_id)] as string[], [a, b])]));
    const unit = hits[0] === undefined ? 1 : hits[0]._score ** 2 / (freqs.get(hits[0]._id) as number);
    expect(new Map(hits.map(({ _id, _score }) => [_id, Math.round(_score ** 2 / unit)]))).toEqual(freqs);
  });

  it.each(pairs)('finds "%s" and "%s" near each other', async (a, b) => {
    for (const slop of [0, 3]) {
      await check(near(a, b, slop, true), (text) => follows(text, a, b, slop));
      await check(near(a, b, slop, false), (text) => follows(text, a, b, slop) || follows(text, b, a, slop));
    }
    // A word moved by one costs 1, two that change places 2.
    const sloppy = { match: { x: { query: `${a} ${b}`, type: 'phrase', slop: 2 } } };
    await check(sloppy, (text) => follows(text, a, b, 2) || follows(text, b, a, 0));
  });

  it.each(pairs)('finds "%s" first, or with "%s", or without it', async (a, b) => {
    await check({ span_first: { match: term(a), end: 4 } }, (text) => text.slice(0, 4).includes(a));
    await check({ span_first: { match: near(a, b, 0, true), end: 9 } }, (text) =>
      follows(text.slice(0, 9), a, b, 0),
    );
    await check({ span_or: { clauses: [term(a), term(b)] } }, (text) => text.includes(a) || text.includes(b));
    const either = { span_or: { clauses: [near(a, b, 0, true), term('rare')] } };
    await check(either, (text) => text.includes('rare') || follows(text, a, b, 0));
    await check({ span_not: { include: term(a), exclude: near(a, b, 0, true) } }, (text) =>
      places(text, a).some((i) => text[i + 1] !== b),
    );
    const after = {
      span_near: { clauses: [{ span_or: { clauses: [term(a), term(b)] } }, term('w3')], slop: 1 },
    };
    if (a !== 'w3' && b !== 'w3')
      await check(after, (text) => follows(text, a, 'w3', 1) || follows(text, b, 'w3', 1));
  });
});
