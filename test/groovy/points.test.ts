/** Coordinates and distances of points in scripts, beside those that sorting and scores have. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, closeScripted, openScripted } from './scriptedEngine.js';

let call: Call;
const PLACES: Record<string, string | undefined> = {
  berlin: '52.52,13.405',
  paris: '48.8566,2.3522',
  sydney: '-33.8688,151.2093',
  pole: '90,0',
  nowhere: undefined,
};
const FROM = '52,13';

beforeAll(async () => {
  call = await openScripted({ inline: true });
  await call('PUT', '/a', {
    settings: { number_of_shards: 1 },
    mappings: { t: { properties: { loc: { type: 'geo_point' }, n: { type: 'integer' } } } },
  });
  for (const [id, loc] of Object.entries(PLACES)) await call('PUT', `/a/t/${id}`, { loc, n: id.length });
  await call('POST', '/a/_refresh');
});
afterAll(closeScripted);

/** What a sort has for each document. */
async function sorted(sort: unknown): Promise<Record<string, number>> {
  const { json, text } = await call('POST', '/a/_search', { sort: [sort] });
  expect(json.hits?.hits.length, text).toBe(5);
  return Object.fromEntries(
    json.hits.hits.map(({ _id, sort }: { _id: string; sort: number[] }) => [_id, sort[0]]),
  );
}
const scripted = (script: string, params = {}) =>
  sorted({ _script: { script, type: 'number', params: { lat: 52, lon: 13, ...params } } });
const byDistance = (unit: string, distance_type: string) =>
  sorted({ _geo_distance: { loc: FROM, unit, distance_type } });

describe('a distance is that which a sort has', () => {
  it.each([
    ['distance', 'm', 'plane'],
    ['distanceInKm', 'km', 'plane'],
    ['distanceInMiles', 'mi', 'plane'],
    ['arcDistance', 'm', 'arc'],
    ['arcDistanceInKm', 'km', 'arc'],
    ['arcDistanceInMiles', 'mi', 'arc'],
    ['factorDistance', 'm', 'factor'],
  ])('%s', async (method, unit, formula) => {
    const [own, theirs] = [await scripted(`doc['loc'].${method}(lat, lon)`), await byDistance(unit, formula)];
    const fields = await call('POST', '/a/_search', {
      query: { constant_score: { filter: { exists: { field: 'loc' } } } },
      script_fields: { d: { script: `doc['loc'].${method}(52, 13.0)` } },
    });
    expect(fields.json.hits.hits).toHaveLength(4);
    for (const { _id, fields: shown } of fields.json.hits.hits) {
      expect(own[_id]).toBeCloseTo(theirs[_id]!, 6);
      expect(shown.d[0]).toBeCloseTo(theirs[_id]!, 6);
    }
  });
});

it('documents without a point have what is given for them, no place and no distance', async () => {
  expect((await scripted("doc['loc'].arcDistanceInKmWithDefault(lat, lon, -5)")).nowhere).toBe(-5);
  expect((await scripted("doc['loc'].empty ? -1 : doc['loc'].lat")).nowhere).toBe(-1);
  expect(await scripted("doc['loc'].isEmpty() ? -1 : doc['loc'].value.lon")).toMatchObject({
    sydney: 151.2093,
    nowhere: -1,
  });
  const near = await call('POST', '/a/_search', {
    query: { filtered: { filter: { script: { script: "doc['loc'].distanceInKm(52, 13) < 1300" } } } },
  });
  expect(near.json.hits.hits.map(({ _id }: { _id: string }) => _id).sort()).toEqual(['berlin', 'paris']);
  // As in 1.7, where a hit has none.
  const failing = await call('POST', '/a/_search', {
    script_fields: { d: { script: "doc['loc'].arcDistance(52, 13)" } },
  });
  expect([failing.status, failing.text]).toEqual([500, expect.stringContaining('NullPointerException')]);
  const given = await call('POST', '/a/_search', {
    query: { ids: { values: ['nowhere'] } },
    script_fields: { d: { script: "doc['loc'].distanceWithDefault(52, 13, 7)" } },
  });
  expect(given.json.hits.hits[0].fields.d).toEqual([7]);
});

it('scores, and counts values of any field', async () => {
  const { json } = await call('POST', '/a/_search', {
    query: {
      function_score: {
        query: { constant_score: { filter: { exists: { field: 'loc' } } } },
        script_score: {
          script: "1000 / (1 + doc['loc'].arcDistanceInKm(lat, lon))",
          params: { lat: 52, lon: 13 },
        },
        boost_mode: 'replace',
      },
    },
  });
  expect(json.hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual([
    'berlin',
    'paris',
    'pole',
    'sydney',
  ]);
  await call('PUT', '/a/t/many?refresh=true', { n: [3, 4, 5] });
  const counted = await call('POST', '/a/_search?search_type=count', {
    aggs: {
      n: { sum: { script: "doc['n'].values.size()" } },
      e: { sum: { script: "doc['n'].empty ? 1 : 0" } },
    },
  });
  expect([counted.json.aggregations.n.value, counted.json.aggregations.e.value]).toEqual([8, 0]);
  await call('DELETE', '/a/t/many?refresh=true');
});

it.each([
  ["doc['n'].lat", 'Field [n] has no lat: it is no geo_point'],
  ["doc['loc'].geohashDistance('u33')", '.geohashDistance() of a field'],
  ["doc['loc'].arcDistance(1)", '.arcDistance() of a field'],
  ["doc['loc'].lats", '.lats of a field'],
  ["doc['gone'].empty", 'No field found for [gone]'],
])('%s is refused by name', async (script, message) => {
  const { status, text } = await call('POST', '/a/_search', {
    sort: [{ _script: { script, type: 'number' } }],
  });
  expect([status, text]).toEqual([400, expect.stringContaining(message)]);
});

it('a document without a point is farther than all others, and no filter lets it through', async () => {
  const script = "doc['loc'].arcDistance(52, 13)";
  for (const order of ['asc', 'desc']) {
    const { json } = await call('POST', '/a/_search', {
      sort: [{ _script: { script, type: 'number', order } }],
    });
    expect([order, json.hits.hits.at(order === 'asc' ? -1 : 0)._id]).toEqual([order, 'nowhere']);
  }
  for (const condition of ['<', '>=']) {
    const filter = { script: { script: `${script} ${condition} 1000000` } };
    const { json } = await call('POST', '/a/_search', { query: { filtered: { filter } } });
    expect(json.hits.hits.map(({ _id }: { _id: string }) => _id)).not.toContain('nowhere');
  }
});
