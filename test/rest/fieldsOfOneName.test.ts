import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const create = (mappings: unknown) =>
  call('PUT', '/i', { settings: { number_of_shards: 1, refresh_interval: -1 }, mappings });
const hits = async (query: unknown) => {
  await call('POST', '/i/_refresh');
  const { body } = await call('POST', '/i/_search', { query });
  return (body as { hits: { hits: { _type: string; _score: number }[] } }).hits.hits;
};
const types = async (query: unknown) => (await hits(query)).map(({ _type }) => _type).sort();
const near = (slop: number) => ({ match_phrase: { s: { query: 'one two', slop } } });

describe('a field that several types have', () => {
  it('leaves the gap between values that each of them says', async () => {
    const gap = (position_offset_gap: number, more = {}) => ({
      properties: { s: { type: 'string', position_offset_gap, ...more } },
    });
    await create({ wide: gap(100), none: { properties: { s: { type: 'string' } } }, some: gap(5) });
    await call('PUT', '/i/_mapping/boosted', gap(5, { boost: 2 }));
    await call('PUT', '/i/_mapping/cut', gap(5, { analyzer: 'whitespace' }));
    for (const type of ['wide', 'none', 'some', 'boosted', 'cut'])
      await call('PUT', `/i/${type}/1`, { s: ['one', 'two'] });
    expect(await types(near(0))).toEqual(['none']);
    expect(await types(near(4))).toEqual(['none']);
    expect(await types(near(5))).toEqual(['boosted', 'cut', 'none', 'some']);
    expect(await types(near(99))).toEqual(['boosted', 'cut', 'none', 'some']);
    expect(await types(near(100))).toHaveLength(5);
  });

  it('keeps its gaps when the index is opened again', async () => {
    const s = { type: 'string', position_offset_gap: 5 };
    await create({ t: { properties: { s } }, u: { properties: { s: { type: 'string' } } } });
    for (const type of ['t', 'u']) await call('PUT', `/i/${type}/1`, { s: ['one', 'two'] });
    for (const what of ['_flush', '_close', '_open']) await call('POST', `/i/${what}`);
    for (const type of ['t', 'u']) await call('PUT', `/i/${type}/2`, { s: ['one', 'two'] });
    expect(await types(near(4))).toEqual(['u', 'u']);
    expect(await types(near(5))).toEqual(['t', 't', 'u', 'u']);
  });
});

describe('a type that is made anew', () => {
  const put = async (s: object) => {
    await call('PUT', '/i/_mapping/t', { t: { properties: { s: { type: 'string', ...s } } } });
    await call('PUT', '/i/t/1', { s: ['one', 'two three four'] });
  };

  it('has the norms, gaps and analyzers of its new mapping', async () => {
    await create({ t: { properties: { s: { type: 'string', norms: { enabled: false } } } } });
    await put({});
    const [unnormed] = await hits({ term: { s: 'one' } });
    await call('DELETE', '/i/_mapping/t');
    expect(await hits({ term: { s: 'one' } })).toEqual([]);
    await put({ position_offset_gap: 5 });
    const [normed] = await hits({ term: { s: 'one' } });
    // Four words: half the score.
    expect(normed!._score).toBeCloseTo(unnormed!._score / 2, 6);
    expect(await types(near(4))).toEqual([]);
    await call('DELETE', '/i/_mapping/t');
    await put({ index: 'not_analyzed' });
    expect(await types({ term: { s: 'two three four' } })).toEqual(['t']);
    for (const what of ['_flush', '_close', '_open']) await call('POST', `/i/${what}`);
    expect(await types({ term: { s: 'two three four' } })).toEqual(['t']);
    await put({});
    expect(await types({ term: { s: 'one' } })).toEqual(['t']);
  });

  it('shares with other types what they have', async () => {
    const s = { type: 'string' };
    await create({ t: { properties: { s } }, u: { properties: { s } } });
    await call('PUT', '/i/u/1', { s: 'one' });
    await call('DELETE', '/i/_mapping/t');
    await put({});
    expect(await types({ term: { s: 'one' } })).toEqual(['t', 'u']);
  });
});
