/** The Fastify adapter: every method and path goes to the router, bodies as the bytes they came in. */

import { type IncomingHttpHeaders, METHODS, type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { ElasticsearchError } from '../errors.js';
import { type ReadYaml, readFormat } from '../formats/format.js';
import { parsedSizeInTurns, SMALL_JSON } from '../json/parsedSize.js';
import type { Breakers } from '../limits/breakers.js';
import type { BodyStream } from '../rest/bodyStream.js';
import type { RestResponse } from '../rest/request.js';
import { json, text } from '../rest/request.js';
import type { RequestHandler } from '../rest/router.js';
import { Principal } from '../security/principal.js';
import { inTurns, WorkLimit } from '../workLimit.js';
import { readBody } from './bodies.js';
import type { SequentialRequests } from './busyPolling.js';
import { ConsoleFiles, consoleFolder } from './console/consoleFiles.js';
import { Cors } from './cors.js';
import { isForPeople, withHint } from './hints.js';
import { HostNames } from './hosts.js';
import type { HttpSettings } from './options.js';
import { RequestLimits } from './requestLimits.js';
import { unpackBody } from './unpacking.js';

/** As 1.7's `http.max_content_length`. */
export const MAX_BODY = 100 * 1024 * 1024;

/** How HTTP is spoken, with what the server's other parts hand in. */
export interface HttpOptions extends HttpSettings {
  /** What bodies and answers may take in memory; no limit without. */
  breakers?: Breakers;
  /** Speak TLS, with this certificate. */
  tls?: SecureContextOptions;
  /** Reads bodies in YAML; they are no YAML without. */
  readYaml?: ReadYaml;
  /** Told of every request. */
  requests?: SequentialRequests;
  /** Whether a connection is to end with its next answer, since others have fewer. */
  letsGo?: (socket: Socket) => boolean;
  /** Takes a line of the audit log for each request. */
  audit?: (entry: AuditEntry) => void;
  /** Milliseconds that a client has to take its answer when the server ends. */
  answerMs?: number;
  /** Milliseconds that what is under way has when the server ends. */
  graceMs?: number;
}

/** Who did what to which index. */
export interface AuditEntry {
  time: string;
  /** Undefined where nobody known has asked, or nobody was asked for. */
  principal: string | undefined;
  address: string;
  method: string;
  path: string;
  action: string | undefined;
  indices: readonly string[];
  /** Of the answer: 401 and 403 are refusals. */
  status: number;
}

/** Finds out who sent a request, by its Authorization header, its path and its address; throws for those whom nobody knows. */
export type Authenticate = (
  header: string | undefined,
  uri: string,
  source: string,
) => Principal | Promise<Principal>;

/** Everybody may do everything. */
export const everybody: Authenticate = () => Principal.unrestricted;

const IDLE_MS = 60_000;
/** Whoever begins with TLS has that long to come to an end. */
const HANDSHAKE_MS = 30_000;
/** Connections on which nothing happens between requests. */
const KEEP_ALIVE_MS = 300_000;
const MAX_CONNECTIONS = 10_000;
/** Answers of this size are watched until they are taken. */
const LARGE_ANSWER = 256 * 1024;

/** What the breakers call bodies that are parsed. */
const PARSED = '<parsed_request>';

/** Smaller answers are not worth packing. */
const MIN_PACKED = 1024;
const pack = promisify(gzip);

/** An HTTP server over the router; not listening yet. @param authenticate finds out for whom the router answers */
export function createHttp(
  router: RequestHandler,
  authenticate: Authenticate,
  options: HttpOptions = {},
): FastifyInstance {
  const {
    maxBody = MAX_BODY,
    compression = false,
    breakers,
    idleMs = IDLE_MS,
    tls,
    requests,
    readYaml,
    audit,
    letsGo,
    answerMs,
    graceMs,
  } = options;
  const folder = consoleFolder(options.console);
  const pages = folder === undefined ? undefined : new ConsoleFiles(folder);
  const cors = new Cors(options.cors);
  const names = new HostNames(options.hosts);
  // Who is gone without a word is found out by the system.
  const listener = { headersTimeout: IDLE_MS, keepAlive: true, keepAliveInitialDelay: IDLE_MS };
  const app = fastify({
    bodyLimit: maxBody,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // What comes by an open connection while the server ends is answered as ever, and ends the connection.
    return503OnClosing: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...(tls === undefined
      ? { http: listener }
      : { https: { ...listener, ...tls, handshakeTimeout: HANDSHAKE_MS } }),
    routerOptions: { maxParamLength: 65_536 },
    clientErrorHandler: refuseConnection,
    frameworkErrors: (_error, request, reply) => {
      answer(request, reply as FastifyReply);
    },
  }) as FastifyInstance;
  const bodies = { maxBody, idleMs, breakers };
  const limits = new RequestLimits(answerMs, graceMs);
  /** Answers; what went wrong on the way is an answer too. */
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    requests?.enter();
    const asked: Asked = { principal: undefined, body: EMPTY };
    try {
      await respond(request, reply, asked);
    } catch (e) {
      try {
        refuse(e as Error, request, reply);
      } catch {
        reply.raw.destroy();
      }
    } finally {
      requests?.leave();
      if (audit !== undefined) record(request, reply.statusCode, asked);
    }
  };
  const record = (request: FastifyRequest, status: number, { principal, body }: Asked): void => {
    const { method, ip: address } = request;
    const { path, action, indices } = router.describe(method, pathOf(request.raw.url), body);
    const time = new Date().toISOString();
    audit!({ time, principal: principal?.name, address, method, path, action, indices, status });
  };
  const respond = async (request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<void> => {
    const { headers, method } = request.raw;
    const opaque = headers['x-opaque-id'];
    if (opaque !== undefined) reply.header('X-Opaque-Id', opaque);
    const { origin, host, 'user-agent': userAgent, 'content-encoding': encoding } = headers;
    if (!names.allows(host)) throw wrongHost(host!);
    if (!cors.admits(origin, host)) throw foreignOrigin(origin!);
    reply.headers(cors.headers({ method: method!, origin, userAgent }));
    // A browser asks without credentials whether it may send them: that shows nothing, and its body is nobody's.
    if (method === 'OPTIONS') {
      if (hasBody(headers)) reply.header('connection', 'close');
      send(reply, text(200));
      return;
    }
    const uri = pathOf(request.raw.url);
    const page = pages?.answer(method!, uri, headers);
    if (page !== undefined) {
      const { status, headers: described, body } = await page;
      reply.code(status).headers(described).send(body);
      return;
    }
    // Before the body is read: strangers send none.
    // Asking for the address costs a call of the system.
    const sender =
      authenticate === everybody
        ? Principal.unrestricted
        : authenticate(headers.authorization, uri, request.ip);
    const principal = sender instanceof Promise ? await sender : sender;
    asked.principal = principal;
    // A body is what its first bytes say, whatever its type is called; so Fastify reads none.
    const sent = hasBody(headers) ? await readBody(request.raw, bodies) : undefined;
    let response: RestResponse;
    const connection = limits.connection(request.raw.socket);
    const limit = connection.begin(principal === Principal.unrestricted ? undefined : principal.name);
    let held = sent?.held;
    const weigh = (bytes: number) => {
      held ??= breakers?.hold('request', 0, PARSED);
      if (held !== undefined) breakers?.grow('request', held, bytes, PARSED);
    };
    try {
      let body: Uint8Array = sent?.bytes ?? EMPTY;
      if ((encoding === 'gzip' || encoding === 'deflate') && body.length > 0) {
        body = await unpackBody(sent!, maxBody, breakers);
      }
      const type = headers['content-type'] ?? '';
      const read = readFormat(uri, type, body, readYaml, weigh, limit);
      const { json, wanted } = read instanceof Promise ? await read : read;
      if (audit !== undefined) asked.body = json;
      if (json.length >= SMALL_JSON && !isSliced(uri)) {
        weigh(await inTurns(parsedSizeInTurns(json, limit), limit));
        // Parsing and compiling it takes a turn, and bodies that are there at the same time would be read in one.
        await limit.yield();
      }
      response = await router.handle(request.method, uri, json, principal, limit, wanted, weigh);
      if (response.status >= 400 && isForPeople(userAgent)) response = withHint(response, json);
    } finally {
      connection.end(limit);
      held?.release();
    }
    // Otherwise the end of the server would wait for the client to hang up.
    if (closing || letsGo?.(request.raw.socket)) reply.header('connection', 'close');
    if (response.stream !== undefined) {
      await sendStream(reply, response, response.stream, idleMs);
      return;
    }
    if (compression && response.body.length >= MIN_PACKED && takesGzip(request)) {
      reply.header('content-encoding', 'gzip');
      response = { ...response, body: await pack(response.body) };
    }
    if (response.body.length >= LARGE_ANSWER) watch(reply, response.body.length);
    send(reply, response);
  };
  const refuse = (
    thrown: Error & { statusCode?: number; code?: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): void => {
    const error = errorOf(thrown);
    const { status } = error;
    if (status === 401) reply.header('www-authenticate', 'Basic realm="resilin", charset="UTF-8"');
    // The rest of a body that nobody reads.
    if (thrown instanceof ElasticsearchError) reply.header('connection', 'close');
    const { method, url: uri } = request;
    const asked = { method, uri, query: new Map<string, string>(), body: EMPTY, limit: WorkLimit.none };
    const response = json(asked, status, { error: error.render(), status });
    send(reply, isForPeople(request.headers['user-agent']) ? withHint(response, EMPTY) : response);
  };
  /** Holds the memory of an answer until it is taken, or nobody takes it. */
  const watch = ({ raw }: FastifyReply, bytes: number) => {
    const held = breakers?.hold('request', bytes, '<http_response>');
    raw.socket?.setTimeout(idleMs);
    raw.once('close', () => held?.release());
  };
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    limits.close();
  });
  for (const method of METHODS) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.setErrorHandler(refuse);
  app.all('*', answer);
  // Whatever a client expects, the answer is the answer.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  // Methods that Fastify doesn't route; 1.7 takes them for GET.
  app.setNotFoundHandler(answer);
  return app;
}

