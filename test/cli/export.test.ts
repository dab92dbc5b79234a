import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { built } from '../support/server.js';
import { run, start } from './command.js';
import { type Meddling, type ResilinServer, startProxy, startResilin } from './resilinServer.js';

await built();
let cwd: string;
let server: ResilinServer;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'resilin-export-'));
  server = await started();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  rmSync(cwd, { recursive: true, force: true });
});

async function started(): Promise<ResilinServer> {
  const one = await startResilin();
  ends.push(() => one.close());
  return one;
}
async function meddled(meddle: Meddling): Promise<string> {
  const proxy = await startProxy(server.url, meddle);
  ends.push(() => proxy.close());
  return proxy.url;
}

/** Documents with everything that a document can have. */
async function fill(): Promise<void> {
  await server.ask('PUT', '/books', {
    settings: {
      number_of_shards: 3,
      analysis: { analyzer: { mine: { type: 'custom', tokenizer: 'keyword' } } },
    },
    mappings: {
      book: {
        _timestamp: { enabled: true },
        _ttl: { enabled: true },
        properties: { title: { type: 'string', analyzer: 'mine' } },
      },
      plain: {},
      review: { _parent: { type: 'plain' } },
    },
  });
  const put = async (path: string, source: string) => {
    const answer = await fetch(server.url + path, { method: 'PUT', body: source });
    expect(answer.status).toBe(201);
  };
  await put(
    '/books/book/1?routing=r&version=7&version_type=external&timestamp=2100-01-01&ttl=10d',
    '{"title" : "ä",\n "price":1.50}',
  );
  await put('/books/plain/1', '{"n":12345678901234567}');
  await put('/books/plain/a%20%22b%22', '{}');
  await put('/books/review/2?parent=1', '{"stars":5}');
  await server.ask('POST', '/books/_refresh');
}
const exported = (args: readonly string[]) => run(['export', ...args], { cwd });
const lines = (text: string) => text.trimEnd().split('\n').sort();

it('writes sources byte for byte, and with --metadata what belongs to a document', async () => {
  await fill();
  const plain = await exported(['books', '--url', server.url]);
  expect([plain.status, lines(plain.out)]).toEqual([
    0,
    ['{"n":12345678901234567}', '{"stars":5}', '{"title" : "ä",  "price":1.50}', '{}'],
  ]);
  const file = await exported([`${server.url}/books`, '-o', 'books.jsonl.gz', '--metadata', '--page', '1']);
  expect([file.status, file.out]).toEqual([0, '4 documents in books.jsonl.gz\n']);
  const [first, ...more] = lines(gunzipSync(readFileSync(join(cwd, 'books.jsonl.gz'))).toString());
  expect(more).toEqual([
    '{"_type":"plain","_id":"1","_version":1,"_source":{"n":12345678901234567}}',
    '{"_type":"plain","_id":"a \\"b\\"","_version":1,"_source":{}}',
    '{"_type":"review","_id":"2","_version":1,"_routing":"1","_parent":"1","_source":{"stars":5}}',
  ]);
  const [, ttl, timestamp] = /"_ttl":(\d+),"_timestamp":(\d+),/.exec(first!)!;
  expect(first).toBe(
    `{"_type":"book","_id":"1","_version":7,"_routing":"r","_ttl":${ttl},"_timestamp":${timestamp},"_source":{"title" : "ä",  "price":1.50}}`,
  );
  expect(Number(timestamp)).toBe(Date.parse('2100-01-01'));
  // What is left of it is a moment old.
  expect(Math.round(Number(ttl) / 86_400_000)).toBe(10);
});

it('writes what matches a query, in words or in JSON', async () => {
  await fill();
  for (const query of ['stars:5', '{"term":{"stars":5}}', '{"query":{"range":{"stars":{"gte":5}}}}'])
    expect((await exported(['books', '--url', server.url, '--query', query])).out).toBe('{"stars":5}\n');
  const { status, err } = await exported(['books', '--url', server.url, '--query', '{"nothing":{}}']);
  expect([status, err]).toEqual([3, expect.stringMatching(/answers with 400: .*nothing/)]);
});

