/** Commands that are given several nodes of a cluster: one that is away is passed over. */
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { runHealth } from '../../host/cli/healthCommand.js';
import { parseAddress, parseIndexAddress } from '../../host/cli/remote/address.js';
import { NoAnswer } from '../../host/cli/remote/requests.js';
import { Server } from '../../host/cli/remote/server.js';

describe('an address', () => {
  it('names nodes with commas between them', () => {
    expect(parseAddress('http://ann:secret@one:9200,two:9201')).toEqual({
      url: 'http://one:9200',
      others: ['http://two:9201'],
      authorization: `Basic ${btoa('ann:secret')}`,
    });
    expect(parseAddress('https://one,https://two:1,[::1]:2/path/').others).toEqual([
      'https://two:1/path',
      'https://[::1]:2/path',
    ]);
    expect(parseIndexAddress('http://one:1,two:2/books')).toEqual({
      url: 'http://one:1',
      others: ['http://two:2'],
      authorization: undefined,
      index: 'books',
    });
    expect(parseAddress('http://one:9200/')).toEqual({ url: 'http://one:9200', authorization: undefined });
    for (const wrong of ['one:9200,two', 'http://one,', 'http://', 'ftp://one,two'])
      expect(() => parseAddress(wrong)).toThrow(/URL/);
  });
});

describe('requests to several nodes', () => {
  const servers: HttpServer[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  const listen = async (answer: (path: string) => number | undefined, body = '{}') => {
    const server = createServer((request, response) => {
      const status = answer(request.url ?? '');
      if (status === undefined) request.socket.destroy();
      else response.writeHead(status).end(body);
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const nobody = async () => {
    const url = await listen(() => 200);
    await new Promise((done) => servers.pop()!.close(done));
    return url;
  };
  const serverOf = (...[url, ...others]: string[]) =>
    new Server({ url: url!, others, authorization: undefined }, 2);

  it('go to the next one where nothing listens', async () => {
    const asked: string[] = [];
    const there = await listen((path) => {
      asked.push(path);
      return 200;
    });
    const server = serverOf(await nobody(), await nobody(), there);
    expect((await server.send('PUT', '/a/b/1', '{}')).status).toBe(200);
    expect(server.name).toBe(there);
    expect(asked).toEqual(['/a/b/1']);
    await server.close();
  });

  it('fail where nobody listens at all', async () => {
    const server = serverOf(await nobody(), await nobody());
    await expect(server.send('GET', '/')).rejects.toThrow(NoAnswer);
    await server.close();
  });

  it('are not sent twice where one may have been carried out, but go elsewhere from then on', async () => {
    const asked: string[] = [];
    const broken = await listen(() => void asked.push('broken'));
    const answering = (name: string, status: number) =>
      listen(() => {
        asked.push(name);
        return status;
      });
    const busy = await answering('busy', 503);
    const good = await answering('good', 200);
    const server = serverOf(broken, busy, good);
    await expect(server.send('POST', '/a/b')).rejects.toThrow(NoAnswer);
    expect((await server.send('POST', '/a/b')).status).toBe(503);
    expect((await server.send('POST', '/a/b')).status).toBe(200);
    expect(asked).toEqual(['broken', 'busy', 'good']);
    await server.close();
  });

  it('tell of the health of each', async () => {
    const body =
      '{"status":"yellow","number_of_nodes":3,"relocating_shards":0,"initializing_shards":1,"unassigned_shards":2}';
    const [away, there] = [await nobody(), await listen(() => 200, body)];
    const told: string[] = [];
    const tell = (text: string) => void told.push(text);
    const { host } = new URL(there);
    expect(await runHealth(['--url', `${away},${there}`], {}, tell, tell)).toBe(0);
    expect(told.sort()).toEqual([
      `${host} answers, its indices are yellow; 3 nodes, 1 copies being made, 2 copies not assigned\n`,
      expect.stringContaining(`${new URL(away).host} doesn't answer`),
    ]);
    expect(await runHealth([`--url=${away}`], {}, tell, tell)).toBe(1);
    expect(await runHealth(['--url', 'nowhere'], {}, tell, tell)).toBe(2);
  });
});