const EMPTY = new Uint8Array(0);

/** What became known of a request, for the audit log. */
interface Asked {
  principal: Principal | undefined;
  body: Uint8Array;
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** What kept a request from its handler, or an answer from its client. */
function errorOf(thrown: Error & { statusCode?: number; code?: string }): ElasticsearchError {
  if (thrown instanceof ElasticsearchError) return thrown;
  const damaged = thrown.code?.startsWith('Z_') === true;
  return new ElasticsearchError('HttpException', thrown.message, {
    status: damaged ? 400 : (thrown.statusCode ?? 500),
  });
}

/** 403: a name that this server doesn't go by. */
function wrongHost(host: string): ElasticsearchError {
  const shown = host.slice(0, 100);
  const detail = `the host [${shown}] is not a name of this server; --allow-host adds one`;
  return new ElasticsearchError('HttpException', detail, { status: 403 });
}

/** 403: a page of another server. */
function foreignOrigin(origin: string): ElasticsearchError {
  const shown = origin.slice(0, 100);
  const detail = `pages of the origin [${shown}] may not send requests; --cors lets them in`;
  return new ElasticsearchError('HttpException', detail, { status: 403 });
}

/** Whether a body is parsed slice by slice, each of which is counted. */
export function isSliced(uri: string): boolean {
  return /\/_bulk\/?(\?|$)/.test(uri);
}

function takesGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
}

