/** Bodies that are JSON and yet not what a call wants: each is answered as 1.7's handlers answer, who read token by token. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

/** Of what is no document. */
const NO_FORMAT =
  'NullPointerException[Cannot invoke "org.elasticsearch.common.xcontent.XContentType.xContent()" because "type" is null]';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
});
afterEach(() => resilin.close());

const answer = async (method: string, uri: string, body?: unknown) => {
  const { status, body: given } = await resilin.request(method, uri, body);
  return [status, (given as { error?: string }).error ?? given];
};
const OK = [200, { acknowledged: true }];
const refused = (detail: string, status = 400) => [status, detail];
const unfit = (...problems: string[]) =>
  refused(
    `ActionRequestValidationException[Validation Failed: ${problems.map((each, i) => `${i + 1}: ${each};`).join('')}]`,
  );

describe('aliases', () => {
  beforeEach(() => resilin.request('PUT', '/e'));

  it.each([
    [{ index: ['a', 'e'], alias: 'x' }, OK],
    [
      { index: { a: 1 }, alias: 'x' },
      refused('ElasticsearchIllegalArgumentException[Alias action [alias] not supported]'),
    ],
    [{ index: 'e', alias: ' ' }, unfit('Alias action [add] requires an [alias] to be set')],
    [{ index: 'e*x', alias: 'x' }, refused('IndexMissingException[[e*x] missing]', 404)],
    [
      { index: 'e', alias: 'x', routing: '1,2' },
      refused(
        'ElasticsearchIllegalArgumentException[alias [x] has several index routing values associated with it]',
      ),
    ],
    [{ index: 'e', alias: 'x', search_routing: '1,2', filter: [] }, OK],
  ])('an action %j', async (add, expected) => {
    expect(await answer('POST', '/_aliases', { actions: [{ add }] })).toEqual(expected);
  });

  it('by themselves are named by the body before the path', async () => {
    expect(await answer('PUT', '/_alias/y', { index: 'e', alias: 'z', routing: 5 })).toEqual(OK);
    const { body } = await resilin.request('GET', '/e/_alias');
    expect(body).toEqual({ e: { aliases: { z: { index_routing: '5', search_routing: '5' } } } });
    expect(await answer('PUT', '/_alias')).toEqual(
      unfit(
        'Alias action [add] requires an [alias] to be set',
        'Alias action [add]: Property [index] was either missing or null',
      ),
    );
  });
});

describe('templates', () => {
  const put = (more: object) => answer('PUT', '/_template/t', { template: 'x*', ...more });
  const invalid = (cause: string) =>
    refused(`InvalidIndexTemplateException[index_template [t] invalid, cause [${cause}]]`);

  it.each([
    [{ template: 'x y' }, invalid('template must not contain a space')],
    [{ template: '_x' }, invalid("template must not start with '_'")],
    [{ order: 1.7 }, OK],
    [{ order: {} }, refused('NumberFormatException[For input string: "{}"]', 500)],
    [
      { mappings: [] },
      refused(
        "ClassCastException[class java.util.ArrayList cannot be cast to class java.util.Map (java.util.ArrayList and java.util.Map are in module java.base of loader 'bootstrap')]",
        500,
      ),
    ],
    [{ aliases: { a: 5 } }, refused('ElasticsearchIllegalArgumentException[No alias is specified]')],
    [{ aliases: { a: 5, b: {} } }, OK],
    [{ aliases: { '': {} } }, refused('ElasticsearchIllegalArgumentException[alias name is required]')],
    [{ aliases: null }, refused('ElasticsearchParseException[Failed to derive xcontent]')],
  ])('%j', async (more, expected) => {
    expect(await put(more)).toEqual(expected);
  });
});

it('a name of an index that is too long says by how much', async () => {
  const name = 'a'.repeat(256);
  expect(await answer('PUT', `/${name}`)).toEqual(
    refused(
      `InvalidIndexNameException[[${name}] Invalid index name [${name}], index name is too long, (256 > 255)]`,
    ),
  );
});

describe('bodies that 1.7 reads from a text', () => {
  it.each([
    [
      'PUT',
      '/e/_settings',
      '{"a":}',
      500,
      `SettingsException[Failed to load settings from [{"a":}]]; nested: JsonParseException[Unexpected character ('}' (code 125)): expected a value\n at [Source: {"a":}; line: 1, column: 7]]; `,
    ],
    [
      'PUT',
      '/_snapshot/r/s',
      '{"indices":5}',
      400,
      'ElasticsearchIllegalArgumentException[failed to parse repository source [{"indices":5}]]; nested: ElasticsearchIllegalArgumentException[malformed indices section, should be an array of strings]; ',
    ],
    ['PUT', '/_snapshot/r', '[]', 400, 'ElasticsearchParseException[Failed to derive xcontent]'],
    ['PUT', '/e/_mapping/t', '[]', 500, NO_FORMAT],
    [
      'PUT',
      '/_template/t',
      '{"template":null}',
      500,
      'NullPointerException[Cannot invoke "Object.toString()" because the return value of "java.util.Map$Entry.getValue()" is null]',
    ],
  ])('%s %s %s', async (method, uri, body, status, error) => {
    await resilin.request('PUT', '/e');
    expect(await answer(method, uri, body)).toEqual([status, error]);
  });
});

it.each([
  ['{"query":{"term":{"n":tru}}}', true],
  ['{"query":{"match_all":{}', true],
  ['{"query":{', true],
  ['{"query":{"match_all":{}}', false],
  ['{"query":tru}', false],
  ['{"filter":{"term":{"n":tru}}}', false],
])('broken JSON in the query of a search is told by who reads queries: %s', async (body, inQuery) => {
  await resilin.request('PUT', '/e', { number_of_shards: 1 });
  const [, error] = await answer('POST', '/e/_search', body);
  expect(
    (error as string).includes('; nested: QueryParsingException[[e] Failed to parse]; nested: Json'),
  ).toBe(inQuery);
});

describe('what is wrong with a query alone', () => {
  beforeEach(async () => {
    await resilin.request('PUT', '/e', { number_of_shards: 1 });
    await resilin.request('PUT', '/e/t/1?refresh=true', { n: 1 });
  });

  it('is told by the first part that is wrong', async () => {
    const missing = (what: string) => refused(`QueryParsingException[[e] ${what}]`);
    const explain = (body: unknown) => answer('POST', '/e/t/1/_explain', body);
    expect(await explain({ nosuch: 5 })).toEqual(missing('request does not support [nosuch]'));
    expect(await explain({ query: { nosuch: {} }, x: 1 })).toEqual(
      missing('No query registered for [nosuch]'),
    );
    expect(await explain('{}')).toEqual(missing('Required query is missing'));
    expect((await explain('{'))[1]).toMatch(
      /^QueryParsingException\[\[e\] Failed to parse\]; nested: JsonParse/,
    );
  });

  it('is nothing to an update of which the part is not used', async () => {
    const update = (id: string, body: unknown) => answer('POST', `/e/t/${id}/_update`, body);
    expect((await update('1', { doc: { n: 2 }, upsert: 5 }))[0]).toBe(200);
    expect(await update('1', { doc: 5 })).toEqual(refused(NO_FORMAT, 500));
    expect((await update('2', { doc: {}, upsert: 5 }))[1]).toMatch(
      /^MapperParsingException\[failed to parse\]/,
    );
  });
});
