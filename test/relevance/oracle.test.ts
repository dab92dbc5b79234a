import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.js';
import { indexAll, lines, type NamedQuery, openCore, type Run, recorded } from './fixtures.js';

/** Lucene 4.10.4's answers (test/fixtures/relevance/README.md), asked of the whole engine over local shards. */

const SIZE = 20;

interface Expected {
  name: string;
  bulk1: Run;
  bulk3: Run;
  inOrder1?: Run;
  inOrder3?: Run;
}

const queries = lines<NamedQuery>('queries.jsonl');
const expected = new Map(lines<Expected>('expected.jsonl').map((entry) => [entry.name, entry]));

describe.each(['release', 'debug'] as const)('%s core', (target) => {
  let api: Api;

  beforeAll(async () => {
    api = await openCore(target);
    await indexAll(api, 'shards1', 1);
    await indexAll(api, 'shards3', 3);
  });
  afterAll(() => api?.close());

  describe.each([
    ['one shard', 'bulk1', '/shards1/_search'],
    ['three shards', 'bulk3', '/shards3/_search'],
    ['one shard, document by document', 'inOrder1', '/shards1/doc/_search'],
    ['three shards, document by document', 'inOrder3', '/shards3/doc/_search'],
  ] as const)('%s', (_, mode, path) => {
    it.each(queries)('$name', async ({ name, query }) => {
      const entry = expected.get(name)!;
      const wanted = entry[mode] ?? entry[mode.endsWith('1') ? 'bulk1' : 'bulk3'];
      const { status, body } = await api.call('POST', path, { query, size: SIZE });
      expect(status, JSON.stringify(body)).toBe(200);
      const { hits } = body as {
        hits: { total: number; max_score: number; hits: { _id: string; _score: number }[] };
      };
      const got = recorded(hits.hits);
      expect({ total: hits.total, hits: got }).toEqual(wanted);
      if (hits.hits.length > 0) expect(hits.max_score).toBe(hits.hits[0]?._score);
    });
  });
});
