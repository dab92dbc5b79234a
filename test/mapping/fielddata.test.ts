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
