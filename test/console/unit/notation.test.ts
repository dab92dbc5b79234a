/** Requests in one text, commands of curl, code of the client, marks and warnings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { indented } from '../../../console/src/dsl/indented.js';
import type { DslTables } from '../../../console/src/dsl/tables.js';
import { tablesOf } from '../../../console/src/views/requests/answerTable.js';
import { answerMark, bodyMarks } from '../../../console/src/views/requests/bodyErrors.js';
import { clientCode } from '../../../console/src/views/requests/clientCode.js';
import { fromCurl, isCurl } from '../../../console/src/views/requests/curlCommand.js';
import {
  bodyToSend,
  jsonValues,
  readRequests,
  requestAt,
} from '../../../console/src/views/requests/notation.js';
import { warningOf } from '../../../console/src/views/requests/warning.js';

const tables = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../console/src/dsl/tables.generated.json'), 'utf8'),
) as DslTables;

const TEXT = `# A comment
GET /_cat/indices?v

post books/_search
{
  # the words
  "query": {"match": {"title": "time"}}
}

// another
POST http://old:9200/_bulk
{"index": {"_id": "1"}}
{
  "n": 12345678901234567890, "text": "a } b"
}
`;

describe('several requests in one text', () => {
  const requests = readRequests(TEXT);

  it('are told apart, with their bodies', () => {
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /_cat/indices?v',
      'POST /books/_search',
      'POST /_bulk',
    ]);
    expect(requests[0]!.body).toBe('');
    for (const { body, bodyFrom, to } of requests.slice(1)) expect(TEXT.slice(bodyFrom, to)).toBe(body);
  });

  it('are sent without comments, a bulk with a value in each line and all digits', () => {
    expect(bodyToSend(requests[0]!)).toBeUndefined();
    expect(JSON.parse(bodyToSend(requests[1]!)!)).toEqual({ query: { match: { title: 'time' } } });
    expect(bodyToSend(requests[2]!)).toBe(
      '{"index":{"_id":"1"}}\n{"n":12345678901234567890,"text":"a } b"}\n',
    );
  });

  it('belong to the cursor in their lines', () => {
    expect(requestAt(requests, 0)).toBe(requests[0]);
    expect(requestAt(requests, TEXT.indexOf('"match"'))).toBe(requests[1]);
    expect(requestAt(requests, TEXT.length)).toBe(requests[2]);
  });

  it('keep what is written when they are indented', () => {
    expect(indented('{"a":1.0,"b":[],"c":[1e5,{"d":"x, y"}]}')).toBe(
      '{\n  "a": 1.0,\n  "b": [],\n  "c": [\n    1e5,\n    {\n      "d": "x, y"\n    }\n  ]\n}',
    );
    expect(jsonValues('{"a": "\\"}"}\n\n{"b": 1}')).toEqual(['{"a":"\\"}"}', '{"b":1}']);
  });
});

describe('a command of curl', () => {
  it.each([
    [`curl localhost:9200/_cat/health`, 'GET /_cat/health\n'],
    [`curl -XPUT 'http://localhost:9200/a/b/1?refresh' -d '{"x":1}'`, 'PUT /a/b/1?refresh\n{\n  "x": 1\n}\n'],
    [
      `$ curl -s -u ann:secret -H 'Content-Type: application/json' \\\n  "localhost:9200/a/_search" -d "{\\"size\\": 1}"`,
      'POST /a/_search\n{\n  "size": 1\n}\n',
    ],
    [`curl -I localhost:9200/books`, 'HEAD /books\n'],
    [
      `curl -X POST localhost:9200/_bulk --data-binary '{"index":{}}\n{"a":1}\n'`,
      'POST /_bulk\n{"index":{}}\n{"a":1}\n',
    ],
    [`curl -d '{"t":"it'\\''s"}' localhost:9200/a/b`, 'POST /a/b\n{\n  "t": "it\'s"\n}\n'],
  ])('%s', (command, request) => {
    expect(isCurl(command)).toBe(true);
    expect(fromCurl(command)).toBe(request);
    expect(fromCurl(command)).not.toContain('secret');
  });
});

describe('code of the client', () => {
  const code = (method: string, path: string, body?: string) =>
    clientCode('http://h:9200', { method, path, body }, tables);

  it.each([
    [
      'GET',
      '/books/_search?size=5',
      '{"query":{}}',
      "client.search({\n  index: 'books',\n  size: '5',\n  body: {",
    ],
    [
      'PUT',
      '/books/book/1?version_type=external',
      '{}',
      "client.index({\n  index: 'books',\n  type: 'book',\n  id: '1',\n  versionType: 'external',",
    ],
    ['DELETE', '/books', undefined, "client.indices.delete({\n  index: 'books',\n})"],
    [
      'POST',
      '/_bulk',
      '{"index":{}}\n{"a":1}\n',
      'client.bulk({\n  body: [\n    {"index":{}},\n    {"a":1},\n  ],',
    ],
    ['GET', '/_cluster/health', undefined, 'client.cluster.health()'],
    [
      'GET',
      '/_nowhere/at/all/of/it',
      undefined,
      "client.transport.request({\n  method: 'GET',\n  path: '/_nowhere",
    ],
  ])('%s %s', (method, path, body, expected) => {
    expect(code(method, path, body)).toContain(expected);
  });
});

describe('what is wrong', () => {
  it('is marked where a body is no JSON', () => {
    const text = 'GET /a/_search\n{\n  "a": 1\n  "b": 2\n}\n\nPOST /_bulk\n{"index": {}}\n{"x": }\n';
    const marks = bodyMarks(readRequests(text));
    expect(marks.map(({ from }) => text.slice(from, from + 3))).toEqual(['"b"', '}\n']);
    expect(marks[0]!.message).toContain('comma');
  });

  it('is marked where an answer names the place', () => {
    const text = 'GET /a/_search\n{\n  "size": nix\n}\n';
    const [request] = readRequests(text);
    const mark = answerMark(
      request!,
      bodyToSend(request!)!,
      'JsonParseException[Unrecognized token\n at [Source: x; line: 2, column: 14]; ',
    );
    expect(mark!.message).toBe('Unrecognized token');
    expect(text.slice(0, mark!.from)).toContain('nix');
  });

  it.each([
    ['DELETE', '/*', undefined, true],
    ['DELETE', '/_all', undefined, true],
    ['DELETE', '/%2A', undefined, true],
    ['DELETE', '/a,b', undefined, true],
    ['DELETE', '/a/t', undefined, true],
    ['DELETE', '/a/_query', '{"query":{"match_all":{}}}', true],
    ['DELETE', '/_all/_query', '{"query":{"term":{"a":1}}}', true],
    ['DELETE', '/a/_query', '{"query":{"term":{"a":1}}}', false],
    ['DELETE', '/a/_query?q=x', undefined, false],
    ['DELETE', '/a/t/1', undefined, false],
    ['DELETE', '/a', undefined, false],
    ['DELETE', '/_search/scroll/_all', undefined, false],
    ['GET', '/_all', undefined, false],
  ])('%s %s %s asks first: %s %s', (method, path, body, asks) => {
    expect(warningOf({ method, path, body }) !== undefined).toBe(asks);
  });
});

describe('an answer as a table', () => {
  it('has the fields of hits as columns', () => {
    const [table] = tablesOf(
      { hits: { hits: [{ _id: '1', _score: 1.5, _source: { a: { b: 2 }, c: ['x'] } }] } },
      '',
    );
    expect(table!.columns).toEqual(['_id', '_score', 'a.b', 'c']);
    expect(table!.rows).toEqual([['1', '1.5', '2', '["x"]']]);
  });

  it('makes the first rows of many, and tells how many there are', () => {
    const hits = Array.from({ length: 5000 }, (_, i) => ({ _id: String(i), _source: { n: i } }));
    const [table] = tablesOf({ hits: { hits } }, '', 100);
    expect([table!.rows.length, table!.count]).toEqual([100, 5000]);
  });

  it('has buckets with their metrics', () => {
    const [table] = tablesOf(
      { aggregations: { colors: { buckets: [{ key: 'red', doc_count: 3, mean: { value: 1.5 } }] } } },
      '',
    );
    expect(table).toMatchObject({
      title: 'colors',
      columns: ['key', 'doc_count', 'mean'],
      rows: [['red', '3', '1.5']],
    });
  });

  it('reads the columns of _cat', () => {
    const [table] = tablesOf(
      undefined,
      'health index pri docs.count \nyellow books   5        300 \ngreen  b       1          2 \n',
    );
    expect(table!.columns).toEqual(['health', 'index', 'pri', 'docs.count']);
    expect(table!.rows[0]).toEqual(['yellow', 'books', '5', '300']);
    expect(table!.numbers).toEqual(new Set([2, 3]));
  });
});
