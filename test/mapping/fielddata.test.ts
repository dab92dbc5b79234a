import { expect, test } from 'vitest';
import { Fielddata } from '../../host/mapping/fielddata.js';
import { MappingModel } from '../../host/mapping/model.js';
import { naiveRegistry } from '../model/support.js';

const utf8 = new TextEncoder();

test('the values of a document are those that are indexed, each once and in order', () => {
  const model = new MappingModel(naiveRegistry());
  model.putMapping('t', {
    properties: {
      long: { type: 'long' },
      float: { type: 'float' },
      date: { type: 'date' },
      flag: { type: 'boolean' },
      key: { type: 'string', index: 'not_analyzed' },
      place: { type: 'geo_point', lat_lon: true, geohash_prefix: true, geohash_precision: 2 },
    },
  });
  const source = `{"long": [3, 9007199254740993, 3, -1], "float": 3.4, "date": "1970-01-02", "flag": true,
    "key": ["b", "a", "b"], "place": [2.5, 1.5], "new": 1}`;
  const fielddata = new Fielddata(model);
  const names = ['long', 'float', 'date', 'flag', 'key', 'place', 'place.lat', 'place.geohash', 'nosuch'];
  const values = fielddata.values({ type: 't', id: '1', source: utf8.encode(source) }, names);
  expect(Object.fromEntries(values)).toEqual({
    long: [-1n, 3n, 9007199254740993n],
    float: [Math.fround(3.4)],
    date: [86_400_000n],
    flag: ['T'],
    key: ['a', 'b'],
    place: [{ lat: 1.5, lon: 2.5 }],
    'place.lat': [1.5],
    'place.geohash': ['s', 's0'],
  });
  const broken = { type: 't', id: '2', source: utf8.encode('{"long": "x"}') };
  expect(fielddata.values(broken, names).size).toBe(0);
});

// The default of a centimetre is recorded from Elasticsearch 1.7.3.
test.each([
  [undefined, { lat: 39.39999997615814, lon: -70.29999995231628 }],
  ['3m', { lat: 39.399993896484375, lon: -70.29998779296875 }],
  ['1mm', { lat: 39.39999999990687, lon: -70.29999999981374 }],
])('compressed points are as precise as %s asks', (precision, rounded) => {
  const model = new MappingModel(naiveRegistry());
  const fielddata = { format: 'compressed', ...(precision === undefined ? {} : { precision }) };
  model.putMapping('t', {
    properties: { p: { type: 'geo_point', lat_lon: true, fielddata }, exact: { type: 'geo_point' } },
  });
  const source = utf8.encode('{"p": "39.4,-70.3", "exact": "39.4,-70.3"}');
  const values = new Fielddata(model).values({ type: 't', id: '1', source }, ['p', 'p.lat', 'exact']);
  expect(Object.fromEntries(values)).toEqual({
    p: [rounded],
    'p.lat': [39.4],
    exact: [{ lat: 39.4, lon: -70.3 }],
  });
});
