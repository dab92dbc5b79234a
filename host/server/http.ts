/** The Fastify adapter: every method and path goes to the router, bodies as the bytes they came in. */
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import type { RestResponse } from '../rest/request.js';
import { json } from '../rest/request.js';
import type { Router } from '../rest/router.js';

/** As 1.7's `http.max_content_length`. */
export const MAX_BODY = 100 * 1024 * 1024;

/** An HTTP server over the router; not listening yet. */
export function createHttp(router: Router, maxBody = MAX_BODY): FastifyInstance {
  const app = fastify({
    bodyLimit: maxBody,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 65_536 },
    frameworkErrors: (_error, request, reply) => {
      router
        .handle(request.raw.method ?? 'GET', request.raw.url ?? '/', EMPTY)
        .then((response) => send(reply as FastifyReply, response));
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE'])
    app.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  app.setErrorHandler((error: { statusCode?: number; message: string; code?: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    const name = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? 'TooLongFrameException' : 'HttpException';
    const asked = { method: request.method, uri: request.url, query: new Map<string, string>(), body: EMPTY };
    return send(reply, json(asked, status, { error: `${name}[${error.message}]`, status }));
  });
  app.all('*', async (request, reply) => {
    const opaque = request.headers['x-opaque-id'];
    if (opaque !== undefined) reply.header('X-Opaque-Id', opaque);
    const body = request.body instanceof Uint8Array ? request.body : EMPTY;
    return send(reply, await router.handle(request.method, request.raw.url ?? '/', body));
  });
  return app;
}

const EMPTY = new Uint8Array(0);

function send(reply: FastifyReply, { status, contentType, body }: RestResponse): FastifyReply {
  return reply
    .code(status)
    .header('content-type', contentType)
    .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}
