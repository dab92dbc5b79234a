/** Writers that never stop until the server is gone: documents one by one and in bulk, and changes of the metadata. */
import type { Ledger, Register, Write } from './ledger.js';
import type { Random } from './random.js';
import { type Answer, type Peer, Unanswered } from './peer.js';

/** The indices that documents are in. */
export const INDICES = ['data-a', 'data-b'];
const IDS = 120;
export const TAGS = ['red', 'green', 'blue', 'fox', 'hen'];

/** What all writers share. */
export interface Load {
  server: Peer;
  ledger: Ledger;
  /** By name. */
  registers: ReadonlyMap<string, Register>;
  problems: string[];
  /** The server has been asked to end: it may refuse what comes now. */
  ending: boolean;
  /** Waits up to about so many milliseconds. */
  pause(ms: number): Promise<void>;
}

/** Starts all writers; resolves when the server is gone and every one has noticed. */
export async function runLoad(load: Load, writers: number, random: Random, round: number): Promise<void> {
  const jobs: Promise<void>[] = [];
  for (let i = 0; i < writers; i++) {
    jobs.push(i % 4 === 3 ? bulkWriter(load, i, random, round) : singleWriter(load, i, random, round));
  }
  for (const change of CHANGES) jobs.push(changer(load, change, random));
  jobs.push(upkeep(load, random));
  await Promise.all(
    jobs.map((job) =>
      job.catch((e) => {
        if (!(e instanceof Unanswered)) load.problems.push(String(e instanceof Error ? e.stack : e));
      }),
    ),
  );
}

function keyOf(writer: number, random: Random): [key: string, index: string, id: string] {
  const index = INDICES[random.below(INDICES.length)]!;
  const id = `${writer}-${random.below(IDS)}`;
  return [`${index}/${id}`, index, id];
}

function newWrite(load: Load, key: string, id: string, random: Random, round: number): Write {
  const { source, version } = load.ledger.expected(key);
  const n = random.below(1_000_000);
  // Some ids have versions of their own.
  if (id.endsWith('7'))
    return { kind: 'index', source: newSource(random, round, n), version: version + 1 + (n % 5) };
  if (source !== undefined && random.chance(0.15)) return { kind: 'delete' };
  if (source !== undefined && random.chance(0.2)) return { kind: 'update', doc: { n, more: `u${n}` } };
  return { kind: 'index', source: newSource(random, round, n) };
}

function newSource(random: Random, round: number, n: number): Record<string, unknown> {
  const source: Record<string, unknown> = {
    tag: TAGS[n % TAGS.length],
    n,
    text: 'x '.repeat(random.below(200)),
  };
  // A field that the mapping does not know yet.
  if (random.chance(0.02)) source[`dynamic_${round % 20}`] = n;
  return source;
}

async function singleWriter(load: Load, writer: number, random: Random, round: number): Promise<void> {
  const { server, ledger, problems } = load;
  for (;;) {
    const [key, index, id] = keyOf(writer, random);
    const write = newWrite(load, key, id, random, round);
    ledger.ask(key, write, Date.now());
    const path = `/${index}/t/${id}`;
    let answer: Answer;
    if (write.kind === 'delete') answer = await server.send('DELETE', path);
    else if (write.kind === 'update')
      answer = await server.send('POST', `${path}/_update`, { doc: write.doc });
    else {
      const version = write.version === undefined ? '' : `?version=${write.version}&version_type=external`;
      answer = await server.send('PUT', `${path}${version}`, write.source);
    }
    const wrong = settleAnswer(ledger, key, answer.status, answer.body as { _version?: number });
    if (wrong !== undefined && !refusedAtEnd(load, answer.status)) problems.push(wrong);
  }
}

/** Whether an answer says no more than that the server is ending. */
function refusedAtEnd({ ending }: Load, status: number): boolean {
  return ending && [429, 503].includes(status);
}

function settleAnswer(
  ledger: Ledger,
  key: string,
  status: number,
  body: { _version?: number; error?: string },
): string | undefined {
  if (status < 300) return ledger.acknowledge(key, body._version!, Date.now());
  ledger.refuse(key);
  return `${key}: was answered with ${status} ${body.error}`;
}

async function bulkWriter(load: Load, writer: number, random: Random, round: number): Promise<void> {
  const { server, ledger, problems } = load;
  for (;;) {
    const keys: string[] = [];
    const lines: unknown[] = [];
    const size = 1 + random.below(60);
    for (let i = 0; i < size; i++) {
      const [key, _index, _id] = keyOf(writer, random);
      const write = newWrite(load, key, _id, random, round);
      keys.push(key);
      ledger.ask(key, write, Date.now());
      const where = { _index, _type: 't', _id };
      if (write.kind === 'delete') lines.push({ delete: where });
      else if (write.kind === 'update') lines.push({ update: where }, { doc: write.doc });
      else if (write.version === undefined) lines.push({ index: where }, write.source);
      else
        lines.push({ index: { ...where, _version: write.version, _version_type: 'external' } }, write.source);
    }
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const answer = await server.send('POST', '/_bulk', body);
    if (refusedAtEnd(load, answer.status)) {
      for (const key of keys) ledger.refuse(key);
      return;
    }
    if (answer.status !== 200) throw new Error(`a bulk request was answered with ${answer.status}`);
    const { items } = answer.body as { items: Record<string, { status: number; _version?: number }>[] };
    items.forEach((item, i) => {
      const [outcome] = Object.values(item);
      const wrong = settleAnswer(ledger, keys[i]!, outcome!.status, outcome!);
      if (wrong !== undefined && !refusedAtEnd(load, outcome!.status)) problems.push(wrong);
    });
  }
}

