/** The server: data folder, worker threads, engine and HTTP, put together and taken apart. */

import type { AddressInfo, Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Server as TlsServer } from 'node:tls';
import { isMainThread } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../engine/engine.js';
import { loadGroovy } from '../groovy/loading.js';
import { createRouter } from '../rest/createRouter.js';
import { LmdbStorage } from '../storage/lmdb.js';
import type { Storage } from '../storage/storage.js';
import { VERSION } from '../version.js';
import { ClusterUsers, sharedUsers } from './access/clusterUsers.js';
import { FileUsers } from './access/fileUsers.js';
import { ServerAccess } from './access/serverAccess.js';
import { NOBODY, type Users } from './access/usersFile.js';
import { AnswerStats } from './answers.js';
import { AuditFile } from './auditFile.js';
import { SequentialRequests } from './busyPolling.js';
import { Collections } from './collections.js';
import { CONSOLE_PATH, CONSOLE_PLUGIN, consoleFolder } from './console/consoleFiles.js';
import { ConnectionBalance } from './coordinators/connectionBalance.js';
import { Coordinators, type Serving } from './coordinators/coordinators.js';
import { duplicates } from './coordinators/descriptors.js';
import type { Counted } from './coordinators/messages.js';
import { PublishedStorage } from './coordinators/publishedStorage.js';
import { diskRoom, IN_MEMORY, type OpenData, openData, storeFolder } from './dataFolder.js';
import { defaultThreads } from './defaultThreads.js';
import { groovySettings } from './groovyScripts.js';
import { createHttp } from './http.js';
import { httpOptions } from './httpSettings.js';
import { type Logger, openLog, slowLogOf } from './log.js';
import { Metrics } from './metrics.js';
import { openEngine } from './openEngine.js';
import type { RunningServer, ServerOptions } from './options.js';
import { nodePlatform } from './platform.js';
import { WorkerPool } from './pool.js';
import { reportStart } from './startReport.js';
import { StoreSizes } from './storeSizes.js';
import { compileCore } from './wasm.js';
import { YamlReader } from './yamlBody.js';

/** Megabytes of results that a data worker keeps. */
const RESULT_CACHE_MB = 4;
/** Milliseconds that requests of a node of a cluster have to end when it is told to: others take its clients meanwhile. */
const NODE_GRACE_MS = 20_000;

