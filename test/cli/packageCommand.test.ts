import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PACKAGE_HELP, runPackage } from '../../host/cli/packageCommand.js';
import { parseCommand } from '../../host/cli/options.js';
import { createEngine } from '../../host/index.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { Principal } from '../../host/security/principal.js';
import { createHttp } from '../../host/server/http.js';
import { coreBytes } from '../support/core.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-package-'));
});
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

async function run(index: string, data = join(folder, 'data'), authorization?: string) {
  const printed: string[] = [];
  const complained: string[] = [];
  const status = await runPackage(
    {
      index,
      file: join(folder, 'books.resilin'),
      data,
      ...(authorization === undefined ? {} : { authorization }),
    },
    (line) => printed.push(line),
    (line) => complained.push(line),
  );
  return { status, printed, complained };
}

it('writes an index of a stopped data folder to a file', async () => {
  const kept = await createEngine({ wasm: coreBytes(), data: join(folder, 'data') });
  await kept.index('books', 'book', { title: 'The name of the rose' }, { id: '1' });
  await kept.index('others', 'book', { title: 'Another rose' }, { id: '2' });
  const inUse = await run('books');
  expect([inUse.status, inUse.complained[0]]).toEqual([
    1,
    expect.stringMatching(/^resilin: the data folder .* is in use/),
  ]);
  await kept.close();

  const done = await run('books');
  const file = join(folder, 'books.resilin');
  const bytes = readFileSync(file);
  expect(done).toEqual({ status: 0, printed: [`books: ${bytes.length} bytes in ${file}`], complained: [] });
  const engine = await createEngine({ wasm: coreBytes() });
  expect(await engine.importIndex(bytes)).toEqual({ index: 'books', documents: 1 });
  const { hits } = await engine.search('', { query: { match: { title: 'rose' } } });
  expect(hits.hits.map(({ _id }) => _id)).toEqual(['1']);
  await engine.close();
});

