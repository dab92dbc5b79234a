/** A server that speaks the interface of S3, with buckets in memory, which fails as it is told. */
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFauxqs } from 'fauxqs';
import { signatureProblem } from './signature.js';

/** The key and the secret that are let in. */
export const KEY = 'AKTEST';
export const SECRET = 'open sesame';

/** What was asked for. */
export interface S3Request {
  method: string;
  /** `/BUCKET/KEY`. */
  path: string;
  query: URLSearchParams;
  bytes: number;
}

/** What happens instead of an answer. */
export type Fault =
  | { status: number; code: string; headers?: Record<string, string> }
  /** Nothing ever comes. */
  | 'hang'
  /** The connection ends before the answer; the request was carried out, or not. */
  | 'reset'
  | 'resetAfter'
  /** So many bytes of the body come, then the connection ends, or nothing more comes. */
  | { cut: number }
  | { stall: number };

export class S3Server {
  readonly requests: S3Request[] = [];
  /** Asked about each request, which waits for it. */
  fault: (request: S3Request) => Fault | undefined | Promise<Fault | undefined> = () => undefined;
  readonly endpoint: string;
  readonly #stop: () => Promise<void>;

  private constructor(endpoint: string, stop: () => Promise<void>) {
    this.endpoint = endpoint;
    this.#stop = stop;
  }

  /** Starts one with these buckets on a free port. */
  static async start(...buckets: string[]): Promise<S3Server> {
    const store = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
    for (const bucket of buckets) store.createBucket(bucket);
    const front = createServer((req, res) => {
      void answer(server, store.port, req, res).catch(() => res.destroy());
    });
    await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
    const { port } = front.address() as AddressInfo;
    const server = new S3Server(`http://127.0.0.1:${port}`, async () => {
      front.closeAllConnections();
      await new Promise((done) => front.close(done));
      await store.stop();
    });
    return server;
  }

  /** The paths that were asked for with a method. */
  paths(method: string): string[] {
    return this.requests.filter((each) => each.method === method).map(({ path }) => path);
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

async function answer(
  server: S3Server,
  port: number,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { pathname, searchParams } = new URL(req.url!, server.endpoint);
  const asked = { method: req.method!, path: pathname, query: searchParams, bytes: body.length };
  server.requests.push(asked);
  const problem = signatureProblem(req, body, { [KEY]: SECRET });
  if (problem !== undefined) {
    refuse(req, res, { status: 403, code: problem });
    return;
  }
  const fault = await server.fault(asked);
  if (fault === 'hang') return;
  if (fault === 'reset') {
    res.destroy();
    return;
  }
  if (typeof fault === 'object' && 'status' in fault) {
    refuse(req, res, fault);
    return;
  }
  const { url = '', method = '', headers } = req;
  const passed = send({ port, host: '127.0.0.1', method, path: url, headers }, (inner) => {
    if (fault === 'resetAfter') {
      inner.resume();
      inner.on('end', () => res.destroy());
      return;
    }
    res.writeHead(inner.statusCode!, inner.headers);
    if (fault === undefined) {
      inner.pipe(res);
      return;
    }
    const parts: Buffer[] = [];
    inner.on('data', (part: Buffer) => parts.push(part));
    inner.on('end', () => {
      const most = 'cut' in fault ? fault.cut : fault.stall;
      res.write(Buffer.concat(parts).subarray(0, most), () => {
        if ('cut' in fault) res.destroy();
      });
    });
  });
  passed.on('error', () => res.destroy());
  passed.end(body);
}

function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  { status, code, headers }: { status: number; code: string; headers?: Record<string, string> },
): void {
  res.writeHead(status, { 'content-type': 'application/xml', ...headers });
  res.end(
    req.method === 'HEAD'
      ? undefined
      : `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>as it was told</Message></Error>`,
  );
}
