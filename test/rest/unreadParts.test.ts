/**
 * Parts of a search whose value is not of their kind: 1.7's parser leaves the brackets of a value where they are, and what follows is
 * taken for parts of the body.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;

beforeAll(async () => {
  resilin = await createEngine();
  await resilin.request('PUT', '/i', { settings: { number_of_shards: 1 } });
  await resilin.request('PUT', '/i/d/1?refresh=true', { n: 1, s: 'a b' });
  await resilin.request('PUT', '/i/d/2?refresh=true', { n: 2, s: 'c' });
});
afterAll(() => resilin.close());

/** How many hits are shown, or the innermost text of the error. */
const asked = async (text: string) => {
  const { status, body } = await resilin.request('POST', '/i/_search', text);
  const answer = body as { error?: string; hits?: { hits: unknown[] } };
  if (status === 200) return answer.hits!.hits.length;
  return answer.error!.replace(/^.*?\]\]\]; nested: /s, '').replace(/; \}\]$/, '');
};

const NAME = 'ElasticsearchParseException[Expected field name but got';
const END = 'ElasticsearchParseException[End of query source reached but query is not complete.]';

describe('an object', () => {
  it.each([
    'from',
    'size',
    'version',
    'explain',
    'track_scores',
    'min_score',
    'terminate_after',
    'fields',
    'stats',
  ])('as %s is read as the rest of the body, and nothing behind it', async (name) => {
    expect(await asked(`{"${name}":{"size":1}}`)).toBe(1);
    expect(await asked(`{"${name}":{},"nosuch":1}`)).toBe(2);
    expect(await asked(`{"${name}":{"x":1}}`)).toContain('No parser for element [x]');
  });
});

describe('a list', () => {
  it.each(['from', 'size', 'version', 'explain', 'track_scores', 'min_score', 'terminate_after'])(
    'as %s ends where a name should be',
    async (name) => {
      expect(await asked(`{"${name}":[]}`)).toBe(`${NAME} END_ARRAY "${name}"]`);
      expect(await asked(`{"${name}":[1]}`)).toBe(`${NAME} VALUE_NUMBER "null"]`);
      expect(await asked(`{"${name}":[true]}`)).toBe(`${NAME} VALUE_BOOLEAN "null"]`);
    },
  );

  it('has one object that is read, where its members are looked for', async () => {
    expect(await asked('{"query":[{"match_all":{}}]}')).toBe(`${NAME} END_ARRAY "query"]`);
    expect(await asked('{"query":[{"nosuch":{}}]}')).toBe(
      'QueryParsingException[[i] No query registered for [nosuch]]',
    );
    expect(await asked('{"filter":[{"match_all":{}},5]}')).toBe(`${NAME} VALUE_NUMBER "null"]`);
    expect(await asked('{"highlight":[{"fields":{}}]}')).toBe(`${NAME} END_ARRAY "highlight"]`);
  });

  it('of aggregations or inner hits has no names', async () => {
    expect(await asked('{"aggs":[]}')).toContain(
      'Unexpected token END_ARRAY in [aggs]: aggregations definitions must start with the name of the aggregation.',
    );
    expect(await asked('{"inner_hits":[{}]}')).toContain(
      'Unexpected token START_OBJECT in [inner_hits]: inner_hit definitions must start with the name of the inner_hit.',
    );
  });

  it('of fields holds the texts of tokens', async () => {
    const fields = async (text: string) => {
      const { body } = await resilin.request('POST', '/i/_search', text);
      return (body as { hits: { hits: { fields?: unknown }[] } }).hits.hits[0]!.fields;
    };
    expect(await fields('{"fields":[{"n":"s"},null]}')).toEqual({ n: [1], s: ['a b'] });
    expect(await asked('{"fields":[["n"]]}')).toBe(`${NAME} END_ARRAY "fields"]`);
  });
});

describe('no value', () => {
  it.each(['from', 'size', 'version', 'explain', 'track_scores', 'min_score', 'terminate_after', 'fields'])(
    'as %s says nothing',
    async (name) => {
      expect(await asked(`{"${name}":null}`)).toBe(2);
    },
  );

  it.each([
    'aggs',
    'facets',
    'highlight',
    'indices_boost',
    'inner_hits',
    'partial_fields',
    'script_fields',
    'suggest',
  ])('as %s takes the end of the body for its own', async (name) => {
    expect(await asked(`{"${name}":null}`)).toBe(END);
  });

  it('takes what follows for its own', async () => {
    expect(await asked('{"aggs":null,"size":1}')).toContain(
      'Aggregation definition for [size starts with a [VALUE_NUMBER], expected a [START_OBJECT].',
    );
    expect(await asked('{"suggest":null,"size":1}')).toContain('[suggest] does not support [size]');
    expect(await asked('{"facets":null,"query":{"match_all":{}}}')).toContain(
      'No facet type found for [match_all]',
    );
    expect(await asked('{"rescore":null,"size":1}')).toContain("rescore doesn't support [size]");
    expect(await asked('{"rescore":null}')).toContain('missing rescore type');
  });
});

describe('values', () => {
  it.each([
    ['{"_source":null}', 'ElasticsearchParseException[source element value can be of type VALUE_NULL]'],
    ['{"_source":1.5}', 'ElasticsearchParseException[source element value can be of type VALUE_NUMBER]'],
    [
      '{"_source":{"include":{}}}',
      'ElasticsearchParseException[unexpected token while parsing source settings]',
    ],
    [
      '{"timeout":null}',
      'ElasticsearchParseException[Failed to parse [null]]; nested: NumberFormatException[For input string: "null"]',
    ],
    [
      '{"fielddata_fields":null}',
      'ElasticsearchIllegalStateException[Expected either a VALUE_STRING or an START_ARRAY but got VALUE_NULL]',
    ],
    [
      '{"rescore":{"query":1}}',
      'ElasticsearchParseException[rescore type malformed, must start with start_object]',
    ],
  ])('%s', async (text, error) => {
    expect(await asked(text)).toBe(error);
  });

  it.each([0, '"false"', '"no"', '"off"', '"0"', false])('%s shows no sources', async (value) => {
    const { body } = await resilin.request('POST', '/i/_search', `{"_source":${value}}`);
    expect((body as { hits: { hits: object[] } }).hits.hits[0]).not.toHaveProperty('_source');
  });
});