it('what import reads again is the same index', async () => {
  await fill();
  const there = await started();
  await there.ask('PUT', '/books', {
    mappings: {
      book: { _timestamp: { enabled: true }, _ttl: { enabled: true } },
      review: { _parent: { type: 'plain' } },
    },
  });
  const one = await exported([`${server.url}/books`, '--metadata', '-o', 'books.jsonl']);
  expect(one.status).toBe(0);
  const args = ['import', 'books.jsonl', '--index', 'books', '--url', there.url];
  for (let twice = 0; twice < 2; twice++) expect((await run(args, { cwd })).status).toBe(0);
  await there.ask('POST', '/books/_refresh');
  const two = await exported([`${there.url}/books`, '--metadata']);
  const withoutTtl = (text: string) => lines(text.replace(/"_ttl":\d+/, ''));
  expect(withoutTtl(two.out)).toEqual(withoutTtl(readFileSync(join(cwd, 'books.jsonl'), 'utf8')));
});

it('copies an index: settings, mappings, and documents with all that they have; again too', async () => {
  await fill();
  const there = await started();
  const args = ['copy', `${server.url}/books`, `${there.url}/library`];
  for (let twice = 0; twice < 2; twice++) {
    const { status, out, err } = await run(args, { cwd });
    expect([status, out, err]).toEqual([0, '4 documents taken\n', '']);
  }
  const settingsOf = async (one: ResilinServer, name: string) => {
    const answer = (await one.ask('GET', `/${name}`)) as Record<
      string,
      { settings: { index: object }; mappings: object }
    >;
    const { settings, mappings } = answer[name]!;
    return { ...settings.index, creation_date: 0, uuid: '', mappings };
  };
  expect(await settingsOf(there, 'library')).toEqual(await settingsOf(server, 'books'));
  await there.ask('POST', '/library/_refresh');
  const of = async (url: string) =>
    lines((await exported([url, '--metadata'])).out.replace(/"_ttl":\d+/, ''));
  expect(await of(`${there.url}/library`)).toEqual(await of(`${server.url}/books`));
  // What is newer there stays.
  await there.ask('PUT', '/library/plain/1?version=9&version_type=external', { n: 2 });
  const newer = await run(args, { cwd });
  expect([newer.status, newer.out]).toEqual([1, '3 documents taken, 1 refused: library.refused.jsonl\n']);
  expect(JSON.parse(readFileSync(join(cwd, 'library.refused.jsonl'), 'utf8'))).toMatchObject({
    file: `${server.url}/books`,
    status: 409,
    source: '{"n":12345678901234567}',
  });
});

it('ends where not all documents come, and leaves no file', async () => {
  await fill();
  let pages = 0;
  const broken = await meddled((path, response) => {
    if (!path.startsWith('/_search/scroll') || ++pages !== 2) return false;
    response.destroy();
    return true;
  });
  const one = await exported([`${broken}/books`, '--page', '1', '-o', 'books.jsonl']);
  expect([one.status, one.err]).toEqual([
    3,
    expect.stringContaining("a scroll can't go on after that, begin again"),
  ]);
  const failing = await meddled((path, response) => {
    if (!path.startsWith('/_search/scroll')) return false;
    response.end(
      '{"_scroll_id":"a","_shards":{"total":3,"failed":1,"failures":["why"]},"hits":{"total":4,"hits":[]}}',
    );
    return true;
  });
  const two = await exported([`${failing}/books`, '-o', 'books.jsonl']);
  expect([two.status, two.err]).toEqual([3, expect.stringContaining('1 shards of ')]);
  const short = await meddled((path, response) => {
    if (!path.startsWith('/_search/scroll')) return false;
    response.end('{"_scroll_id":"a","_shards":{"total":3,"failed":0},"hits":{"total":4,"hits":[]}}');
    return true;
  });
  const three = await run(['copy', `${short}/books`, `${server.url}/copy`], { cwd });
  expect([three.status, three.err]).toEqual([3, expect.stringContaining('has 4 documents, but 0 came')]);
  for (const name of ['books.jsonl', 'books.jsonl.part']) expect(existsSync(join(cwd, name))).toBe(false);
});

