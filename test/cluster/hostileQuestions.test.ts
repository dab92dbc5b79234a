/** What a node makes of questions that no node asks: whoever may publish where nodes talk could send them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PeerHandler, Peers } from '../../host/cluster/peers.js';
import { NodeQuestions } from '../../host/replication/nodeQuestions.js';
import { decodeQuestions, encodeQuestions } from '../../host/replication/readMessages.js';
import { Random } from '../torture/random.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import { SimulatedNode } from './simulation/simulatedNode.js';
import { coreBytes } from '../support/core.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';

/** More seeds find more: `SEEDS=2000 npm test -- test/cluster/hostileQuestions.test.ts`. */
const SEEDS = Number(process.env.SEEDS ?? 25);
/** Virtual milliseconds that nobody waits longer for. */
const PATIENCE_MS = 2000;

const module = await WebAssembly.compile(coreBytes());
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const simulated = new SimulatedCluster();
const { clock } = simulated;
const nodes: SimulatedNode[] = [];
/** All kinds that a node answers. */
const kinds = new Set<string>();
/** Questions that nodes asked, by kind. */
const asked = new Map<string, Uint8Array[]>();
/** How the first node answers. */
let handler: PeerHandler;

beforeAll(async () => {
  const register = vi.spyOn(NodeQuestions.prototype, 'register');
  for (const id of ['a', 'b']) nodes.push(await start(id));
  for (const [kind] of register.mock.calls) kinds.add(kind);
  register.mockRestore();
  const [a, b] = nodes as [SimulatedNode, SimulatedNode];
  // Each node asks the other for what it doesn't have.
  const settings = { number_of_shards: 4, number_of_replicas: 0, refresh_interval: -1 };
  const mappings = { doc: { properties: { title: { type: 'string' }, n: { type: 'long' } } } };
  await a.call('PUT', '/books', { settings, mappings });
  for (let i = 0; i < 40; i++)
    await (i % 2 === 0 ? a : b).call('PUT', `/books/doc/${i}`, { title: `w${i % 7} word`, n: i });
  await a.call('PUT', '/books/.percolator/q', { query: { match: { title: 'word' } } });
  await a.call('POST', '/books/_refresh');
  for (const node of [a, b]) {
    await node.call('POST', '/books/_search', {
      query: { bool: { must: [{ match: { title: 'w1 word' } }], should: [{ ids: { values: ['1', '2'] } }] } },
      aggs: { n: { terms: { field: 'n' } }, s: { stats: { field: 'n' } } },
      sort: ['n'],
      suggest: { s: { text: 'wrod', term: { field: 'title' } } },
    });
    await node.call('POST', '/books/_search?search_type=dfs_query_then_fetch&q=title:w1');
    await node.call('GET', '/books/_mget', { ids: ['1', '2', '3', '4', '5'] });
    await node.call('POST', '/books/doc/_percolate', { doc: { title: 'a word' } });
    await node.call('POST', '/books/doc/1/_update', { doc: { n: 1 } });
    await node.call('POST', '/books/doc/2/_update', { doc: { n: 2 } });
    await node.call('GET', '/_nodes');
    await node.call('GET', '/_stats');
    const { body } = await node.call('POST', '/books/_search?scroll=1m&size=2', {});
    for (const each of [a, b])
      await each.call('GET', `/_search/scroll?scroll=1m&scroll_id=${body._scroll_id}`);
  }
  const mapping = { doc: { properties: { more: { type: 'string' } } } };
  await b.call('PUT', '/books/_mapping/doc', mapping);
  await a.call('PUT', '/books/_settings', { number_of_replicas: 1 });
  await clock.sleep(30_000);
  await a.engine.replication!.trim();
});

afterAll(() => simulated.close(nodes));

async function start(id: string): Promise<SimulatedNode> {
  const services = simulated.cluster.start(id);
  const peers: Peers = {
    serve: (answer, limit) => {
      if (id === 'a') handler = answer;
      return services.peers.serve(answer, limit);
    },
    ask: (node, kind, bytes, signal) => {
      const known = asked.get(kind) ?? [];
      asked.set(kind, known);
      if (known.length < 40) known.push(bytes.slice());
      return services.peers.ask(node, kind, bytes, signal);
    },
  };
  const { logs, members } = services;
  return SimulatedNode.start({
    id,
    incarnation: `${id}-1`,
    services: { clock, logs, members, peers, close: () => services.close() },
    module,
    storage: new MemoryStorage(),
    blobs: new MemoryBlobs(),
  });
}

/** Asks; false where that is refused. What is waited for ends with whoever waits. */
async function ask(kind: string, bytes: Uint8Array): Promise<boolean> {
  const over = new AbortController();
  const cancel = clock.after(PATIENCE_MS, () => over.abort(new Error('nobody waits any more')));
  let isSettled = false;
  const answered = handler(kind, bytes, over.signal).then(
    (answer) => answer instanceof Uint8Array,
    () => false,
  );
  void answered.then(() => {
    isSettled = true;
  });
  const isOver = clock.sleep(2 * PATIENCE_MS);
  const result = await Promise.race([answered, isOver.then(() => false)]);
  expect(isSettled, `[${kind}] goes on though nobody waits: ${shown(bytes)}`).toBe(true);
  cancel();
  return result;
}

const shown = (bytes: Uint8Array) => JSON.stringify(decoder.decode(bytes.subarray(0, 400)));

/** Both nodes answer as before. */
async function isSound(): Promise<void> {
  for (const node of nodes) {
    const found = await node.call('POST', '/books/_search?size=0', { query: { match: { title: 'word' } } });
    expect([found.body.hits?.total, found.body._shards?.failed]).toEqual([40, 0]);
    expect((await node.call('PUT', '/books/doc/1', { title: 'w1 word', n: 1 })).status).toBe(200);
    await node.call('POST', '/books/_refresh');
  }
}