/** How a register is changed: to a new value, by these requests; the last one makes the change. */
export interface Change {
  register: string;
  initial: string;
  next(value: string): string;
  send(server: Peer, value: string): Promise<Answer>;
  /** The value as the server tells it. */
  read(server: Peer): Promise<string>;
}

const count = (value: string) => String(Number(value) + 1);

/** Every kind of change of the metadata. */
export const CHANGES: readonly Change[] = [
  {
    // Two aliases change sides at once.
    register: 'aliases',
    initial: 'live:data-a side:data-b',
    next: (value) =>
      value === 'live:data-a side:data-b' ? 'live:data-b side:data-a' : 'live:data-a side:data-b',
    send(server, value) {
      const [live, side] = value.split(' ').map((part) => part.split(':')[1]!);
      return server.send('POST', '/_aliases', {
        actions: [
          { remove: { index: side, alias: 'live' } },
          { remove: { index: live, alias: 'side' } },
          { add: { index: live, alias: 'live' } },
          { add: { index: side, alias: 'side' } },
        ],
      });
    },
    async read(server) {
      const { body } = await server.send('GET', '/data-*/_aliases');
      const found = Object.entries(body as Record<string, { aliases: object }>).flatMap(
        ([index, { aliases }]) => Object.keys(aliases).map((alias) => `${alias}:${index}`),
      );
      return found.sort().join(' ');
    },
  },
  {
    register: 'mapping',
    initial: '0',
    next: count,
    send: (server, value) =>
      server.send('PUT', '/data-a/_mapping/t', {
        properties: { [`field_${Number(value) % 400}`]: { type: 'long' } },
        _meta: { value },
      }),
    async read(server) {
      const { body } = await server.send('GET', '/data-a/_mapping/t');
      const { _meta } = (body as { 'data-a': { mappings: { t: { _meta?: { value: string } } } } })['data-a']
        .mappings.t;
      return _meta?.value ?? '0';
    },
  },
  {
    register: 'template',
    initial: 'none',
    next: (value) => (value === 'none' ? '7' : 'none'),
    send: (server, value) =>
      value === 'none'
        ? server.send('DELETE', '/_template/torture')
        : server.send('PUT', '/_template/torture', { template: 'never-*', order: Number(value) }),
    async read(server) {
      const { body } = await server.send('GET', '/_template/torture');
      return String((body as { torture?: { order: number } }).torture?.order ?? 'none');
    },
  },
  {
    register: 'settings',
    initial: '0',
    next: count,
    send: (server, value) => server.send('PUT', '/data-b/_settings', { 'index.priority': value }),
    async read(server) {
      const { body } = await server.send('GET', '/data-b/_settings?flat_settings=true');
      const { settings } = (body as { 'data-b': { settings: Record<string, string> } })['data-b'];
      return settings['index.priority'] ?? '0';
    },
  },
  {
    register: 'index',
    initial: 'none',
    next: (value) => (value === 'none' ? 'there' : value === 'there' ? 'closed' : 'none'),
    send(server, value) {
      if (value === 'there') return server.send('PUT', '/coming', { settings: { number_of_shards: 2 } });
      return value === 'closed' ? server.send('POST', '/coming/_close') : server.send('DELETE', '/coming');
    },
    async read(server) {
      const { body } = await server.send('GET', '/_cat/indices?h=status,index');
      const line = String(body)
        .split('\n')
        .find((each) => / coming\s*$/.test(each));
      if (line === undefined) return 'none';
      return line.includes('close') ? 'closed' : 'there';
    },
  },
];

async function changer(load: Load, change: Change, random: Random): Promise<void> {
  const { server, registers, problems, pause } = load;
  const register = registers.get(change.register)!;
  for (;;) {
    const value = change.next(register.value);
    register.ask(value);
    const { status, body } = await change.send(server, value);
    if (status === 200) register.acknowledge();
    else {
      register.refuse();
      if (refusedAtEnd(load, status)) return;
      problems.push(`${register.name}: ${value} was answered with ${status} ${JSON.stringify(body)}`);
      return;
    }
    await pause(random.below(60));
  }
}

/** What else a server does meanwhile. */
async function upkeep(load: Load, random: Random): Promise<void> {
  const { server, problems, pause } = load;
  for (;;) {
    const requests: [string, string, unknown?][] = [
      ['POST', '/data-*/_refresh'],
      ['POST', '/data-*/_flush'],
      ['POST', '/data-*/_optimize?max_num_segments=1'],
      ['POST', '/data-*/_search', { query: { term: { tag: TAGS[random.below(TAGS.length)]! } } }],
    ];
    const [method, path, body] = requests[random.below(requests.length)]!;
    const answer = await server.send(method, path, body);
    if (answer.status !== 200 && !refusedAtEnd(load, answer.status))
      problems.push(`${path} was answered with ${answer.status}`);
    await pause(random.below(100));
  }
}
