/** Hits are read and shown one by one: others have the event loop between, and when the time is over those that are there are shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNode, type TestNode } from './node.js';

const DOCUMENTS = 200;
let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.call('PUT', '/a', { settings: { number_of_shards: 2 } });
  const lines = Array.from(
    { length: DOCUMENTS },
    (_, i) => `{"index":{"_id":"${i}"}}\n{"x":"red fox","n":${i},"o":{"a":{"b":1,"c":2}}}\n`,
  );
  await node.call('POST', '/a/t/_bulk?refresh=true', lines.join(''));
});
afterAll(() => node.engine.close());

const script = { script: "doc['n'].value * 2", lang: 'expression' };
const searches: [string, object][] = [
  ['sources', { _source: { include: ['o.*.b'] } }],
  ['script fields', { script_fields: { s: script } }],
  ['highlights', { query: { match: { x: 'fox' } }, highlight: { fields: { x: {} } } }],
  ['sorted hits', { sort: 'n' }],
];

describe.each(searches)('%s', (_name, body) => {
  const asked = { ...body, size: DOCUMENTS };

  it('are read and shown hit by hit', async () => {
    const all = await node.call('POST', '/a/_search', asked);
    expect(all.body.hits.hits).toHaveLength(DOCUMENTS);
    expect(all.body.timed_out).toBe(false);
    expect(all.turns).toBeGreaterThanOrEqual(2 * DOCUMENTS);
  });

  it.each([50, DOCUMENTS + 50])(
    'are those that are there when the time is over after %i turns',
    async (lateAfter) => {
      const all = await node.call('POST', '/a/_search', { ...asked, timeout: '1m' });
      const some = await node.call('POST', '/a/_search', { ...asked, timeout: '1m' }, { lateAfter });
      expect(some.status).toBe(200);
      expect(some.body.timed_out).toBe(true);
      const { hits, total } = some.body.hits;
      expect(total).toBe(DOCUMENTS);
      expect(hits.length).toBeGreaterThan(lateAfter > DOCUMENTS ? 40 : 0);
      expect(hits.length).toBeLessThan(DOCUMENTS);
      expect(hits).toEqual(all.body.hits.hits.slice(0, hits.length));
    },
  );

  it('end with their client', async () => {
    const gone = await node.call('POST', '/a/_search', asked, { goneAfter: 20 });
    expect(gone.status).toBe(503);
    expect(gone.turns).toBe(20);
  });
});

it('passes over many hits in turns', async () => {
  const body = { size: 10, from: 190, sort: 'n' };
  const answer = await node.call('POST', '/a/_search', body);
  expect(answer.body.hits.hits.map(({ _id }: { _id: string }) => Number(_id))).toEqual(
    Array.from({ length: 10 }, (_, i) => 190 + i),
  );
});

it('goes on with a scroll behind the hits that there was time for', async () => {
  const body = { size: 150, sort: 'n', timeout: '1m' };
  const first = await node.call('POST', '/a/_search?scroll=1m', body, { lateAfter: 30 });
  expect(first.body.timed_out).toBe(true);
  const shown = first.body.hits.hits as { _id: string }[];
  const next = await node.call('POST', '/_search/scroll?scroll=1m', first.body._scroll_id);
  const [begin] = next.body.hits.hits as { _id: string }[];
  expect(Number(begin!._id)).toBeGreaterThan(Number(shown.at(-1)!._id));
});

describe.each([
  ['a scroll', '', { sort: 'n' }],
  ['a scroll of highlighted hits', '', { query: { match: { x: 'fox' } }, highlight: { fields: { x: {} } } }],
  ['a scan', '&search_type=scan', {}],
])('pages of %s', (_name, type, body) => {
  const open = async (size: number) => {
    const first = await node.call('POST', `/a/_search?scroll=1m${type}`, { ...body, size });
    return { id: first.body._scroll_id as string, hits: idsOf(first) };
  };
  const page = (id: string, options = {}) => node.call('POST', '/_search/scroll?scroll=1m', id, options);
  const idsOf = ({ body: { hits } }: Awaited<ReturnType<typeof page>>) =>
    (hits.hits as { _id: string }[]).map(({ _id }) => _id);

  it('are read hit by hit', async () => {
    const { id } = await open(60);
    const next = await page(id);
    expect(idsOf(next).length).toBeGreaterThanOrEqual(60);
    expect(next.turns).toBeGreaterThanOrEqual(2 * 60);
    const gone = await page((await open(60)).id, { goneAfter: 20 });
    expect(gone.status).toBe(503);
    expect(gone.turns).toBe(20);
  });

  it('are shorter when the time is over, and the others come on later ones', async () => {
    const { id, hits } = await open(60);
    const all = [...hits];
    for (let n = 0; ; n++) {
      const next = await page(id, { lateAfter: n < 3 ? 10 : Number.POSITIVE_INFINITY });
      const ids = idsOf(next);
      if (ids.length === 0) break;
      expect(next.body.timed_out).toBe(n < 3);
      if (n < 3) expect(ids.length).toBeLessThan(60);
      all.push(...ids);
    }
    expect(all).toHaveLength(DOCUMENTS);
    expect(new Set(all).size).toBe(DOCUMENTS);
  });

  it('are read one after the other, and to their end', async () => {
    const { id, hits } = await open(20);
    const pages = await Promise.all([page(id), page(id), page(id)]);
    const all = [...hits, ...pages.flatMap(idsOf)];
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(3 * 20);
    const [last, after, freed] = await Promise.all([
      page(id),
      page(id),
      node.call('DELETE', '/_search/scroll', id),
    ]);
    expect(freed!.status).toBe(200);
    expect(idsOf(last!).length).toBeGreaterThanOrEqual(20);
    expect(after!.status).toBe(404);
  });
});

describe('explained hits', () => {
  const asked = { explain: true, size: DOCUMENTS, query: { match: { x: 'fox' } }, timeout: '1m' };

  it('are explained some at a time', async () => {
    const all = await node.call('POST', '/a/_search', asked);
    const { hits } = all.body.hits;
    expect(hits).toHaveLength(DOCUMENTS);
    for (const { _score, _explanation } of hits) expect(_explanation.value).toBe(_score);
    expect(all.turns).toBeGreaterThan(2 * DOCUMENTS + 4);
  });

  it('are those that there was time for', async () => {
    const some = await node.call('POST', '/a/_search', asked, { lateAfter: DOCUMENTS + 3 });
    expect(some.body.timed_out).toBe(true);
    const { hits, total } = some.body.hits;
    expect(total).toBe(DOCUMENTS);
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.length).toBeLessThan(DOCUMENTS);
    for (const { _score, _explanation } of hits) expect(_explanation.value).toBe(_score);
  });
});

describe('inner hits', () => {
  const CHILDREN = 100;
  const asked = (timeout?: string) => ({
    size: CHILDREN,
    timeout,
    query: { nested: { path: 'c', query: { match_all: {} }, inner_hits: {} } },
  });
  beforeAll(async () => {
    await node.call('PUT', '/nested', {
      settings: { number_of_shards: 1 },
      mappings: { t: { properties: { c: { type: 'nested' } } } },
    });
    const lines = Array.from(
      { length: CHILDREN },
      (_, i) => `{"index":{"_id":"${i}"}}\n{"c":[{"n":${i}}]}\n`,
    );
    await node.call('POST', '/nested/t/_bulk?refresh=true', lines.join(''));
  });

  it('are found some at a time', async () => {
    const all = await node.call('POST', '/nested/_search', asked());
    expect(all.body.hits.hits).toHaveLength(CHILDREN);
    for (const { inner_hits } of all.body.hits.hits) expect(inner_hits.c.hits.total).toBe(1);
  });

  it('are highlighted one by one', async () => {
    const parts = Array.from({ length: 50 }, () => ({ w: 'red fox' }));
    await node.call('PUT', '/nested/t/long?refresh=true', { c: parts });
    const highlighted = (highlight?: object) =>
      node.call('POST', '/nested/_search', {
        query: {
          nested: {
            path: 'c',
            query: { match: { 'c.w': 'fox' } },
            inner_hits: { size: 50, ...(highlight && { highlight }) },
          },
        },
      });
    const [plain, marked] = [await highlighted(), await highlighted({ fields: { 'c.w': {} } })];
    const { hits } = marked.body.hits.hits[0].inner_hits.c.hits;
    expect(hits).toHaveLength(50);
    expect(hits[0].highlight['c.w']).toEqual(['red <em>fox</em>']);
    expect(plain.turns).toBeGreaterThanOrEqual(50);
    expect(marked.turns).toBeGreaterThanOrEqual(plain.turns + 50);
    await node.call('DELETE', '/nested/t/long?refresh=true');
  });

  it('are those that there was time for', async () => {
    const some = await node.call('POST', '/nested/_search', asked('1m'), { lateAfter: CHILDREN + 1 });
    expect(some.body.timed_out).toBe(true);
    const { hits, total } = some.body.hits;
    expect(total).toBe(CHILDREN);
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.length).toBeLessThan(CHILDREN);
    for (const { inner_hits } of hits) expect(inner_hits.c.hits.total).toBe(1);
  });
});

describe('patterns of sources', () => {
  const shown = async (include: string[], exclude: string[] = []) => {
    const answer = await node.call('POST', '/a/_search', {
      size: 1,
      sort: 'n',
      _source: { include, exclude },
    });
    return answer.body.hits?.hits[0]._source ?? answer.body.error;
  };

  it('are any number of names, and a thousand with stars', async () => {
    const names = Array.from({ length: 5000 }, (_, i) => `o.a.x${i}`);
    expect(await shown([...names, 'o.a.b'])).toEqual({ o: { a: { b: 1 } } });
    expect(await shown([], [...names, 'o.a.b', 'x'])).toEqual({ n: 0, o: { a: { c: 2 } } });
    const patterns = Array.from({ length: 1000 }, (_, i) => `*x${i}`);
    expect(await shown(patterns)).toEqual({});
    expect(await shown(['*.b', ...patterns])).toContain('a source may be filtered by at most 1000 patterns');
  });

  it('are tried again below what is kept', async () => {
    expect(await shown(['o'], ['*.c'])).toEqual({ o: { a: { b: 1 } } });
    expect(await shown(['o.a.*'], ['o.a.c'])).toEqual({ o: { a: { b: 1 } } });
    expect(await shown(['*.a'], ['o.a.b'])).toEqual({ o: { a: { c: 2 } } });
  });
});

it('computes many scripts of a hit from one look at its values', async () => {
  const scripts = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`s${i}`, { script: `doc['n'].value + ${i}`, lang: 'expression' }]),
  );
  const answer = await node.call('POST', '/a/_search', { size: 3, sort: 'n', script_fields: scripts });
  answer.body.hits.hits.forEach(({ fields }: { fields: Record<string, number[]> }, n: number) => {
    for (let i = 0; i < 50; i++) expect(fields[`s${i}`]).toEqual([n + i]);
  });
});

describe('highlights of long texts', () => {
  const middle = 'fox '.repeat(200_000);
  const text = `a first word ${middle}the last one`;
  beforeAll(async () => {
    const vectors = { type: 'string', term_vector: 'with_positions_offsets' };
    const postings = { type: 'string', index_options: 'offsets' };
    await node.call('PUT', '/long', {
      settings: { number_of_shards: 1 },
      mappings: { t: { properties: { v: vectors, p: postings } } },
    });
    await node.call('PUT', '/long/t/1?refresh=true', { x: text, v: text, p: text, l: [middle, text] });
  });

  const highlighted = (field: string, query: string, more = {}) =>
    node.call('POST', '/long/_search', {
      _source: false,
      query: { match: { [field]: query } },
      highlight: { fields: { [field]: more } },
    });

  it.each(['x', 'v', 'p'])('of %s are those of their beginning', async (field) => {
    const first = await highlighted(field, 'first');
    expect(first.body.hits.hits[0].highlight[field][0]).toContain('a <em>first</em> word');
    const last = await highlighted(field, 'last');
    expect(last.body.hits.total).toBe(1);
    expect(last.body.hits.hits[0].highlight).toBeUndefined();
  });

  it('leave the rest of a whole text as it is', async () => {
    const whole = await highlighted('x', 'first', { number_of_fragments: 0 });
    expect(whole.body.hits.hits[0].highlight.x).toEqual([text.replace('first', '<em>first</em>')]);
  });

  it('count all values of a field together', async () => {
    const first = await highlighted('l', 'first');
    expect(first.body.hits.hits[0].highlight).toBeUndefined();
    const fox = await highlighted('l', 'fox');
    expect(fox.body.hits.hits[0].highlight.l).toHaveLength(5);
  });

  it.each(['x', 'v'])('of %s stop for others', async (field) => {
    const short = await node.call('POST', '/a/_search', { query: { match: { x: 'fox' } }, size: 1 });
    expect((await highlighted(field, 'fox')).turns).toBeGreaterThan(short.turns + 2);
  });
});

it('highlights field by field', async () => {
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${'*'.repeat(i + 1)}x`, {}]));
  const asked = (highlight: object) =>
    node.call('POST', '/a/_search', { query: { match: { x: 'fox' } }, size: 1, highlight });
  const [one, many] = [await asked({ fields: { x: {} } }), await asked({ fields })];
  expect(many.turns).toBeGreaterThanOrEqual(one.turns + 29);
});

describe('term vectors', () => {
  const words = Array.from({ length: 2000 }, (_, i) => `w${i}`).join(' ');
  const docs = (count: number) => ({
    docs: Array.from({ length: count }, () => ({ _type: 't', doc: { x: 'red fox' } })),
  });
  const ask = (body: object, options = {}) => node.call('POST', '/a/_mtermvectors', body, options);

  it('are made document by document', async () => {
    const all = await ask(docs(100));
    expect(Object.keys(all.body.docs[99].term_vectors.x.terms)).toEqual(['fox', 'red']);
    expect(all.turns).toBeGreaterThanOrEqual(100);
    expect(await ask(docs(100), { goneAfter: 20 })).toMatchObject({ status: 503, turns: 20 });
  });

  it('of long texts stop for others', async () => {
    const short = await ask(docs(1));
    const long = await ask({ docs: [{ _type: 't', doc: { x: words } }] });
    expect(Object.keys(long.body.docs[0].term_vectors.x.terms)).toHaveLength(2000);
    // As they are found, and as they are shown.
    expect(long.turns).toBeGreaterThan(short.turns + 2 * 10);
  });
});

it('reads a long document in turns for the vectors of a short field', async () => {
  const other = await startNode();
  const long = Array.from({ length: 40_000 }, (_, i) => ({ n: i }));
  await other.call('PUT', '/v', {
    mappings: { t: { dynamic: false, properties: { x: { type: 'string' } } } },
  });
  await other.call('PUT', '/v/t/short?refresh', { x: 'red' });
  await other.call('PUT', '/v/t/long?refresh', { x: 'red', long });
  const short = await other.call('GET', '/v/t/short/_termvector?fields=x');
  const found = await other.call('GET', '/v/t/long/_termvector?fields=x');
  expect(found.body.term_vectors).toEqual(short.body.term_vectors);
  expect(found.turns - short.turns).toBeGreaterThan(10);
  const gone = await other.call('GET', '/v/t/long/_termvector?fields=x', undefined, { goneAfter: 5 });
  expect(gone).toMatchObject({ status: 503, turns: 5 });
  // So is one that the request brings.
  const given = await other.call('POST', '/v/t/_termvector?fields=x', { doc: { x: 'red', long } });
  expect(given.body.term_vectors).toMatchObject({ x: { terms: { red: { term_freq: 1 } } } });
  const little = await other.call('POST', '/v/t/_termvector?fields=x', { doc: { x: 'red' } });
  expect(given.turns - little.turns).toBeGreaterThan(60);
  await other.engine.close();
});
