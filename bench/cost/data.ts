/** What the adversary's requests are about: an index `c` that stays as it is, and `w`, which requests change. */
import { Chance } from '../../test/metamorphic/chance.js';
import type { JsonObject } from '../../test/metamorphic/json.js';
import { words } from './request.js';

/** A request that makes it. */
export type Made = readonly [method: string, path: string, body?: string];

const DOCUMENTS = 3000;
/** Documents with a text of a hundred thousand words in all. */
const LARGE = 5;
const FIELDS = 150;

const ANALYSIS = {
  analyzer: {
    grams: { type: 'custom', tokenizer: 'keyword', filter: ['lowercase', 'gram'] },
    shingles: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'shingle'] },
  },
  filter: {
    gram: { type: 'ngram', min_gram: 1, max_gram: 6 },
    shingle: { type: 'shingle', max_shingle_size: 4 },
  },
};

const PROPERTIES: JsonObject = {
  s: { type: 'string', term_vector: 'with_positions_offsets', index_options: 'offsets' },
  t: { type: 'string' },
  k: { type: 'string', index: 'not_analyzed' },
  g: { type: 'string', index: 'not_analyzed', doc_values: true },
  ng: { type: 'string', analyzer: 'grams' },
  sh: { type: 'string', analyzer: 'shingles' },
  n: { type: 'long' },
  f: { type: 'double', doc_values: true },
  d: { type: 'date' },
  ip: { type: 'ip' },
  p: { type: 'geo_point', lat_lon: true, geohash: true, geohash_prefix: true },
  shape: { type: 'geo_shape', precision: '100km' },
  o: { type: 'nested', properties: { a: { type: 'long' }, b: { type: 'string' } } },
  c: { type: 'completion', payloads: true },
};

const MAPPINGS = {
  t: { properties: PROPERTIES },
  child: { _parent: { type: 't' }, properties: { x: { type: 'long' } } },
};

function document(c: Chance, i: number): JsonObject {
  const point = { lat: Math.round(c.next() * 1600) / 10 - 80, lon: Math.round(c.next() * 3400) / 10 - 170 };
  return {
    s: words(c, c.between(1, 40)),
    k: `k${i}`,
    g: `g${i % 7}`,
    ng: words(c, 2),
    sh: words(c, 8),
    n: c.below(100_000),
    f: c.next() * 1000,
    d: new Date(1.3e12 + c.below(1e9) * 100).toISOString(),
    ip: `10.0.${c.below(256)}.${c.below(256)}`,
    p: point,
    o: c.many(0, 3, () => ({ a: c.below(100), b: words(c, 2) })),
    c: { input: [words(c, 2)], payload: { i } },
    [`x${i % FIELDS}`]: words(c, 2),
    ...(i % 50 === 0 ? { shape: { type: 'point', coordinates: [point.lon, point.lat] } } : {}),
    ...(i % (DOCUMENTS / LARGE) === 0 ? { t: words(c, 20_000) } : {}),
  };
}

/** Makes `c`. */
export function* standing(): Generator<Made> {
  const c = new Chance(1);
  const settings = { number_of_shards: 2, number_of_replicas: 0, analysis: ANALYSIS };
  yield [
    'PUT',
    '/c',
    JSON.stringify({ settings, mappings: MAPPINGS, aliases: { al: { filter: { term: { g: 'g1' } } } } }),
  ];
  for (let from = 0; from < DOCUMENTS; from += 250) {
    const lines: string[] = [];
    for (let i = from; i < from + 250; i++) {
      lines.push(JSON.stringify({ index: { _type: 't', _id: i } }), JSON.stringify(document(c, i)));
      lines.push(JSON.stringify({ index: { _type: 'child', _parent: i } }), JSON.stringify({ x: i % 10 }));
    }
    yield ['POST', '/c/_bulk?refresh=true', `${lines.join('\n')}\n`];
  }
}

/** Makes all else as it was. Reads that take longer than two seconds end. */
export function fresh(): Made[] {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  return [
    ['PUT', '/_cluster/settings', '{"transient":{"search.default_search_timeout":"2s"}}'],
    ['DELETE', '/w*'],
    ['DELETE', '/_template/*'],
    ['DELETE', '/c/_warmer/*'],
    ['DELETE', '/_search/scroll/_all'],
    ['PUT', '/w', JSON.stringify({ settings, mappings: { t: { properties: { s: { type: 'string' } } } } })],
    ['PUT', '/w/t/1?refresh=true', '{"s":"red fox","n":1}'],
  ];
}
