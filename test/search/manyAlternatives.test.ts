import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { BUILDS, coreBuilds } from '../support/cores.js';

/** Phrases with more alternatives at a position than are asked one by one, over several windows of documents. */

const DOCS = 6500;
const ENDINGS = 100;

/** A sequence of numbers that looks random. */
function random(state: number): number {
  const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  return (Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) ^ (mixed >>> 15)) >>> 0;
}

/** Endings of a document: some everywhere, some in runs, most of them rare, so that blocks of all codes occur. */
function endings(doc: number): number[] {
  const found: number[] = [];
  for (let e = 0; e < ENDINGS; e++) {
    const often = e === 3 ? 2 : e === 70 ? 9 : e === 20 ? ((doc >> 9) % 3 === 1 ? 1 : 4000) : 40 + e * 20;
    if (random(doc * 128 + e + 1) % often === 0) found.push(e);
  }
  return found;
}

/** `every` is in all documents, `clump` in runs of them, `seldom` far apart. */
function leads(doc: number): string[] {
  const found = ['every'];
  if ((doc >> 8) % 3 === 0) found.push('clump');
  if (doc % 450 === 7) found.push('seldom');
  return found;
}

const name = (e: number) => `end${String(e).padStart(3, '0')}`;

/** Each ending after one of the leads, or after a word between, or before the lead. */
const texts = Array.from({ length: DOCS }, (_, doc) => {
  const words: string[] = [];
  for (const [i, e] of endings(doc).entries()) {
    for (const lead of leads(doc)) {
      const how = random(doc * 512 + i * 4 + lead.length) % 4;
      if (how === 0) words.push(lead, 'between', name(e));
      else if (how === 1) words.push(name(e), lead, 'between');
      else words.push(lead, name(e), 'between');
    }
  }
  return [...words, 'between', ...leads(doc)];
});

/** Documents with `lead` followed by one of the first `expansions` endings, and how often. */
function expected(lead: string, expansions: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const [doc, words] of texts.entries()) {
    const freq = words.filter((word, i) => {
      const next = words[i + 1] ?? '';
      return word === lead && next.startsWith('end') && Number(next.slice(3)) < expansions;
    }).length;
    if (freq > 0) found.set(String(doc), freq);
  }
  return found;
}

const cores = await coreBuilds('resilin');

describe.each(BUILDS)('%s core', (build) => {
  let api: Api;

  beforeAll(async () => {
    api = await openApi(cores[build]);
    await api.call('PUT', '/a', {
      settings: { number_of_shards: 1, refresh_interval: '-1' },
      mappings: { t: { properties: { x: { type: 'string', norms: { enabled: false } } } } },
    });
    const lines = texts.map((words, i) => `{"index":{"_id":"${i}"}}\n{"x":"${words.join(' ')}"}\n`);
    await api.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
    await api.call('POST', '/a/_optimize?max_num_segments=1');
  });

  afterAll(() => api.close());

  interface Found {
    hits: { total: number; hits: { _id: string; _score: number }[] };
  }

  async function search(query: object): Promise<Found['hits']> {
    return ((await api.call('POST', '/a/_search', { query, size: DOCS, _source: false })).body as Found).hits;
  }

  it.each(['every', 'clump', 'seldom'].flatMap((lead) => [4, 50, 64, 100].map((n) => [lead, n] as const)))(
    'finds "%s" before one of %i endings',
    async (lead, n) => {
      const phrase = { match_phrase_prefix: { x: { query: `${lead} end`, max_expansions: n } } };
      const want = expected(lead, n);
      const { total, hits } = await search(phrase);
      expect(total).toBe(want.size);
      // Without norms a score is the square root of the frequency times what is the same for all.
      const first = hits[0] as (typeof hits)[0];
      const unit = first._score ** 2 / (want.get(first._id) ?? Number.NaN);
      const found = new Map(hits.map(({ _id, _score }) => [_id, Math.round(_score ** 2 / unit)]));
      expect(found).toEqual(want);
      // As a clause that is asked for some documents only.
      const some = await search({ filtered: { query: phrase, filter: { term: { x: 'clump' } } } });
      expect(some.total).toBe([...want.keys()].filter((id) => leads(Number(id)).includes('clump')).length);
    },
  );
});
