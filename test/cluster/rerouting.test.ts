/** Commands that move copies between nodes: what is chosen is kept, and what can't be is refused as in 1.7. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { Answer, SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: Map<string, SimulatedNode>;

async function start(id: string, options: { data?: boolean; graceMs?: number } = {}): Promise<void> {
  nodes.set(id, await simulated.start(id, { graceMs: 60_000, ...options }));
}

beforeEach(async () => {
  nodes = new Map();
  simulated = new SimulatedCluster();
  for (const id of ['a', 'b', 'c', 'd']) await start(id);
});

afterEach(async () => {
  await simulated.close(nodes.values());
});

const node = (id: string) => nodes.get(id)!;
const any = () => nodes.values().next().value!;

interface Copy {
  state: string;
  primary: boolean;
  node: string | null;
  relocating_node: string | null;
}

/** The copies of the shard, as a node shows them. */
async function copies(of = any()): Promise<Copy[]> {
  const { body } = await of.call('GET', '/_cluster/state/routing_table/books');
  return body.routing_table.indices.books.shards[0];
}

const shown = (all: readonly Copy[]) =>
  all.map(({ state, primary, node: on, relocating_node: to }) =>
    [primary ? 'p' : 'r', state, on, ...(to === null ? [] : [to])].join(' '),
  );

/** Resolves when all nodes show the copies like that. */
async function settled(expected: readonly string[]): Promise<void> {
  let seen: string[][] = [];
  for (let i = 0; i < 200; i++) {
    seen = await Promise.all([...nodes.values()].map(async (each) => shown(await copies(each))));
    if (seen.every((each) => JSON.stringify(each) === JSON.stringify(expected))) return;
    await simulated.clock.sleep(500);
  }
  expect(seen).toEqual(seen.map(() => expected));
}

const reroute = (commands: readonly object[], query = '', of = any()): Promise<Answer> =>
  of.call('POST', `/_cluster/reroute?${query}`, { commands });

/** Makes the index; the nodes of its primary and its replica, and the others. */
async function books(settings: object = {}): Promise<{ first: string; second: string; free: string[] }> {
  const all = { number_of_shards: 1, number_of_replicas: 1, ...settings };
  await any().call('PUT', '/books', { settings: all });
  await any().call('PUT', '/books/doc/1?refresh', { n: 1 });
  await any().call('GET', '/_cluster/health/books?wait_for_status=green');
  const [first, second] = (await copies()).map(({ node: on }) => on!);
  return {
    first: first!,
    second: second!,
    free: [...nodes.keys()].filter((id) => id !== first && id !== second),
  };
}

async function stays(count = 1): Promise<void> {
  for (const each of nodes.values()) {
    const { body } = await each.call('GET', '/books/_search');
    expect([body.hits.total, body._shards.failed]).toEqual([count, 0]);
  }
}

