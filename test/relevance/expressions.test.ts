import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from '../support/api.js';

/**
 * Query strings, misspelt words, patterns and their like: totals, order and score bits as Lucene 4.10.4 has them
 * (test/fixtures/relevance/README.md), of one shard and of three.
 */

const root = resolve(import.meta.dirname, '../..');
const fixtures = join(root, 'test/fixtures/relevance');
const SIZE = 10;

interface Run {
  total: number;
  /** `id:bits` with spaces between. */
  hits: string;
}

interface Expression {
  name: string;
  query: object;
  shards1: Run;
  shards3: Run;
}

function lines<T>(name: string): T[] {
  return readFileSync(join(fixtures, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

const documents = lines<{ id: string }>('corpus.jsonl');
const expressions = lines<Expression>('expressions.jsonl');
const spec = JSON.parse(readFileSync(join(fixtures, 'spec.json'), 'utf8')) as { mappings: object };
/**
 * Nested optional clauses whose sum Lucene takes in the order of a heap that depends on every document walked before.
 * Their scores may differ in the last bit.
 */
const LAST_BIT = new Set(['query-string-10']);

const bits = new DataView(new ArrayBuffer(4));

function floatBits(value: number): string {
  bits.setFloat32(0, value);
  return bits.getUint32(0).toString(16).padStart(8, '0');
}

/** Whether the hits are the same and no score is off by more than its last bit. */
function expectClose(got: string, wanted: string): void {
  const parts = (hits: string) => hits.split(' ').map((hit) => hit.split(':') as [string, string]);
  const [ours, theirs] = [parts(got), parts(wanted)];
  expect(ours.map(([id]) => id)).toEqual(theirs.map(([id]) => id));
  ours.forEach(([, score], i) => {
    const off = Number.parseInt(score, 16) - Number.parseInt(theirs[i]![1], 16);
    expect(Math.abs(off)).toBeLessThanOrEqual(1);
  });
}

let api: Api;

beforeAll(async () => {
  api = await openApi(readFileSync(join(root, 'build/resilin.wasm')));
  for (const shards of [1, 3]) {
    const settings = { number_of_shards: shards, number_of_replicas: 0 };
    const created = await api.call('PUT', `/e${shards}`, { settings, mappings: spec.mappings });
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const bulk = documents.flatMap((source) => [{ index: { _id: source.id } }, source]);
    const body = bulk.map((line) => `${JSON.stringify(line)}\n`).join('');
    await api.call('POST', `/e${shards}/doc/_bulk`, body);
    await api.call('POST', `/e${shards}/_refresh`);
  }
});
afterAll(() => api?.close());

it.each(expressions)('$name', async ({ name, query, shards1, shards3 }) => {
  for (const [index, wanted] of [
    ['e1', shards1],
    ['e3', shards3],
  ] as const) {
    const { status, body } = await api.call('POST', `/${index}/_search`, {
      query,
      size: SIZE,
      _source: false,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const { hits } = body as { hits: { total: number; hits: { _id: string; _score: number }[] } };
    const got = hits.hits.map(({ _id, _score }) => `${_id}:${floatBits(_score)}`).join(' ');
    if (LAST_BIT.has(name)) expectClose(got, wanted.hits);
    else expect({ total: hits.total, hits: got }).toEqual(wanted);
  }
});
