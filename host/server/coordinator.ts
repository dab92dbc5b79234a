/**
 * A coordinator: a thread that accepts connections beside the main one, with an engine of its own that follows the main thread's. It answers
 * what only reads, from the same store and the same data workers, and has the main thread answer the rest.
 */
import type { Server as TlsServer } from 'node:tls';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { FastifyListenOptions } from 'fastify';
import { Engine } from '../engine/engine.js';
import { loadGroovy } from '../groovy/loading.js';
import { ClusterFollower } from '../metadata/clusterFollower.js';
import type { Meter } from '../rest/cluster/node.js';
import { createRouter } from '../rest/createRouter.js';
import { LmdbReader } from '../storage/lmdbReader.js';
import { MemoryBlobs } from '../storage/memory.js';
import { wallClock } from '../time/clock.js';
import { VERSION } from '../version.js';
import { ServerAccess } from './access/serverAccess.js';
import { AnswerStats } from './answers.js';
import { SequentialRequests } from './busyPolling.js';
import { ConnectionBalance } from './coordinators/connectionBalance.js';
import { ForwardingRouter } from './coordinators/forwardingRouter.js';
import { LeaderLink } from './coordinators/leaderLink.js';
import type { Change, CoordinatorData, MeasuredRoute } from './coordinators/messages.js';
import { SharedNumbers } from './coordinators/sharedNumbers.js';
import { WorkerPorts } from './coordinators/workerPorts.js';
import { type Authenticate, createHttp, everybody } from './http.js';
import { httpOptions } from './httpSettings.js';
import { openLog } from './log.js';
import { StoreSizes } from './storeSizes.js';
import { YamlReader } from './yamlBody.js';

const data = workerData as CoordinatorData;
const numbers = new SharedNumbers(data.numbers);
const requests = new SequentialRequests();
const workers = new WorkerPorts(data.workers, data.searchMemory, data.copies, requests);
const access = new ServerAccess(data.access);
/** Changes that came before there was an engine to follow them. */
const early: Change[] = [];
let engine: Engine | undefined;
const answers = new AnswerStats();
const link = new LeaderLink(parentPort!, numbers, data.place, data.changes, workers, answers, {
  changed: (change) => {
    if (change.change === 'worker') workers.replace(change.worker, change.port);
    else if (engine === undefined) early.push(change);
    else follow(engine, change);
  },
  close: () => void close(),
});
const warn = (message: string) => link.tell({ tell: 'warn', message });

const storage = new LmdbReader(data.store, numbers);
const groovy = await loadGroovy(data.scripts);

engine = await Engine.open({
  storage,
  sizes: new StoreSizes(storage),
  blobs: new MemoryBlobs(),
  clock: wallClock,
  transport: workers,
  module: data.module,
  warn,
  slow: (entry) => link.tell({ tell: 'slow', entry }),
  memory: getHeapStatistics().heap_size_limit,
  guarded: access.guarded,
  background: true,
  nodeId: data.nodeId,
  leader: link,
  ...(groovy === undefined ? {} : { groovy }),
  Follower: ClusterFollower,
});
engine.cluster.stored.follow(data.settings);
for (const change of early.splice(0)) follow(engine, change);

const meter: Meter = {
  contentType: '',
  text: async () => '',
  route: (method, template, pool) => {
    const route: MeasuredRoute = { method, template, pool };
    return (seconds) => link.measured(route, seconds);
  },
};
const yaml = new YamlReader(new URL('./yamlWorker.js', import.meta.url));
const balance = new ConnectionBalance(numbers, data.place);
const router = createRouter(engine, { ...data.names, version: VERSION, meter });
// Who was removed by a request that is answered is refused here, too.
const authenticate: Authenticate = (...request) => {
  link.catchUp();
  return access.authenticate(...request);
};
const app = createHttp(new ForwardingRouter(router, link), access.guarded ? authenticate : everybody, {
  ...httpOptions(data.http, access, data.host),
  breakers: engine.breakers,
  readYaml: (body) => yaml.read(body),
  requests,
  letsGo: (socket) => balance.letsGo(socket),
  ...(data.audited ? { audit: (entry) => link.tell({ tell: 'audit', entry }) } : {}),
});
answers.watch(app, {
  isLevelEnabled: () => data.debug,
  debug: (fields: object, message?: string) => link.tell({ tell: 'debug', fields, message: message ?? '' }),
});
app.server.on('connection', (socket) => {
  link.opened();
  balance.add(socket);
});
const listen: FastifyListenOptions & { fd: number } = { fd: data.fd, host: data.host };
await app.listen(listen);
link.tell({ tell: 'listening' });

/** Follows a change of the main thread's engine. */
function follow(following: Engine, change: Change): void {
  const { cluster } = following;
  if (change.change === 'index') (cluster as unknown as ClusterFollower).renew(change.name);
  else if (change.change === 'settings') cluster.stored.follow(change.settings);
  else if (change.change === 'users') access.reloadUsers(openLog('silent'));
  else if (change.change === 'access')
    access.reload(openLog('silent'), (tls) => (app.server as unknown as TlsServer).setSecureContext(tls));
}

/** Answers what is under way, and ends. */
async function close(): Promise<void> {
  await app.close();
  await yaml.close();
  await engine?.close();
  link.close();
}