/** A server of an engine with a few books; whoever says so is ann, who may write them. */
async function startServer() {
  const resilin = await createEngine({ wasm: coreBytes(), guarded: true });
  ends.push(() => resilin.close());
  await resilin.request('PUT', '/books', { settings: { number_of_shards: 3 }, aliases: { library: {} } });
  for (let id = 0; id < 300; id++)
    await resilin.index('books', 'book', { title: `rose number ${id}` }, { id: String(id % 250) });
  await resilin.request('PUT', '/others');
  const ann = new Principal('user', 'ann', {
    grants: [{ indices: ['books'], access: 'write' }],
    cluster: 'none',
  });
  const router = createRouter(resilin.engine, { node: 'n', cluster: 'c', version: '0' });
  const app = createHttp(router, (header) => (header === undefined ? Principal.unrestricted : ann));
  await app.listen({ port: 0, host: '127.0.0.1' });
  ends.push(() => app.close());
  return { resilin, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` };
}

/** What answers in place of a server. */
async function startOther(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('writes an index of a running server to the file that its own engine makes', async () => {
  const { resilin, url } = await startServer();
  for (const name of ['books', 'library']) {
    const done = await run(`${url}/${name}`);
    const bytes = readFileSync(join(folder, 'books.resilin'));
    expect(done).toMatchObject({ status: 0, complained: [] });
    expect(done.printed[0]).toContain(`${name}: ${bytes.length} bytes in `);
    expect(bytes.equals(await resilin.exportIndex('books'))).toBe(true);
  }
  const elsewhere = await createEngine({ wasm: coreBytes() });
  ends.push(() => elsewhere.close());
  const bytes = readFileSync(join(folder, 'books.resilin'));
  expect(await elsewhere.importIndex(bytes)).toEqual({ index: 'books', documents: 250 });
  const search = { query: { match: { title: 'rose 260' } }, size: 250 };
  expect((await elsewhere.search('books', search)).hits).toEqual(
    (await resilin.search('books', search)).hits,
  );
});

it('says what a server answers, and leaves no file', async () => {
  const { resilin, url } = await startServer();
  const complaintOf = async (index: string, authorization?: string) => {
    const { status, complained } = await run(index, folder, authorization);
    expect(status).toBe(1);
    return complained[0];
  };
  expect(await complaintOf(`${url}/none`)).toMatch(/none\/_export answers with 404: IndexMissingException/);
  expect(await complaintOf(`${url}/books,others`)).toMatch(/400: .*means 2 indices, and a file is of one/);
  await resilin.request('POST', '/others/_close');
  expect(await complaintOf(`${url}/others`)).toMatch(/403: IndexClosedException/);
  // Deleted documents are in the file, too: reading is not enough, and neither is writing.
  expect(await complaintOf(`${url}/books`, 'Basic x')).toMatch(/403: /);
  expect(await complaintOf(url)).toMatch(/names no index/);

  const seen: (string | undefined)[] = [];
  const cut = await startOther(({ headers }, response) => {
    seen.push(headers.authorization);
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': '100' });
    response.write('RESILIN', () => response.destroy());
  });
  expect(await complaintOf(`${cut.replace('//', '//ann:p%40ss@')}/books`)).toMatch(
    /books\/_export ended after \d+ of 100 bytes/,
  );
  await complaintOf(`${cut}/books`, 'ApiKey abc');
  expect(seen).toEqual([`Basic ${Buffer.from('ann:p@ss').toString('base64')}`, 'ApiKey abc']);
  const other = await startOther((_request, response) => response.end('<p>hello'));
  expect(await complaintOf(`${other}/books`)).toMatch(/answers with 200: <p>hello/);
  expect(await complaintOf('http://127.0.0.1:1/books')).toMatch(
    /^resilin: http:\/\/127.0.0.1:1 can't be asked/,
  );
  for (const name of ['books.resilin', 'books.resilin.part'])
    expect(existsSync(join(folder, name))).toBe(false);
});

it('says what is missing, and leaves no file', async () => {
  await (await createEngine({ wasm: coreBytes(), data: join(folder, 'data') })).close();
  const missing = await run('books');
  expect(missing).toMatchObject({
    status: 1,
    complained: ['resilin: IndexMissingException[[books] missing]'],
  });
  const nowhere = join(folder, 'nowhere');
  const none = await run('books', nowhere);
  expect(none.complained).toEqual([`resilin: ${nowhere} is no data folder: it has no store/data.mdb`]);
  for (const name of ['books.resilin', 'books.resilin.part', 'nowhere'])
    expect(existsSync(join(folder, name))).toBe(false);
});

it('reads its arguments, and explains itself', () => {
  const options = { index: 'books', file: 'b.resilin', data: './data' };
  for (const name of ['package', 'export'])
    expect(parseCommand([name, 'books', 'b.resilin'], {})).toEqual({ kind: 'package', options });
  expect(parseCommand(['package', '--data=x', 'books', 'b.resilin'], { RESILIN_DATA: 'y' })).toEqual({
    kind: 'package',
    options: { ...options, data: 'x' },
  });
  expect(parseCommand(['package', 'books', 'b.resilin'], { RESILIN_DATA: 'y' })).toMatchObject({
    options: { data: 'y' },
  });
  expect(
    parseCommand(['package', 'http://a/books', 'b'], { RESILIN_AUTHORIZATION: 'ApiKey c' }),
  ).toMatchObject({
    options: { index: 'http://a/books', authorization: 'ApiKey c' },
  });
  expect(parseCommand(['package', '--help'], {})).toEqual({ kind: 'packageHelp' });
  expect(PACKAGE_HELP).toContain('importIndex');
  for (const args of [
    ['books'],
    ['books', 'b', 'c'],
    ['books', 'b', '--port', '1'],
    ['books', 'b', '--data'],
  ])
    expect(parseCommand(['package', ...args], {}).kind).toBe('mistake');
});