describe('a copy that is moved', () => {
  it('goes to the node that is named, and stays there when all nodes are started again', async () => {
    const { first, second, free } = await books();
    const [to] = free as [string];
    const move = { index: 'books', shard: 0, from_node: first, to_node: to };
    const { status, body } = await reroute([{ move }], 'metric=routing_table,routing_nodes');
    expect([status, body.acknowledged]).toEqual([200, true]);
    expect(shown(body.state.routing_table.indices.books.shards[0])).toEqual([
      `p RELOCATING ${first} ${to}`,
      `r STARTED ${second}`,
    ]);
    expect(shown(body.state.routing_nodes.nodes[to])).toEqual([`p INITIALIZING ${to} ${first}`]);
    await settled([`p STARTED ${to}`, `r STARTED ${second}`]);
    await stays();
    for (const { engine } of nodes.values()) await engine.close();
    await Promise.all([...nodes.keys()].map((id) => start(id)));
    await simulated.clock.sleep(10_000);
    await settled([`p STARTED ${to}`, `r STARTED ${second}`]);
    await stays();
  });

  it('goes nowhere in a dry run, which tells what would be', async () => {
    const { first, second, free } = await books();
    const [to, other] = free as [string, string];
    const commands = [
      { move: { index: 'books', shard: 0, from_node: second, to_node: to } },
      { move: { index: 'books', shard: 0, from_node: first, to_node: other } },
    ];
    const { body } = await reroute(commands, 'dry_run&explain&metric=routing_table');
    expect(shown(body.state.routing_table.indices.books.shards[0])).toEqual([
      `p RELOCATING ${first} ${other}`,
      `r RELOCATING ${second} ${to}`,
    ]);
    expect(body.explanations.map(({ command }: { command: string }) => command)).toEqual(['move', 'move']);
    expect(body.explanations[0].parameters).toEqual(commands[0]!.move);
    expect(body.explanations[0].decisions).toEqual(
      [
        ['same_shard', 'shard is not allocated to same node or host'],
        ['filter', 'node passes include/exclude/require filters'],
        ['replica_after_primary_active', 'primary is already active'],
        ['throttling', 'below shard recovery limit of [2]'],
        ['enable', 'allocation disabling is ignored'],
        ['disable', 'allocation disabling is ignored'],
        ['awareness', 'no allocation awareness enabled'],
        ['shards_limit', 'total shard limit disabled: [-1] <= 0'],
        ['node_version', 'target node version [1.7.3] is same or newer than source node version [1.7.3]'],
        ['disk_threshold', 'disk usages unavailable'],
        ['snapshot_in_progress', 'shard not primary or relocation disabled'],
      ].map(([decider, explanation]) => ({ decider, decision: 'YES', explanation })),
    );
    await simulated.clock.sleep(10_000);
    await settled([`p STARTED ${first}`, `r STARTED ${second}`]);
  });

  it('is refused where deciders say so, with all that they say', async () => {
    const { first, second, free } = await books();
    const [to] = free as [string];
    const text = (id: string) => `\\[${id}\\]\\[${id}\\]\\[.*\\]\\[inet\\[/.*:9300\\]\\]`;
    const refusal = async (command: object) => {
      const { status, body } = await reroute([command]);
      expect(status).toBe(400);
      return body.error as string;
    };
    const move = { index: 'books', shard: 0 };
    expect(await refusal({ move: { ...move, from_node: first, to_node: second } })).toMatch(
      new RegExp(
        `^ElasticsearchIllegalArgumentException\\[\\[move_allocation\\] can't move \\[books\\]\\[0\\], from ${text(first)}, to ${text(second)}, since its not allowed, reason: ` +
          `\\[NO\\(shard cannot be allocated on same node \\[${second}\\] it already exists on\\)\\]\\[YES\\(node passes include/exclude/require filters\\)\\]`,
      ),
    );
    expect(await refusal({ move: { ...move, from_node: to, to_node: second } })).toMatch(
      new RegExp(`can't move \\[books\\]\\[0\\], failed to find it on node ${text(to)}\\]$`),
    );
    expect(await refusal({ move: { ...move, from_node: first, to_node: 'x' } })).toBe(
      'ElasticsearchIllegalArgumentException[failed to resolve [x ], no matching nodes]',
    );
    expect(await refusal({ move: { ...move, from_node: first, to_node: '*' } })).toBe(
      'ElasticsearchIllegalArgumentException[resolved [*] into [4] nodes, where expected to be resolved to a single node]',
    );
    await any().call('PUT', '/books/_settings', { 'index.routing.allocation.exclude._name': `${to},y` });
    expect(await refusal({ move: { ...move, from_node: first, to_node: to } })).toContain(
      `[NO(node matches index exclude filters [_name:"${to} OR y"])]`,
    );
    await start('client', { data: false });
    expect(await refusal({ move: { ...move, from_node: first, to_node: 'client' } })).toContain(
      'Allocation can only be done on data nodes, not [client]',
    );
    // Of several commands none is carried out where one can't be.
    await refusal({ cancel: { index: 'books', shard: 0, node: first } });
    await settled([`p STARTED ${first}`, `r STARTED ${second}`]);
  });

  it('goes on to another node that is allowed when the one that was chosen is ruled out', async () => {
    const { first, second, free } = await books();
    const [to, other] = free as [string, string];
    await reroute([{ move: { index: 'books', shard: 0, from_node: second, to_node: to } }]);
    await settled([`p STARTED ${first}`, `r STARTED ${to}`]);
    await any().call('PUT', '/_cluster/settings', {
      transient: { 'cluster.routing.allocation.exclude._name': to },
    });
    await settled([`p STARTED ${first}`, `r STARTED ${other}`]);
    await stays();
  });

  it('goes back, and then nothing is kept of that', async () => {
    const { first, second, free } = await books();
    const [to] = free as [string];
    await reroute([{ move: { index: 'books', shard: 0, from_node: first, to_node: to } }]);
    await settled([`p STARTED ${to}`, `r STARTED ${second}`]);
    await reroute([{ move: { index: 'books', shard: 0, from_node: to, to_node: first } }]);
    await settled([`p STARTED ${first}`, `r STARTED ${second}`]);
    for (const { engine } of nodes.values()) expect(engine.index('books').metadata.chosen).toEqual({});
  });
});

