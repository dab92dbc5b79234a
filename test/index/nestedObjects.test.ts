import { expect, test } from 'vitest';
import { BatchWriter } from '../../host/core/batch.js';
import { createEngine } from '../../host/index.js';
import { nestedObject } from '../../host/search/nestedObjects.js';
import { DocumentParser } from '../../host/mapping/documents.js';
import { MappingModel } from '../../host/mapping/model.js';
import { naiveRegistry } from '../model/support.js';

const nested = (properties: object, more: object = {}) => ({ type: 'nested', properties, ...more });
const SOURCE = `{
  "b": [{"n": 1.0, "c": [{"n": 2}, [{"n": 3}]]}, null, {"n": 4}],
  "o": {"d": {"n": 5, "e": {"f": {"n": 6e1}}}},
  "10": {"n": 7},
  "off": {"g": {"n": 8}},
  "b2": {"n": 9}
}`;

test('a nested document is told by its place before the document, in the order of indexing', () => {
  const model = new MappingModel(naiveRegistry());
  const n = { n: { type: 'double' } };
  model.putMapping('t', {
    properties: {
      b: nested({ ...n, c: nested(n) }),
      o: { properties: { d: nested({ ...n, e: { properties: { f: nested(n) } } }) } },
      '10': nested(n),
      off: { enabled: false, properties: { g: nested(n) } },
      b2: nested(n, { include_in_parent: true }),
    },
  });
  const batch = new BatchWriter();
  const source = JSON.parse(SOURCE);
  const { key } = new DocumentParser(model).parse(batch, 100, { type: 't', id: '1', source });
  expect(key - 100).toBe(8);
  expect(batch.operations).toBe(9);
  const stored = { type: 't', source: new TextEncoder().encode(SOURCE) };
  const found = Array.from({ length: 8 }, (_, i) => {
    const { identity, source: json } = nestedObject(model, stored, i + 1)!;
    return [identity, new TextDecoder().decode(json)];
  });
  expect(found).toEqual([
    [{ field: '10', offset: 0 }, '{"n":7}'],
    [{ field: 'b', offset: 0 }, '{"n":1.0,"c":[{"n":2},[{"n":3}]]}'],
    [{ field: 'b', offset: 0, inner: { field: 'c', offset: 0 } }, '{"n":2}'],
    [{ field: 'b', offset: 0, inner: { field: 'c', offset: 1 } }, '{"n":3}'],
    [{ field: 'b', offset: 1 }, '{"n":4}'],
    [{ field: 'o.d', offset: 0 }, '{"n":5,"e":{"f":{"n":60.0}}}'],
    [{ field: 'o.d', offset: 0, inner: { field: 'e.f', offset: 0 } }, '{"n":60.0}'],
    [{ field: 'b2', offset: 0 }, '{"n":9}'],
  ]);
  expect(nestedObject(model, stored, 9)).toBeUndefined();
});

test('the top hits of nested objects are shown as such', async () => {
  const resilin = await createEngine();
  const properties = { n: { type: 'integer' }, c: nested({ n: { type: 'integer' } }) };
  await resilin.request('PUT', '/a', { mappings: { t: { properties: { b: nested(properties) } } } });
  await resilin.request('PUT', '/a/t/1?refresh=true', {
    b: [
      { n: 1, c: [{ n: 5 }] },
      { n: 2, c: [{ n: 6 }, { n: 7, m: 'x' }] },
    ],
  });
  const top = { top_hits: { size: 1, sort: { 'b.c.n': 'desc' } } };
  const { body } = await resilin.request('POST', '/a/_search', {
    aggs: { c: { nested: { path: 'b.c' }, aggs: { top } } },
  });
  const hit = { _index: 'a', _type: 't', _id: '1', _score: null, _source: { n: 7, m: 'x' }, sort: [7] };
  const _nested = { field: 'b', offset: 1, _nested: { field: 'c', offset: 1 } };
  expect(body).toMatchObject({
    aggregations: {
      c: { doc_count: 3, top: { hits: { total: 3, max_score: null, hits: [{ ...hit, _nested }] } } },
    },
  });
  await resilin.close();
});
