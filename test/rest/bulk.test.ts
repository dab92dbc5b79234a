import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { BulkReader } from '../../host/rest/documents/bulkBody.js';

const DEFAULTS = { index: 'a', type: 't', routing: undefined };

/** More than are kept from the first reading of a body. */
const MANY = 21_000;

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  await resilin.request('PUT', '/a', {
    settings: { number_of_shards: 3 },
    mappings: { t: { dynamic: 'strict' } },
  });
});
afterEach(() => resilin.close());

type Item = Record<
  string,
  { _id: string; _version?: number; status: number; error?: string; found?: boolean }
>;
interface Bulk {
  errors: boolean;
  items: Item[];
}
const bulk = async (lines: readonly string[], query = '') => {
  const { status, body } = await resilin.request('POST', `/a/t/_bulk${query}`, `${lines.join('\n')}\n`);
  return { status, body: body as Bulk & { error?: string } };
};
const index = (id: string | number, source = '{}') => [
  `{"index":{"_id":${JSON.stringify(String(id))}}}`,
  source,
];

describe('a bulk of more actions than are kept in memory', () => {
  it('answers for each of them in its place', async () => {
    const lines = Array.from({ length: MANY }, (_, i) =>
      index(i % 1000, i === 20_500 ? '{"x":1}' : '{}'),
    ).flat();
    lines.push('{"delete":{"_id":"7"}}', '{"delete":{"_id":"none"}}', '{"create":{"_id":"8"}}', '{}');
    const { status, body } = await bulk(lines, '?refresh=true');
    expect(status).toBe(200);
    expect(body.errors).toBe(true);
    expect(body.items).toHaveLength(MANY + 3);
    expect(body.items.findIndex((item) => item.index?.status === 400)).toBe(20_500);
    const ids = body.items.slice(0, MANY).map((item) => item.index!._id);
    expect(ids).toEqual(Array.from({ length: MANY }, (_, i) => String(i % 1000)));
    // Every id was written 21 times, in order; one of them failed once.
    expect(body.items[MANY - 1]).toMatchObject({ index: { _id: '999', _version: 21, status: 200 } });
    expect(body.items[20_999 - 499]).toMatchObject({ index: { _id: '500', status: 400 } });
    expect(body.items.slice(MANY)).toMatchObject([
      { delete: { _id: '7', _version: 22, status: 200, found: true } },
      { delete: { _id: 'none', status: 404, found: false } },
      { create: { _id: '8', status: 409 } },
    ]);
    const { body: count } = await resilin.request('GET', '/a/_count');
    expect(count).toMatchObject({ count: 999 });
  });

  it('does nothing if one of its last lines is none', async () => {
    const lines = Array.from({ length: MANY }, (_, i) => index(i)).flat();
    const { status, body } = await bulk([...lines, '[]', '{}']);
    expect(status).toBe(500);
    expect(body.error).toMatch(/Malformed action\/metadata line \[42001\]/);
    await resilin.request('POST', '/a/_refresh');
    expect((await resilin.request('GET', '/a/_count')).body).toMatchObject({ count: 0 });
  });
});

it.each([
  '{"index":{}}',
  '{"index":{"_id":"1"}}',
  ' {"create": { "_type":"u", "_id":"1\\u0041é" } } ',
  '{"create":{"_index":"b"}}',
  '{"index":{"_index":"b","_type":"u","_id":""}}',
  '{"index":{"_id":"1","_id":"2"}}',
  '{"index":{"_id":1,"_routing":"r","_version":3}}',
  '{"index":{"_id":null}}',
  '{"index":{"_id":"1"}} behind',
  '{"index":{"_id":"1"},"more":{}}',
  '{"index":{"_ids":"1"}}',
  '{"index":["_id"]}',
  '{"index":{"_id":"1"}',
  '{"indexes":{"_id":"1"}}',
  '{"delete":{"_id":"1"}}',
  '{}',
])('an action is what it is, however it is read: %s', (line) => {
  const read = (text: string) => {
    const reader = new BulkReader(new TextEncoder().encode(`${text}\n{"x":1}\n`), DEFAULTS);
    try {
      const action = reader.next();
      return action && { ...action, source: new TextDecoder().decode(action.source) };
    } catch (e) {
      // Without where in the line it is wrong.
      return (e as Error).message.split('(')[0];
    }
  };
  // Blanks before it are enough for it to be read with more care.
  expect(read(line)).toEqual(read(`  ${line}`));
});

it('items look the same however the answer is written', async () => {
  const lines = [...index('1"é'), '{"delete":{"_id":"2"}}', ...index(3, '{"x":1}')];
  const plain = await bulk(lines);
  const pretty = await bulk(lines, '?pretty');
  const version = (item: Item) => Object.values(item)[0]!._version;
  expect(pretty.body.items.map((item) => Object.keys(Object.values(item)[0]!))).toEqual(
    plain.body.items.map((item) => Object.keys(Object.values(item)[0]!)),
  );
  expect(plain.body.items.map(version)).toEqual([1, 1, undefined]);
  expect(pretty.body.items.map(version)).toEqual([2, 2, undefined]);
  const filtered = await bulk(lines, '?filter_path=items.*.status');
  expect(filtered.body).toEqual({
    items: [{ index: { status: 200 } }, { delete: { status: 404 } }, { index: { status: 400 } }],
  });
});

// Recorded from Elasticsearch 1.7.3.
it('is refused as a whole for a time or a parent that its type cannot have', async () => {
  const types = { t: { _timestamp: { enabled: true, format: 'yyyy-MM-dd' } }, u: {} };
  await resilin.request('PUT', '/whole', { mappings: types });
  for (const [meta, status, error] of [
    [
      { _type: 't', _timestamp: '2013-01-02T03:04:05' },
      500,
      'TimestampParsingException[failed to parse timestamp [2013-01-02T03:04:05]]',
    ],
    [
      { _type: 'u', _parent: '7' },
      400,
      "ElasticsearchIllegalArgumentException[Can't specify parent if no parent field has been configured]",
    ],
  ] as const) {
    const lines = [{ index: { _type: 'u', _id: 'first' } }, {}, { index: { _id: '1', ...meta } }, {}];
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    expect(await resilin.request('POST', '/whole/_bulk', body)).toEqual({ status, body: { error, status } });
  }
  expect((await resilin.request('GET', '/whole/u/first')).status).toBe(404);
});

it('tells of a document that brought a field before it was refused', async () => {
  await resilin.request('PUT', '/brought', { mappings: { t: { properties: { o: { properties: {} } } } } });
  const refused = async (source: unknown) => {
    const body = `{"index":{"_type":"t"}}\n${JSON.stringify(source)}\n`;
    const answer = (await resilin.request('POST', '/brought/_bulk', body)).body as { items: Item[] };
    return (answer.items[0]!.create as unknown as { error: string }).error;
  };
  expect(await refused({ new: 'x', o: 'no object' })).toMatch(
    /^WriteFailureException; nested: MapperParsing/,
  );
  expect(await refused({ new: 'x', o: 'no object' })).toMatch(/^MapperParsingException\[object mapping/);
});

it('names what is missing in lines, up to a thousand of them', async () => {
  const { status, body } = await resilin.request('POST', '/_bulk', '{"index":{}}\n{}\n'.repeat(2000));
  expect(status).toBe(400);
  expect((body as { error: string }).error).toMatch(
    /^ActionRequestValidationException\[Validation Failed: 1: index is missing;2: type/,
  );
  expect((body as { error: string }).error).toMatch(/;1000: type is missing;\]$/);
});
