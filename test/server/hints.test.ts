/** Errors say to people what to do, behind 1.7's own text; programs get that text alone. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nearestName } from '../../host/server/nearestName.js';
import type { RunningServer, ServerOptions } from '../../host/server/index.js';
import { built } from '../support/server.js';

const host = join(await built(), 'js/host');
let server: RunningServer;
beforeAll(async () => {
  const { createServer } = (await import(join(host, 'server/index.js'))) as {
    createServer: (options: ServerOptions) => Promise<RunningServer>;
  };
  server = await createServer({ port: 0, data: ':memory:', threads: 1, http: { maxBody: 4096 } });
  await ask('PUT', '/a/t/1', '{"n":1}');
  await ask('PUT', '/shut', '{}');
  await ask('POST', '/shut/_close');
});
afterAll(() => server.close());

async function ask(method: string, path: string, body?: string, agent = 'curl/8.5.0'): Promise<string> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'user-agent': agent },
    ...(body === undefined ? {} : { body }),
  });
  return answer.text();
}

/** What follows the error that a program gets. */
async function hint(method: string, path: string, body?: string): Promise<string | undefined> {
  const error = async (agent: string) =>
    (JSON.parse(await ask(method, path, body, agent)) as { error: string }).error;
  const [plain, shown] = [await error('elasticsearch-js/13.3.1'), await error('curl/8.5.0')];
  const withoutNode = (text: string) => text.replace(/\[B@[0-9a-f]+/g, '');
  expect(withoutNode(shown).startsWith(withoutNode(plain))).toBe(true);
  expect(plain).not.toContain(' - ');
  const added = withoutNode(shown).slice(withoutNode(plain).length);
  return added === '' ? undefined : added.replace(/^ ?- /, '');
}

describe('behind an error', () => {
  const search = (body: object) => hint('POST', '/a/_search', JSON.stringify(body));

  it('stands the name that was meant, if one is near', async () => {
    expect(await search({ query: { mtach: { n: 1 } } })).toBe('is [match] meant?');
    expect(await search({ query: { filtered: { filter: { exits: { field: 'n' } } } } })).toBe(
      'is [exists] meant?',
    );
    expect(await search({ aggs: { x: { trms: { field: 'n' } } } })).toBe('is [terms] meant?');
    expect(await search({ qurey: { match_all: {} } })).toBe('is [query] meant?');
    expect(await search({ query: { nosuch: {} } })).toBeUndefined();
  });

  it('stands where a query, or a filter, belongs', async () => {
    expect(await search({ match: { n: 1 } })).toBe('[match] is a query: write {"query": {"match": ...}}');
    expect(await search({ query: { exists: { field: 'n' } } })).toBe(
      '[exists] is a filter: write {"filtered": {"filter": {"exists": ...}}}',
    );
    expect(await search({ query: { filtered: { filter: { match: { n: 1 } } } } })).toMatch(
      /^\[match\] is a query/,
    );
  });

  it('stands what a bulk is', async () => {
    const bulk = (body: string) => hint('POST', '/a/t/_bulk', body);
    expect(await bulk('{"title":"x"}\n{"title":"y"}\n')).toMatch(/^a line before each document/);
    expect(await bulk('{"title":{"x":1}}\n{"title":{"x":1}}\n')).toMatch(/^a line before each document/);
    expect(await bulk('[{"title":"x"}]\n[]\n')).toMatch(/^the body is lines of JSON/);
    expect(await bulk('[{"title":"x"}]')).toMatch(/^the body is lines of JSON/);
    expect(await bulk('{"index":{}}\n{"title":"x"}')).toMatch(/--data-binary @FILE/);
    expect(await bulk('{"index":1}\n{"title":"x"}\n')).toBeUndefined();
    expect(await bulk(`{"index":{}}\n{"title":"${'x'.repeat(5000)}"}\n`)).toMatch(
      /^send it in several requests/,
    );
  });

  it('stands what to do about mappings and indices', async () => {
    expect(await hint('PUT', '/a/t/2', '{"n":"abc"}')).toMatch(/^the value doesn't fit the mapping of \[n\]/);
    expect(await hint('PUT', '/a/t/2', '{"n":{"x":1}}')).toMatch(
      /^the value doesn't fit the mapping of \[n\]/,
    );
    const mapping = '{"t":{"properties":{"n":{"type":"string"}}}}';
    expect(await hint('PUT', '/a/_mapping/t', mapping)).toMatch(/copy the documents with resilin copy$/);
    expect(await hint('GET', '/nope/_search')).toBe('GET /_cat/indices names those that there are');
    expect(await hint('GET', '/shut/_search')).toBe('POST /shut/_open opens it');
  });
});

it('leaves the form of an answer as it is', async () => {
  expect(await ask('GET', '/nope/_search?pretty')).toBe(
    '{\n  "error" : "IndexMissingException[[nope] missing] - GET /_cat/indices names those that there are",\n  "status" : 404\n}\n',
  );
  // A quotation mark and a backslash in the error.
  const quoted = await ask('PUT', '/a/t/2', '{"n":"a\\"b\\\\"}');
  expect((JSON.parse(quoted) as { error: string }).error).toContain('a"b\\"]; - the value');
  expect(await ask('GET', '/nope/_search?format=yaml')).not.toContain(' - GET');
});

it('finds near names, and no others', () => {
  const names = ['match', 'term', 'terms', 'range'];
  expect(nearestName('mtach', names)).toBe('match');
  expect(nearestName('trms', names)).toBe('terms');
  expect(nearestName('ragne', names)).toBe('range');
  expect(nearestName('nosuch', names)).toBeUndefined();
  expect(nearestName('ab', ['xy'])).toBeUndefined();
});
