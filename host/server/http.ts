/** The Fastify adapter: every method and path goes to the router, bodies as the bytes they came in. */

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip, unzip } from 'node:zlib';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { RestResponse } from '../rest/request.js';
import { json } from '../rest/request.js';
import type { Router } from '../rest/router.js';
import { type CorsOptions, corsHeaders } from './cors.js';

/** As 1.7's `http.max_content_length`. */
export const MAX_BODY = 100 * 1024 * 1024;

/** How HTTP is spoken; everything has 1.7's default. */
export interface HttpOptions {
  /** Bytes of a body, after it has been unpacked. */
  maxBody?: number;
  /** Pack answers for clients that take gzip. */
  compression?: boolean;
  /** Answer browsers of other origins. */
  cors?: CorsOptions;
}

/** Smaller answers are not worth packing. */
const MIN_PACKED = 1024;
const pack = promisify(gzip);
const unpack = promisify(unzip);

/** An HTTP server over the router; not listening yet. */
export function createHttp(router: Router, options: HttpOptions = {}): FastifyInstance {
  const { maxBody = MAX_BODY, compression = false } = options;
  const cors = options.cors === undefined ? undefined : corsHeaders(options.cors);
  const app = fastify({
    bodyLimit: maxBody,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 65_536 },
    clientErrorHandler: refuseConnection,
    frameworkErrors: (_error, request, reply) => {
      answer(request, reply as FastifyReply);
    },
  });
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const opaque = request.headers['x-opaque-id'];
    if (opaque !== undefined) reply.header('X-Opaque-Id', opaque);
    const { origin, 'user-agent': userAgent, 'content-encoding': encoding } = request.headers;
    if (cors !== undefined) reply.headers(cors({ method: request.method, origin, userAgent }));
    let body = request.body instanceof Uint8Array ? request.body : EMPTY;
    if ((encoding === 'gzip' || encoding === 'deflate') && body.length > 0)
      body = await unpack(body, { maxOutputLength: maxBody });
    let response = await router.handle(request.method, pathOf(request.raw.url), body);
    if (compression && response.body.length >= MIN_PACKED && takesGzip(request)) {
      reply.header('content-encoding', 'gzip');
      response = { ...response, body: await pack(response.body) };
    }
    // Otherwise the end of the server would wait for the client to hang up.
    if (closing) reply.header('connection', 'close');
    return send(reply, response);
  };
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  // A body is what its first bytes say, whatever the header calls it.
  app.addHook('onRequest', async (request) => {
    if (request.headers['content-type'] !== undefined) request.headers['content-type'] = ANY_TYPE;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE'])
    app.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  app.setErrorHandler((error: { statusCode?: number; message: string; code?: string }, request, reply) => {
    const tooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || error.code === 'ERR_BUFFER_TOO_LARGE';
    const damaged = error.code?.startsWith('Z_') === true;
    const status = tooLarge ? 413 : damaged ? 400 : (error.statusCode ?? 500);
    const text = tooLarge
      ? `TooLongFrameException[HTTP content length exceeded ${maxBody} bytes.]`
      : `HttpException[${error.message}]`;
    const asked = { method: request.method, uri: request.url, query: new Map<string, string>(), body: EMPTY };
    return send(reply, json(asked, status, { error: text, status }));
  });
  app.all('*', answer);
  // Whatever a client expects, the answer is the answer.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Methods that Fastify doesn't route; 1.7 takes them for GET.
  app.setNotFoundHandler(answer);
  return app;
}

const EMPTY = new Uint8Array(0);

function takesGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
}

const ANY_TYPE = 'application/octet-stream';

/** The path and query of a request line; one that names scheme and host as well is allowed. */
function pathOf(url = '/'): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

function send(reply: FastifyReply, { status, contentType, body }: RestResponse): FastifyReply {
  return reply
    .code(status)
    .header('content-type', contentType)
    .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

/** What Node's parser can't read as HTTP gets an answer of the usual shape, if there is still somebody to read it. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const body = JSON.stringify({ error: `HttpException[${STATUS_CODES[status]}]`, status });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=UTF-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