describe('the allocation of a copy that is cancelled', () => {
  it('ends where the copy was on its way', async () => {
    const { first, second, free } = await books();
    const [to] = free as [string];
    const move = { index: 'books', shard: 0, from_node: first, to_node: to };
    const { body } = await reroute(
      [{ move }, { cancel: { index: 'books', shard: 0, node: to } }],
      'explain&metric=routing_table',
    );
    expect(body.explanations[1].decisions).toEqual([
      {
        decider: 'cancel_allocation_command',
        decision: 'YES',
        explanation: expect.stringMatching(/^shard \[books\]\[0\] on node .* can be cancelled$/),
      },
    ]);
    expect(shown(body.state.routing_table.indices.books.shards[0])).toEqual([
      `p STARTED ${first}`,
      `r STARTED ${second}`,
    ]);
    await settled([`p STARTED ${first}`, `r STARTED ${second}`]);
  });

  it('has a replica made anew, and a primary where that is said', async () => {
    const { first, second } = await books();
    const fetched = (id: string) => node(id).engine.replication!.copies.progress.length;
    const cancel = { index: 'books', shard: 0, node: second };
    const before = fetched(second);
    const { body } = await reroute([{ cancel }], 'metric=routing_table');
    expect(shown(body.state.routing_table.indices.books.shards[0])).toEqual([
      `p STARTED ${first}`,
      `r INITIALIZING ${second}`,
    ]);
    await settled([`p STARTED ${first}`, `r STARTED ${second}`]);
    expect(fetched(second)).toBe(before + 1);
    expect((await reroute([{ cancel: { ...cancel, node: first } }])).body.error).toMatch(
      /\[cancel_allocation\] can't cancel \[books\]\[0\] on node .*, shard is primary and started\]$/,
    );
    await reroute([{ cancel: { ...cancel, node: first, allow_primary: true } }]);
    await settled([`p STARTED ${first}`, `r STARTED ${second}`]);
    expect(fetched(first)).toBe(1);
    await stays();
  });

  it('leaves the only copy where it is', async () => {
    const { first } = await books({ number_of_replicas: 0 });
    const cancel = { index: 'books', shard: 0, node: first, allow_primary: true };
    expect((await reroute([{ cancel }])).status).toBe(200);
    await settled([`p STARTED ${first}`]);
    await stays();
  });
});

describe('a copy that is allocated', () => {
  it('comes to be in the place of one whose node went', async () => {
    const { first, second, free } = await books();
    const [to] = free as [string];
    const allocate = { index: 'books', shard: 0, node: to };
    expect((await reroute([{ allocate }])).body.error).toBe(
      'ElasticsearchIllegalArgumentException[[allocate] failed to find [books][0] on the list of unassigned shards]',
    );
    simulated.cluster.kill(second);
    nodes.delete(second);
    // It counts as living for 10 s, and its places are kept for 60 more.
    await simulated.clock.sleep(15_000);
    await settled([`p STARTED ${first}`, 'r UNASSIGNED ']);
    expect((await reroute([{ allocate: { ...allocate, node: first } }])).body.error).toContain(
      `[NO(shard cannot be allocated on same node [${first}] it already exists on)]`,
    );
    await reroute([{ allocate }]);
    await settled([`p STARTED ${first}`, `r STARTED ${to}`]);
    await stays();
    await start(second);
    await simulated.clock.sleep(10_000);
    await settled([`p STARTED ${first}`, `r STARTED ${to}`]);
  });

  it('comes to be though allocation is disabled', async () => {
    await any().call('PUT', '/_cluster/settings', {
      transient: { 'cluster.routing.allocation.enable': 'new_primaries' },
    });
    await any().call('PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 1 } });
    await any().call('PUT', '/books/doc/1?refresh&consistency=one', { n: 1 });
    const [{ node: first }] = (await copies()) as [Copy];
    await settled([`p STARTED ${first}`, 'r UNASSIGNED ']);
    const to = [...nodes.keys()].find((id) => id !== first)!;
    await reroute([{ allocate: { index: 'books', shard: 0, node: to } }]);
    await settled([`p STARTED ${first}`, `r STARTED ${to}`]);
  });

  it('does not begin anew what was written and has no copy left', async () => {
    const { first, free } = await books({ number_of_replicas: 0 });
    const [to] = free as [string];
    simulated.cluster.kill(first);
    nodes.delete(first);
    await simulated.clock.sleep(15_000);
    await settled(['p UNASSIGNED ']);
    const allocate = { index: 'books', shard: 0, node: to };
    expect((await reroute([{ allocate }])).body.error).toBe(
      'ElasticsearchIllegalArgumentException[[allocate] trying to allocate a primary shard [books][0], which is disabled]',
    );
    expect((await reroute([{ allocate: { ...allocate, allow_primary: true } }])).body.error).toContain(
      'no living node has a copy of the shard: start one that has',
    );
    await start(first);
    await settled([`p STARTED ${first}`]);
    await stays();
  });
});
