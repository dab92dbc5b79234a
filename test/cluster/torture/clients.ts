/** Clients that write to a cluster and read from it, each through any of its nodes, until they are stopped. */
import { type Answer, type Peer, Unanswered } from '../../torture/peer.js';
import { CHANGES, type Change, INDICES, TAGS } from '../../torture/load.js';
import type { Random } from '../../torture/random.js';
import type { TestNode } from '../harness/testCluster.js';
import type { Found, History, Values, Write } from './history.js';
import { inTime } from './inTime.js';
import { type SearchTally, search } from './searches.js';

const IDS = 60;
/** Milliseconds between two requests of a client, at most. */
const PAUSE_MS = 20;
/** What says that something was refused without having been done. */
const REFUSED = new Set([400, 404, 409]);

/** What clients share. */
export interface Clients {
  readonly nodes: readonly TestNode[];
  /** Who takes requests: the nodes, or clients that go on to the next one. */
  readonly peers: readonly Peer[];
  readonly history: History;
  readonly values: ReadonlyMap<string, Values>;
  readonly stop: AbortSignal;
  readonly searches: SearchTally;
  /** When the fault of the round began, by `performance.now()`. */
  faultAt: number;
}

/** Begins to write and read; resolves when all clients have ended. */
export async function runClients(
  clients: Clients,
  writers: number,
  random: Random,
  round: number,
): Promise<void> {
  const jobs: Promise<void>[] = [];
  const begin = (step: () => Promise<void>) => jobs.push(repeated(clients, random, step));
  for (let i = 0; i < writers; i++)
    if (i % 4 === 3) begin(() => bulk(clients, random, round));
    else begin(() => write(clients, random, round));
  for (let i = 0; i < 2; i++) begin(() => read(clients, random));
  begin(() => search(clients.nodes, clients.searches, random, () => clients.faultAt));
  begin(() => anyNode(clients, random, 'POST', '/_refresh').then(() => {}));
  // An index is deleted and made under the same name: its documents have no history.
  const changes = CHANGES.filter(({ register }) => clients.values.has(register));
  for (const change of changes) {
    let value = change.initial;
    begin(async () => {
      value = await changed(clients, random, change, value);
    });
  }
  await Promise.all(jobs);
}

async function repeated(
  { stop, history }: Clients,
  random: Random,
  step: () => Promise<void>,
): Promise<void> {
  while (!stop.aborted) {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof Unanswered))
        history.problems.push(String(error instanceof Error ? error.stack : error));
    }
    await new Promise((resolve) => setTimeout(resolve, random.below(PAUSE_MS)));
  }
}

/** Sends a request to any node. */
async function anyNode(
  { peers }: Clients,
  random: Random,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return inTime(peers[random.below(peers.length)]!.send(method, path, body));
}

function randomKey(random: Random): [key: string, index: string, id: string] {
  const index = INDICES[random.below(INDICES.length)]!;
  const id = String(random.below(IDS));
  return [`${index}/${id}`, index, id];
}

function sourceOf({ n }: Write, random: Random, round: number): Record<string, unknown> {
  const source: Record<string, unknown> = {
    n,
    tag: TAGS[n % TAGS.length],
    text: 'x '.repeat(random.below(100)),
  };
  // A field that the mapping doesn't know yet.
  if (random.chance(0.02)) source[`dynamic_${round % 20}`] = n;
  return source;
}

/** A write as the history takes it, and what of it is sent. */
function newWrite({ history }: Clients, key: string, random: Random): Write {
  const chosen = random.next();
  if (chosen < 0.15) return history.ask(key, 'delete');
  if (chosen < 0.35) return history.ask(key, 'update');
  if (chosen < 0.55) return history.ask(key, 'create');
  // Told to find the newest version that is known: of several at once only one may be carried out.
  if (chosen < 0.75 && history.floor(key) > 0) return history.ask(key, 'index', history.floor(key));
  return history.ask(key, 'index');
}

