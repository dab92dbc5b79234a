/** Resilin in this process, over HTTP. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEngine } from '../../host/index.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { Principal } from '../../host/security/principal.js';
import { createHttp } from '../../host/server/http.js';
import { coreBytes } from '../support/core.js';

export interface ResilinServer {
  url: string;
  /** Asks without HTTP; the answer's JSON. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export async function startResilin(): Promise<ResilinServer> {
  const engine = await createEngine({ wasm: coreBytes() });
  const router = createRouter(engine.engine, { node: 'n', cluster: 'c', version: '0' });
  const app = createHttp(router, () => Principal.unrestricted);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    ask: async (method, path, body) => (await engine.request(method, path, body as never)).body,
    close: async () => {
      await app.close();
      await engine.close();
    },
  };
}

/** Whether something else is done with a request than passing it on. */
export type Meddling = (path: string, response: ServerResponse, incoming: IncomingMessage) => boolean;

/** What stands before a server; the test decides what it passes on. */
export async function startProxy(
  url: string,
  meddle: Meddling,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, response) => {
    if (meddle(incoming.url!, response, incoming)) return;
    const { method, headers } = incoming;
    const onward = request(url + incoming.url, { method: method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
