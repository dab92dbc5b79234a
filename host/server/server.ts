/** The server: data folder, worker threads, engine and HTTP, put together and taken apart. */
import { availableParallelism, hostname } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { AddressInfo, Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { wallClock } from '../time/clock.js';
import { Engine } from '../engine/engine.js';
import { createRouter } from '../rest/createRouter.js';
import { isLoopback, ServerAccess } from './access/serverAccess.js';
import { DEFAULT_HEADERS } from './cors.js';
import { IN_MEMORY, openData } from './dataFolder.js';
import { AnswerStats } from './answers.js';
import { AuditFile } from './auditFile.js';
import { Collections } from './collections.js';
import { openLog, slowLogOf } from './log.js';
import { createHttp, type HttpOptions } from './http.js';
import type { RunningServer, ServerOptions } from './options.js';
import { Metrics } from './metrics.js';
import { nodePlatform } from './platform.js';
import { WorkerPool } from './pool.js';
import { SequentialRequests } from './busyPolling.js';
import { VERSION } from '../version.js';
import { compileCore } from './wasm.js';
import { YamlReader } from './yamlBody.js';

/** Starts a server; it answers when the promise resolves. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const {
    port = 9200,
    host = '127.0.0.1',
    data = './data',
    threads = Math.max(1, availableParallelism() - 1),
  } = options;
  const log = options.log ?? openLog('warn');
  const warn = options.warn ?? ((message: string) => log.warn(message));
  const access = new ServerAccess(options);
  for (const warning of access.warnings(host)) warn(warning);
  const audit = options.audit === undefined ? undefined : new AuditFile(options.audit, warn);
  const module = await compileCore(options.wasm);
  const { storage, blobs, places, release } = await openData(data, options.repositories);
  const memory = getHeapStatistics().heap_size_limit;
  const requests = new SequentialRequests();
  const workerFile = new URL('./worker.js', import.meta.url);
  const transport = new WorkerPool(module, threads, workerFile, warn, requests);
  let engine: Engine;
  try {
    const outside = { storage, blobs, places, clock: wallClock, transport, module };
    const slow = slowLogOf(log);
    engine = await Engine.open({ ...outside, warn, memory, slow, guarded: access.guarded, background: true });
  } catch (e) {
    await transport.close();
    await storage.close();
    release();
    throw e;
  }
  let opened = 0;
  const answers = new AnswerStats();
  const collections = new Collections();
  const platform = nodePlatform({
    answers: () => answers,
    collections: () => collections.stats,
    workers: threads,
    address: () => addressOf(app),
    connections: () => ({ open: open.size, opened }),
    data: data === IN_MEMORY ? undefined : data,
  });
  const meter = new Metrics(engine, VERSION, platform);
  const yaml = new YamlReader(new URL('./yamlWorker.js', import.meta.url));
  const app = createHttp(
    createRouter(engine, { node: 'Resilin', cluster: 'elasticsearch', version: VERSION, platform, meter }),
    access.authenticate,
    {
      breakers: engine.breakers,
      readYaml: (body) => yaml.read(body),
      requests,
      ...options.http,
      ...(audit === undefined ? {} : { audit: (entry) => audit.line(entry) }),
      hosts: [...namesOf(host), ...(options.http?.hosts ?? [])],
      ...spoken(options.http, access),
    },
  );
  answers.watch(app, log);
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    opened++;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const close = async () => {
    await app.close();
    await yaml.close();
    collections.stop();
    await audit?.close();
    await engine.close();
    release();
  };
  try {
    await app.listen({ port, host });
  } catch (e) {
    await close();
    throw e;
  }
  const scheme = access.tls === undefined ? 'http' : 'https';
  const reload = () =>
    access.reload(log, (tls) => (app.server as unknown as TlsServer).setSecureContext(tls));
  return { engine, url: `${scheme}://${addressOf(app)}`, reload, close };
}

/** What users and TLS bring to how HTTP is spoken. */
function spoken({ cors }: HttpOptions = {}, { guarded, tls }: ServerAccess): HttpOptions {
  return {
    ...(tls === undefined ? {} : { tls }),
    // Pages of other origins send credentials of their own.
    ...(!guarded || cors === undefined
      ? {}
      : { cors: { allowHeaders: `${DEFAULT_HEADERS}, Authorization`, ...cors } }),
  };
}

/** Names for where a server listens: the one given, and the machine's where others reach it. */
function namesOf(host: string): string[] {
  return isLoopback(host) ? [host] : [host, hostname()];
}

/** Where the server listens: `127.0.0.1:9200`. */
function addressOf(app: FastifyInstance): string {
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${name}:${address.port}`;
}
