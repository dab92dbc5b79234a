import { expect, it } from 'vitest';
import { createEngine } from '../../host/index.js';
import { MemoryStorage } from '../../host/storage/memory.js';

const text = { type: 'string' };

/** An engine that can be opened anew from what it has stored. */
async function open() {
  const storage = new MemoryStorage();
  let engine = await createEngine({ storage });
  const call = async (method: string, uri: string, body?: unknown) =>
    (await engine.request(method, uri, body)).body as Record<string, unknown>;
  return {
    call,
    async scores(path: string, query: unknown = { match: { _all: 'fox' } }) {
      await call('POST', '/i/_refresh');
      const { hits } = await call('POST', `${path}/_search?search_type=dfs_query_then_fetch`, { query });
      return (hits as { hits: { _id: string; _score: number }[] }).hits.map(({ _id, _score }) => [
        _id,
        _score,
      ]);
    },
    async restart() {
      await engine.close();
      engine = await createEngine({ storage });
    },
    close: () => engine.close(),
  };
}

it.each([1, 3])(
  'words of _all count by boosts once the mapping has noted some, on %i shards',
  async (shards) => {
    const { call, scores, restart, close } = await open();
    const mapping = { properties: { s: text, heavy: { type: 'string', boost: 2 } } };
    const settings = { number_of_shards: shards, number_of_replicas: 0, refresh_interval: '-1' };
    await call('PUT', '/i', { settings, mappings: { a: mapping, b: mapping } });
    for (const type of ['a', 'b'])
      for (const id of ['1', '2', '3'])
        await call('PUT', `/i/${type}/${type}${id}`, { s: 'fox '.repeat(Number(id)) });
    await call('PUT', '/i/.percolator/q', { query: { match_all: {} } });
    const plain = await scores('/i/a');
    expect(await scores('/i/b')).toHaveLength(3);

    // A percolated document is parsed like any other.
    await call('POST', '/i/b/_percolate', { doc: { heavy: 'hare' } });
    const { i } = await call('GET', '/i/_mapping/b');
    expect(i).toMatchObject({ mappings: { b: { _all: { auto_boost: true } } } });
    // Spans count an occurrence as a half.
    const spans = await scores('/i/b');
    spans.forEach(([, score], at) => {
      expect(score).toBeCloseTo((plain[at]![1] as number) * Math.SQRT1_2, 5);
    });
    // The other type has noted none.
    expect(await scores('/i/a')).toEqual(plain);
    expect(await scores('/i/a,b')).not.toEqual(await scores('/i/b,a'));

    // A document that is written takes the mapping along.
    await call('PUT', '/i/b/b4', { heavy: 'hare' });
    const before = [await scores('/i/a'), await scores('/i/b')];
    await restart();
    expect([await scores('/i/a'), await scores('/i/b')]).toEqual(before);
    await close();
  },
);

it.each(['docs', 'freqs', 'offsets'])('boosts count beside positions alone, not with %s', async (options) => {
  const { call, scores, close } = await open();
  const mapping = {
    _all: { index_options: options },
    properties: { s: text, heavy: { type: 'string', boost: 2 } },
  };
  await call('PUT', '/i', { settings: { number_of_shards: 1 }, mappings: { a: mapping } });
  await call('PUT', '/i/a/1', { s: 'fox' });
  await call('PUT', '/i/a/2', { heavy: 'fox' });
  const both = await scores('/i/a');
  expect(both.map(([id]) => id)).toEqual(['1', '2']);
  expect(both[0]![1]).toBe(both[1]![1]);
  await close();
});

it('options of the postings of _all last, though no mapping shows them', async () => {
  const { call, restart, close } = await open();
  const mapping = { _all: { index_options: 'docs' }, properties: { s: text } };
  await call('PUT', '/i', { settings: { number_of_shards: 1 }, mappings: { a: mapping } });
  const phrase = async () => {
    await call('PUT', '/i/a/1?refresh=true', { s: 'red fox' });
    return JSON.stringify(await call('POST', '/i/_search', { query: { match_phrase: { _all: 'red fox' } } }));
  };
  expect(await phrase()).toContain('was indexed without position data');
  await restart();
  expect(await phrase()).toContain('was indexed without position data');
  expect(await call('GET', '/i/_mapping')).toEqual({ i: { mappings: { a: { properties: { s: text } } } } });
  await close();
});
