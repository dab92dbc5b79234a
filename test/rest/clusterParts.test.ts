import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Resilin } from '../../host/index.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { wallClock } from '../../host/time/clock.js';

let resilin: Resilin;
const call = (method: string, uri: string, body?: unknown) => resilin.request(method, uri, body);
const body = async (uri: string) => (await call('GET', uri)).body as Record<string, object>;

beforeAll(async () => {
  resilin = await createEngine();
  await call('PUT', '/open', { settings: { number_of_shards: 1, number_of_replicas: 1 } });
  await call('PUT', '/oshut', { settings: { number_of_shards: 1 } });
  await call('PUT', '/_template/t', { template: 'x*', settings: { number_of_shards: 2 } });
  await call('POST', '/oshut/_close');
});
afterAll(() => resilin.close());

describe('the state of the cluster', () => {
  const indices = async (of: string) => {
    const { metadata } = (await body(`/_cluster/state/metadata${of}`)) as unknown as {
      metadata: { indices: object; templates: object };
    };
    return Object.keys(metadata.indices);
  };

  it('finds the indices that a request means', async () => {
    expect(await indices('')).toEqual(['open', 'oshut']);
    expect(await indices('/o*')).toEqual(['open']);
    expect(await indices('/o*?expand_wildcards=closed')).toEqual(['oshut']);
    expect(await indices('/o*?expand_wildcards=open,closed')).toEqual(['open', 'oshut']);
    expect(await indices('/nosuch')).toEqual([]);
    expect((await call('GET', '/_cluster/state/metadata/nosuch?ignore_unavailable=false')).status).toBe(404);
    expect((await call('GET', '/_cluster/state/metadata/no*?allow_no_indices=false')).status).toBe(404);
  });

  it('shows templates of the whole cluster only, blocks always, and settings flat on request', async () => {
    expect(await body('/_cluster/state/metadata?flat_settings=true')).toMatchObject({
      metadata: {
        templates: { t: { settings: { 'index.number_of_shards': '2' } } },
        indices: { open: { settings: { 'index.number_of_replicas': '1' } } },
      },
    });
    expect(await body('/_cluster/state/metadata,blocks/open')).toMatchObject({
      metadata: { templates: {} },
      blocks: { indices: { oshut: { 4: { description: 'index closed' } } } },
    });
  });

  it('tells the shards of nodes alone, and with the table of shards', async () => {
    const parts = async (metrics: string) => Object.keys(await body(`/_cluster/state/${metrics}`)).sort();
    expect(await parts('routing_nodes')).toEqual(['cluster_name', 'routing_nodes']);
    expect(await parts('routing_table')).toEqual([
      'allocations',
      'cluster_name',
      'routing_nodes',
      'routing_table',
    ]);
    const { state } = (await call('POST', '/_cluster/reroute?metric=routing_nodes')).body as {
      state: object;
    };
    expect(Object.keys(state)).toEqual(['routing_nodes']);
  });

  it('says why copies are nowhere', async () => {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const { routing_nodes } = await body('/_cluster/state/routing_nodes/open');
    expect(routing_nodes).toMatchObject({
      unassigned: [{ index: 'open', primary: false, unassigned_info: { reason: 'INDEX_CREATED', at: time } }],
    });
    const parts = { storage: new MemoryStorage(), blobs: new MemoryBlobs() };
    const first = await createEngine({ ...parts, clock: { ...wallClock, now: () => 1000 } });
    await first.request('PUT', '/kept', { settings: { number_of_shards: 1 } });
    await first.close();
    const second = await createEngine({ ...parts, clock: { ...wallClock, now: () => 5000 } });
    const told = await second.request('GET', '/_cat/shards?h=prirep,ur,ua,uf&format=json');
    expect(told.body).toEqual([
      { prirep: 'p', ur: null, ua: null, uf: null },
      { prirep: 'r', ur: 'CLUSTER_RECOVERED', ua: '1970-01-01T00:00:05.000Z', uf: '0s' },
    ]);
    const { body: table } = await second.request('GET', '/_cluster/state/routing_table');
    expect(table).toMatchObject({
      routing_table: {
        indices: {
          kept: {
            shards: {
              0: [
                { state: 'STARTED' },
                { unassigned_info: { reason: 'CLUSTER_RECOVERED', at: '1970-01-01T00:00:05.000Z' } },
              ],
            },
          },
        },
      },
    });
    await second.close();
  });
});

