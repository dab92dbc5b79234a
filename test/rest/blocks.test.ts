import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';

let resilin: Resilin;
beforeEach(async () => {
  resilin = await createEngine();
  await call('PUT', '/a');
  await call('PUT', '/a/t/1?refresh=true', { n: 1 });
});
afterEach(() => resilin.close());

const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const blocked = (...blocks: string[]) => ({
  status: 403,
  body: {
    error: `ClusterBlockException[blocked by: ${blocks.map((each) => `[FORBIDDEN/${each}];`).join('')}]`,
    status: 403,
  },
});
const putCluster = (kind: string, value: unknown) =>
  call('PUT', '/_cluster/settings', { [kind]: { 'cluster.blocks.read_only': value } });

it('a cluster that is read-only is searched, and neither written nor changed', async () => {
  await putCluster('transient', true);
  const block = '6/cluster read-only (api)';
  expect(await call('GET', '/_cluster/state/blocks')).toMatchObject({
    body: { blocks: { global: { 6: { description: block.slice(2), levels: ['write', 'metadata_write'] } } } },
  });
  for (const [method, uri, body] of [
    ['PUT', '/b', undefined],
    ['PUT', '/b/t/1', {}],
    ['PUT', '/a/t/2', {}],
    ['DELETE', '/a/t/1', undefined],
    ['DELETE', '/a', undefined],
    ['POST', '/a/_close', undefined],
    ['PUT', '/a/_mapping/t', { t: {} }],
    ['PUT', '/a/_alias/x', undefined],
    ['PUT', '/a/_warmer/w', {}],
    ['PUT', '/_template/t', { template: 'x*' }],
    ['PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } }],
  ] as const)
    expect(await call(method, uri, body), `${method} ${uri}`).toMatchObject(blocked(block));
  await call('PUT', '/a/_settings', { 'index.blocks.write': true });
  expect(await call('PUT', '/a/t/1', {})).toMatchObject(blocked(block, '8/index write (api)'));
  await call('PUT', '/a/_settings', { 'index.blocks.write': false });
  expect((await call('GET', '/a/_search')).body).toMatchObject({ hits: { total: 1 } });
  expect((await call('GET', '/a/t/1')).status).toBe(200);
  // Either of the two settings is enough.
  await putCluster('persistent', true);
  await putCluster('transient', false);
  expect(await call('PUT', '/b')).toMatchObject(blocked(block));
  await putCluster('persistent', false);
  expect((await call('PUT', '/b')).status).toBe(200);
});

it('an index whose metadata is blocked is neither looked at nor maintained, and searched all the same', async () => {
  await call('PUT', '/a/_settings', { 'index.blocks.metadata': true });
  const block = '9/index metadata (api)';
  expect(await call('GET', '/_cluster/state/blocks')).toMatchObject({
    body: { blocks: { indices: { a: { 9: { levels: ['metadata_read', 'metadata_write'] } } } } },
  });
  for (const [method, uri] of [
    ['GET', '/a'],
    ['GET', '/a/_mapping'],
    ['GET', '/_mapping'],
    ['GET', '/a/_mapping/field/n'],
    ['GET', '/a/_settings'],
    ['GET', '/a/_alias/x'],
    ['GET', '/a/_warmer/w'],
    ['GET', '/a/_stats'],
    ['GET', '/a/_segments'],
    ['GET', '/a/_recovery'],
    ['POST', '/a/_refresh'],
    ['POST', '/a/_flush'],
    ['POST', '/a/_optimize'],
    ['POST', '/a/_cache/clear'],
  ] as const)
    expect(await call(method, uri), `${method} ${uri}`).toMatchObject(blocked(block));
  expect((await call('HEAD', '/a')).status).toBe(403);
  expect((await call('GET', '/a/_search')).body).toMatchObject({ hits: { total: 1 } });
  expect((await call('PUT', '/a/t/2', {})).status).toBe(201);
  expect((await call('GET', '/a/_aliases')).status).toBe(200);
  expect((await call('GET', '/_cluster/health/a')).status).toBe(200);
});

it('settings of the cluster have to be what they are named for, and are passed over where not', async () => {
  const put = async (transient: unknown) =>
    (await call('PUT', '/_cluster/settings?flat_settings', { transient })).body;
  expect(
    await put({
      'discovery.zen.minimum_master_nodes': 1,
      'cluster.routing.allocation.balance.threshold': '0.5f',
      'indices.breaker.total.limit': '71%',
      'logger.action': 'DEBUG',
    }),
  ).toMatchObject({ transient: { 'discovery.zen.minimum_master_nodes': '1', 'logger.action': 'DEBUG' } });
  expect(
    await put({
      'discovery.zen.minimum_master_nodes': 2,
      'cluster.routing.allocation.allow_rebalance': 'sometimes',
      'cluster.routing.allocation.balance.threshold': -1,
      'indices.breaker.total.limit': '101%',
      'indices.recovery.concurrent_streams': 0,
      'indices.recovery.max_bytes_per_sec': 'fast',
      'indices.recovery.nosuch': 1,
    }),
  ).toEqual({ acknowledged: true, persistent: {}, transient: {} });
});

it('settings of an open index that can be changed are those of 1.7, with its words for bad values', async () => {
  const put = async (settings: unknown) => (await call('PUT', '/a/_settings', settings)).body;
  const cannot = (key: string, why: string) => ({
    error: `ElasticsearchIllegalArgumentException[can't process the settings: [[${key}] - ${why}]]`,
    status: 400,
  });
  for (const [key, value, why] of [
    [
      'index.merge.policy.merge_factor',
      1,
      'the value of the setting index.merge.policy.merge_factor must be >= 2',
    ],
    ['index.merge.policy.floor_segment', 'x', 'Failed to parse [x]'],
    [
      'index.merge.policy.segments_per_tier',
      '1.5',
      'the value of the setting index.merge.policy.segments_per_tier must be >= 2.0',
    ],
    ['index.merge.policy.expunge_deletes_allowed', 'x', 'cannot parse value [x] as a double'],
    ['index.cache.query.enable', 'x', 'cannot parse value [x] as a boolean'],
    ['index.search.slowlog.threshold.query.warn', 'x', 'cannot parse value [x] as time'],
  ] as const)
    expect(await put({ [key]: value })).toEqual(cannot(key, why));
  expect(await put({ 'index.merge.policy.nosuch': 1 })).toMatchObject({
    error:
      "ElasticsearchIllegalArgumentException[Can't update non dynamic settings[[index.merge.policy.nosuch]] for open indices [[a]]]",
  });
});

it('waiting for health takes only what it can wait for', async () => {
  const health = (query: string) => call('GET', `/_cluster/health?${query}`);
  expect((await health('wait_for_status=YELLOW')).body).toMatchObject({ timed_out: false });
  expect((await health('wait_for_active_shards=6&timeout=0')).body).toMatchObject({ timed_out: true });
  expect((await health('wait_for_active_shards=5&wait_for_events=Languid')).body).toMatchObject({
    timed_out: false,
  });
  expect((await health('wait_for_relocating_shards=x')).status).toBe(400);
  expect((await health('wait_for_nodes=ge(1x)')).body).toEqual({
    error: 'NumberFormatException[For input string: "1x"]',
    status: 500,
  });
  expect((await call('PUT', '/b?master_timeout=x')).body).toEqual({
    error:
      'ElasticsearchParseException[Failed to parse [x]]; nested: NumberFormatException[For input string: "x"]; ',
    status: 400,
  });
  expect((await call('GET', '/b')).status).toBe(404);
});

it('error_trace adds the messages of an error and its causes', async () => {
  expect((await call('PUT', '/b?error_trace&timeout=x')).body).toMatchObject({
    error_trace: { message: 'Failed to parse [x]', cause: { message: 'For input string: "x"' } },
  });
});
