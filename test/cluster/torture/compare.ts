/** What all nodes have when nothing is under way, compared with what was acknowledged and with each other. */
import { type Answer, Unanswered } from '../../torture/peer.js';
import { CHANGES, INDICES, TAGS } from '../../torture/load.js';
import type { TestCluster, TestNode } from '../harness/testCluster.js';
import { foundOf } from './clients.js';
import type { Found, History, Values } from './history.js';
import { inTime } from './inTime.js';
import { MOVING, REPLICAS } from './moves.js';

/** Milliseconds in which all copies have to be there again. */
const GREEN_MS = 60_000;
const MERGED_MS = 60_000;
const RETRY_MS = 100;
/** Searches whose hits, scores and totals have to be the same on all nodes. */
const QUERIES = [
  ...TAGS.map((tag) => ({ query: { match: { tag } }, size: 1000, version: true })),
  { query: { range: { n: { gte: 10 } } }, sort: [{ n: 'asc' }], size: 1000, version: true },
  { query: { match_all: {} }, aggs: { tags: { terms: { field: 'tag', size: 10 } } }, size: 0 },
];

/** Shards of each index. */
const SHARDS = 2;

/** Makes the indices that clients write to, one of which all nodes have; returns how many copies that makes. */
export async function createIndices({ nodes }: TestCluster): Promise<number> {
  const node = nodes[0]!;
  let copies = 0;
  for (const index of INDICES) {
    const number = index === MOVING ? Math.min(REPLICAS, nodes.length - 1) : nodes.length - 1;
    copies += SHARDS * (number + 1);
    const settings = { number_of_shards: SHARDS, number_of_replicas: number, 'index.gc_deletes': '24h' };
    const tag = { type: 'string', index: 'not_analyzed' };
    const mappings = { t: { properties: { tag, n: { type: 'long' }, text: { type: 'string' } } } };
    const { status, body } = await node.send('PUT', `/${index}`, { settings, mappings });
    if (status !== 200) throw new Error(`${index} can't be made: ${JSON.stringify(body)}`);
  }
  const actions = [{ add: { index: 'data-a', alias: 'live' } }, { add: { index: 'data-b', alias: 'side' } }];
  await node.send('POST', '/_aliases', { actions });
  return copies;
}

