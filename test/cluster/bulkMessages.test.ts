/** How the operations of bulks go into messages of a log: as few as hold them, each of which costs a commit on every copy. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { IndexedOperation } from '../../host/engine/writing.js';
import { ShardWriter, type WriterContext, type Written } from '../../host/replication/shardWriter.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import type { SimulatedNode } from './simulation/simulatedNode.js';

let simulated: SimulatedCluster;
let nodes: SimulatedNode[];

beforeEach(async () => {
  simulated = new SimulatedCluster();
  nodes = [];
  for (const id of ['a', 'b']) nodes.push(await simulated.start(id));
  const settings = { number_of_shards: 1, number_of_replicas: 1 };
  const mappings = { book: { properties: { n: { type: 'long' } } } };
  await nodes[0]!.call('PUT', '/books', { settings, mappings });
});
afterEach(async () => {
  await simulated.close(nodes);
});

/** Operations on documents of these numbers. */
function slice(from: number, to: number): IndexedOperation[] {
  return Array.from({ length: to - from }, (_, i) => {
    const source = new TextEncoder().encode(`{"n":${from + i}}`);
    return { index: 'books', kind: 'index', type: 'book', id: String(from + i), source };
  });
}

it('slices of a bulk that come in one turn are one message', async () => {
  const { engine } = nodes[0]!;
  const counts = () => engine.replication!.counts.appended;
  const before = counts();
  const done: Promise<unknown[]>[] = [];
  for (let at = 0; at < 300; at += 100) done.push((await engine.submit(slice(at, at + 100))).done);
  const outcomes = (await Promise.all(done)).flat();
  expect(outcomes[0]).toMatchObject({ result: { version: 1 } });
  expect(counts() - before).toBe(1);
  await nodes[1]!.call('POST', '/books/_refresh');
  const { body } = await nodes[1]!.call('GET', '/books/_count');
  expect(body).toMatchObject({ count: 300 });
});

it('an update is decided on behind what comes before it, and only where that is about its document', async () => {
  const counts = () => nodes[0]!.engine.replication!.counts.appended;
  const update = (id: number, n: number) => [{ update: { _id: id } }, { doc: { n } }];
  const bulk = async (...lines: unknown[]) => {
    const before = counts();
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    expect((await nodes[0]!.call('POST', '/books/book/_bulk', body)).body).toMatchObject({ errors: false });
    return counts() - before;
  };
  const index = (id: number, n: number) => [{ index: { _id: id } }, { n }];
  expect(await bulk(...index(1, 1), ...index(2, 1), ...index(1, 2))).toBe(1);
  expect(await bulk(...index(3, 1), ...update(1, 5), ...update(2, 5))).toBe(1);
  expect(await bulk(...index(3, 2), ...index(4, 1), ...update(3, 7), ...index(3, 8), ...index(4, 9))).toBe(3);
  for (const [id, n] of [
    [1, 5],
    [2, 5],
    [3, 8],
    [4, 9],
  ] as const)
    expect((await nodes[1]!.call('GET', `/books/book/${id}`)).body).toMatchObject({ _source: { n } });
});

it('copies are asked once whether they have a message, for all requests that end with it', async () => {
  const asked: string[] = [];
  const index = { name: 'books', gcDeletes: 0, shards: [], watches: () => false };
  const log = { append: async () => 1 };
  const follower = { index, ending: new AbortController().signal, log: async () => log };
  let position = 6;
  let number = 0;
  const context = {
    clock: { now: () => 1, after: () => () => {} },
    turn: (callback: () => void) => setImmediate(callback),
    writer: 'w',
    follower,
    outcomes: async () => ({
      outcomes: [1, 2, 3].map((version) => ({ version, fresh: true })),
      position: ++position,
    }),
    refusal: () => undefined,
    isHere: () => true,
    knowCompared: () => true,
    nextNumber: () => ++number,
    copied: async (_index: unknown, _shard: number, { position: at }: Written, level: string) => {
      asked.push(`${level} ${at}`);
      if (at === 8) throw new Error('not yet');
    },
  } as unknown as WriterContext;
  const writer = new ShardWriter(0, context);
  const copies = { wanted: 2, level: 'ALL' };
  const write = (id: string, more = {}) =>
    writer.write([{ kind: 'index', type: 't', id, source: new Uint8Array(2), ...more }]);
  // The first goes into a message of its own, the others into the next one.
  const [first, ...others] = [write('1'), write('2'), write('3'), write('4', { copies })];
  expect(await first).toEqual([{ version: 1, fresh: true }]);
  expect((await Promise.all(others)).flat()).toMatchObject([
    { status: 500 },
    { status: 500 },
    { status: 500 },
  ]);
  expect(asked).toEqual(['QUORUM 7', 'QUORUM 8', 'ALL 8']);
});
