/** What the simulation says of writes that were acknowledged, and of which too few copies have something. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ElasticsearchError } from '../../host/errors.js';
import type { Outcome } from '../../host/shard/writeQueue.js';
import { Acknowledgements } from './simulation/durability.js';
import type { Event } from './simulation/history.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: SimulatedNode[];
let acknowledgements: Acknowledgements;
let a: SimulatedNode;
let b: SimulatedNode;

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = [];
  acknowledgements = new Acknowledgements({ running: () => nodes, mayBeDeleted: () => false });
  for (const id of ['a', 'b'])
    nodes.push(await simulated.start(id, { acknowledged: (written) => acknowledgements.take(written) }));
  [a, b] = nodes as [SimulatedNode, SimulatedNode];
  await a.call('PUT', '/books', { settings: { number_of_shards: 2, number_of_replicas: 1 } });
});

afterEach(async () => {
  simulated.loses = () => false;
  await simulated.close(nodes);
});

/** Whether a node's copy has a document. */
const has = (node: SimulatedNode, id: string) =>
  node.engine.index('books').shardOf('doc', id, undefined).documents.committed('doc', id) !== undefined;

/** Ids of documents of both shards. */
function idsOfBoth(): [string, string] {
  const shardOf = (id: string) => a.engine.index('books').shardOf('doc', id, undefined).number;
  let id = 1;
  while (shardOf(String(id)) === shardOf('0')) id++;
  return ['0', String(id)];
}

const event = (id: string, version: number): Event => ({
  ...{ id: `/books/doc/${id}`, version, kind: 'write', outcome: 'ok', by: 'somebody' },
  ...{ began: 1, ended: 2, token: undefined },
});

describe('acknowledged writes of a simulation', () => {
  it('are looked for where they were when their shards acknowledged them, before the bulk was answered', async () => {
    const log = `log/index-${a.engine.index('books').uuid}`;
    const [first, second] = idsOfBoth();
    // What the second shard acknowledges is handed on when the other node can be reached again.
    let heard = () => {};
    const isHeard = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const { replication } = a.engine;
    const write = replication!.write.bind(replication);
    let held = 0;
    replication!.write = async (...written) => {
      const outcomes = await write(...written);
      held++;
      if (written[1] === a.engine.index('books').shardOf('doc', second, undefined).number) await isHeard;
      return outcomes;
    };
    const own = ['a', 'b'];
    simulated.loses = (from, to) => (own.includes(from) && own.includes(to)) || (from === log && to === 'b');
    const lines = [first, second].flatMap((id) => [
      JSON.stringify({ index: { _index: 'books', _type: 'doc', _id: id } }),
      JSON.stringify({ n: 1 }),
    ]);
    const bulk = a.call('POST', '/_bulk', `${lines.join('\n')}\n`);
    while (held < 2) await simulated.clock.sleep(100);
    const nodesOfA = replication!.nodes;
    expect(nodesOfA.isSilent('b')).toBe(true);
    simulated.loses = (from, to) => from === log && to === 'b';
    while (nodesOfA.isSilent('b')) await simulated.clock.sleep(100);
    heard();
    const { status, body } = await bulk;
    expect([status, body.errors]).toEqual([200, false]);
    for (const id of [first, second]) {
      const { number } = a.engine.index('books').shardOf('doc', id, undefined);
      const copies = replication!.searchableCopiesOf(a.engine.index('books'), number);
      expect(copies.map((node) => node.id).sort()).toEqual(['a', 'b']);
      expect([has(a, id), has(b, id)]).toEqual([true, false]);
      expect(acknowledgements.toldTooEarly(event(id, 1))).toBe(undefined);
    }
    expect(acknowledgements.problems).toEqual([]);
  });

  it('are missed where a copy that can be reached has not got them', async () => {
    await a.call('PUT', '/books/doc/0', { n: 1 });
    expect(acknowledgements.problems).toEqual([]);
    const { number: shard } = a.engine.index('books').shardOf('doc', '0', undefined);
    const take = (kind: 'index' | 'delete', outcome: Outcome) =>
      acknowledgements.take({
        ...{ at: 'a', index: 'books', shard, outcomes: [outcome] },
        ops: [{ kind, type: 'doc', id: '0' }],
      });
    take('index', { version: 1, fresh: true });
    take('index', { version: 9, fresh: false, noop: true });
    take('index', new ElasticsearchError('VersionConflictEngineException', 'somebody was first'));
    expect(acknowledgements.problems).toEqual([]);
    take('index', { version: 2, fresh: false });
    take('delete', { version: 3, fresh: true });
    const without =
      /^(write \/books\/doc\/0 v2|delete \/books\/doc\/0 v3) was acknowledged by a while .* had not got it$/;
    expect(acknowledgements.problems).toEqual([1, 2].map(() => expect.stringMatching(without)));
  });

  it('are missed where a client was told before the shard had acknowledged them', async () => {
    await a.call('PUT', '/books/doc/0', { n: 1 });
    expect(acknowledgements.toldTooEarly(event('0', 1))).toBe(undefined);
    expect(acknowledgements.toldTooEarly(event('0', 2))).toMatch(/before its shard had acknowledged it$/);
  });
});
