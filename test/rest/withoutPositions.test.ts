import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** Phrases and spans of fields without positions: a shard refuses them where a word occurs, as Elasticsearch 1.7.3 does. */

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);

beforeAll(async () => {
  resilin = await createEngine();
  const settings = { number_of_shards: 2, number_of_replicas: 0, refresh_interval: '-1' };
  const properties = {
    f: { type: 'string', index_options: 'freqs' },
    k: { type: 'string', index: 'not_analyzed' },
    p: { type: 'string' },
  };
  await call('PUT', '/i', { settings, mappings: { t: { properties } } });
  // One shard each.
  await call('PUT', '/i/t/1', { f: 'quick fox', k: 'quick', p: 'quick fox' });
  await call('PUT', '/i/t/4', { f: 'lazy dog', k: 'lazy', p: 'lazy dog' });
  await call('POST', '/i/_refresh');
});
afterAll(() => resilin.close());

/** The hits, then the terms that shards complain of. */
async function found(query: unknown): Promise<(number | string)[]> {
  const { body } = await call('POST', '/i/_search', { query });
  const { error, hits, _shards } = body as {
    error?: string;
    hits?: { total: number };
    _shards?: { failures?: { reason: string }[] };
  };
  const text = error ?? (_shards?.failures ?? []).map(({ reason }) => reason).join();
  const terms = [
    ...text.matchAll(/field "(\w+)" was indexed without position data; cannot run (\w+ \(term=\w+\))/g),
  ];
  return [hits?.total ?? -1, ...terms.map(([, field, run]) => `${field} ${run}`).sort()];
}
const span = (field: string, term: string) => ({ span_term: { [field]: term } });

describe('are refused', () => {
  it.each<[object, string[]]>([
    [{ match_phrase: { f: 'quick nosuch' } }, ['f PhraseQuery (term=quick)']],
    [{ match_phrase: { f: 'nosuch quick' } }, []],
    [{ match_phrase: { f: 'quick' } }, []],
    [{ match_phrase: { k: { query: 'lazy dog', analyzer: 'standard' } } }, ['k PhraseQuery (term=lazy)']],
    [{ match_phrase_prefix: { f: 'quick f' } }, ['f PhraseQuery (term=quick)']],
    [{ match_phrase_prefix: { f: 'quick d' } }, []],
    [{ query_string: { query: 'f:"dog lazy" k:"quick"' } }, ['f PhraseQuery (term=dog)']],
    [{ filtered: { filter: { query: { match_phrase: { f: 'lazy fox' } } } } }, ['f PhraseQuery (term=lazy)']],
    [span('k', 'quick'), ['k SpanTermQuery (term=quick)']],
    [span('k', 'nosuch'), []],
    [
      { span_near: { clauses: [span('f', 'nosuch'), span('f', 'dog')], slop: 1, in_order: true } },
      ['f SpanTermQuery (term=dog)'],
    ],
    [{ bool: { must: [{ term: { f: 'nosuch' } }, { match_phrase: { f: 'lazy dog' } }] } }, []],
  ])('%j', async (query, refused) => {
    const [, ...terms] = await found(query);
    expect(terms).toEqual(refused);
  });

  it('a second time, by a filter too', async () => {
    const filter = { fquery: { query: { match_phrase: { f: 'quick fox' } }, _cache: true } };
    for (let i = 0; i < 4; i++) expect(await found({ constant_score: { filter } })).toHaveLength(2);
  });

  it('in counts and explanations', async () => {
    const query = { match_phrase: { f: 'quick fox' } };
    const count = await call('POST', '/i/_count', { query });
    expect(count.body).toMatchObject({ count: 0, _shards: { total: 2, failed: 1 } });
    const explained = await call('POST', '/i/t/1/_explain', { query });
    expect(explained.status).toBe(500);
    expect(explained.body).toMatchObject({ error: expect.stringContaining('without position data') });
    expect((await call('POST', '/i/t/4/_explain', { query })).body).toMatchObject({ matched: false });
  });

  it('where a shard says what it ran', async () => {
    const { body } = await call('POST', '/i/_search?routing=1', {
      query: { match_phrase: { f: 'quick fox' } },
    });
    expect((body as { error: string }).error).toMatch(
      /^SearchPhaseExecutionException\[Failed to execute phase \[query_fetch\], all shards failed; shardFailures \{\[[^\]]+\]\[i\]\[\d\]: QueryPhaseExecutionException\[\[i\]\[\d\]: query\[f:"quick fox"\],from\[0\],size\[10\]: Query Failed \[Failed to execute main query\]\]; nested: IllegalStateException\[field "f" was indexed without position data; cannot run PhraseQuery \(term=quick\)\]; \}\]$/,
    );
  });
});