/** Waits until every node says that all is there, and nothing moves; returns how long it took, or what is wrong. @param copies that there have to be */
export async function untilGreen({ nodes }: TestCluster, copies: number): Promise<number | string> {
  const started = performance.now();
  let last = '';
  while (performance.now() - started < GREEN_MS) {
    await Promise.all(nodes.map((node) => node.startAgainAfterFailedWrite()));
    const seen = await Promise.all(nodes.map(healthOf));
    const isGreen = (health: Health) =>
      health.status === 'green' &&
      health.number_of_nodes === nodes.length &&
      health.active_shards === copies &&
      health.relocating_shards === 0 &&
      health.initializing_shards === 0;
    const refreshed = await Promise.all(nodes.map(refreshes));
    if (seen.every(isGreen) && refreshed.every(Boolean)) return Math.round(performance.now() - started);
    last = JSON.stringify([seen, refreshed]);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return `not green after ${GREEN_MS} ms: ${last}`;
}

/** Whether a node reaches the logs of all indices: servers that were all killed elect leaders for one after the other. */
async function refreshes(node: TestNode): Promise<boolean> {
  try {
    return (await inTime(node.send('POST', '/_refresh'))).status === 200;
  } catch {
    return false;
  }
}

interface Health {
  status?: string;
  number_of_nodes?: number;
  active_shards?: number;
  relocating_shards?: number;
  initializing_shards?: number;
}

async function healthOf(node: TestNode): Promise<Health> {
  try {
    return (await inTime(node.send('GET', '/_cluster/health'), 5000)).body as Health;
  } catch (error) {
    return { status: String(error) };
  }
}

/** Compares; what is wrong goes to the problems of the history. */
export async function compareNodes(
  { nodes }: TestCluster,
  history: History,
  values: ReadonlyMap<string, Values>,
): Promise<void> {
  const { problems } = history;
  const rows: string[] = [];
  for (const node of nodes) {
    const where = `node ${node.number}`;
    try {
      await ask(node, 'POST', '/_refresh');
      const documents = await documentsOf(node, history);
      for (const [key, found] of documents) history.settle(key, found, where);
      rows.push(JSON.stringify([...documents]));
      for (const change of CHANGES) {
        const problem = values.get(change.register)?.problem(await change.read(node));
        if (problem !== undefined) problems.push(`${where}: ${problem}`);
      }
    } catch (error) {
      problems.push(`${where} can't be compared: ${error}`);
      return;
    }
  }
  const differing = nodes.filter((_, i) => rows[i] !== rows[0]);
  for (const node of differing) problems.push(`node ${node.number} has other documents than node 0`);
  await compareSearches(nodes, problems);
  history.checkOrder();
}

/** Every document that was ever written, as a node has it. */
async function documentsOf(node: TestNode, history: History): Promise<Map<string, Found | undefined>> {
  const documents = new Map<string, Found | undefined>();
  for (const index of INDICES) {
    const ids = history
      .keys()
      .filter((key) => key.startsWith(`${index}/`))
      .map((key) => key.slice(index.length + 1));
    if (ids.length === 0) continue;
    const { body } = await ask(node, 'POST', `/${index}/t/_mget`, { ids });
    for (const doc of (body as { docs: { _id: string }[] }).docs)
      documents.set(`${index}/${doc._id}`, foundOf(doc));
  }
  return documents;
}

async function compareSearches(nodes: readonly TestNode[], problems: string[]): Promise<void> {
  if (!(await merged(nodes[0]!))) {
    problems.push(`copies have deleted documents after ${MERGED_MS} ms of merging`);
    return;
  }
  for (const node of nodes) await ask(node, 'POST', '/_refresh');
  for (const query of QUERIES) {
    const answers = await Promise.all(nodes.map(async (node) => searchAnswer(node, query)));
    answers.forEach((answer, i) => {
      if (answer !== answers[0])
        problems.push(
          `node ${i} answers ${JSON.stringify(query)} otherwise than node 0: ${difference(answer, answers[0]!)}`,
        );
    });
  }
}

interface Segments {
  indices: Record<
    string,
    { shards: Record<string, { segments: Record<string, { deleted_docs: number }> }[]> }
  >;
}

/**
 * Merges all copies: what was deleted counts in frequencies until it is merged away, at each node at another time. A node that wasn't heard of for
 * some seconds, since servers of NATS had been killed, has merged nothing: all are asked again.
 * @returns whether nothing that was deleted is left
 */
async function merged(node: TestNode): Promise<boolean> {
  const started = performance.now();
  while (performance.now() - started < MERGED_MS) {
    await ask(node, 'POST', '/_optimize?max_num_segments=1');
    const { indices } = (await ask(node, 'GET', '/_segments')).body as Segments;
    const copies = Object.values(indices).flatMap(({ shards }) => Object.values(shards).flat());
    const segments = copies.flatMap((copy) => Object.values(copy.segments));
    const { status, active_shards: active } = await healthOf(node);
    const isAll = status === 'green' && copies.length === active;
    if (isAll && segments.every(({ deleted_docs }) => deleted_docs === 0)) return true;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return false;
}

interface SearchAnswer {
  took?: number;
  hits: { hits: { _index: string; _id: string }[] };
}

/** A node's own answer, without what it took, and hits of equal scores in one order. */
async function searchAnswer(node: TestNode, query: unknown): Promise<string> {
  const { body } = await ask(node, 'POST', '/data-*/_search?preference=_local', query);
  const answer = body as SearchAnswer;
  delete answer.took;
  const name = ({ _index, _id }: { _index: string; _id: string }) => `${_index}/${_id}`;
  answer.hits.hits.sort((a, b) => (name(a) < name(b) ? -1 : 1));
  return JSON.stringify(answer);
}

/** Where two texts begin to differ. */
function difference(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 100);
  return `${around(one)} | ${around(other)}`;
}

async function ask(node: TestNode, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await inTime(node.send(method, path, body));
  if (answer.status !== 200) throw new Unanswered(`${path}: ${JSON.stringify(answer.body).slice(0, 500)}`);
  return answer;
}
