/** Several threads that accept connections: whatever is asked of whichever, the answer is that of one server. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatUsers } from '../../host/server/access/usersFile.js';
import { hashPassword } from '../../host/server/access/passwords.js';
import type { RunningServer, ServerOptions } from '../../host/server/options.js';
import { serverFile } from '../support/server.js';

const bundle = join(dirname(await serverFile()), 'server.js');
const COORDINATORS = 3;

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever is answered.
  json: any;
  text: string;
}

/** A client with one connection, which it keeps. */
class Client {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = new URL(url);
    this.#headers = headers;
  }

  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const sent = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((done, failed) => {
      const { hostname, port } = this.#url;
      const headers = {
        ...this.#headers,
        ...(sent === '' ? {} : { 'content-length': Buffer.byteLength(sent) }),
      };
      const asked = request({ agent: this.#agent, hostname, port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', failed);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.includes('json') === true;
          done({
            status: response.statusCode ?? 0,
            text,
            json: isJson && text !== '' ? JSON.parse(text) : undefined,
          });
        });
      });
      asked.on('error', failed);
      asked.end(sent);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A client for each thread, the main one first. */
async function clientOfEach(server: RunningServer, headers: Record<string, string> = {}): Promise<Client[]> {
  const found: (Client | undefined)[] = Array.from({ length: server.numbers.places }, () => undefined);
  const spare: Client[] = [];
  while (found.some((each) => each === undefined)) {
    const before = found.map((_, place) => server.numbers.connectionsOf(place));
    const client = new Client(server.url, headers);
    await client.ask('GET', '/none/none/none');
    const place = found.findIndex((_, i) => server.numbers.connectionsOf(i) > before[i]!);
    if (found[place] === undefined) found[place] = client;
    else spare.push(client);
    // A thread that has more than its share lets some go.
    if (spare.length > 2) for (const each of spare.splice(0)) each.close();
  }
  for (const each of spare) each.close();
  return found as Client[];
}