it('waits where a page is put off', async () => {
  await fill();
  let pages = 0;
  const busy = await meddled((path, response) => {
    if (!path.startsWith('/_search/scroll') || ++pages !== 2) return false;
    response.writeHead(429).end('{"error":"busy"}');
    return true;
  });
  const { status, out } = await exported([`${busy}/books`, '--page', '1']);
  expect([status, lines(out).length]).toEqual([0, 4]);
});

it('Ctrl-C and a closed output end it', async () => {
  await fill();
  let isSent = false;
  const held = await meddled((path) => {
    // A second one would end it at once.
    if (path.startsWith('/_search/scroll') && !isSent) isSent = command.child.kill('SIGINT');
    return false;
  });
  const command = start(['export', `${held}/books`, '--page', '1', '-o', 'books.jsonl'], { cwd });
  const { status, err } = await command.ended;
  expect([status, err]).toEqual([130, expect.stringMatching(/stopped after \d of 4 documents/)]);
  expect(existsSync(join(cwd, 'books.jsonl'))).toBe(false);
  const text = 'x'.repeat(1_000_000);
  for (let i = 0; i < 8; i++) await server.ask('PUT', `/books/plain/long${i}`, { text });
  await server.ask('POST', '/books/_refresh');
  const closed = start(['export', `${server.url}/books`, '--page', '1'], { cwd });
  closed.ended.catch(() => {});
  closed.child.stdout!.once('data', () => closed.child.stdout!.destroy());
  const [[code], quiet] = await Promise.all([once(closed.child, 'exit'), textOf(closed.child.stderr!)]);
  expect([code, quiet]).toEqual([0, '']);
});

it('refuses wrong usage, explains itself, and knows a package from documents', async () => {
  writeFileSync(join(cwd, 'b.refused.jsonl'), '');
  const cases: [string[], RegExp][] = [
    [['export'], /export which index/],
    [['export', 'a', 'b', '--metadata'], /-o b; its file for browsers is resilin package/],
    [['export', 'a', '--query', '{'], /--query is no JSON/],
    [['export', 'http://127.0.0.1:1'], /names no index/],
    [['copy', 'http://h/a'], /copy which index to where/],
    [['copy', 'a', 'http://h/b'], /a is no URL/],
    [['copy', 'http://h/a', 'http://h/a'], /both are the same index/],
    [['copy', 'http://h/a', 'http://h/b'], /b\.refused\.jsonl is there already/],
  ];
  for (const [args, message] of cases) {
    const { status, err } = await run(args, { cwd });
    expect([args, status, err]).toEqual([args, 2, expect.stringMatching(message)]);
  }
  for (const name of ['export', 'copy']) {
    const help = await run([name, '--help'], { cwd });
    expect([help.status, help.out]).toEqual([0, expect.stringContaining(`resilin ${name} - `)]);
  }
  const missing = await exported([`${server.url}/none`]);
  expect([missing.status, missing.err]).toEqual([3, expect.stringContaining('IndexMissingException')]);
  await fill();
  for (const name of ['export', 'package']) {
    const { status, out } = await run([name, `${server.url}/books`, `${name}.resilin`], { cwd });
    expect([status, out]).toEqual([0, expect.stringMatching(/^books: \d+ bytes in /)]);
  }
  expect(readFileSync(join(cwd, 'export.resilin'))).toEqual(readFileSync(join(cwd, 'package.resilin')));
});