function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

const NAMES = [
  ...['uuid', 'shard', 'position', 'place', 'name', 'places', 'action', 'argument', 'uri', 'method', 'body'],
  ...['id', 'from', 'after', 'file', 'atLeast', 'type', 'writer', 'number', 'messages', 'indices', 'task'],
  ...['repository', 'seed', 'principal', 'items', 'released', 'renewed', 'ms', '__proto__', 'constructor'],
];

/** A value of no shape in particular. */
function value(random: Random, uuid: string, depth = 0): unknown {
  const values: readonly (() => unknown)[] = [
    () => uuid,
    () => random.below(5),
    () => -1,
    () => 2 ** 53,
    () => 1e308,
    () => 0.5,
    () => null,
    () => true,
    () => '',
    () => 'refresh',
    () => 'books',
    () => 'x'.repeat(random.below(5000)),
    () => '/_cat/nodes',
    () => Array.from({ length: random.below(200) }, () => random.below(10)),
    () => (depth > 3 ? [] : Array.from({ length: random.below(4) }, () => value(random, uuid, depth + 1))),
    () => (depth > 3 ? {} : object(random, uuid, depth + 1)),
    () => ({ name: 'books', uuid, position: random.below(100) }),
  ];
  return values[random.below(values.length)]!();
}

function object(random: Random, uuid: string, depth = 0): Record<string, unknown> {
  const entries = Array.from({ length: random.below(6) }, () => {
    const name = NAMES[random.below(NAMES.length)]!;
    return [name, value(random, uuid, depth)] as const;
  });
  return Object.fromEntries(entries);
}

/** A question with some of its bytes changed, cut off, or made longer. */
function mutated(random: Random, bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  const count = 1 + random.below(4);
  for (let i = 0; i < count && copy.length > 0; i++) copy[random.below(copy.length)] = random.below(256);
  if (random.chance(0.2)) return copy.slice(0, random.below(copy.length + 1));
  if (random.chance(0.1)) return Uint8Array.from([...copy, ...randomBytes(random, 50)]);
  return copy;
}

/** A question whose values were put in the place of each other, or of others. */
function shuffled(random: Random, bytes: Uint8Array, uuid: string): Uint8Array {
  try {
    const question = JSON.parse(decoder.decode(bytes)) as Record<string, unknown>;
    const names = Object.keys(question);
    if (names.length === 0) return bytes;
    question[names[random.below(names.length)]!] = value(random, uuid);
    return encoder.encode(JSON.stringify(question));
  } catch {
    return mutated(random, bytes);
  }
}

describe('a question', () => {
  it('of whatever kind was asked, or can be made up', () => {
    expect(kinds.size).toBeGreaterThan(20);
    expect([...asked.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  it('of any bytes is refused or answered, and leaves the node as it is', async () => {
    const { uuid } = nodes[0]!.engine.index('books').metadata;
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = new Random(seed);
      const all: Promise<boolean>[] = [];
      for (const kind of kinds) {
        const known = asked.get(kind) ?? [];
        const questions = [
          randomBytes(random, random.below(200)),
          encoder.encode(JSON.stringify(object(random, uuid))),
          encoder.encode(JSON.stringify(value(random, uuid))),
        ];
        for (let i = 0; i < 3 && known.length > 0; i++) {
          const one = known[random.below(known.length)]!;
          questions.push(random.chance(0.5) ? mutated(random, one) : shuffled(random, one, uuid));
        }
        all.push(...questions.map((question) => ask(kind, question)));
      }
      await Promise.all(all);
    }
    await isSound();
  });

  it('with a plan that no node makes is refused, or searched, and the shard goes on', async () => {
    const items = asked
      .get('read')!
      .flatMap((message) => decodeQuestions(message).items)
      .filter(({ question }) => ['search', 'terms', 'rows'].includes(question.kind))
      .map((item) => ({ ...item, lease: undefined }));
    expect(items.length).toBeGreaterThan(10);
    for (let seed = 0; seed < 8 * SEEDS; seed++) {
      const random = new Random(seed);
      const item = items[random.below(items.length)]!;
      const bytes = random.chance(0.1)
        ? randomBytes(random, random.below(300))
        : mutated(random, item.question.bytes);
      const hostile = { ...item, question: { ...item.question, bytes } };
      const message = encodeQuestions({ items: [hostile], ms: 1000, released: [], renewed: [] });
      await ask('read', message);
    }
    await isSound();
  });

  it('that is nested deeply, or says that it is long, is refused', async () => {
    const deep = 5000;
    const head = (length: number, rest: Uint8Array) => {
      const bytes = new Uint8Array(4 + rest.length);
      new DataView(bytes.buffer).setUint32(0, length);
      bytes.set(rest, 4);
      return bytes;
    };
    for (const kind of kinds) {
      if (kind === 'alive') continue;
      const nested = encoder.encode(`{"uuid":${'['.repeat(deep)}${']'.repeat(deep)}}`);
      const objects = encoder.encode(`${'{"place":'.repeat(deep)}1${'}'.repeat(deep)}`);
      for (const question of [nested, objects, head(nested.length, nested), head(2 ** 32 - 1, nested)])
        await ask(kind, question);
    }
    await isSound();
  });

  it('that is longer than its kind may be is not taken in', async () => {
    const [, b] = nodes as [SimulatedNode, SimulatedNode];
    const { signal } = new AbortController();
    const long = new Uint8Array(2 * 1024 * 1024).fill(32);
    const asking = b.engine.replication!.peers.ask('a', 'reached', long, signal);
    await expect(asking).rejects.toThrow('2097152 bytes');
  });
});
