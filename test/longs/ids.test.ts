import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anyLong, type Exact, openExact } from '../support/longs.js';

let api: Exact;
beforeEach(async () => {
  api = await openExact();
});
afterEach(() => api.close());

const idsOf = (items: Record<string, { _id: string }>[]) => items.map((item) => Object.values(item)[0]!._id);

describe('ids that are numbers', () => {
  it('keep their digits in a bulk', async () => {
    const body = ['412345678901234561', '412345678901234562', '9007199254740993', '1.0', '1e2', '-0', '5']
      .flatMap((id) => [`{"index":{"_id":${id}}}`, `{"n":${id}}`])
      .join('\n');
    const bulk = await api.call('POST', '/a/t/_bulk?refresh=true', `${body}\n`);
    expect(idsOf(bulk.body.items)).toEqual([
      '412345678901234561',
      '412345678901234562',
      '9007199254740993',
      '1.0',
      '1e2',
      '-0',
      '5',
    ]);
    expect((await api.call('GET', '/a/_count')).body.count).toBe(7);
  });

  it('name one document each, however they are written, read, changed and deleted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyLong, { minLength: 2, maxLength: 8 }), async (ids) => {
        await api.call('PUT', '/b', '{"settings":{"number_of_shards":3}}');
        const lines = ids.flatMap((id) => [`{"index":{"_id":${id}}}`, `{"own":${id}}`]);
        await api.call('POST', '/b/t/_bulk', `${lines.join('\n')}\n`);
        for (const id of ids) {
          const { body } = await api.call('GET', `/b/t/${id}`);
          expect(String(body._source.own)).toBe(String(id));
        }
        const asked = await api.call('GET', '/b/t/_mget', `{"ids":[${ids.join()}]}`);
        const named = await api.call(
          'GET',
          '/_mget',
          `{"docs":[{"_index":"b","_type":"t","_id":${ids[0]}}]}`,
        );
        expect(asked.body.docs.map((doc: { _source: { own: unknown } }) => String(doc._source.own))).toEqual(
          ids.map(String),
        );
        expect(String(named.body.docs[0]._source.own)).toBe(String(ids[0]));
        const [first, ...rest] = ids;
        const change = `{"update":{"_id":${first}}}\n{"doc":{"more":${first}}}\n`;
        await api.call('POST', '/b/t/_bulk', change);
        await api.call('POST', '/b/t/_bulk', `{"delete":{"_id":${rest[0]}}}\n`);
        await api.call('POST', '/b/_refresh');
        const found = await api.call(
          'GET',
          '/b/_search',
          `{"size":20,"query":{"ids":{"values":[${ids.join()}]}}}`,
        );
        const shown = found.body.hits.hits.map((hit: { _id: string }) => hit._id);
        expect(shown.sort()).toEqual([first, ...rest.slice(1)].map(String).sort());
        const { body } = await api.call('GET', `/b/t/${first}`);
        expect(String(body._source.more)).toBe(String(first));
        await api.call('DELETE', '/b');
      }),
      { numRuns: 25 },
    );
  });

  it('route and bind children with all their digits', async () => {
    const [one, other] = ['412345678901234561', '412345678901234562'];
    await api.call(
      'PUT',
      '/c',
      '{"settings":{"number_of_shards":5},"mappings":{"p":{},"k":{"_parent":{"type":"p"}}}}',
    );
    const lines = [one, other].flatMap((id) => [
      `{"index":{"_type":"p","_id":${id}}}`,
      '{}',
      `{"index":{"_type":"k","_id":${id},"_parent":${id}}}`,
      `{"of":${id}}`,
    ]);
    await api.call('POST', '/c/_bulk?refresh=true', `${lines.join('\n')}\n`);
    const query = `{"query":{"has_child":{"type":"k","query":{"term":{"of":${one}}}}}}`;
    const { body } = await api.call('GET', '/c/p/_search', query);
    expect(body.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual([one]);
    expect((await api.call('GET', `/c/k/${other}?parent=${other}`)).body._source).toEqual({ of: other });
  });
});
