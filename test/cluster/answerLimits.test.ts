/** What a node answers others that search its copies is bounded as what it answers its own clients. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MESSAGE_BYTES } from '../../host/cluster/errors.js';
import { ElasticsearchError } from '../../host/errors.js';
import { decodeAnswer, encodeAnswer } from '../../host/replication/forwarding.js';
import { READ } from '../../host/replication/readAsker.js';
import {
  type AskedItem,
  decodeAnswers,
  decodeQuestions,
  encodeQuestions,
  type ItemAnswer,
} from '../../host/replication/readMessages.js';
import type { Peers } from '../../host/cluster/peers.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { coreBytes } from '../support/core.js';
import { SimulatedCluster } from './simulation/simulatedCluster.js';
import { SimulatedNode } from './simulation/simulatedNode.js';

const module = await WebAssembly.compile(coreBytes());
let simulated: SimulatedCluster;
let nodes: SimulatedNode[];
let peers: Peers;
/** What the node without data asked, as messages. */
let asked: Uint8Array[];

beforeEach(async () => {
  simulated = new SimulatedCluster();
  asked = [];
  const services = simulated.cluster.start('b');
  ({ peers } = services);
  const recorded: Peers = {
    serve: (handler, limit) => services.peers.serve(handler, limit),
    ask: (node, kind, bytes, signal) => {
      if (kind === READ) asked.push(bytes.slice());
      return services.peers.ask(node, kind, bytes, signal);
    },
  };
  const { clock, logs, members } = services;
  nodes = [
    await simulated.start('a'),
    await SimulatedNode.start({
      id: 'b',
      incarnation: 'b-1',
      services: { clock, logs, members, peers: recorded, close: () => services.close() },
      module,
      data: false,
      storage: new MemoryStorage(),
      blobs: new MemoryBlobs(),
    }),
  ];
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: -1 };
  await nodes[1]!.call('PUT', '/books', { settings });
  for (let i = 0; i < 20; i++)
    await nodes[1]!.call('PUT', `/books/book/${i}`, { title: `word ${'long '.repeat(1000)}`, n: i });
  await nodes[1]!.call('POST', '/books/_refresh');
  asked = [];
});

afterEach(() => simulated.close(nodes));

/** The questions of one search by way of the node without data. */
async function questionsOf(kind: string): Promise<AskedItem[]> {
  await nodes[1]!.call('POST', '/books/_search?size=20', { query: { match: { title: 'word' } } });
  const items = asked.flatMap((message) => decodeQuestions(message).items);
  return items
    .filter(({ question }) => question.kind === kind)
    .map((item) => ({ ...item, lease: undefined }));
}

async function answersTo(items: readonly AskedItem[]): Promise<ItemAnswer[]> {
  const message = encodeQuestions({ items, ms: undefined, released: [], renewed: [] });
  return decodeAnswers(await peers.ask('a', READ, message, new AbortController().signal), items.length);
}

const set = (transient: Record<string, unknown>) =>
  nodes[0]!.call('PUT', '/_cluster/settings', { transient });

/** What an answer is: the name and status of its error, or nothing. */
const failureOf = (answer: ItemAnswer) =>
  'error' in answer && answer.error instanceof ElasticsearchError
    ? `${answer.error.exception} ${answer.error.status}`
    : undefined;

describe('searches of other nodes', () => {
  it('are carried out so many at a time, some wait, and the others are refused with 429', async () => {
    const [search] = await questionsOf('search');
    await set({ 'threadpool.search.size': 2, 'threadpool.search.queue_size': 3 });
    const answers = await answersTo(Array.from({ length: 10 }, () => search!));
    const refused = answers.filter((answer) => failureOf(answer) === 'EsRejectedExecutionException 429');
    expect(refused).toHaveLength(5);
    expect(answers.filter((answer) => 'answer' in answer)).toHaveLength(5);
    // They have left.
    expect((await answersTo([search!, search!])).map(failureOf)).toEqual([undefined, undefined]);
  });

  it('are told of as a search of the node itself is refused', async () => {
    await set({ 'threadpool.search.size': 1, 'threadpool.search.queue_size': 0 });
    const items = await questionsOf('search');
    const flood = answersTo(Array.from({ length: 50 }, () => items[0]!));
    const searched = await nodes[1]!.call('GET', '/books/_search?q=title:word');
    await flood;
    if (searched.status !== 200) expect(searched.status).toBe(429);
    expect((await nodes[1]!.call('GET', '/books/_search?q=title:word')).status).toBe(200);
  });

  it('may take as much memory as the breaker for requests lets them', async () => {
    const rows = await questionsOf('rows');
    expect(rows.length).toBeGreaterThan(0);
    await set({ 'indices.breaker.request.limit': '10kb' });
    const [answer] = await answersTo(rows.slice(0, 1));
    expect(failureOf(answer!)).toBe('CircuitBreakingException 500');
    const whole = await nodes[1]!.call('POST', '/books/_search?size=20', {});
    expect(JSON.stringify(whole.body)).toContain('CircuitBreakingException');
    await set({ 'indices.breaker.request.limit': '40%' });
    // What was counted is let go.
    expect((await answersTo(rows)).map(failureOf)).toEqual(rows.map(() => undefined));
    const { body } = await nodes[0]!.call('GET', '/_nodes/a/stats/breaker');
    expect(body.nodes.a.breakers.request.estimated_size_in_bytes).toBe(0);
  });

  it('have no more documents in a message than it may be long', async () => {
    const rows = await questionsOf('rows');
    const answers = await answersTo(Array.from({ length: 1000 }, () => rows[0]!));
    const bytes = answers.reduce((sum, each) => sum + ('answer' in each ? each.answer.bytes.length : 0), 0);
    expect(bytes).toBeLessThan(MAX_MESSAGE_BYTES);
    expect(answers.filter((answer) => 'alone' in answer).length).toBeGreaterThan(0);
  });

  it('end when nobody waits any more', async () => {
    const [search] = await questionsOf('search');
    const over = new AbortController();
    const message = encodeQuestions({ items: [search!], ms: 0, released: [], renewed: [] });
    const [answer] = decodeAnswers(await peers.ask('a', READ, message, over.signal), 1);
    expect('error' in answer! || 'answer' in answer!).toBe(true);
    const asking = peers.ask('a', READ, message, over.signal);
    over.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    const { body } = await nodes[0]!.call('GET', '/_nodes/a/stats/thread_pool');
    expect(body.nodes.a.thread_pool.search.active).toBe(0);
  });
});

describe('an answer that is passed on', () => {
  it('says what to do where it is longer than nodes send each other', () => {
    const body = new Uint8Array(MAX_MESSAGE_BYTES);
    const {
      status,
      contentType,
      body: said,
    } = decodeAnswer(encodeAnswer({ status: 200, contentType: 'x', body }));
    expect([status, contentType]).toEqual([500, 'application/json; charset=UTF-8']);
    expect(new TextDecoder().decode(said)).toContain('ask for less at a time');
  });
});