describe('statistics', () => {
  it('are told apart by index or by shard, and not at all at another level', async () => {
    const of = async (level: string) => {
      const { nodes } = await body(`/_nodes/stats/indices/docs?level=${level}`);
      return Object.values(nodes!)[0] as { indices?: unknown };
    };
    const docs = { count: 0, deleted: 0 };
    expect((await of('node')).indices).toEqual({ docs });
    expect((await of('indices')).indices).toEqual({ docs, indices: { open: { docs } } });
    expect((await of('shards')).indices).toMatchObject({
      docs,
      shards: { open: [{ 0: { routing: { state: 'STARTED' }, docs } }] },
    });
    expect((await of('other')).indices).toBeUndefined();
    expect(Object.keys(await body('/_stats?level=other'))).toEqual(['_shards']);
  });

  it('are those of nodes named by what they are', async () => {
    const count = async (nodes: string) => Object.keys((await body(`/_nodes/${nodes}/http`)).nodes!).length;
    expect(await count('master:true')).toBe(1);
    expect(await count('data:true,master:false')).toBe(0);
    expect(await count('rack:1')).toBe(0);
  });
});

describe('moving shards', () => {
  const explain = async (command: object) => {
    const commands = { commands: [command] };
    const { explanations } = (await call('POST', '/_cluster/reroute?explain&metric=none', commands)).body as {
      explanations: { decisions: { decider: string; decision: string; explanation: string }[] }[];
    };
    return explanations[0]!;
  };
  const refusal = async (command: object) => {
    const { status, body } = await call('POST', '/_cluster/reroute', { commands: [command] });
    expect(status).toBe(400);
    return (body as { error: string }).error;
  };
  const here = { index: 'open', shard: 0, node: '_local' };

  it('is explained where that is asked for', async () => {
    expect(await explain({ cancel: { ...here, shard: 9 } })).toMatchObject({
      command: 'cancel',
      parameters: { index: 'open', shard: 9, node: '_local', allow_primary: false },
      decisions: [
        {
          decider: 'cancel_allocation_command',
          decision: 'NO',
          explanation: expect.stringContaining("can't cancel [open][9], failed to find it on node"),
        },
      ],
    });
    expect((await explain({ cancel: { ...here, allow_primary: true } })).decisions[0]!.decision).toBe('YES');
    expect((await explain({ allocate: here })).decisions[0]!.decider).toBe('same_shard');
    const move = { index: 'open', shard: 0, from_node: '_local', to_node: '_local' };
    expect((await explain({ move })).decisions[0]!.decider).toBe('same_shard');
  });

  it('is refused where it can not be', async () => {
    expect(await refusal({ cancel: here })).toMatch(
      /\[\[cancel_allocation\] can't cancel \[open\]\[0\] on node .*, shard is primary and started\]$/,
    );
    expect(await refusal({ allocate: { ...here, shard: 9 } })).toBe(
      'ElasticsearchIllegalArgumentException[[allocate] failed to find [open][9] on the list of unassigned shards]',
    );
    expect(await refusal({ move: { index: 'open', shard: 0, from_node: '_local' } })).toBe(
      'ElasticsearchParseException[[move] command missing the to parameter]',
    );
    expect(await refusal({ cancel: { ...here, other: 1 } })).toBe(
      'ElasticsearchParseException[[cancel] command does not support field [other]]',
    );
  });
});

it('no request ends the server', async () => {
  for (const uri of ['/_shutdown', '/_cluster/nodes/_shutdown', '/_cluster/nodes/_local/_shutdown'])
    expect(await call('POST', uri)).toEqual({
      status: 500,
      body: { error: 'ElasticsearchIllegalStateException[Shutdown is disabled]', status: 500 },
    });
});

it.each([
  ['DELETE', '/open/_query?q=a&consistency=x', 'No write consistency match [x]'],
  ['DELETE', '/open/_query?q=a&timeout=x', 'Failed to parse [x]'],
  ['GET', '/open/_count?min_score=x', 'Failed to parse float parameter [min_score] with value [x]'],
  ['GET', '/_search/scroll?scroll=x&scroll_id=x', 'Failed to parse [x]'],
  ['GET', '/open/t/1/_mlt?search_size=x', 'Failed to parse int parameter [search_size] with value [x]'],
])('parameters are read before anything else: %s %s', async (method, uri, error) => {
  expect((await call(method, uri)).body).toMatchObject({
    error: expect.stringContaining(error),
    status: 400,
  });
});
