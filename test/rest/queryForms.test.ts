import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const ids = async (body: unknown) => {
  const answer = (await call('POST', '/i/_search', body)).body as { hits?: { hits: { _id: string }[] } };
  return answer.hits?.hits.map(({ _id }) => _id).sort();
};
const base64 = (value: unknown) => btoa(JSON.stringify(value));

beforeAll(async () => {
  resilin = await createEngine();
  await call('PUT', '/i', {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
  });
  await call('PUT', '/i/t/1', { day: '2014-05-01', n: 12, word: 'harbour' });
  await call('PUT', '/i/t/2?refresh=true', { day: '2014-05-09', n: 20, word: 'lighthouse' });
});
afterAll(() => resilin.close());

describe('a search', () => {
  it('may have its query and its filter in Base64', async () => {
    expect(await ids({ query_binary: base64({ match: { word: 'harbour' } }) })).toEqual(['1']);
    expect(await ids({ post_filter_binary: base64({ term: { word: 'lighthouse' } }) })).toEqual(['2']);
    expect(await ids({ query_binary: '%' })).toBeUndefined();
  });

  it('may have a query that is stored as a template', async () => {
    await call('PUT', '/_search/template/near', { template: { range: { n: { gte: '{{from}}' } } } });
    expect(await ids({ query: { template: { id: 'near', params: { from: 15 } } } })).toEqual(['2']);
    expect(await ids({ query: { template: { id: 'far' } } })).toBeUndefined();
  });
});

describe('fuzzy words of query_string', () => {
  const found = (query: string) => ids({ query: { query_string: { query } } });

  it('are off by a time or an amount, whatever it is a word of', async () => {
    expect(await found('day:2014-05-03~2d')).toEqual(['1']);
    expect(await found('day:2014-05-03~1d')).toEqual([]);
    expect(await found('n:14~2')).toEqual(['1']);
    expect(await found('word:harbor~1^2')).toEqual(['1']);
  });

  it('fail where that is no number', async () => {
    expect(await found('word:harbor~many')).toBeUndefined();
    expect(await found('"harbour"~many')).toEqual(['1']);
  });
});

describe('a word in several fields as one', () => {
  /** The document frequency by which the best document is scored. */
  const frequency = async (...fields: string[]) => {
    const query = { multi_match: { query: 'elm', type: 'cross_fields', fields } };
    const { body } = await call('POST', '/trees/_search', { query, explain: true });
    return /docFreq=(\d+)/.exec(JSON.stringify(body))?.[1];
  };

  it('is in no more documents than the field with the fewest words has words', async () => {
    const text = { type: 'string' };
    const mappings = { t: { properties: { name: text, twice: text, once: text, never: text } } };
    const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
    await call('PUT', '/trees', { settings, mappings });
    for (let i = 0; i < 8; i++) {
      const more = i === 0 ? { once: 'elm' } : {};
      await call('PUT', `/trees/t/${i}`, { name: 'elm', twice: i < 4 ? 'elm elm' : undefined, ...more });
    }
    await call('POST', '/trees/_refresh');
    expect(await frequency('name')).toBe('8');
    expect(await frequency('name', 'twice')).toBe('8');
    expect(await frequency('name', 'once')).toBe('1');
    expect(await frequency('name', 'never')).toBe('0');
  });
});

describe('a preference', () => {
  const status = async (preference: string) => {
    const { status, body } = await call('GET', `/i/_search?preference=${encodeURIComponent(preference)}`);
    return status === 200 ? 200 : (body as { error: string }).error;
  };

  it.each([
    '_primaryFirst',
    '_only_local',
    '_onlyLocal',
    '_prefer_node:x',
    '_shards:0;_local',
    '_primary:x',
    'mine',
  ])('may be %s', async (preference) => expect(await status(preference)).toBe(200));

  it.each(['_best', '_best:one', '_shards:0;_best'])('can not be %s', async (preference) => {
    expect(await status(preference)).toBe('ElasticsearchIllegalArgumentException[no Preference for [_best]]');
  });

  it('may be for a node behind the one for shards', async () => {
    expect(await status('_shards:0;_only_node:lost')).toBe(
      'ElasticsearchIllegalArgumentException[No data node with id[lost] found]',
    );
  });
});
