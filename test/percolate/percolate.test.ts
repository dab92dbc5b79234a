import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

interface Match {
  _index: string;
  _id: string;
  _score?: number;
  highlight?: Record<string, string[]>;
}
interface Answer {
  _shards: { total: number; failed: number; failures?: { reason: string }[] };
  total: number;
  matches: Match[];
  aggregations?: { tags: { buckets: { key: string; doc_count: number }[] } };
}

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const ids = (matches: Match[]) => matches.map(({ _id }) => _id).sort();
const percolated = async (body: unknown, uri = '/watch/note/_percolate') =>
  (await call('POST', uri, body)).body as Answer;

const queries: Record<string, Record<string, unknown>> = {
  tea: { query: { match: { text: 'tea' } }, tag: 'drink', prio: 3 },
  big: { query: { range: { n: { gte: 10 } } }, tag: 'number', prio: 1 },
  both: {
    query: { bool: { must: [{ match: { text: 'tea' } }, { range: { n: { gte: 10 } } }] } },
    tag: 'both',
    prio: 2,
  },
  phrase: { query: { match_phrase: { text: 'green tea' } }, tag: 'drink', prio: 5 },
  not: { query: { bool: { must_not: { term: { text: 'tea' } } } }, tag: 'none', prio: 4 },
  recent: { query: { range: { at: { gte: 'now-1d' } } }, tag: 'time', prio: 6 },
};

beforeAll(async () => {
  resilin = await createEngine();
  await call('PUT', '/watch', {
    settings: { number_of_shards: 2, number_of_replicas: 0, refresh_interval: '-1' },
    mappings: {
      note: { properties: { text: { type: 'string' }, n: { type: 'integer' }, at: { type: 'date' } } },
    },
  });
  for (const [id, body] of Object.entries(queries)) await call('PUT', `/watch/.percolator/${id}`, body);
  await call('POST', '/watch/_refresh');
});
afterAll(() => resilin.close());

