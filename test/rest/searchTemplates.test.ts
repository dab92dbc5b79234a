import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const search = (body: unknown) => call('POST', '/inns/_search/template', body);
const names = async (body: unknown) => {
  const answer = (await search(body)).body as { hits?: { hits: { _id: string }[] } };
  return answer.hits?.hits.map(({ _id }) => _id).sort();
};
const failed = async (body: unknown) => {
  const { status, body: answer } = await search(body);
  const { error } = answer as { error: string };
  return [status, /^SearchPhaseExecutionException.*?\[inns\]\[0\]: (.*)\}\]$/s.exec(error)?.[1]];
};

beforeAll(async () => {
  resilin = await createEngine();
  await call('PUT', '/inns', {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
  });
  await call('PUT', '/inns/inn/swan', { town: 'york', beds: 4 });
  await call('PUT', '/inns/inn/bell?refresh=true', { town: 'leeds', beds: 9 });
  await call('PUT', '/_search/template/by_town', { template: { query: { term: { town: '{{town}}' } } } });
});
afterAll(() => resilin.close());

const BY_TOWN = '{"query":{"term":{"town":"{{town}}"}}}';

describe('a search by template', () => {
  it.each([
    ['as a text', { template: BY_TOWN }],
    ['by id', { id: 'by_town' }],
    ['by the id within a template', { template: { id: 'by_town' } }],
    ['by the id within a text', { template: '{"id":"by_town"}' }],
    ['with a name of its own', { template: '{"query":{"term":{"town":"{{$t}}{{town}}{{/t}}"}}}' }],
  ])('takes the template %s', async (_, template) => {
    expect(await names({ ...template, params: { town: 'leeds' } })).toEqual(['bell']);
  });

  const AT_LEAST =
    '{"query":{"filtered":{"filter":{"bool":{"must":[{"exists":{"field":"town"}}' +
    '{{#least}},{"range":{"beds":{"gte":{{least}}}}}{{/least}}]}}}}}';

  it('leaves a part out that hangs on a missing, a false or an empty value', async () => {
    await call('PUT', '/_search/template/least', { template: AT_LEAST });
    expect(await names({ id: 'least', params: { least: 5 } })).toEqual(['bell']);
    for (const params of [{}, { least: '' }, { least: false }, { least: null }])
      expect(await names({ id: 'least', params })).toEqual(['bell', 'swan']);
  });

  it('takes other marks', async () => {
    const template = '{{=<% %>=}}{"query":{"term":{"town":"<%town%>"}}}';
    await call('PUT', '/_search/template/marks', { template });
    expect(await names({ id: 'marks', params: { town: 'leeds' } })).toEqual(['bell']);
  });

  it('reads a text that is given as JSON up to the end of an object, as 1.7 does in search of an id', async () => {
    for (const template of [
      AT_LEAST,
      '{{=<% %>=}}{"query":{}}',
      '{"query":{{#json}}q{{/json}}}',
      '{"size":{{n}}}',
    ])
      expect(await failed({ template, params: { n: 1 } })).toEqual([
        400,
        expect.stringContaining(
          "ElasticsearchParseException[Failed to parse template]; nested: JsonParseException[Unexpected character ('{' (code 123))",
        ),
      ]);
    // What stands behind that object may be anything.
    const behind = '{"sort":{"beds":"desc"},"size":{{n}}}';
    expect(await names({ template: behind, params: { n: 1 } })).toEqual(['bell']);
  });

  it('searches for everything without a body', async () => {
    const { status, body } = await call('POST', '/inns/_search/template');
    expect([status, (body as { hits: { total: number } }).hits.total]).toEqual([200, 2]);
  });

  it('prints lists as Java does', async () => {
    const { body } = await search({
      template: '{"query":"{{towns}}"}',
      params: { towns: ['york', 'ripon'] },
    });
    expect(body).toMatchObject({ error: expect.stringContaining('[york, ripon]') });
  });

  it.each([
    [{ file: 'lost' }, 400, 'ElasticsearchIllegalArgumentException[Unable to find on disk script lost]'],
    [
      { template: { file: 'lost' } },
      400,
      'ElasticsearchIllegalArgumentException[Unable to find on disk script lost]',
    ],
    [{ template: 'lost' }, 400, 'ElasticsearchIllegalArgumentException[Unable to find on disk script lost]'],
    [
      { id: 'lost' },
      400,
      'ElasticsearchIllegalArgumentException[Unable to find script [.scripts/mustache/lost]]',
    ],
    [{}, 400, 'ElasticsearchParseException[Template must have [template] field configured]'],
    [
      { template: '{"a":"{{/b}}"}' },
      500,
      'MustacheException[Mismatched start/end tags: null != b in query-template:1]',
    ],
    [
      { template: '{"a":\n"{{{b}}"}' },
      500,
      'MustacheException[Improperly closed variable in query-template:2]',
    ],
    [{ template: '{"a":"{{b"}' }, 500, 'MustacheException[Improperly closed variable in query-template:1]'],
    [{ template: '{"a":"{{}}"}' }, 500, 'StringIndexOutOfBoundsException[String index out of range: 0]'],
  ])('that can not be had fails on every shard: %j', async (body, status, error) => {
    expect(await failed(body)).toEqual([status, error]);
  });
});

it('a template that can not be read is not stored', async () => {
  const put = (template: unknown) => call('PUT', '/_search/template/odd', { template });
  expect(await put({ 'match{{}}_all': {} })).toEqual({
    status: 400,
    body: {
      error:
        'ElasticsearchIllegalArgumentException[Unable to parse [{"match{{}}_all":{}}] lang [mustache]]; ' +
        'nested: StringIndexOutOfBoundsException[String index out of range: 0]; ',
      status: 400,
    },
  });
  expect((await put('{{#a}}')).status).toBe(400);
  expect((await call('GET', '/_search/template/odd')).status).toBe(404);
});

it('a query by template of a file fails as there are no files', async () => {
  const { status, body } = await call('POST', '/inns/_search', { query: { template: { file: 'lost' } } });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: expect.stringContaining(
      'nested: ElasticsearchIllegalArgumentException[Unable to find on disk script lost]; ',
    ),
  });
});

it('a search never takes no time at all', async () => {
  expect(((await search({ id: 'by_town' })).body as { took: number }).took).toBeGreaterThan(0);
});