/** The path and query of a request line; one that names scheme and host as well is allowed. */
function pathOf(url = '/'): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Sends an answer whose bytes are all there. Node is handed head and body at once: on its way through Fastify, which looks for what else it
 * could be and for hooks that there are none of, an answer took 2 microseconds more.
 */
function send(reply: FastifyReply, { status, contentType, body }: RestResponse): void {
  const { raw, request } = reply;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // An answer that has no body has other headers, too.
  if (reply.sent || raw.headersSent || request.method === 'HEAD' || status < 200 || NO_BODY.has(status)) {
    reply.code(status).header('content-type', contentType).send(bytes);
    return;
  }
  reply.header('content-type', contentType);
  const headers = reply.getHeaders();
  headers['content-length'] = body.byteLength;
  raw.writeHead(status, headers as OutgoingHttpHeaders);
  reply.hijack();
  raw.end(bytes);
}

const NO_BODY: ReadonlySet<number> = new Set([204, 304]);

/** Sends a body piece by piece, as the client takes it; ends the connection where no more can be had, or is taken. */
async function sendStream(
  reply: FastifyReply,
  { status, contentType }: RestResponse,
  stream: BodyStream,
  idleMs: number,
): Promise<void> {
  const { raw } = reply;
  if (raw.closed || raw.destroyed || raw.socket?.destroyed === true) {
    stream.release();
    return;
  }
  const body = new PassThrough();
  raw.once('close', () => body.destroy());
  // An error ends the connection: the client gets less than it was promised.
  body.on('error', () => {});
  const gone = new Promise<never>((_, fail) => {
    body.once('close', () => fail(new Error('nobody takes the rest')));
  });
  gone.catch(() => {});
  raw.socket?.setTimeout(idleMs);
  reply.code(status).header('content-type', contentType).header('content-length', stream.bytes).send(body);
  try {
    await stream.write((bytes) => {
      const taken = new Promise<void>((done, fail) => {
        body.write(bytes, (error) => (error ? fail(error) : done()));
      });
      return Promise.race([taken, gone]);
    });
    body.end();
  } catch (e) {
    body.destroy(e as Error);
  }
}

/** What Node's parser can't read as HTTP gets an answer of the usual shape, if there is still somebody to read it. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  const { code = '' } = error;
  // Whoever doesn't speak TLS can't be told anything.
  if (code === 'ECONNRESET' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const body = JSON.stringify({ error: `HttpException[${STATUS_CODES[status]}]`, status });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=UTF-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
