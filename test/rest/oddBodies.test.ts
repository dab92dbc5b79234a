/** Bodies that are JSON and yet not what a call wants: each is answered as 1.7's handlers answer, who read token by token. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

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
      refused('ClassCastException[java.util.ArrayList cannot be cast to java.util.Map]', 500),
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
