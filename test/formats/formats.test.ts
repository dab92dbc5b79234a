/** CBOR and SMILE: what is written can be read, what others write can be read, and nothing that is read does harm. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cborToJson as cborBytes, writeCbor } from '../../host/formats/cbor.js';
import { BrokenFormat } from '../../host/formats/jsonWriter.js';
import { smileToJson as smileBytes, writeSmile } from '../../host/formats/smile.js';
import { createEngine, type Resilin } from '../../host/index.js';
import { parseRaw } from '../../host/json/rawJson.js';

const cborToJson = (bytes: Uint8Array) => new TextDecoder().decode(cborBytes(bytes));
const smileToJson = (bytes: Uint8Array) => new TextDecoder().decode(smileBytes(bytes));

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const formats = [
  { name: 'CBOR', read: cborToJson, write: writeCbor },
  { name: 'SMILE', read: smileToJson, write: writeSmile },
] as const;

describe.each(formats)('$name', ({ read, write }) => {
  const again = (json: string) => read(write(parseRaw(json)));

  it('comes back as it was written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(again(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it('keeps the digits of whole numbers of any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }), (value) => {
        expect(again(String(value))).toBe(String(value));
      }),
      { numRuns: 500, seed: 7 },
    );
    const edges = [15n, 16n, 23n, 24n, 255n, 256n, 2n ** 31n, 2n ** 32n, 2n ** 63n, 2n ** 64n];
    for (const edge of edges) {
      for (const value of [edge - 1n, edge, edge + 1n, -edge - 1n, -edge, 1n - edge])
        expect(again(String(value))).toBe(String(value));
    }
  });

  it('keeps texts and names of all lengths', () => {
    for (const letter of ['a', 'é', '水']) {
      for (let length = 0; length < 70; length++) {
        const text = letter.repeat(length);
        expect(JSON.parse(again(JSON.stringify({ [text]: text })))).toEqual({ [text]: text });
      }
    }
  });

  it('keeps fractions', () => {
    expect(again('[0.5,-1.0,1e300,-0.0,123456789.25]')).toBe('[0.5,-1.0,1e+300,-0.0,123456789.25]');
  });

  it('reads any bytes, or says that they are none', () => {
    const header = fc.constantFrom<number[]>([], [0x3a, 0x29, 0x0a, 0x03]);
    fc.assert(
      fc.property(header, fc.uint8Array({ maxLength: 60 }), (start, bytes) => {
        try {
          JSON.parse(read(Uint8Array.from([...start, ...bytes])));
        } catch (e) {
          expect(e).toBeInstanceOf(BrokenFormat);
        }
      }),
      { numRuns: 5000, seed: 7 },
    );
  });

  it('is refused where it is too deep', () => {
    const deep = parseRaw('['.repeat(900) + ']'.repeat(900));
    expect(read(write(deep))).toHaveLength(1800);
    const bottomless = new Uint8Array(100_000).fill(read === cborToJson ? 0x81 : 0xf8);
    expect(() => read(bottomless)).toThrow(BrokenFormat);
  });
});

describe('CBOR of others', () => {
  // The examples of RFC 8949, appendix A.
  it.each([
    ['1bffffffffffffffff', '18446744073709551615'],
    ['3bffffffffffffffff', '-18446744073709551616'],
    ['c249010000000000000000', '18446744073709551616'],
    ['c349010000000000000000', '-18446744073709551617'],
    ['f93c00', '1.0'],
    ['f97bff', '65504.0'],
    ['f90001', '5.9604645E-8'],
    ['f9c400', '-4.0'],
    ['fa47c35000', '100000.0'],
    ['fb3ff199999999999a', '1.1'],
    ['f97c00', '"Infinity"'],
    ['f7', 'null'],
    ['4401020304', '"AQIDBA=="'],
    ['c074323031332d30332d32315432303a30343a30305a', '"2013-03-21T20:04:00Z"'],
    ['5f42010243030405ff', '"AQIDBAU="'],
    ['7f657374726561646d696e67ff', '"streaming"'],
    ['826161bf61626163ff', '["a",{"b":"c"}]'],
    ['a201020304', '{"1":2,"3":4}'],
    ['d9d9f7a0', '{}'],
  ])('%s', (hex, json) => {
    expect(cborToJson(bytesOf(hex))).toBe(json);
  });
});

it('CBOR of nothing but tags is refused', () => {
  expect(() => cborToJson(new Uint8Array(100_000).fill(0xc1))).toThrow(BrokenFormat);
});

describe('SMILE of others', () => {
  // Put together by hand from the tokens of the format's description, version 1.
  it.each([
    [
      'names that come again',
      '3a290a01 f8 fa 8061 c2 8162 63 c4 fb fa 40 c6 41 c8 fb f9',
      '[{"a":1,"bc":2},{"a":3,"bc":4}]',
    ],
    ['texts that come again', '3a290a03 f8 4061 40e9 01 f9'.replace('40e9', '416263'), '["a","bc","a"]'],
    ['a short float', '3a290a00 28 03 7c 00 00 00', '1.0'],
    ['bytes in groups of seven bits', '3a290a00 e8 83 00 40 40 03', '"AQID"'],
    ['bytes as they are', '3a290a04 fd 83 010203', '"AQID"'],
    ['a decimal number', '3a290a00 2a 84 81 1900'.replace('1900', '0c01'), '25e-2'],
    ['no header', 'fa 8061 21 fb', '{"a":null}'],
  ])('%s', (_, hex, json) => {
    expect(smileToJson(bytesOf(hex.replaceAll(' ', '')))).toBe(json);
  });

  it.each(['3a290a00f801f9', '3a290a00fa4021fb', '3a290a03f805f9'])('%s refers to nothing', (hex) => {
    expect(() => smileToJson(bytesOf(hex))).toThrow(BrokenFormat);
  });
});

describe('bodies and answers', () => {
  let resilin: Resilin;
  beforeAll(async () => {
    resilin = await createEngine();
  });
  afterAll(() => resilin.close());

  const send = async (method: string, path: string, body?: Uint8Array | string, type?: string) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const init = body === undefined ? { method, headers } : { method, headers, body: body as BodyInit };
    const answer = await resilin.fetch(new Request(`http://here${path}`, init));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, type: answer.headers.get('content-type'), bytes };
  };
  const json = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString());

  it.each([
    { name: 'cbor', read: cborToJson, write: writeCbor },
    { name: 'smile', read: smileToJson, write: writeSmile },
  ])('in $name are read, and answered in $name', async ({ name, read, write }) => {
    const document = write(parseRaw('{"n":9007199254740993,"text":"some words"}'));
    const written = await send('PUT', `/${name}/t/1?refresh=true`, document);
    expect([written.status, written.type]).toEqual([201, `application/${name}`]);
    expect(JSON.parse(read(written.bytes))).toMatchObject({ _id: '1', created: true });
    const plain = await send('GET', `/${name}/t/1`);
    expect(Buffer.from(plain.bytes).toString()).toContain('"n":9007199254740993');
    const query = write(parseRaw('{"query":{"match":{"text":"words"}}}'));
    const found = await send('POST', `/${name}/_search`, query, 'application/json');
    expect([found.type?.slice(0, 16), json(found.bytes).hits.total]).toEqual(['application/json', 1]);
    const asked = await send('GET', `/_cat/indices/${name}?format=${name}&h=index`);
    expect([asked.type, JSON.parse(read(asked.bytes))]).toEqual([`application/${name}`, [{ index: name }]]);
  });

  it('in SMILE may be many', async () => {
    const lines = ['{"index":{"_id":"a"}}', '{"n":1}', '{"index":{"_id":"b"}}', '{"n":2}'];
    const body = lines.flatMap((line) => [...writeSmile(parseRaw(line)), 0xff]);
    const { status, bytes } = await send('POST', '/many/t/_bulk?format=json', Uint8Array.from(body));
    expect([
      status,
      json(bytes).items.map((item: Record<string, object>) => Object.values(item)[0]),
    ]).toMatchObject([
      200,
      [
        { _id: 'a', status: 201 },
        { _id: 'b', status: 201 },
      ],
    ]);
  });

  it('in CBOR are one each, where several are asked for', async () => {
    const body = writeCbor(parseRaw('{"index":{"_id":"a"}}'));
    for (const uri of ['/many/t/_bulk', '/many/_msearch', '/_mpercolate']) {
      const { status, bytes } = await send('POST', `${uri}?format=json`, body);
      const error = 'ElasticsearchParseException[cbor does not support stream parsing...]';
      expect([status, json(bytes).error]).toEqual([400, error]);
    }
    const { type } = await send('POST', '/many/t/_bulk', body);
    expect(type).toBe('application/cbor');
  });

  it('that break off are no content', async () => {
    const half = writeCbor(parseRaw('{"a":{"b":"some words"}}')).subarray(0, 10);
    const { status, bytes } = await send('PUT', '/half/t/1?format=json', half);
    expect([status, json(bytes).error]).toEqual([
      400,
      'MapperParsingException[failed to parse]; nested: ElasticsearchParseException[Failed to derive xcontent]; ',
    ]);
  });

  it('of tables are JSON where the request calls itself that', async () => {
    expect((await send('GET', '/_cat/health?h=cluster', undefined, 'application/json')).bytes[0]).toBe(0x5b);
    expect((await send('GET', '/_cat/health?h=cluster')).bytes[0]).toBe('e'.charCodeAt(0));
  });

  it('are written as those of 1.7', () => {
    expect(hexOf(writeCbor(parseRaw('{"a":[1,"b"]}')))).toBe('bf61619f016162ffff');
  });
});