async function write(clients: Clients, random: Random, round: number): Promise<void> {
  const [key, index, id] = randomKey(random);
  const asked = newWrite(clients, key, random);
  const path = `/${index}/t/${id}`;
  const source = sourceOf(asked, random, round);
  const version = asked.expected === undefined ? '' : `?version=${asked.expected}`;
  try {
    const send = (method: string, to: string, body?: unknown) => anyNode(clients, random, method, to, body);
    if (asked.kind === 'delete') settle(clients, asked, await send('DELETE', path));
    else if (asked.kind === 'update')
      settle(clients, asked, await send('POST', `${path}/_update`, { doc: source }));
    else if (asked.kind === 'create') settle(clients, asked, await send('PUT', `${path}/_create`, source));
    else settle(clients, asked, await send('PUT', `${path}${version}`, source));
  } catch (error) {
    clients.history.giveUp(asked);
    throw error;
  }
}

async function bulk(clients: Clients, random: Random, round: number): Promise<void> {
  const writes: Write[] = [];
  const lines: unknown[] = [];
  for (let count = 1 + random.below(30); count > 0; count--) {
    const [key, _index, _id] = randomKey(random);
    const asked = newWrite(clients, key, random);
    writes.push(asked);
    const where = {
      _index,
      _type: 't',
      _id,
      ...(asked.expected === undefined ? {} : { _version: asked.expected }),
    };
    lines.push({ [asked.kind]: where });
    const source = sourceOf(asked, random, round);
    if (asked.kind === 'update') lines.push({ doc: source });
    else if (asked.kind !== 'delete') lines.push(source);
  }
  try {
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const answer = await anyNode(clients, random, 'POST', '/_bulk', body);
    const { items } = answer.body as { items?: Record<string, { status: number; _version?: number }>[] };
    if (answer.status !== 200 || !items) {
      for (const asked of writes) clients.history.giveUp(asked);
      return;
    }
    items.forEach((item, i) => {
      const [outcome] = Object.values(item);
      settle(clients, writes[i]!, { status: outcome!.status, body: outcome });
    });
  } catch (error) {
    for (const asked of writes) clients.history.giveUp(asked);
    throw error;
  }
}

function settle({ history }: Clients, asked: Write, { status, body }: Answer): void {
  const version = (body as { _version?: number })._version;
  // Deleting what isn't there is carried out, and takes a version.
  const isDone = status < 300 || (asked.kind === 'delete' && status === 404);
  if (isDone && version !== undefined) history.acknowledge(asked, version);
  else if (REFUSED.has(status)) history.refuse(asked);
  else history.giveUp(asked);
}

async function read(clients: Clients, random: Random): Promise<void> {
  const { history } = clients;
  const [key, index, id] = randomKey(random);
  const floor = history.floor(key);
  const number = random.below(clients.peers.length);
  const { status, body } = await inTime(clients.peers[number]!.send('GET', `/${index}/t/${id}`));
  if (status === 200 || status === 404) history.read(key, floor, foundOf(body), `node ${number}`);
}

/** A document as it was answered; nothing when it wasn't found. */
export function foundOf(body: unknown): Found | undefined {
  const { found, _version, _source } = body as {
    found?: boolean;
    _version?: number;
    _source?: { n: number };
  };
  return found === true ? { version: _version!, n: _source!.n } : undefined;
}

async function changed(clients: Clients, random: Random, change: Change, value: string): Promise<string> {
  const values = clients.values.get(change.register)!;
  const next = change.next(value);
  values.ask(next);
  const node = clients.peers[random.below(clients.peers.length)]!;
  try {
    const { status } = await inTime(change.send(node, next));
    if (status < 300) {
      values.acknowledge(next);
      return next;
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  }
  // What it is now decides what can be asked for next.
  return change.read(clients.peers[random.below(clients.peers.length)]!).catch(() => value);
}
