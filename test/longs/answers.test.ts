import { afterAll, beforeAll, expect, it } from 'vitest';
import { cborToJson, writeCbor } from '../../host/formats/cbor.js';
import { smileToJson, writeSmile } from '../../host/formats/smile.js';
import { createEngine, type Resilin } from '../../host/index.js';
import { parseRaw } from '../../host/json/rawJson.js';

// Longs beyond 2^53 in every form of body and answer; what 1.7 computes with, it computes with as doubles.

const LONG = '9007199254740993';
const LEAST = '-9223372036854775808';

let resilin: Resilin;
beforeAll(async () => {
  resilin = await createEngine();
  const properties = { n: { type: 'long', store: true }, d: { type: 'date' }, x: { type: 'double' } };
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  await resilin.request('PUT', '/i', { settings, mappings: { t: { properties } } });
});
afterAll(() => resilin.close());

const formats = [
  { name: 'cbor', read: cborToJson, write: writeCbor },
  { name: 'smile', read: smileToJson, write: writeSmile },
] as const;
type Format = (typeof formats)[number];

async function ask(format: Format, method: string, uri: string, json: string): Promise<string> {
  const body = format.write(parseRaw(json)) as BodyInit;
  const answer = await resilin.fetch(new Request(`http://here${uri}`, { method, body }));
  expect(answer.headers.get('content-type')).toBe(`application/${format.name}`);
  return new TextDecoder().decode(format.read(new Uint8Array(await answer.arrayBuffer())));
}

async function text(uri: string, json: string): Promise<string> {
  const { body } = await resilin.handle('POST', uri, new TextEncoder().encode(json));
  return new TextDecoder().decode(body);
}

it.each(formats)('keep their digits in $name', async (format) => {
  await ask(
    format,
    'PUT',
    `/i/t/${format.name}?refresh=true&version=${LONG}&version_type=external`,
    `{"n":${LONG}}`,
  );
  await ask(format, 'PUT', '/i/t/least?refresh=true', `{"n":${LEAST}}`);
  const body = `{
    "query": {"terms": {"n": [${LONG}, ${LEAST}]}}, "sort": ["n"], "version": true, "fields": ["n", "_source"],
    "aggs": {"t": {"terms": {"field": "n", "order": {"_term": "desc"}}}},
    "post_filter": {"range": {"n": {"gte": ${LONG}}}}}`;
  const found = await ask(format, 'POST', '/i/_search', body);
  expect(JSON.parse(found).error).toBeUndefined();
  for (const part of [
    `"_source":{"n":${LONG}}`,
    `"_version":${LONG}`,
    `"fields":{"n":[${LONG}]}`,
    `"sort":[${LONG}]`,
  ])
    expect(found).toContain(part);
  expect(found).toMatch(new RegExp(`"key":${LONG},.*"key":${LEAST},`));
  const bulk = await ask(format, 'POST', '/i/t/_mget', `{"ids":["${format.name}"]}`);
  expect(bulk).toContain(`"_version":${LONG}`);
  await resilin.request('DELETE', `/i/t/${format.name}`);
  await resilin.request('DELETE', '/i/t/least');
  await resilin.request('POST', '/i/_refresh');
});

it('are doubles where they are computed with', async () => {
  await resilin.handle('PUT', '/i/t/1?refresh=true', new TextEncoder().encode(`{"n":${LONG}}`));
  const aggs = `{
    "s": {"stats": {"field": "n"}},
    "p": {"percentiles": {"field": "n", "percents": [50]}},
    "r": {"percentile_ranks": {"field": "n", "values": [${LONG}]}},
    "v": {"max": {"field": "n", "script": "_value + 1", "lang": "expression"}},
    "h": {"histogram": {"field": "n", "interval": 1}}}`;
  const script = `{"script": "doc['n'].value * 2", "lang": "expression"}`;
  const sort = `{"_script": {"script": "doc['n'].value", "lang": "expression", "type": "number"}}`;
  const found = await text(
    '/i/_search',
    `{"query": {"term": {"n": ${LONG}}}, "aggs": ${aggs}, "script_fields": {"f": ${script}}, "sort": [${sort}]}`,
  );
  const double = '9.007199254740992E15';
  for (const part of [
    `"s":{"count":1,"min":${double},"max":${double},"avg":${double},"sum":${double}}`,
    `"p":{"values":{"50.0":${double}}}`,
    `"values":{"${double}":`,
    `"v":{"value":${double}}`,
    `"key":${LONG}`,
    `"f":[1.8014398509481984E16]`,
    `"sort":[${double}]`,
  ])
    expect(found).toContain(part);
  await resilin.request('DELETE', '/i/t/1?refresh=true');
});

it('are dates, however far', async () => {
  await resilin.handle('PUT', '/i/t/1?refresh=true', new TextEncoder().encode(`{"d":${LONG}}`));
  const found = await text(
    '/i/_search',
    `{"query": {"range": {"d": {"gte": ${LONG}, "lte": ${LONG}}}}, "sort": ["d"], "aggs": {
       "t": {"terms": {"field": "d"}}, "h": {"date_histogram": {"field": "d", "interval": "1ms"}}}}`,
  );
  expect(found).toContain('"total":1');
  expect(found).toContain(`"sort":[${LONG}]`);
  expect(found).toContain(`"key":${LONG},"key_as_string":"287396-10-12T08:59:00.99`);
  expect(found).toContain(`Z","key":${LONG}`);
  await resilin.request('DELETE', '/i/t/1?refresh=true');
});

it('small and large fractions are printed as Java prints them, in answers and in bodies that come back', async () => {
  await resilin.handle('PUT', '/i/t/1?refresh=true', new TextEncoder().encode('{"x":0.00001}'));
  await resilin.handle('PUT', '/i/t/2?refresh=true', new TextEncoder().encode('{"x":12345678.9}'));
  const aggs = '{"t":{"terms":{"field":"x"}},"m":{"min":{"field":"x"}}}';
  const found = await text('/i/_search', `{"query":{"range":{"x":{"gt":0}}},"sort":["x"],"aggs":${aggs}}`);
  for (const part of ['"sort":[1.0E-5]', '"sort":[1.23456789E7]', '"key":1.0E-5', '"m":{"value":1.0E-5}'])
    expect(found).toContain(part);
  expect(found).toContain('"_source":{"x":0.00001}');
  const refused = await text('/i/_search', '{"from": 0.00001, "query": {"nosuch": 0.00001}}');
  expect(refused).toContain('{\\"from\\": 0.00001, \\"query\\": {\\"nosuch\\": 0.00001}}');
  const template = '{"template": {"query": {"range": {"x": {"gt": 0.00001}}}}, "params": {}}';
  expect(await text('/_render/template', template)).not.toContain('0.00001}}}}}');
});
