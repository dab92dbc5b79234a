/** Bodies are read from front to back, as 1.7 does: errors tell where reading stopped, and keys may repeat. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
const call = async (method: string, uri: string, body?: unknown) => {
  const answer = await resilin.request(method, uri, body);
  return { status: answer.status, body: answer.body as Record<string, unknown> };
};
/** The text of an error, without what differs from run to run. */
const error = async (method: string, uri: string, text: string) => {
  const { body } = await call(method, uri, text);
  return String(body.error)
    .replace(/\[B@[0-9a-f]+/g, '[B@0')
    .replace(/Source@[0-9a-f]+/g, 'Source@0');
};

beforeAll(async () => {
  resilin = await createEngine();
  const properties = {
    year: { type: 'integer' },
    price: { type: 'double' },
    name: { type: 'string' },
    at: { type: 'geo_point' },
    parts: { type: 'nested', properties: { name: { type: 'string' } } },
  };
  await call('PUT', '/boats', { settings: { number_of_shards: 1 }, mappings: { boat: { properties } } });
  await call('PUT', '/boats/boat/1?refresh=true', { year: 1990, name: 'gull' });
});
afterAll(() => resilin.close());

describe('a document that is no JSON', () => {
  const put = (text: string) => error('PUT', '/boats/boat/9', text);
  const broken = (text: string) =>
    `MapperParsingException[failed to parse]; nested: JsonParseException[${text}]; `;

  it.each([
    ['{"year":1990', 'column: 0])\n at [Source: [B@0; line: 1, column: 37]'],
    ['{"year":1990 ', 'column: 0])\n at [Source: [B@0; line: 1, column: 27]'],
    ['{\n"year":1', 'column: 0])\n at [Source: [B@0; line: 2, column: 29]'],
  ])('%j ends too soon, and the parser counts on', async (text, place) => {
    const problem =
      'Unexpected end-of-input: expected close marker for OBJECT (from [Source: [B@0; line: 1, ';
    expect(await put(text)).toBe(broken(problem + place));
  });

  it('names the field whose text is broken, if the field is there', async () => {
    const detail = 'Unexpected end-of-input in VALUE_STRING\n at [Source: [B@0; line: 1, column: 23]';
    expect(await put('{"name":"gu')).toBe(broken(detail).replace('to parse]', 'to parse [name]]'));
    expect(await put('{"nome":"gu')).toBe(broken(detail));
  });

  it('is refused for a field before the place where it breaks', async () => {
    expect(await put('{"year":"soon","name":}')).toBe(
      'MapperParsingException[failed to parse [year]]; nested: NumberFormatException[For input string: "soon"]; ',
    );
  });
});

describe('numbers that cannot be', () => {
  it.each([
    [
      '{"name":"x","year":true}',
      'Current token (VALUE_TRUE) not numeric, can not use numeric value accessors',
      24,
    ],
    ['{"year":3000000000}', 'Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)', 19],
    [
      '{"year":[1,3000000000]}',
      'Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)',
      22,
    ],
  ])('%s', async (text, detail, column) => {
    expect(await error('PUT', '/boats/boat/9', text)).toBe(
      `MapperParsingException[failed to parse [year]]; nested: JsonParseException[${detail}\n at [Source: [B@0; line: 1, column: ${column}]]; `,
    );
  });

  it('in a point end with its list', async () => {
    expect(await error('PUT', '/boats/boat/9', '{"at":[1]}')).toBe(
      'MapperParsingException[failed to parse]; nested: JsonParseException[Current token (END_ARRAY) not numeric, can not use numeric value accessors\n at [Source: [B@0; line: 1, column: 10]]; ',
    );
  });

  it('of more than 64 bits make no field', async () => {
    expect(await error('PUT', '/boats/boat/9', '{"huge":92233720368547758080}')).toBe(
      'MapperParsingException[failed to parse]; nested: ElasticsearchIllegalStateException[No matching token for number_type [BIG_INTEGER]]; ',
    );
  });

  it('in a search are those of the part that is read', async () => {
    expect(await error('POST', '/boats/_search', '{"explain":true,"size":true}')).toContain(
      'numeric value accessors\n at [Source: [B@0; line: 1, column: 28]]',
    );
  });
});

describe('a search that can be read in part', () => {
  const search = (text: string) => error('POST', '/boats/_search', text);

  it('tells what has been read', async () => {
    const all = '[boats][0]: query[ConstantScore(*:*)],';
    expect(await search('{"query":{"match_all":{}},"size":3,')).toContain(`${all}from[-1],size[3]: Parse`);
    expect(await search('{"query":{"match_all":{},"term":{"year":1}}}')).toContain(`${all}from[-1],size[-1]`);
    expect(await search('{"sort":["_score",{"price":"desc"}],"bogus":1}')).toContain(
      'from[-1],size[-1],sort[<score>,<custom:"price": org.elasticsearch.index.fielddata.fieldcomparator.DoubleValuesComparatorSource@0>!]: Parse',
    );
  });

  it('is refused for what comes first', async () => {
    expect(await search('{"query":{"nosuch":{}},')).toContain('No query registered for [nosuch]');
  });

  it('that counts tells of the hits it would have had', async () => {
    const body = { aggs: { cells: { geohash_grid: { field: 'at', precision: 40 } } } };
    expect(await error('POST', '/boats/_search?search_type=count', JSON.stringify(body))).toContain(
      'QueryPhaseExecutionException[[boats][0]: query[ConstantScore(cache(org.elasticsearch.index.search.nested.NonNestedDocsFilter@7cbdd3f4))],from[0],size[10]: Query Failed [Failed to execute main query]]; nested: ElasticsearchIllegalArgumentException[Illegal precision',
    );
  });

  it('reads past a term that has no field', async () => {
    expect(await search('{"query":{"span_term":{}},"size":0}')).toContain(
      'query[span_term:}],from[-1],size[-1]: Parse Failure [Failed to parse source [{"query":{"span_term":{}},"size":0}]]]; nested: ElasticsearchParseException[Expected field name but got VALUE_NUMBER "size"]',
    );
  });

  it('reads past a sort that has no direction', async () => {
    expect(await search('{"sort":{"year":[]}}')).toContain(
      'End of query source reached but query is not complete.',
    );
    expect(await search('{"sort":{"year":1},"size":1}')).toContain(
      'No mapping found for [size] in order to sort on',
    );
    expect((await call('POST', '/boats/_search', '{"sort":{}}')).status).toBe(200);
  });
});

describe('bulk lines', () => {
  it('break where they stand in the body', async () => {
    const body = '{"index":{"_id":5}}\n{"year":1}\n{"delete":\n';
    expect(await error('POST', '/boats/boat/_bulk', body)).toBe(
      'JsonParseException[Unexpected end-of-input within/between OBJECT entries\n at [Source: [B@0; line: 1, column: 52]]',
    );
  });
});

describe('keys that stand twice', () => {
  const total = async (body: string) => {
    const answer = await call('POST', '/twice/_search', body);
    return (answer.body.hits as { total: number }).total;
  };

  beforeAll(async () => {
    await call('PUT', '/twice', { settings: { number_of_shards: 1 } });
    await call('PUT', '/twice/t/1', '{"a":1,"b":{"c":"red"},"a":2,"b":{"c":"blue"}}');
    await call('PUT', '/twice/t/2?refresh=true', '{"a":2,"time":"it is \\":\\" here"}');
  });

  it('in a document are all indexed, and its source stays as it was', async () => {
    const found = await Promise.all(
      ['a:1', 'a:2', 'b.c:red', 'b.c:blue'].map(
        async (q) => (await call('GET', `/twice/_search?q=${q}`)).body.hits,
      ),
    );
    expect(found.map((hits) => (hits as { total: number }).total)).toEqual([1, 2, 1, 1]);
  });

  it('in a document are refused for any of their values', async () => {
    const { status, body } = await call('PUT', '/twice/t/3', '{"n":1,"n":"two"}');
    expect([status, body.error]).toEqual([
      400,
      'MapperParsingException[failed to parse [n]]; nested: NumberFormatException[For input string: "two"]; ',
    ]);
  });

  it('in a bool are all clauses of it', async () => {
    const both = (kind: string) => `{"${kind}":{"bool":{"must":{"term":{"a":1}},"must":[{"term":{"a":2}}]}}}`;
    expect(await total(both('query'))).toBe(1);
    expect(await total(both('post_filter'))).toBe(1);
    expect(await total('{"query":{"term":{"a":1}},"query":{"term":{"a":2}}}')).toBe(2);
  });

  it('are refused as names of aggregations', async () => {
    const text = await error(
      'POST',
      '/twice/_search',
      '{"aggs":{"x":{"max":{"field":"a"}},"x":{"min":{"field":"a"}}}}',
    );
    expect(text).toContain(
      'IllegalArgumentException[Two sibling aggregations cannot have the same name: [x]]',
    );
  });
});
