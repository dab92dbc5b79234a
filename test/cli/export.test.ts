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

it('ends where documents never come, and leaves no file', async () => {
  await fill();
  const broken = await meddled((path, response) => {
    if (!path.startsWith('/_search/scroll')) return false;
    response.destroy();
    return true;
  });
  const few = ['--tries', '1'];
  const one = await exported([`${broken}/books`, '--page', '1', '-o', 'books.jsonl', ...few]);
  expect([one.status, one.err]).toEqual([3, expect.stringContaining("a scroll can't go on after that")]);
  const failing = await meddled((path, response) => {
    if (!path.startsWith('/_search/scroll')) return false;
    response.end(
      '{"_scroll_id":"a","_shards":{"total":3,"failed":1,"failures":["why"]},"hits":{"total":4,"hits":[]}}',
    );
    return true;
  });
  const two = await exported([`${failing}/books`, '-o', 'books.jsonl', ...few]);
  expect([two.status, two.err]).toEqual([3, expect.stringContaining('1 shards of ')]);
  const partial = await meddled((path, response) => {
    if (!path.includes('search_type=scan')) return false;
    response.end(
      '{"_scroll_id":"a","_shards":{"total":3,"successful":2,"failed":0},"hits":{"total":4,"hits":[]}}',
    );
    return true;
  });
  const four = await exported([`${partial}/books`, '-o', 'books.jsonl', ...few]);
  expect([four.status, four.err]).toEqual([3, expect.stringContaining('1 of 3 shards of ')]);
  const short = await meddled((path, response) => {
    if (!path.startsWith('/_search/scroll')) return false;
    response.end(
      '{"_scroll_id":"a","_shards":{"total":3,"successful":3,"failed":0},"hits":{"total":4,"hits":[]}}',
    );
    return true;
  });
  const three = await run(['copy', `${short}/books`, `${server.url}/copy`, ...few], { cwd });
  expect([three.status, three.err]).toEqual([3, expect.stringContaining('has 4 documents, but 0 came')]);
  for (const name of ['books.jsonl', 'books.jsonl.part']) expect(existsSync(join(cwd, name))).toBe(false);
});

/** Passes pages on but the third, fifth and seventh: it has lost the context of their scroll, as a 1.7 that was restarted, or is gone. */
function forgetful(): { meddle: Meddling; pages: () => number } {
  let pages = 0;
  const meddle: Meddling = (path, response, { method }) => {
    if (!path.startsWith('/_search/scroll') || method !== 'POST') return false;
    pages++;
    const error =
      'SearchPhaseExecutionException[Failed to execute phase [query_fetch], all shards failed; shardFailures {SearchContextMissingException[No search context found for id [1]]}]';
    if (pages === 3) response.writeHead(404).end(JSON.stringify({ error, status: 404 }));
    else if (pages === 5)
      response.end(
        `{"_scroll_id":"a","_shards":{"total":3,"failed":1,"failures":[{"status":404,"reason":"SearchContextMissingException[No search context found for id [1]]"}]},"hits":{"total":12,"hits":[]}}`,
      );
    else if (pages === 7) response.destroy();
    else return false;
    return true;
  };
  return { meddle, pages: () => pages };
}

it('goes on where a server forgets its scroll in the middle: nothing is missing, nothing comes twice', async () => {
  await server.ask('PUT', '/books', { settings: { number_of_shards: 1 } });
  for (let i = 0; i < 12; i++) await server.ask('PUT', `/books/book/${i}`, { n: i });
  await server.ask('POST', '/books/_refresh');
  const expected = Array.from({ length: 12 }, (_, i) => `{"n":${i}}`).sort();
  const { meddle, pages } = forgetful();
  const from = await meddled(meddle);
  const one = await exported([`${from}/books`, '--page', '2', '-o', 'books.jsonl']);
  expect([one.status, one.out]).toEqual([0, '12 documents in books.jsonl\n']);
  expect(one.err).toMatch(
    /404.*trying again.*1 shards of .* failed.*trying again.*gives no answer.*trying again/s,
  );
  expect(lines(readFileSync(join(cwd, 'books.jsonl'), 'utf8'))).toEqual(expected);
  expect(pages()).toBeGreaterThan(9);
  const again = await meddled(forgetful().meddle);
  const two = await run(['copy', `${again}/books`, `${server.url}/copy`, '--page', '2'], { cwd });
  expect([two.status, two.out]).toEqual([0, '12 documents taken\n']);
  await server.ask('POST', '/copy/_refresh');
  expect(lines((await exported([`${server.url}/copy`])).out)).toEqual(expected);
  // Each came once: none was written again.
  expect((await exported([`${server.url}/copy`, '--metadata'])).out.match(/"_version":1,/g)).toHaveLength(12);
});

it('writes and copies percolator queries, with their routing and versions', async () => {
  await fill();
  const queries = { match: { title: 'ä' } };
  await server.ask('PUT', '/books/.percolator/q?version=5&version_type=external', {
    query: queries,
    year: 1900,
  });
  await server.ask('PUT', '/books/.percolator/r?routing=r', { query: { match_all: {} }, year: 1950 });
  await server.ask('POST', '/books/_refresh');
  const percolators = (text: string) => lines(text).filter((line) => line.includes('".percolator"'));
  const file = await exported([`${server.url}/books`, '--metadata', '-o', 'books.jsonl']);
  expect([file.status, file.out]).toEqual([0, '6 documents in books.jsonl\n']);
  const written = readFileSync(join(cwd, 'books.jsonl'), 'utf8');
  expect(percolators(written)).toEqual([
    '{"_type":".percolator","_id":"q","_version":5,"_source":{"query":{"match":{"title":"ä"}},"year":1900}}',
    '{"_type":".percolator","_id":"r","_version":1,"_routing":"r","_source":{"query":{"match_all":{}},"year":1950}}',
  ]);
  // They are last: what they ask for has its mapping by then.
  expect(percolators(written.split('\n').slice(4).join('\n'))).toHaveLength(2);
  const some = await exported([`${server.url}/books`, '--metadata', '--query', 'year:[1940 TO 1960]']);
  expect(some.out).toMatch(/^{"_type":".percolator","_id":"r",.*}\n$/);
  // Nothing tells their sources from those of documents.
  const plain = await exported([`${server.url}/books`]);
  expect([plain.status, lines(plain.out).length, plain.err]).toEqual([
    0,
    4,
    'resilin: percolator queries of books are left out (2); --metadata writes them too\n',
  ]);
  const there = await started();
  const copied = await run(['copy', `${server.url}/books`, `${there.url}/books`], { cwd });
  expect([copied.status, copied.out]).toEqual([0, '6 documents taken\n']);
  await server.ask('PUT', '/more', { mappings: { book: {}, review: { _parent: { type: 'plain' } } } });
  const args = ['import', 'books.jsonl', '--index', 'more', '--url', server.url];
  const imported = await run(args, { cwd });
  expect([imported.status, imported.err]).toEqual([0, '']);
  for (const [one, index] of [
    [there, 'books'],
    [server, 'more'],
  ] as const) {
    await one.ask('POST', `/${index}/_refresh`);
    const { out } = await exported([`${one.url}/${index}`, '--metadata']);
    expect(percolators(out)).toEqual(percolators(written));
    const asked = (path: string) => one.ask('POST', path, { doc: { title: 'ä' } });
    expect(await asked(`/${index}/book/_percolate`)).toMatchObject({ total: 2 });
  }
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
