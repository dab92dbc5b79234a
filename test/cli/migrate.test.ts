import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { built } from '../support/server.js';
import { run, start } from './command.js';
import { OldServer } from './oldServer.js';
import { type Meddling, type ResilinServer, startProxy, startResilin } from './resilinServer.js';

await built();
const FIXTURES = join(import.meta.dirname, '../fixtures/migrate');
const fixture = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');

let cwd: string;
let server: ResilinServer;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'resilin-migrate-'));
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
async function meddled(url: string, meddle: Meddling): Promise<string> {
  const proxy = await startProxy(url, meddle);
  ends.push(() => proxy.close());
  return proxy.url;
}
/** An old server by a fixture. */
async function old(name: string, hits: readonly string[]): Promise<{ url: string; old: OldServer }> {
  const one = new OldServer(JSON.parse(fixture(name)) as Record<string, unknown>, hits);
  const url = await one.listen();
  ends.push(() => one.close());
  return { url, old: one };
}
const HITS = fixture('hits.jsonl').trimEnd().split('\n');
/** So many documents of the type `book`, whose page is one. */
const books = (count: number) =>
  Array.from(
    { length: count },
    (_, i) =>
      `{"_index":"books","_type":"book","_id":"${i}","_version":${i + 1},"_score":0.0,"_source":{"year":${1900 + i}}}`,
  );
/** A document that fills a bulk. */
const large = (hit: string) => hit.replace('"_source":{', `"_source":{"text":"${'x'.repeat(4_400_000)}",`);
const migrated = (url: string, ...args: string[]) =>
  run(['migrate', url, '--to', server.url, ...args], { cwd });
const only = ['--index', 'books'];
/** Text of an answer, with the digits that it has. */
const textOf = async (path: string) => (await fetch(server.url + path)).text();

it('tells what will differ, moves everything else with all that it has, and compares', async () => {
  const { url, old: one } = await old('server17.json', HITS);
  const { status, out, err } = await migrated(url.replace('//', '//ann:secret@'));
  expect([status, err]).toEqual([1, '']);
  for (const line of [
    `${url} is Elasticsearch 1.7.3: 4 indices, 7 documents, 1 template`,
    "  - plugin analysis-phonetic: its token filters aren't here; make the index without them before moving",
    "  - plugin head: its pages aren't served; serve them elsewhere and start Resilin with --cors",
    "  - the old server's elasticsearch.yml: what it says about all indices isn't moved: index.analysis.analyzer.ours.type; ",
    "  - settings of the cluster: they aren't moved: action.auto_create_index; ",
    '  ! river twitter: there are no rivers; ',
    "  - index books: blocks.write isn't set here, ",
    "  ! index books, type secret: _source is disabled, so its documents can't be read; ",
    '  ! index books, type lean: _source has only a part of each document (body): ',
    "  ! index books, type lean: scripts of transform don't run here, so fields that they make aren't found; ",
    "  ! index shut: it is closed, so it can't be read; POST /shut/_open there, then move it",
    '  ! index sounds: token filter sound of type phonetic: failed to find token filter type [phonetic] for [sound]; ',
    '  ! index sounds: type word, field file: No handler for type [attachment] declared on field [file]; ',
    '  ! index thais: type text, field text: the thai analyzer, ',
    '  ! stored script mvel/old: it is refused: script_lang not supported [mvel]; ',
    '  - 1 stored script in Groovy: Groovy runs only where it is let; start Resilin with --script-indexed on ',
    'books: 5 moved, 1 without a stored source\n',
    'thais: not moved\n',
    'stored scripts: 2 moved\n',
    'books  .percolator      1     1  same\n',
    'books  book             3     3  same\n',
    'books  review           1     1  same\n',
    'Not all is moved and the same: see above.\n',
  ])
    expect(out).toContain(line);
  const refused = readFileSync(join(cwd, 'migrate.refused.jsonl'), 'utf8').trimEnd();
  expect(JSON.parse(refused)).toMatchObject({
    reason: 'its source is not stored',
    action: '{"index":{"_type":"secret","_id":"1","_version":1}}',
  });
  // Sources, versions and routing are those that they were, digit by digit.
  expect(await textOf('/books/book/1')).toContain(
    '"_version":9007199254740993,"found":true,"_source":{"title" : "ä", "year":1900, "price":1.50}',
  );
  const timed = { query: { ids: { values: ['1'] } }, fielddata_fields: ['_timestamp'] };
  expect(await server.ask('POST', '/books/book/_search', timed)).toMatchObject({
    hits: { hits: [{ fields: { _timestamp: [4_102_444_800_000] } }] },
  });
  // What is left of it is a moment old.
  const { fields } = (await server.ask('GET', '/books/book/2?routing=r&fields=_ttl')) as {
    fields: { _ttl: number };
  };
  expect(Math.round(fields._ttl / 86_400_000)).toBe(10);
  expect(await textOf('/books/book/2?routing=r')).toContain(
    '"_version":3,"found":true,"_source":{"title":"b","n":12345678901234567}',
  );
  expect(await textOf('/books/review/1?parent=1&fields=_parent,_routing')).toContain(
    '"_version":2,"found":true,"fields":{"_parent":"1","_routing":"1"}',
  );
  const { books: made } = (await server.ask('GET', '/books')) as {
    books: { settings: { index: { blocks?: unknown } }; mappings: { lean: { transform?: unknown } } };
  };
  expect(made).toMatchObject({
    mappings: { lean: { properties: { a: { type: 'string' } } } },
    settings: {
      index: { number_of_shards: '2', analysis: { analyzer: { mine: { filter: ['lowercase'] } } } },
    },
    aliases: {
      classics: { filter: { range: { year: { lt: 1950 } } } },
      mine: { index_routing: 'r', search_routing: 'r' },
    },
    warmers: { w: { types: ['book'], source: { query: { match_all: {} } } } },
  });
  expect(made.settings.index.blocks).toBeUndefined();
  expect(made.mappings.lean.transform).toBeUndefined();
  expect(await server.ask('POST', '/books/book/_percolate', { doc: { title: 'B' } })).toMatchObject({
    matches: [{ _id: 'q' }],
  });
  expect(await server.ask('GET', '/_template/logs')).toMatchObject({
    logs: { template: 'log*', aliases: { 'all-logs': {} } },
  });
  expect(await server.ask('GET', '/_scripts/groovy/twice')).toMatchObject({
    _version: 2,
    script: '_score * 2',
  });
  expect(await server.ask('GET', '/_search/template/find')).toMatchObject({ found: true });
  // The old server is only read.
  const writes = one.requests.filter(
    ({ method, path }) => method !== 'GET' && !/\/_(?:search|mget)/.test(path),
  );
  expect(writes).toEqual([]);
  expect(one.requests[0]!.authorization).toBe(`Basic ${Buffer.from('ann:secret').toString('base64')}`);
});

