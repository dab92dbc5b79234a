import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { coreBytes } from '../support/core.js';

/** Similarities of settings: scores and explanations as Lucene 4.10.4 has them (test/fixtures/relevance/README.md). */

/** Value, description, details. */
type Explained = [number | string, string, ...Explained[]];

interface Similarity {
  settings: object;
  queries: { hits: [document: number, score: number][]; explanation: Explained }[];
}

const root = resolve(import.meta.dirname, '../..');
const [{ documents }, ...similarities] = readFileSync(
  resolve(root, 'test/fixtures/relevance/similarities.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line)) as [{ documents: string[] }, ...Similarity[]];

/** The queries of the fixture, on a field. */
function queries(field: string): object[] {
  const span = (term: string) => ({ span_term: { [field]: term } });
  return [
    { term: { [field]: 'captain' } },
    { bool: { should: [{ term: { [field]: { value: 'sea', boost: 2 } } }, { term: { [field]: 'storm' } }] } },
    { match_phrase: { [field]: { query: 'sea ship', slop: 2 } } },
    { span_near: { clauses: [span('harbour'), span('sea')], slop: 3, in_order: false } },
  ];
}

interface Hit {
  _id: string;
  _score: number;
  _explanation: Json;
}
interface Json {
  value: number;
  description: string;
  details?: Json[];
}

let api: Api;

async function ok(method: string, uri: string, body?: unknown): Promise<unknown> {
  const answer = await api.call(method, uri, body);
  expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBeLessThan(300);
  return answer.body;
}

async function hitsOf(uri: string, body: object): Promise<Hit[]> {
  const answer = (await ok('POST', uri, body)) as { hits: { hits: Hit[] } };
  return answer.hits.hits;
}

beforeAll(async () => {
  api = await openApi(coreBytes());
  const fields = similarities.map((_, i) => `f${i}`);
  const similarity = Object.fromEntries(similarities.map(({ settings }, i) => [`f${i}`, settings]));
  const mapping = (name: string) => ({ type: 'string', analyzer: 'whitespace', similarity: name });
  const properties = Object.fromEntries(fields.map((name) => [name, mapping(name)]));
  const of = (shards: number) => ({
    settings: { number_of_shards: shards, number_of_replicas: 0, similarity },
    mappings: { t: { properties } },
  });
  await ok('PUT', '/one', of(1));
  await ok('PUT', '/three', of(3));
  const bulk = documents.flatMap((text, i) => [
    JSON.stringify({ index: { _id: `${i}` } }),
    JSON.stringify(Object.fromEntries(fields.map((name) => [name, text]))),
  ]);
  for (const index of ['one', 'three'])
    await ok('POST', `/${index}/t/_bulk?refresh=true`, `${bulk.join('\n')}\n`);
});

afterAll(() => api.close());

/** The fixture names its only field `f`, and its similarity isn't per field. */
function asFixture({ value, description, details = [] }: Json, field: string): Explained {
  const text = description.replaceAll(`${field}:`, 'f:').replaceAll('[PerFieldSimilarity]', '[]');
  return [value, text, ...details.map((each) => asFixture(each, field))];
}

function expectClose(got: Explained, wanted: Explained): void {
  expect(got[1]).toBe(wanted[1]);
  const value = Number(wanted[0]);
  expect(Math.abs(Number(got[0]) - value), wanted[1]).toBeLessThanOrEqual(1e-6 * Math.abs(value));
  expect(got.length, wanted[1]).toBe(wanted.length);
  for (let i = 2; i < wanted.length; i++) expectClose(got[i] as Explained, wanted[i] as Explained);
}

describe.each(similarities.map((each, i) => [JSON.stringify(each.settings), each, `f${i}`] as const))(
  '%s',
  (_, { queries: wanted }, field) => {
    it('scores and explains', async () => {
      for (const [i, query] of queries(field).entries()) {
        const { hits, explanation } = wanted[i]!;
        const found = await hitsOf('/one/_search', { query, size: hits.length, explain: true });
        expect(found.map(({ _id }) => Number(_id))).toEqual(hits.map(([id]) => id));
        found.forEach(({ _score }, n) => {
          const score = hits[n]![1];
          expect(Math.abs(_score - score)).toBeLessThanOrEqual(1e-6 * Math.abs(score));
        });
        expectClose(asFixture(found[0]!._explanation, field), explanation);
      }
    });

    it('scores by the statistics of all shards where they are asked for', async () => {
      for (const [i, query] of queries(field).entries()) {
        const found = await hitsOf('/three/_search?search_type=dfs_query_then_fetch', { query, size: 24 });
        for (const [id, score] of wanted[i]!.hits) {
          const hit = found.find(({ _id }) => Number(_id) === id);
          expect(Math.abs(hit!._score - score), `${i} ${id}`).toBeLessThanOrEqual(1e-6 * Math.abs(score));
        }
      }
    });
  },
);

describe('definitions', () => {
  const create = (similarity: object) =>
    api.call('PUT', '/bad', { settings: { number_of_shards: 1, similarity: { s: similarity } } });

  it.each([
    [{ type: 'DFR' }, 400, 'ElasticsearchIllegalArgumentException[Unsupported BasicModel [null]]'],
    [
      { type: 'IB', distribution: 'll', lambda: 'x' },
      400,
      'ElasticsearchIllegalArgumentException[Unsupported Lambda [x]]',
    ],
    [
      { type: 'DFR', basic_model: 'g', after_effect: 'l', normalization: 'h9' },
      400,
      'ElasticsearchIllegalArgumentException[Unsupported Normalization [h9]]',
    ],
    [
      { k1: 1 },
      400,
      'ElasticsearchIllegalArgumentException[SimilarityProvider [s] must have an associated type]',
    ],
    [
      { type: 'nosuch' },
      500,
      'NoClassSettingsException[Failed to load class setting [type] with value [nosuch]]; nested: ClassNotFoundException[org.elasticsearch.index.similarity.nosuch.NosuchSimilarityProvider]',
    ],
    [
      { type: 'BM25', k1: 'x' },
      500,
      'SettingsException[Failed to parse float setting [k1] with value [x]]; nested: NumberFormatException[For input string: "x"]',
    ],
  ])('refuses %j', async (similarity, status, text) => {
    const answer = await create(similarity);
    expect(answer.body).toEqual({
      error: `IndexCreationException[[bad] failed to create index]; nested: ${text}; `,
      status,
    });
  });

  it('explains no coordination where the default has none', async () => {
    const settings = { number_of_shards: 1, number_of_replicas: 0, 'similarity.default.type': 'BM25' };
    await ok('PUT', '/plainly', { settings });
    await ok('PUT', '/plainly/t/1?refresh=true', { text: 'sea' });
    const query = { match: { text: 'sea storm' } };
    const [hit] = await hitsOf('/plainly/_search', { query, explain: true });
    const explained = hit!._explanation as { value: number; description: string };
    expect(explained).toMatchObject({ value: hit!._score, description: 'sum of:' });
  });

  it('counts tokens at one position where a similarity says so', async () => {
    const analysis = {
      filter: { same: { type: 'synonym', synonyms: ['big,large,huge,vast'] } },
      analyzer: { wide: { tokenizer: 'whitespace', filter: ['same'] } },
    };
    const similarity = {
      counts: { type: 'default', discount_overlaps: false },
      bm: { type: 'BM25', discount_overlaps: false },
    };
    const field = (name: string) => ({ type: 'string', analyzer: 'wide', similarity: name });
    await ok('PUT', '/overlaps', {
      settings: { number_of_shards: 1, number_of_replicas: 0, analysis, similarity },
      mappings: {
        t: { properties: { plain: { ...field('default') }, counts: field('counts'), bm: field('bm') } },
      },
    });
    await ok('PUT', '/overlaps/t/1?refresh=true', { plain: 'big', counts: 'big', bm: 'big' });
    const norm = async (name: string) => {
      const [hit] = await hitsOf('/overlaps/_search', { query: { term: { [name]: 'big' } }, explain: true });
      return JSON.stringify(hit!._explanation);
    };
    expect(await norm('plain')).toContain('{"value":1,"description":"fieldNorm(doc=0)"}');
    expect(await norm('counts')).toContain('{"value":0.5,"description":"fieldNorm(doc=0)"}');
    expect(await norm('bm')).toContain('{"value":4,"description":"fieldLength"}');
  });
});