/** Starts a server; it answers when the promise resolves. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const began = performance.now();
  const {
    port = 9200,
    host = '127.0.0.1',
    data = './data',
    cluster = 'elasticsearch',
    node = 'Resilin',
    threads = defaultThreads(availableParallelism()).data,
    coordinators: wantedCoordinators = defaultThreads(availableParallelism()).coordinators,
  } = options;
  const log = options.log ?? openLog('warn');
  const warn = options.warn ?? ((message: string) => log.warn(message));
  const access = new ServerAccess(options);
  for (const warning of access.warnings(host)) warn(warning);
  const audit = options.audit === undefined ? undefined : new AuditFile(options.audit, warn);
  // What a node of a cluster knows of others, its main thread knows.
  const isAlone = options.join === undefined;
  const auditLine = (entry: object) => audit?.line(isAlone ? entry : { ...entry, node });
  const module = await compileCore(options.wasm);
  const opened = await openData(data, options.repositories, {
    buckets: options.s3Repositories,
    urls: options.urlRepositories,
  });
  const { blobs, places, release } = opened;
  const requests = new SequentialRequests();
  const workerFile = new URL('./worker.js', import.meta.url);
  const kept = (options.resultCache ?? RESULT_CACHE_MB) * 1024 * 1024;
  const { searchCopies } = options;
  const transport = new WorkerPool(module, workerFile, warn, {
    threads,
    requests,
    resultCache: kept,
    ...(searchCopies === undefined ? {} : { searchCopies }),
  });
  const { maxBody } = options.http ?? {};
  const names = { node, cluster, ...(maxBody === undefined ? {} : { maxBody }) };
  const slow = slowLogOf(log);
  const scripts = await groovySettings(options.scripts);
  const groovy = await loadGroovy(scripts);
  const answers = new AnswerStats();
  const further = isAlone && mayHaveCoordinators(opened.storage) ? Math.max(0, wantedCoordinators - 1) : 0;
  const coordinators = new Coordinators(further, {
    pool: transport,
    file: new URL('./coordinator.js', import.meta.url),
    data: {
      module,
      store: storeFolder(data),
      host,
      names,
      http: options.http ?? {},
      access: { users: options.users, tls: options.tls },
      audited: audit !== undefined,
      scripts,
      debug: log.isLevelEnabled('debug'),
    },
    warn,
    slow,
    audit: auditLine,
    debug: (fields, message) => log.debug(fields, message),
    counted: (counted) => count(counted),
  });
  const { storage, balance } = shared(opened.storage, coordinators, further);
  const clusterNode = await joined(options, cluster, data, opened, transport, warn);
  const engine = await openEngine(
    {
      storage,
      blobs,
      places,
      transport,
      module,
      warn,
      slow,
      guarded: access.guarded,
      sizes: new StoreSizes(opened.storage),
      ...(further === 0 ? {} : { followers: coordinators.numbers }),
      ...(groovy === undefined ? {} : { groovy }),
      ...(clusterNode === undefined
        ? {}
        : { nodeId: clusterNode.nodeId, replication: clusterNode.replication }),
    },
    () => {
      void clusterNode?.services.close();
      release();
    },
  );
  publishSettings(engine, coordinators);
  let connections = 0;
  const collections = new Collections();
  const folder = data === IN_MEMORY ? undefined : data;
  const platform = nodePlatform({
    answers: () => answers,
    collections: () => collections.stats,
    workers: threads + further,
    address: () => addressOf(app),
    connections: () => ({ open: coordinators.numbers.connections, opened: connections }),
    data: folder,
  });
  const usersChanged = (users: Users) => {
    access.use(users);
    coordinators.usersChanged();
  };
  const hasConsole = consoleFolder(options.http?.console) !== undefined;
  const meter = new Metrics(engine, VERSION, platform, isAlone ? undefined : names);
  const yaml = new YamlReader(new URL('./yamlWorker.js', import.meta.url));
  const router = createRouter(engine, {
    ...names,
    version: VERSION,
    platform,
    meter,
    ...(options.users === undefined
      ? {}
      : {
          users: isAlone
            ? new FileUsers(options.users, usersChanged)
            : new ClusterUsers(engine.cluster.stored, () => access.own),
        }),
    ...(hasConsole ? { plugins: [CONSOLE_PLUGIN] } : {}),
    ...(further === 0 ? {} : { counted: () => coordinators.counted() }),
  });
  const app = createHttp(router, access.authenticate, {
    ...httpOptions(options.http, access, host),
    breakers: engine.breakers,
    readYaml: (body) => yaml.read(body),
    requests,
    ...(isAlone ? {} : { graceMs: NODE_GRACE_MS }),
    ...(further === 0 ? {} : { letsGo: (socket: Socket) => balance.letsGo(socket) }),
    ...(audit === undefined ? {} : { audit: auditLine }),
  });
  answers.watch(app, log);
  app.server.on('connection', (socket) => {
    connections++;
    balance.add(socket);
  });
  const count = ({ shards, answers: given, opened: more, measured }: Counted) => {
    const known = new Map(
      engine.cluster.all().flatMap((index) => index.shards.map((shard) => [shard.uid, shard])),
    );
    for (const [uid, done] of shards) (known.get(uid)?.counters ?? engine.past).add(done);
    answers.add(given);
    connections += more;
    for (const [{ method, template, pool }, seconds] of measured) {
      const measure = meter.route(method, template, pool);
      for (const each of seconds) measure(each);
    }
  };
  let starting: Promise<void> | undefined;
  let ending = false;
  const close = async () => {
    ending = true;
    await starting;
    // Other nodes turn to others before this one answers nothing any more.
    await engine.replication?.leave();
    await coordinators.close();
    await app.close();
    await yaml.close();
    collections.stop();
    await audit?.close();
    await engine.close();
    await clusterNode?.services.close();
    release();
  };
  try {
    // What others have been told is here before anybody is answered.
    if (!isAlone) shareUsers(engine, access, log);
    await engine.join({ name: node, http: '', version: VERSION, started: engine.started });
    if (!access.guarded && engine.cluster.stored.users !== undefined)
      throw new Error(
        'the cluster has users, and this node would let in anybody: start it with --users FILE; a file with {"format": 1} adds nobody',
      );
    await app.listen({ port, host });
    await engine.replication?.tell({ http: addressOf(app) });
    // It answers already.
    // Nobody waits for it.
    reportStart(engine, folder, began, log, () => ending).catch(() => {});
    if (further > 0) starting = startFurther(coordinators, { engine, router }, app, warn);
  } catch (e) {
    await close();
    throw e;
  }
  const scheme = access.tls === undefined ? 'http' : 'https';
  const reload = () => {
    access.reload(log, (tls) => (app.server as unknown as TlsServer).setSecureContext(tls));
    coordinators.accessChanged();
  };
  const url = `${scheme}://${addressOf(app)}`;
  return {
    engine,
    numbers: coordinators.numbers,
    pool: transport,
    url,
    console: hasConsole ? `${url}${CONSOLE_PATH}` : undefined,
    replaced: clusterNode?.services.members.replaced,
    reload,
    close,
  };
}

/** The server's cluster; undefined where it is alone. */
async function joined(
  { join }: ServerOptions,
  name: string,
  data: string,
  { storage, release }: OpenData,
  transport: WorkerPool,
  warn: (message: string) => void,
) {
  if (join === undefined) return undefined;
  try {
    const { openClusterNode } = await import('./clusterNode.js');
    return await openClusterNode(join, name, storage, () => diskRoom(data, storage), warn);
  } catch (e) {
    await transport.close();
    await storage.close();
    release();
    throw e;
  }
}