let folder: string;
let createServer: (options?: ServerOptions) => Promise<RunningServer>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resilin-coordinators-'));
  ({ createServer } = (await import(bundle)) as typeof import('../../host/server/index.js'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let servers = 0;

/** Starts a server; resolves when all of its threads accept connections. Clients that look for a thread before that ask in vain, again and again. */
async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const data = join(folder, `data-${servers++}`);
  let listening = 1;
  let began: () => void = () => {};
  const watch = (worker: Worker) =>
    worker.on('message', (message) => {
      if (message?.tell !== 'listening') return;
      listening++;
      began();
    });
  process.on('worker', watch);
  try {
    const server = await createServer({ port: 0, data, threads: 1, coordinators: COORDINATORS, ...options });
    await new Promise<void>((done) => {
      began = () => {
        if (listening >= server.numbers.places) done();
      };
      began();
    });
    return server;
  } finally {
    process.off('worker', watch);
  }
}

describe('a server with several coordinators', () => {
  let server: RunningServer;
  let clients: Client[];

  beforeAll(async () => {
    server = await start();
    clients = await clientOfEach(server);
  });
  afterAll(async () => {
    for (const each of clients) each.close();
    await server.close();
  });

  /** The same request to every thread, one after the other. */
  const everywhere = async (method: string, path: string, body?: unknown) => {
    const answers: Answer[] = [];
    for (const each of clients) answers.push(await each.ask(method, path, body));
    return answers;
  };

  it('answers searches in every thread', async () => {
    await clients[0]!.ask('PUT', '/shared/doc/1?refresh=true', { text: 'a rose' });
    const completed = () => server.engine.pools.stats('search').completed;
    const before = completed();
    for (const { json } of await everywhere('POST', '/shared/_search', {
      query: { match: { text: 'rose' } },
    }))
      expect(json.hits).toMatchObject({ total: 1, hits: [{ _id: '1', _source: { text: 'a rose' } }] });
    // The main thread has answered its own.
    expect(completed() - before).toBe(1);
  });

  it('shows every thread what another one has acknowledged', async () => {
    for (let i = 0; i < 60; i++) {
      const writer = clients[i % clients.length]!;
      const { json } = await writer.ask('PUT', '/latest/doc/1', { n: i });
      expect(json._version).toBe(1 + i);
      for (const { json: got } of await everywhere('GET', '/latest/doc/1'))
        expect(got).toMatchObject({ _version: 1 + i, _source: { n: i } });
    }
    await clients[1]!.ask('DELETE', '/latest/doc/1');
    for (const { status } of await everywhere('GET', '/latest/doc/1')) expect(status).toBe(404);
  });

  it('shows every thread changes of metadata at once', async () => {
    for (let i = 0; i < 20; i++) {
      const [changer] = [clients[i % clients.length]!];
      const name = `changing-${i}`;
      await changer.ask('PUT', `/${name}`, { settings: { number_of_shards: 2 } });
      for (const { json } of await everywhere('GET', `/${name}/_count`)) expect(json.count).toBe(0);
      await changer.ask('PUT', `/${name}/_alias/moving`);
      if (i > 0) await changer.ask('DELETE', `/changing-${i - 1}`);
      await changer.ask('PUT', `/${name}/doc/${i}?refresh=true`, {
        [`field${i}`]: 'word',
        date: '2020-01-01',
      });
      const sorted = { query: { term: { [`field${i}`]: 'word' } }, sort: ['date'] };
      for (const { json } of await everywhere('POST', '/moving/_search', sorted)) {
        expect(json._shards).toMatchObject({ total: 2, failed: 0 });
        expect(json.hits).toMatchObject({ total: 1, hits: [{ _index: name, _id: `${i}` }] });
      }
      if (i > 0)
        for (const { status } of await everywhere('GET', `/changing-${i - 1}/_count`))
          expect(status).toBe(404);
    }
  });

  it('closes and opens indices everywhere', async () => {
    await clients[1]!.ask('PUT', '/shutting/doc/1?refresh=true', { a: 1 });
    for (let round = 0; round < 5; round++) {
      await clients[round % 3]!.ask('POST', '/shutting/_close');
      for (const { status, text } of await everywhere('GET', '/shutting/_search')) {
        expect(status).toBe(403);
        expect(text).toContain('IndexClosedException');
      }
      await clients[(round + 1) % 3]!.ask('POST', '/shutting/_open');
      for (const { json } of await everywhere('GET', '/shutting/_search')) expect(json.hits.total).toBe(1);
    }
  });

  it('knows settings of the cluster and of indices', async () => {
    await clients[1]!.ask('PUT', '/blocked/doc/1?refresh=true', { a: 1 });
    await clients[2]!.ask('PUT', '/blocked/_settings', { 'index.blocks.read': true });
    for (const { status } of await everywhere('GET', '/blocked/doc/1')) expect(status).toBe(403);
    await clients[2]!.ask('PUT', '/blocked/_settings', { 'index.blocks.read': false });
    for (const { status } of await everywhere('GET', '/blocked/doc/1')) expect(status).toBe(200);
    const limit = (value: string) => ({ transient: { 'indices.breaker.fielddata.limit': value } });
    const sorted = { aggs: { a: { terms: { field: 'a' } } } };
    await clients[1]!.ask('PUT', '/_cluster/settings', limit('1b'));
    for (const { text } of await everywhere('POST', '/blocked/_search', sorted))
      expect(text).toContain('Data too large');
    await clients[0]!.ask('PUT', '/_cluster/settings', limit('60%'));
    for (const { status } of await everywhere('POST', '/blocked/_search', sorted)) expect(status).toBe(200);
  });

  it('finds versions that no refresh has shown yet under their ids, as one thread does', async () => {
    await clients[0]!.ask('PUT', '/unseen/doc/1?refresh=true', { n: 1 });
    await clients[0]!.ask('PUT', '/unseen/_settings', { 'index.refresh_interval': -1 });
    await clients[1]!.ask('PUT', '/unseen/doc/1', { n: 2 });
    for (const { json } of await everywhere('POST', '/unseen/_search', { query: { ids: { values: ['1'] } } }))
      expect(json.hits).toMatchObject({ total: 1, hits: [{ _source: { n: 1 } }] });
    for (const { json } of await everywhere('GET', '/unseen/doc/1?realtime=false&fields=n'))
      expect(json.found).toBe(true);
    for (const { json } of await everywhere('GET', '/unseen/doc/1?refresh=true'))
      expect(json._source.n).toBe(2);
    for (const { json } of await everywhere('GET', '/unseen/_search'))
      expect(json.hits.hits[0]._source.n).toBe(2);
  });

  it('reads pages of a scroll by any thread', async () => {
    const lines = Array.from({ length: 50 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i}}\n`);
    await clients[1]!.ask('POST', '/pages/doc/_bulk?refresh=true', lines.join(''));
    let { json } = await clients[1]!.ask('GET', '/pages/_search?scroll=1m&size=7&sort=n');
    const seen: number[] = [];
    for (let page = 0; json.hits.hits.length > 0; page++) {
      for (const { _source } of json.hits.hits) seen.push(_source.n);
      ({ json } = await clients[page % 3]!.ask(
        'GET',
        `/_search/scroll?scroll=1m&scroll_id=${json._scroll_id}`,
      ));
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('keeps the documents of searches that are under way while these are replaced', async () => {
    const body = Array.from(
      { length: 200 },
      (_, i) => `{"index":{"_id":"${i}"}}\n{"text":"same ${'long '.repeat(50)}"}\n`,
    ).join('');
    await clients[0]!.ask('POST', '/replaced/doc/_bulk?refresh=true', body);
    let writing = true;
    const write = async () => {
      for (let i = 0; i < 25; i++) await clients[0]!.ask('POST', '/replaced/doc/_bulk?refresh=true', body);
      writing = false;
    };
    const read = async (client: Client) => {
      let reads = 0;
      for (; writing || reads < 5; reads++) {
        const { json } = await client.ask('GET', '/replaced/_search?size=200&q=text:same');
        expect(json.hits.total).toBe(200);
        expect(json.hits.hits).toHaveLength(200);
      }
      return reads;
    };
    await Promise.all([write(), read(clients[1]!), read(clients[2]!)]);
    // The rows of the replaced ones go when no search needs them.
    await clients[1]!.ask('POST', '/replaced/_refresh');
    expect(await read(clients[1]!)).toBe(5);
  });

  it('counts what all threads do', async () => {
    await clients[0]!.ask('PUT', '/counted/doc/1?refresh=true', { a: 1 });
    await everywhere('GET', '/counted/_search?stats=mine');
    await everywhere('GET', '/counted/doc/1');
    await everywhere('GET', '/counted/doc/2');
    for (const { json } of await everywhere('GET', '/counted/_stats?groups=mine')) {
      const { search, get } = json._all.primaries;
      expect(search).toMatchObject({
        query_total: 15,
        query_current: 0,
        groups: { mine: { query_total: 15 } },
      });
      expect(get).toMatchObject({ exists_total: 3, missing_total: 3 });
    }
    const [{ json }] = (await everywhere('GET', '/_nodes/stats/http')) as [Answer];
    const [node] = Object.values(json.nodes) as { http: { current_open: number } }[];
    expect(node!.http.current_open).toBe(3);
    const { text } = await clients[2]!.ask('GET', '/metrics');
    expect(text).toMatch(
      /resilin_http_request_duration_seconds_count\{method="GET",route="\/\{index\}\/_search"/,
    );
  });

  it('answers mistakes and what nobody knows as one thread does', async () => {
    for (const [method, path, body] of [
      ['GET', '/nowhere/_search'],
      ['POST', '/shared/_search', '{"query":{"nonsense":{}}}'],
      ['POST', '/shared/_search', '{"query":'],
      ['PUT', '/SHOUTING'],
      ['GET', '/_nothing/of/this/kind'],
      ['HEAD', '/shared'],
      ['HEAD', '/shared/doc/1'],
      ['DELETE', '/nowhere'],
    ] as const) {
      const [first, ...others] = await everywhere(method, path, body);
      for (const each of others) expect(each).toEqual(first);
    }
  });

  it('sends an index as a file from any thread', async () => {
    const [first, ...others] = await everywhere('GET', '/shared/_export');
    expect(first!.status).toBe(200);
    expect(first!.text.length).toBeGreaterThan(100);
    for (const each of others) expect(each.text.length).toBe(first!.text.length);
  });

  it('gives a forwarded request up when its client has gone', async () => {
    const [, client] = clients;
    const gone = new Client(server.url);
    const lost = gone
      .ask('POST', '/_cluster/health?wait_for_status=green&timeout=60s')
      .catch((e: Error) => e.message);
    gone.close();
    await lost;
    expect((await client!.ask('GET', '/_cluster/health')).status).toBe(200);
  });

  it('goes on when a data worker has ended', async () => {
    await clients[0]!.ask('PUT', '/lasting/doc/1?refresh=true', { text: 'stays' });
    const ended = new Promise((done) => {
      const { onReplaced } = server.pool;
      server.pool.onReplaced = (worker) => {
        onReplaced(worker);
        done(worker);
      };
    });
    // Nobody sends this: it ends the thread.
    server.pool.connect(0).port.postMessage(null);
    await ended;
    for (let round = 0; round < 2; round++)
      for (const { json } of await everywhere('GET', '/lasting/_search?q=text:stays')) {
        expect(json._shards).toMatchObject({ total: 5, failed: 0 });
        expect(json.hits.total).toBe(1);
      }
    await clients[1]!.ask('PUT', '/lasting/doc/2?refresh=true', { text: 'stays' });
    for (const { json } of await everywhere('GET', '/lasting/_search?q=text:stays'))
      expect(json.hits.total).toBe(2);
  });
});

describe('a coordinator that ends', () => {
  it('has another one in its place, which knows what the others know', async () => {
    // Those that listen, in the order in which they began to, and who waits for the next one.
    const listening: Worker[] = [];
    let began: (worker: Worker) => void = () => {};
    const watch = (worker: Worker) =>
      worker.on('message', (message) => {
        if (message?.tell !== 'listening') return;
        listening.push(worker);
        began(worker);
      });
    process.on('worker', watch);
    const warnings: string[] = [];
    const server = await start({ warn: (line) => void warnings.push(line) });
    let clients = await clientOfEach(server);
    try {
      await clients[0]!.ask('PUT', '/before/doc/1?refresh=true', { text: 'stays' });
      expect(listening).toHaveLength(COORDINATORS - 1);
      const next = new Promise<Worker>((resolve) => {
        began = resolve;
      });
      await listening[0]!.terminate();
      // Meanwhile the main thread answers.
      expect((await clients[0]!.ask('PUT', '/meanwhile/doc/1?refresh=true', { text: 'new' })).status).toBe(
        201,
      );
      const another = await next;
      expect(listening.slice(0, 2)).not.toContain(another);
      expect(warnings.filter((line) => line.includes('starting another'))).toHaveLength(1);
      for (const each of clients) each.close();
      clients = await clientOfEach(server);
      for (const each of clients) {
        expect((await each.ask('GET', '/before,meanwhile/_search')).json.hits.total).toBe(2);
        expect((await each.ask('PUT', '/after/doc/1', { text: 'newer' })).status).toBeLessThan(300);
        expect((await each.ask('GET', '/after/doc/1')).json._source).toEqual({ text: 'newer' });
        expect((await each.ask('GET', '/_cluster/health')).status).toBe(200);
      }
    } finally {
      process.off('worker', watch);
      for (const each of clients) each.close();
      await server.close();
    }
  });
});

describe('users of a server with several coordinators', () => {
  const basic = (name: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:secret`).toString('base64')}`,
  });

  it('may do what they are granted, whichever thread they come to, and are read again by all', async () => {
    const file = join(folder, 'users.json');
    const save = async (names: readonly string[]) => {
      const password = await hashPassword('secret', { N: 1024, r: 1, p: 1 });
      const grants = [{ indices: ['open'], access: 'write' as const }];
      const users = names.map((name) => [name, { password, grants, cluster: 'none' as const }] as const);
      writeFileSync(file, formatUsers({ users: new Map(users), keys: new Map() }), { mode: 0o600 });
    };
    await save(['ann']);
    const audit = join(folder, 'audit.log');
    const server = await start({ users: file, audit, warn: () => {} });
    const clients = await clientOfEach(server, basic('ann'));
    try {
      for (const [i, ann] of clients.entries()) {
        expect((await ann.ask('PUT', `/open/doc/${i}?refresh=true`, { a: 1 })).status).toBe(201);
        expect((await ann.ask('GET', '/open/_search')).json.hits.total).toBe(1 + i);
        for (const path of ['/other/_search', '/other/doc/1', '/_cluster/settings'])
          expect((await ann.ask('GET', path)).status).toBe(403);
      }
      await save(['bob']);
      server.reload();
      for (const ann of clients) expect((await ann.ask('GET', '/open/_search')).status).toBe(401);
    } finally {
      for (const each of clients) each.close();
      await server.close();
    }
    const lines = readFileSync(audit, 'utf8').trim().split('\n');
    const searches = lines.map((line) => JSON.parse(line)).filter(({ path }) => path === '/open/_search');
    expect(searches.filter(({ status }) => status === 200)).toHaveLength(COORDINATORS);
    expect(searches.filter(({ status }) => status === 401)).toHaveLength(COORDINATORS);
  });
});

describe('users of such a server that requests keep', () => {
  it('are let in and refused by every thread as soon as the change is answered, whoever makes it', async () => {
    const file = join(folder, 'kept-users.json');
    const password = await hashPassword('secret', { N: 1024, r: 1, p: 1 });
    const root = { password, grants: [], cluster: 'manage' as const };
    writeFileSync(file, formatUsers({ users: new Map([['root', root]]), keys: new Map() }), { mode: 0o600 });
    const server = await start({ users: file, warn: () => {} });
    const basic = Buffer.from('root:secret').toString('base64');
    const clients = await clientOfEach(server, { authorization: `Basic ${basic}` });
    try {
      for (const [i, maker] of clients.entries()) {
        const made = await maker.ask('POST', '/_security/api_key', { name: `key ${i}`, cluster: 'monitor' });
        expect(made.status).toBe(201);
        const authorization = `ApiKey ${made.json.encoded}`;
        const holders = await clientOfEach(server, { authorization });
        for (const holder of holders) {
          const { json } = await holder.ask('GET', '/_security/_authenticate');
          expect(json).toMatchObject({ name: made.json.id, kind: 'key', cluster: 'monitor' });
        }
        expect((await maker.ask('DELETE', `/_security/api_key/${made.json.id}`)).status).toBe(200);
        for (const holder of holders) {
          expect((await holder.ask('GET', '/_security/_authenticate')).status).toBe(401);
          holder.close();
        }
      }
    } finally {
      for (const each of clients) each.close();
      await server.close();
    }
  });
});

describe('the end of a server with several coordinators', () => {
  it('answers what is under way, frees the port, and is there again after a restart', async () => {
    const data = join(folder, 'again');
    let server = await start({ data });
    const [first, second, third] = await clientOfEach(server);
    await second!.ask('PUT', '/kept/doc/1', { a: 1 });
    const last = third!.ask('PUT', '/kept/doc/2?refresh=true', { a: 2 });
    expect((await last).status).toBe(201);
    await server.close();
    await expect(first!.ask('GET', '/')).rejects.toThrow();
    const port = Number(new URL(server.url).port);
    server = await start({ data, port });
    const clients = await clientOfEach(server);
    for (const each of clients) {
      expect((await each.ask('GET', '/kept/_count')).json.count).toBe(2);
      each.close();
    }
    for (const each of [first, second, third]) each!.close();
    await server.close();
  });

  it('has one thread where nothing is kept', async () => {
    const server = await start({ data: ':memory:' });
    expect(server.numbers.places).toBe(1);
    await server.close();
  });
});