describe('percolation', () => {
  it('finds the queries that match a document, whatever they are', async () => {
    const { total, matches } = await percolated({
      doc: { text: 'Green tea', n: 50, at: new Date().toISOString() },
    });
    expect([total, ids(matches)]).toEqual([5, ['big', 'both', 'phrase', 'recent', 'tea']]);
    expect(ids((await percolated({ doc: { text: 'water', at: '2001-01-01' } })).matches)).toEqual(['not']);
  });

  it("leaves registered queries out of searches that don't ask for them", async () => {
    expect(((await call('GET', '/watch/_count')).body as { count: number }).count).toBe(0);
    expect(((await call('GET', '/watch/.percolator/_count')).body as { count: number }).count).toBe(6);
  });

  it('narrows, scores and sorts by what queries are stored with', async () => {
    const doc = { text: 'green tea', n: 50 };
    const score = { function_score: { query: { match_all: {} }, field_value_factor: { field: 'prio' } } };
    const sorted = await percolated({ doc, query: score, sort: '_score', size: 2 });
    expect([sorted.total, sorted.matches.map(({ _id, _score }) => [_id, _score])]).toEqual([
      4,
      [
        ['phrase', 5],
        ['tea', 3],
      ],
    ]);
    const narrowed = await percolated({
      doc,
      filter: { term: { tag: 'drink' } },
      aggs: { tags: { terms: { field: 'tag' } } },
    });
    expect(ids(narrowed.matches)).toEqual(['phrase', 'tea']);
    expect(narrowed.aggregations!.tags.buckets).toEqual([{ key: 'drink', doc_count: 2 }]);
    const refused = await percolated({ doc, sort: '_score' });
    expect(refused._shards.failures![0]!.reason).toContain("Can't sort if size isn't specified");
  });

  // Recorded from Elasticsearch 1.7.3.
  it('takes dates of ranges that are none, which match nothing, and no functions that ask a search', async () => {
    const put = (query: unknown) => call('PUT', '/late/.percolator/1', { query });
    await call('PUT', '/late', {
      mappings: { t: { properties: { d: { type: 'date' }, n: { type: 'integer' } } } },
    });
    const junk = { range: { d: { gte: 'junk' } } };
    for (const query of [junk, { bool: { should: [junk, { match_all: {} }] } }]) {
      expect((await put(query)).status).toBeLessThan(300);
      const found = await call('GET', '/late/t/_percolate', { doc: { d: '2014-01-01' } });
      expect(found.body).toMatchObject({ total: 0, _shards: { failed: 0 } });
    }
    for (const of of [{ field_value_factor: { field: 'n' } }, { random_score: {} }]) {
      expect((await put({ function_score: { query: { match_all: {} }, ...of } })).body).toMatchObject({
        error: expect.stringMatching(
          /^PercolatorException\[\[late\] failed to parse query \[1\]\]; nested: NullPointerException\[/,
        ),
        status: 500,
      });
    }
    const alias = await call('PUT', '/late/_alias/later', { filter: junk });
    expect(alias.status).toBe(200);
  });

  it('marks what a query found in the document', async () => {
    const { matches } = await percolated({
      doc: { text: 'some green tea' },
      size: 9,
      highlight: { fields: { text: {} } },
    });
    const shown = Object.fromEntries(matches.map(({ _id, highlight }) => [_id, highlight?.text]));
    expect(shown).toEqual({ tea: ['some green <em>tea</em>'], phrase: ['some <em>green</em> <em>tea</em>'] });
  });

  it('shows of every match what is highlighted of it, and if it is nothing', async () => {
    const doc = { text: 'some tea', n: 20 };
    const shown = async (highlight: unknown) =>
      (await percolated({ doc, size: 9, highlight })).matches.map((match) => match.highlight);
    expect(await shown({})).toEqual([{}, {}, {}]);
    const fields = { text: { highlight_query: { match: { text: 'nosuch' } } } };
    expect(await shown({ fields })).toEqual([{}, {}, {}]);
  });

  it('takes a document that is there, and counts', async () => {
    await call('PUT', '/watch/note/1', { text: 'tea', n: 1 });
    expect(ids((await percolated(undefined, '/watch/note/1/_percolate')).matches)).toEqual(['tea']);
    expect(await percolated(undefined, '/watch/note/1/_percolate/count')).toMatchObject({ total: 1 });
    expect((await call('GET', '/watch/note/9/_percolate')).status).toBe(404);
    expect((await call('GET', '/watch/note/1/_percolate?version=7')).status).toBe(409);
  });

  it('takes many documents at once', async () => {
    const lines = [
      { percolate: { index: 'watch', type: 'note' } },
      { doc: { text: 'tea' } },
      { count: { index: 'watch', type: 'note', id: '1' } },
      {},
      { percolate: { index: 'nowhere', type: 'note' } },
      { doc: {} },
    ];
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const { responses } = (await call('POST', '/_mpercolate', body)).body as { responses: unknown[] };
    expect(responses).toMatchObject([
      { total: 1, matches: [{ _index: 'watch', _id: 'tea' }] },
      { total: 1 },
      { error: 'IndexMissingException[[nowhere] missing]' },
    ]);
  });

  it("refuses queries that can't be, by bulk too", async () => {
    const bulk =
      '{"index":{"_id":"x","_type":".percolator","_index":"watch"}}\n{"query":{"term":{"unheard":1}}}\n';
    const { items } = (await call('POST', '/_bulk', bulk)).body as {
      items: { index: { status: number; error: string } }[];
    };
    expect(items[0]!.index.status).toBe(500);
    expect(items[0]!.index.error).toContain('Strict field resolution and no field mapping can be found');
    expect(ids((await percolated({ doc: { text: 'x' } })).matches)).toEqual(['not']);
  });

  it('forgets a query with its document, and an older one with its update', async () => {
    await call('PUT', '/watch/.percolator/short', { query: { term: { text: 'brief' } } });
    expect(ids((await percolated({ doc: { text: 'brief tea' } })).matches)).toEqual(['short', 'tea']);
    await call('POST', '/watch/.percolator/short/_update', { doc: { query: { term: { text: 'long' } } } });
    expect(ids((await percolated({ doc: { text: 'long tea' } })).matches)).toContain('short');
    await call('DELETE', '/watch/.percolator/short');
    expect(ids((await percolated({ doc: { text: 'long brief tea' } })).matches)).toEqual(['tea']);
  });

  it('asks for a document, and for a size, only where there are queries', async () => {
    await call('PUT', '/few', {
      settings: { number_of_shards: 3, number_of_replicas: 0 },
      mappings: { note: { properties: { text: { type: 'string' } } } },
    });
    const ask = async (body: unknown) => (await percolated(body, '/few/note/_percolate'))._shards;
    expect(await ask({})).toEqual({ total: 3, successful: 3, failed: 0 });
    await call('PUT', '/few/.percolator/1', { query: { match_all: {} } });
    expect((await ask({})).failed).toBe(1);
    expect((await ask({ doc: { text: 'x' }, sort: '_score' })).failures![0]!.reason).toContain(
      "Can't sort if size isn't specified",
    );
    await call('DELETE', '/few');
  });

  it.each([
    ['"sort":null', 'ok'],
    ['"size":[3],"sort":"_score"', 'ok'],
    ['"sort":5', 'malformed sort format'],
    ['"sort":{"_score":"asc"},"size":1', 'Only _score desc is supported'],
    ['"doc":{"text":"red"}', 'ElasticsearchParseException[Either specify doc or get, not both]'],
    ['"query":{"match_all":{}},"filter":{"match_all":{}}', 'Either specify query or filter, not both'],
    ['"query":{"match_all":{}},"query":{"match_all":{}}', 'Either specify query or filter, not both'],
    ['"other":{"size":-1}', 'size is set to [-1] and is expected to be higher or equal to 0'],
    ['"other":{},"size":-1', 'ok'],
    ['"size":-1', 'size is set to [-1] and is expected to be higher or equal to 0'],
  ])('reads %s as 1.7 does', async (parts, expected) => {
    const { body } = await call('POST', '/watch/note/_percolate', `{"doc":{"text":"green tea"},${parts}}`);
    const { _shards: shards } = body as { _shards: { failed: number } };
    if (expected === 'ok') expect(shards.failed).toBe(0);
    else expect(JSON.stringify(body)).toContain(expected);
  });

  it('shows scores where they are asked for', async () => {
    const scored = async (track_scores: unknown) =>
      JSON.stringify(await percolated({ doc: { text: 'green tea' }, track_scores })).includes('_score');
    expect(await Promise.all([true, 'yes', false, null].map(scored))).toEqual([true, true, false, false]);
  });

  it('counts the tags of the queries that match in facets too', async () => {
    const body = { doc: { text: 'green tea' }, facets: { tags: { terms: { field: 'tag' } } } };
    expect(await percolated(body)).toMatchObject({
      total: 2,
      facets: {
        tags: { _type: 'terms', missing: 0, total: 2, other: 0, terms: [{ term: 'drink', count: 2 }] },
      },
    });
  });

  it('is counted', async () => {
    const { body } = await call('GET', '/watch/_stats/percolate');
    const { percolate } = (body as { _all: { primaries: { percolate: { total: number; queries: number } } } })
      ._all.primaries;
    expect(percolate.queries).toBe(6);
    expect(percolate.total).toBeGreaterThan(0);
  });

  it('finds the same as searching for each query', async () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const leaf = word.map((text) => ({ term: { x: text } }));
    const clauses = fc.array(leaf, { maxLength: 3 });
    const query = fc.oneof(
      leaf,
      fc.tuple(word, word).map(([one, two]) => ({ match_phrase: { x: `${one} ${two}` } })),
      fc.record({ bool: fc.record({ must: clauses, should: clauses, must_not: clauses }) }),
      fc.array(leaf, { minLength: 1, maxLength: 3 }).map((queries) => ({ dis_max: { queries } })),
      leaf.map((filter) => ({ filtered: { filter } })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(query, { minLength: 1, maxLength: 12 }),
        fc.array(word, { maxLength: 5 }),
        async (asked, words) => {
          const mappings = { t: { properties: { x: { type: 'string' } } } };
          await call('PUT', '/tried', { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings });
          const doc = { x: words.join(' ') };
          await call('PUT', '/tried/t/1?refresh=true', doc);
          const expected: string[] = [];
          for (const [i, each] of asked.entries()) {
            await call('PUT', `/tried/.percolator/${i}`, { query: each });
            const { count } = (await call('POST', '/tried/t/_count', { query: each })).body as {
              count: number;
            };
            if (count > 0) expected.push(String(i));
          }
          const { matches } = await percolated({ doc }, '/tried/t/_percolate');
          expect(ids(matches)).toEqual(expected.sort());
          await call('DELETE', '/tried');
        },
      ),
      { numRuns: 15 },
    );
  });
});
