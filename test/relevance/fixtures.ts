/** The documents, queries and recorded answers that the tests of relevance share (test/fixtures/relevance/README.md). */

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { type Api, openApi } from '../support/api.js';
import { type Build, coreBuilds } from '../support/cores.js';

const root = resolve(import.meta.dirname, '../..');
const fixtures = join(root, 'test/fixtures/relevance');

/** A query with a name. */
export interface NamedQuery {
  name: string;
  query: object;
}

/** The lines of a fixture, one JSON value each. */
export function lines<T>(name: string): T[] {
  return readFileSync(join(fixtures, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

export const documents = lines<{ id: string }>('corpus.jsonl');
export const spec = JSON.parse(readFileSync(join(fixtures, 'spec.json'), 'utf8')) as { mappings: object };

const cores = await coreBuilds('resilin');

/** An engine without a server, on a build of the core. */
export function openCore(
  build: Build = process.env.RESILIN_CORE === 'debug' ? 'debug' : 'release',
): Promise<Api> {
  return openApi(cores[build]);
}

/** What Lucene found: how many, and the first hits as `id:bits` with spaces between. */
export interface Run {
  total: number;
  hits: string;
}

const bits = new DataView(new ArrayBuffer(4));

/** Hits as they are recorded: ids with the bits of their scores. */
export function recorded(hits: readonly { _id: string; _score: number }[]): string {
  return hits
    .map(({ _id, _score }) => {
      bits.setFloat32(0, _score);
      return `${_id}:${bits.getUint32(0).toString(16).padStart(8, '0')}`;
    })
    .join(' ');
}

/** Expects the same hits, and no score off by more than its last bit. */
export function expectClose(got: string, wanted: string): void {
  const parts = (hits: string) =>
    hits.split(' ').map((hit) => {
      const colon = hit.lastIndexOf(':');
      return { id: hit.slice(0, colon), score: Number.parseInt(hit.slice(colon + 1), 16) };
    });
  const [ours, theirs] = [parts(got), parts(wanted)];
  expect(ours.map(({ id }) => id)).toEqual(theirs.map(({ id }) => id));
  ours.forEach(({ score }, i) => {
    expect(Math.abs(score - theirs[i]!.score)).toBeLessThanOrEqual(1);
  });
}

/** Indexes all documents in one bulk request and refreshes once. */
export async function indexAll(api: Api, index: string, shards: number): Promise<void> {
  const settings = { number_of_shards: shards, number_of_replicas: 0 };
  const created = await api.call('PUT', `/${index}`, { settings, mappings: spec.mappings });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  const bulk = documents.flatMap((source) => [{ index: { _id: source.id } }, source]);
  const body = bulk.map((line) => `${JSON.stringify(line)}\n`).join('');
  const loaded = await api.call('POST', `/${index}/doc/_bulk`, body);
  expect((loaded.body as { errors: boolean }).errors).toBe(false);
  await api.call('POST', `/${index}/_refresh`);
}
