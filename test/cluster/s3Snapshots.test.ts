/** Snapshots of several nodes in a bucket that all of them reach, and restores into clusters of another size. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { InProcessCluster } from '../../host/cluster/inProcess/inProcessCluster.js';
import { S3Repositories } from '../../host/server/s3/s3Repositories.js';
import { MemoryLocations, type RepositoryLocations } from '../../host/snapshot/locations.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { wallClock } from '../../host/time/clock.js';
import { coreBytes } from '../support/core.js';
import { KEY, S3Server, SECRET } from '../support/s3/s3Server.js';
import { SimulatedNode } from './simulation/simulatedNode.js';

const module = await WebAssembly.compile(coreBytes());
const CREDENTIALS = { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET };

let s3: S3Server;
let before: (string | undefined)[];
const nodes = new Set<SimulatedNode>();

beforeEach(async () => {
  s3 = await S3Server.start('bucket');
  before = Object.keys(CREDENTIALS).map((name) => process.env[name]);
  Object.assign(process.env, CREDENTIALS);
});

afterEach(async () => {
  for (const { engine } of nodes) await engine.close();
  nodes.clear();
  for (const [i, name] of Object.keys(CREDENTIALS).entries())
    if (before[i] === undefined) delete process.env[name];
    else process.env[name] = before[i];
  await s3.stop();
});

/** Each node opens its own way to the bucket. */
function places(): RepositoryLocations {
  const buckets = new S3Repositories([`${s3.endpoint}/bucket/box`]);
  const folders = new MemoryLocations();
  return { open: (location) => folders.open(location), openBucket: (settings) => buckets.open(settings) };
}

async function clusterOf(count: number): Promise<SimulatedNode[]> {
  const cluster = new InProcessCluster();
  const started: SimulatedNode[] = [];
  for (let i = 0; i < count; i++) {
    const id = `n${i}`;
    const kept = { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
    const services = cluster.start(id);
    const node = await SimulatedNode.start({
      id,
      incarnation: id,
      services,
      module,
      ...kept,
      places: places(),
    });
    nodes.add(node);
    started.push(node);
  }
  return started;
}

async function ok(node: SimulatedNode, method: string, path: string, body?: unknown) {
  const answer = await node.call(method, path, body);
  expect([path, answer.status < 300 ? 'ok' : answer.body]).toEqual([path, 'ok']);
  return answer.body;
}

const repository = { type: 's3', settings: { bucket: 'bucket' } };
const readonly = { type: 's3', settings: { bucket: 'bucket', readonly: true } };
const sent = () =>
  s3.requests.filter(({ method }) => method === 'PUT').reduce((sum, { bytes }) => sum + bytes, 0);

async function write(node: SimulatedNode, from: number, to: number, query = ''): Promise<void> {
  const lines: string[] = [];
  for (let i = from; i < to; i++)
    lines.push(
      JSON.stringify({ index: { _id: `${i}` } }),
      JSON.stringify({ n: i, text: `words of ${i ** 3}` }),
    );
  await ok(node, 'POST', `/books/book/_bulk?refresh=true${query}`, `${lines.join('\n')}\n`);
}

async function content(node: SimulatedNode) {
  await ok(node, 'POST', '/books/_refresh');
  const { hits } = await ok(node, 'POST', '/books/_search', { size: 1000, sort: ['n'], version: true });
  return hits.hits.map(({ _id, _version, _source }: Record<string, unknown>) => [_id, _version, _source]);
}

it('nodes write their shards into a bucket, and other clusters are restored from it', async () => {
  const [a, b, c] = (await clusterOf(3)) as [SimulatedNode, SimulatedNode, SimulatedNode];
  await ok(a, 'PUT', '/books', {
    settings: { number_of_shards: 3, number_of_replicas: 1, refresh_interval: '-1' },
  });
  await write(b, 0, 400);
  const secret = { ...repository, settings: { bucket: 'bucket', access_key: KEY, secret_key: SECRET } };
  expect((await a.call('PUT', '/_snapshot/box', secret)).status).toBe(400);
  await ok(a, 'PUT', '/_snapshot/box', repository);
  expect(Object.keys((await ok(c, 'POST', '/_snapshot/box/_verify')).nodes)).toEqual(['n0', 'n1', 'n2']);
  const start = sent();
  const one = await ok(c, 'PUT', '/_snapshot/box/one?wait_for_completion=true');
  expect(one.snapshot).toMatchObject({ state: 'SUCCESS', shards: { total: 3, successful: 3 } });
  const whole = sent() - start;
  await write(a, 400, 410, '&routing=one');
  const two = await ok(b, 'PUT', '/_snapshot/box/two?wait_for_completion=true');
  expect(two.snapshot.state).toBe('SUCCESS');
  // What the first has isn't sent again, whoever has made that: one shard has changed.
  expect(sent() - start - whole).toBeLessThan(whole / 2);
  const expected = await content(a);
  expect(expected).toHaveLength(410);

  for (const others of [await clusterOf(2), await clusterOf(5)]) {
    const first = others[0]!;
    await ok(first, 'PUT', '/_snapshot/box', readonly);
    const restored = await ok(others.at(-1)!, 'POST', '/_snapshot/box/two/_restore?wait_for_completion=true');
    expect(restored.snapshot.shards).toEqual({ total: 3, failed: 0, successful: 3 });
    const health = await ok(first, 'GET', '/_cluster/health?wait_for_status=green&timeout=20s');
    expect(health.status).toBe('green');
    for (const node of others) expect(await content(node)).toEqual(expected);
  }
  const alone = await SimulatedNode.alone({ module, clock: wallClock, places: places() });
  nodes.add(alone);
  await ok(alone, 'PUT', '/_snapshot/box', readonly);
  await ok(alone, 'POST', '/_snapshot/box/two/_restore?wait_for_completion=true');
  expect(await content(alone)).toEqual(expected);
});