/** Whether threads can share what is kept, and listen to the same socket. */
function mayHaveCoordinators(storage: Storage): boolean {
  return storage instanceof LmdbStorage && isMainThread && process.versions.bun === undefined;
}

/** Lets in those whom all nodes of the cluster know. */
function shareUsers({ cluster: { stored } }: Engine, access: ServerAccess, log: Logger): void {
  const take = () => {
    try {
      access.useShared(sharedUsers(stored));
      if (!access.guarded && stored.users !== undefined)
        log.error('the cluster has users, and this node lets in anybody: start it anew with --users');
    } catch (e) {
      access.useShared(NOBODY);
      log.error(`users of the cluster can't be used, and are not let in: ${(e as Error).message}`);
    }
  };
  stored.usersChanged = take;
  take();
}

/** Has coordinators know the cluster's settings. */
function publishSettings({ cluster: { stored } }: Engine, coordinators: Coordinators): void {
  const { settingsChanged } = stored;
  coordinators.configured(stored.settings);
  stored.settingsChanged = () => {
    settingsChanged();
    coordinators.configured(stored.settings);
  };
}

/** The store as coordinators hear of it, and how connections are spread over them. */
function shared(storage: Storage, coordinators: Coordinators, further: number) {
  const { numbers } = coordinators;
  const balance = new ConnectionBalance(numbers, 0);
  if (further === 0) return { storage, balance };
  (storage as LmdbStorage).onReplaced = () => numbers.replaced();
  return { storage: new PublishedStorage(storage, coordinators), balance };
}

/** Starts coordinators; without them the main thread answers everything. */
async function startFurther(
  coordinators: Coordinators,
  serving: Serving,
  app: FastifyInstance,
  warn: (message: string) => void,
): Promise<void> {
  try {
    await coordinators.start(serving, (count) => duplicates(app.server, count));
  } catch (e) {
    warn(`not all coordinators could be started, the others do their work: ${(e as Error).message}`);
  }
}

/** Where the server listens: `127.0.0.1:9200`. */
function addressOf(app: FastifyInstance): string {
  const address = app.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${name}:${address.port}`;
}