it('--dry-run reports and changes nothing', async () => {
  const { url } = await old('server17.json', HITS);
  const asked: string[] = [];
  const to = await meddled(server.url, (_, __, { method }) => {
    asked.push(method!);
    return false;
  });
  const { status, out } = await run(['migrate', url, '--to', to, '--dry-run'], { cwd });
  expect([status, out]).toEqual([1, expect.stringMatching(/thai analyzer.*Nothing was changed/s)]);
  expect(new Set(asked)).toEqual(new Set(['GET', 'HEAD']));
  expect(await server.ask('GET', '/_settings')).toEqual({});
  expect(existsSync(join(cwd, 'migrate.refused.jsonl'))).toBe(false);
});

it('goes on where the old server is busy, and where a connection breaks in the middle of a scroll', async () => {
  const { url, old: one } = await old('server17.json', books(9));
  withoutScripts(one);
  one.meddle = (path, response) =>
    path === '/books/_mapping' && one.requests.length % 2 === 1 && refusedWith(response, 503);
  one.meddlePage = (n, response) => {
    if (n === 2) return refusedWith(response, 429);
    if (n === 3) return refusedWith(response, 503);
    if (n !== 5) return false;
    response.destroy();
    return true;
  };
  const { out, err } = await migrated(url, ...only, '--page', '2', '--connections', '1');
  expect(err).toMatch(/429.*trying again.*503.*a scroll can't go on after that; trying again/s);
  expect(out).toContain('books: 9 moved\n');
  expect(out).toContain('books  book      9     9  same');
});

/** Its documents are the only ones that are scrolled. */
function withoutScripts({ answers }: OldServer): void {
  delete (answers['/_settings'] as Record<string, unknown>)['.scripts'];
}

function refusedWith(response: import('node:http').ServerResponse, status: number): boolean {
  response.writeHead(status).end(`{"error":"busy","status":${status}}`);
  return true;
}

it('stops at Ctrl-C, and moves the rest when it is run again', async () => {
  const [first, second, ...rest] = books(9);
  const { url, old: one } = await old('server17.json', [large(first!), large(second!), ...rest]);
  withoutScripts(one);
  one.meddlePage = (n) => {
    if (n === 3) command.child.kill('SIGINT');
    return false;
  };
  const args = ['migrate', url, '--to', server.url, ...only, '--page', '2', '--connections', '1'];
  const command = start(args, { cwd });
  const { status, err } = await command.ended;
  expect([status, err]).toEqual([130, expect.stringContaining('the same command goes on')]);
  const { out } = await run(args, { cwd });
  // The first one's bulk was under way, and got its answer.
  const [, moved, already] = /books: (\d) moved, (\d) already there\n/.exec(out)!;
  expect(Number(moved) + Number(already)).toBe(9);
  expect(Number(already)).toBeGreaterThan(0);
  expect(out).toContain('books  book      9     9  same');
});

it('run again, it moves what has changed; --delete deletes, --force puts older versions in place of newer ones', async () => {
  const { url, old: one } = await old('server17.json', books(5));
  expect((await migrated(url, ...only)).out).toContain('books: 5 moved\n');
  const [, ...rest] = one.hits;
  const changed = rest[0]!.json.replace('"_version":2', '"_version":20').replace('1901', '2000');
  one.hits = [{ ...rest[0]!, json: changed }, ...rest.slice(1)];
  await server.ask('PUT', '/books/book/4?version=50&version_type=external', { year: 1 });
  const again = await migrated(url, ...only);
  expect([again.status, again.out]).toEqual([
    1,
    expect.stringContaining('books: 1 moved, 3 already there\n'),
  ]);
  expect(again.out).toContain('books  book      4     5  COUNTS DIFFER');
  expect(again.out).toContain('  books/book/4: version 5 there, 50 here\n');
  expect(again.out).toContain('  books/book/0 is only here: --delete deletes such\n');
  const deleting = await migrated(url, ...only, '--delete');
  expect(deleting.out).toContain('books: 0 moved, 4 already there, 1 deleted\n');
  expect(deleting.out).toContain('books  book      4     4  CONTENTS DIFFER');
  const forced = await migrated(url, ...only, '--force');
  expect(forced.out).toContain('books  book      4     4  same');
  expect(await textOf('/books/book/1')).toContain('"_version":20,"found":true,"_source":{"year":2000}');
  expect(await textOf('/books/book/4')).toContain('"_version":5,"found":true,"_source":{"year":1904}');
});

it('an index that is there keeps its own ways; what it refuses is told, in a file too', async () => {
  const { url } = await old('server17.json', books(3));
  await server.ask('PUT', '/books', {
    settings: { number_of_shards: 4 },
    mappings: { book: { properties: { year: { properties: { from: { type: 'long' } } } } } },
  });
  writeFileSync(join(cwd, 'migrate.refused.jsonl'), 'of the run before');
  const { status, out } = await migrated(url, ...only);
  expect([status, out]).toEqual([1, expect.stringContaining('books: 0 moved, 3 refused\n')]);
  expect(out).toContain(
    '- index books, type book: its mapping stays as it is here: Analyzer [mine] not found for field [title]; ',
  );
  expect(out).toContain('! index books, alias classics: it is refused: [books] Strict field resolution');
  expect(out).toContain('books  book      3     0  COUNTS DIFFER');
  const [line, , , end] = readFileSync(join(cwd, 'migrate.refused.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(line!)).toMatchObject({
    file: url,
    status: 400,
    reason: expect.stringMatching(/MapperParsingException\[object mapping.*year/),
    source: expect.stringMatching(/"year":190[0-2]/),
  });
  expect(end).toBe('');
  expect(readFileSync(join(cwd, 'migrate.refused.jsonl.before'), 'utf8')).toBe('of the run before');
  expect(await server.ask('GET', '/books/_settings')).toMatchObject({
    books: { settings: { index: { number_of_shards: '4' } } },
  });
});

it('speaks https, and sends what stands before the host to the server that it belongs to', async () => {
  const keys = join(import.meta.dirname, '../access/fixtures');
  const [key, cert] = [readFileSync(join(keys, 'a.key')), readFileSync(join(keys, 'a.crt'))];
  const answers = JSON.parse(fixture('server17.json')) as Record<string, unknown>;
  const one = new OldServer(answers, books(2), { key, cert });
  const url = (await one.listen()).replace('//', '//ann:secret@');
  ends.push(() => one.close());
  const headers = new Set<string | undefined>();
  const to = await meddled(server.url, (_, __, { headers: { authorization } }) => {
    headers.add(authorization);
    return false;
  });
  const args = ['migrate', url, '--to', to.replace('//', '//bob:other@'), ...only];
  const { out } = await run(args, { cwd, env: { NODE_EXTRA_CA_CERTS: join(keys, 'a.crt') } });
  expect(out).toContain('books: 2 moved\n');
  expect(out).not.toContain('ann:');
  const basic = (user: string) => `Basic ${Buffer.from(user).toString('base64')}`;
  expect(new Set(one.requests.map(({ authorization }) => authorization))).toEqual(
    new Set([basic('ann:secret')]),
  );
  expect(headers).toEqual(new Set([basic('bob:other')]));
  const untrusted = await run(args, { cwd });
  expect([untrusted.status, untrusted.err]).toEqual([3, expect.stringContaining('self-signed certificate')]);
});

it('--delete leaves an index alone whose documents can not be asked for', async () => {
  const { url, old: one } = await old('server17.json', books(1));
  one.answers['/books/_mapping'] = { books: { mappings: { book: { _routing: { store: 'no' } } } } };
  await server.ask('PUT', '/books/book/more', {});
  await server.ask('POST', '/books/_refresh');
  const { out } = await migrated(url, ...only, '--delete');
  expect(out).toContain(
    "type book: routing isn't stored, so documents lose it, and --delete deletes nothing",
  );
  expect(out).toContain('books: 1 moved\n');
  expect(await server.ask('GET', '/books/book/more')).toMatchObject({ found: true });
});

it('reads 0.90: settings by full names, percolator queries in an index of their own', async () => {
  const { url, old: one } = await old('server090.json', [
    '{"_index":"books","_type":"book","_id":"1","_version":2,"_score":0.0,"_source":{"title":"b"},"fields":{"_routing":"r"}}',
    '{"_index":"_percolator","_type":"books","_id":"q","_version":1,"_score":0.0,"_source":{"query":{"term":{"title":"b"}}}}',
  ]);
  const { status, out } = await migrated(url);
  expect([status, out]).toEqual([
    0,
    expect.stringContaining('is Elasticsearch 0.90.13: 1 index, 1 document, 1 template'),
  ]);
  expect(out).toMatch(
    /plugin mapper-attachments: fields of type attachment aren't here.*books: 2 moved\n.*All is moved, and documents are the same\.\n$/s,
  );
  expect(one.requests.some(({ path }) => path.startsWith('/.scripts'))).toBe(false);
  expect(await server.ask('POST', '/books/book/_percolate', { doc: { title: 'b' } })).toMatchObject({
    total: 1,
  });
  expect(await server.ask('GET', '/books')).toMatchObject({
    books: {
      aliases: { shelf: {} },
      settings: { index: { analysis: { analyzer: { mine: { tokenizer: 'keyword' } } } } },
    },
  });
  const texts = (await server.ask('POST', '/books/_analyze?analyzer=mine', 'A B ')) as {
    tokens: { token: string }[];
  };
  expect(texts.tokens.map(({ token }) => token)).toEqual(['a b']);
  await server.ask('PUT', '/books/book/gone', {});
  await server.ask('POST', '/books/_refresh');
  expect((await migrated(url, '--delete')).out).toContain('books: 0 moved, 2 already there, 1 deleted\n');
});

it('moves a Resilin, and asks both sides', async () => {
  const from = await started();
  await from.ask('PUT', '/books', {
    settings: { number_of_shards: 3 },
    mappings: { book: { properties: { title: { type: 'string' } } }, review: { _parent: { type: 'book' } } },
    aliases: { few: { filter: { term: { title: 'rose' } } } },
  });
  for (let i = 0; i < 20; i++)
    await from.ask('PUT', `/books/book/${i}`, { title: i % 3 === 0 ? 'the rose' : 'the name of it', n: i });
  await from.ask('PUT', '/books/review/1?parent=3', { stars: 5 });
  await from.ask('PUT', '/books/.percolator/q', { query: { match: { title: 'rose' } } });
  await from.ask('PUT', '/_scripts/expression/two', { script: '1 + 1' });
  await from.ask('POST', '/_refresh');
  const queries = [
    '{"query":{"match":{"title":"rose name"}}}',
    '{"name":"sorted","index":"few","body":{"sort":{"n":"desc"},"size":3}}',
    '{"name":"parents","body":{"query":{"has_child":{"type":"review","query":{"match_all":{}}}}}}',
    '{"name":"refused","body":{"query":{"nothing":{}}}}',
  ];
  writeFileSync(join(cwd, 'queries.jsonl'), queries.join('\n'));
  const args = ['--queries', 'queries.jsonl', '--index', 'books'];
  const one = await migrated(from.url, ...args);
  expect([one.status, one.out, one.err]).toEqual([
    0,
    expect.stringContaining('4 queries are answered alike\n\nAll is moved, and documents are the same.\n'),
    '',
  ]);
  // As many on both sides, but others.
  await server.ask('PUT', '/books/book/18?version=9&version_type=external', { title: 'the rose', n: 7.5 });
  await server.ask('PUT', '/books/book/3?version=9&version_type=external', { title: 'a name', n: 3 });
  await server.ask('POST', '/_refresh');
  const two = await migrated(from.url, ...args, '--no-comparison');
  expect(two.status).toBe(1);
  expect(two.out).toContain('books: 0 moved, 22 already there\n');
  expect(two.out).toMatch(/\nsorted +7 +6 +totals\n/);
  expect(two.out).toMatch(/2 of 4 queries are answered differently:\n\nquery .*\nline 1 +20 +20 +hit 1: /);
});

it('refuses wrong usage, explains itself, and refuses what is newer', async () => {
  const cases: [string[], RegExp][] = [
    [[], /migrate from which server/],
    [['http://h', 'http://i'], /what is http:\/\/i\? --to names the new one/],
    [['http://127.0.0.1:9200'], /both are the same server/],
    [['h'], /h is no URL/],
    [['http://h', '--pages', '3'], /unknown argument --pages/],
  ];
  for (const [args, message] of cases) {
    const { status, err } = await run(['migrate', ...args], { cwd });
    expect([args, status, err]).toEqual([args, 2, expect.stringMatching(message)]);
  }
  const help = await run(['migrate', '--help'], { cwd });
  expect([help.status, help.out]).toEqual([0, expect.stringContaining('Examples:')]);
  const { url, old: one } = await old('server17.json', []);
  one.answers['/'] = { version: { number: '2.4.6' } };
  const newer = await migrated(url);
  expect([newer.status, newer.err]).toEqual([
    3,
    expect.stringContaining('is Elasticsearch 2.4.6; those from 0.90 to 1.7 can be moved'),
  ]);
});

it('names what keeps the old server from being read, and what to do about it', async () => {
  const { url, old: one } = await old('server17.json', books(2));
  const failing = async (from: string, ...more: string[]) => {
    const { status, err } = await migrated(from, ...more);
    expect(status).toBe(3);
    return err;
  };
  expect(await failing('http://no-such-host.invalid:9200')).toMatch(
    /that name (?:isn't known|can't be looked up)/,
  );
  expect(await failing('http://127.0.0.1:1')).toContain('nothing listens there; is the server running');
  expect(await failing(url.replace('http:', 'https:'))).toContain('it speaks no TLS; is it http://');
  // As the transport of Java answers, and a server of TLS.
  const stranger = createTcp((socket) => {
    socket.on('error', () => {});
    socket.end('\x15\x03\x01\x00\x02', () => socket.destroy());
  });
  await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
  ends.push(() => new Promise((done) => stranger.close(done)));
  const { port } = stranger.address() as AddressInfo;
  expect(await failing(`http://127.0.0.1:${port}`)).toContain('it speaks no HTTP; is it https://');
  expect(await failing(url, '--index', 'nothing*')).toContain('has no index that --index nothing* means');
  one.meddle = (_, response) => {
    response
      .writeHead(401)
      .end(
        '{"error":"AuthenticationException[missing authentication token for REST request [/]]","status":401}',
      );
    return true;
  };
  expect(await failing(url)).toMatch(
    /401: AuthenticationException\[missing.*\]; a user stands in the address, https:\/\/ann:secret@host; /,
  );
  one.meddle = (_, response) => {
    response.writeHead(200).end('<html>It works!</html>');
    return true;
  };
  expect(await failing(url)).toContain('answers with no JSON: <html>It works!</html>');
});

it('leaves an index alone that is not there as a whole', async () => {
  const { url, old: one } = await old('server17.json', books(2));
  one.meddle = (path, response) => {
    if (path !== '/books/_count') return false;
    response.end('{"count":1,"_shards":{"total":2,"successful":1,"failed":0}}');
    return true;
  };
  const { status, out } = await migrated(url, ...only);
  expect([status, out]).toEqual([
    1,
    expect.stringContaining(
      "! index books: 1 of its shards aren't there, so it can't be read whole; mend it",
    ),
  ]);
  expect(await server.ask('GET', '/_settings')).toEqual({});
});
