import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RestResponse } from '../../host/rest/request.js';
import type { Router } from '../../host/rest/router.js';
import type { WorkLimit } from '../../host/workLimit.js';
import { createHttp, everybody } from '../../host/server/http.js';

/** A request that a router was handed, and answers when the test says so. */
interface Handed {
  limit: WorkLimit;
  answer(): void;
}

let app: ReturnType<typeof createHttp>;
let handed: (request: Handed) => void;
/** Resolves when the server knows that a client is gone. */
let gone: Promise<void>;

beforeEach(async () => {
  const handle: Router['handle'] = (_method, _uri, _body, _principal, limit) =>
    new Promise<RestResponse>((resolve) =>
      handed({
        limit,
        answer: () => resolve({ status: 200, contentType: 'text/plain', body: new Uint8Array(0) }),
      }),
    );
  app = createHttp({ handle } as Router, everybody);
  gone = new Promise((resolve) => {
    app.server.once('connection', (socket: Socket) => socket.once('close', () => resolve()));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

/** Asks something; resolves when the router has it. */
function ask(): Promise<{ socket: Socket; request: Handed }> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return new Promise((resolve) => {
    handed = (request) => resolve({ socket, request });
  });
}

for (const how of ['end', 'destroy'] as const)
  it(`nobody waits for a client that has gone (${how})`, async () => {
    const { socket, request } = await ask();
    expect(request.limit.over).toBe(false);
    socket[how]();
    await gone;
    expect(request.limit.over).toBe(true);
    request.answer();
  });

it('nothing is waited for when the server ends, and its answers arrive', async () => {
  const { socket, request } = await ask();
  const text = new Promise<string>((resolve) => {
    let all = '';
    socket.on('data', (chunk) => {
      all += String(chunk);
    });
    socket.on('close', () => resolve(all));
  });
  expect(request.limit.mayWait).toBe(true);
  const ended = app.close();
  while (request.limit.mayWait) await new Promise((next) => setImmediate(next));
  request.answer();
  await ended;
  expect(await text).toMatch(/^HTTP\/1\.1 200 /);
});
