/** Clients of a simulated cluster: what they ask, and what they were told. */
import type { Random } from '../../torture/random.js';
import type { Event, History } from './history.js';
import type { Answer, SimulatedNode } from './simulatedNode.js';
import type { VirtualClock } from './virtualClock.js';

export interface ClientsContext {
  random: Random;
  clock: VirtualClock;
  history: History;
  /** Nodes that answer. */
  nodes(): readonly SimulatedNode[];
  tell(line: string): void;
}

const CLIENTS = 4;
const IDS = 8;
/** A document that only updates write. */
const PARTS = '/books/doc/parts';
const WORDS = ['one', 'two', 'three', 'four'];
/** A client gives up then. Longer than nodes take to say that they don't know. */
const PATIENCE_MS = 100_000;
const PAUSE_MS = 300;

export class Clients {
  readonly #context: ClientsContext;
  #going = true;
  #tokens = 0;
  /** Parts that updates have added to one document, and were told so. */
  readonly #added: string[] = [];
  readonly problems: string[] = [];

  constructor(context: ClientsContext) {
    this.#context = context;
  }

  /** Makes the indices. Deletions are remembered for as long as a run lasts. */
  async prepare(): Promise<void> {
    const settings = { number_of_shards: 2, 'index.gc_deletes': '1d' };
    const mappings = { doc: { properties: { parts: { type: 'object', enabled: false } } } };
    for (const index of ['books', 'more']) {
      const answer = await this.#context.nodes()[0]!.call('PUT', `/${index}`, { settings, mappings });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    }
  }

  stop(): void {
    this.#going = false;
  }

  /** Resolves when all clients have stopped. */
  async work(): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, (_, i) => this.#client(`client${i}`)));
  }

  /** Reads all documents on all nodes, after a refresh by search too, and writes each once more. */
  async conclude(): Promise<void> {
    const nodes = this.#context.nodes();
    for (const node of nodes) {
      const { body } = await node.call('GET', PARTS);
      const lost = this.#added.filter((part) => body._source?.parts[part] === undefined);
      if (lost.length > 0) this.problems.push(`updates were lost at ${node.id}: ${lost}`);
    }
    for (const node of nodes) for (const id of this.#ids()) await this.#read(node, id, 'conclusion');
    for (const [i, id] of this.#ids().entries())
      await this.#write(nodes[i % nodes.length]!, id, 'conclusion');
    const { status } = await nodes[0]!.call('POST', '/_refresh');
    if (status !== 200) throw new Error(`no refresh: ${status}`);
    for (const node of nodes) await this.#search(node, this.#context.history.moment(), 'conclusion');
  }

  #ids(): string[] {
    return ['books', 'more'].flatMap((index) => Array.from({ length: IDS }, (_, i) => `/${index}/doc/${i}`));
  }

  async #client(name: string): Promise<void> {
    const { random, clock } = this.#context;
    while (this.#going) {
      await clock.sleep(random.below(PAUSE_MS));
      const nodes = this.#context.nodes();
      if (nodes.length === 0) continue;
      const node = nodes[random.below(nodes.length)]!;
      const ids = this.#ids();
      const id = ids[random.below(ids.length)]!;
      const what = random.below(100);
      if (what < 35) await this.#write(node, id, name);
      else if (what < 45) await this.#delete(node, id, name);
      else if (what < 51) await this.#update(node, id, name);
      else if (what < 55) await Promise.all(nodes.map((each) => this.#add(each, name)));
      else if (what < 65) await this.#bulk(node, name);
      else if (what < 85) await this.#read(node, id, name);
      else if (what < 92) await this.#refreshed(node, name);
      else await this.#metadata(node, name);
    }
  }

  #document(): { token: string; body: Record<string, unknown> } {
    const { random } = this.#context;
    const token = `t${++this.#tokens}`;
    const text = Array.from({ length: 1 + random.below(4) }, () => WORDS[random.below(WORDS.length)]).join(
      ' ',
    );
    const body: Record<string, unknown> = { token, text };
    // Some bring a field, and of another kind than others.
    if (random.chance(0.4))
      body[`field${random.below(10)}`] = random.chance(0.8) ? random.below(100) : 'a word';
    return { token, body };
  }

  async #ask(node: SimulatedNode, method: string, uri: string, body?: unknown): Promise<Answer | undefined> {
    const { clock } = this.#context;
    const answer = await Promise.race([node.call(method, uri, body), clock.sleep(PATIENCE_MS)]);
    return answer ?? undefined;
  }

  #begin(id: string, kind: Event['kind'], by: string, token?: string): Event {
    const { history } = this.#context;
    const event: Event = {
      id,
      kind,
      began: history.moment(),
      ended: Number.POSITIVE_INFINITY,
      token,
      version: undefined,
      outcome: 'unknown',
      by,
    };
    history.events.push(event);
    return event;
  }

  /** What a change came to: 503 and silence say nothing. */
  #end(event: Event, answer: { status: number; version: unknown } | undefined, node: SimulatedNode): void {
    const { history, tell } = this.#context;
    tell(
      `${event.by} ${event.kind} ${event.id} ${event.token ?? ''} at ${node.id}: ${JSON.stringify(answer)}`,
    );
    if (answer === undefined || answer.status >= 500 || answer.status === 429) return;
    event.ended = history.moment();
    // A document that isn't there is deleted all the same: that has a version.
    const isDone = answer.status < 300 || (event.kind === 'delete' && answer.status === 404);
    event.outcome = isDone ? 'ok' : 'refused';
    if (isDone) event.version = Number(answer.version);
  }

  async #write(node: SimulatedNode, id: string, by: string): Promise<void> {
    const { token, body } = this.#document();
    const event = this.#begin(id, 'write', by, token);
    const answer = await this.#ask(node, 'PUT', id, body);
    this.#end(event, answer && { status: answer.status, version: answer.body._version }, node);
  }

  async #delete(node: SimulatedNode, id: string, by: string): Promise<void> {
    const event = this.#begin(id, 'delete', by);
    const answer = await this.#ask(node, 'DELETE', id);
    this.#end(event, answer && { status: answer.status, version: answer.body._version }, node);
  }

  async #update(node: SimulatedNode, id: string, by: string): Promise<void> {
    const { token, body } = this.#document();
    const event = this.#begin(id, 'write', by, token);
    const answer = await this.#ask(node, 'POST', `${id}/_update`, { doc: body, doc_as_upsert: true });
    this.#end(event, answer && { status: answer.status, version: answer.body._version }, node);
  }

  /** Updates of one document, each of which adds a part. */
  async #add(node: SimulatedNode, by: string): Promise<void> {
    const part = `p${++this.#tokens}`;
    const answer = await this.#ask(node, 'POST', `${PARTS}/_update`, {
      doc: { parts: { [part]: 1 } },
      doc_as_upsert: true,
    });
    this.#context.tell(`${by} adds ${part} at ${node.id}: ${answer?.status}`);
    if (answer !== undefined && answer.status < 300) this.#added.push(part);
  }

  async #bulk(node: SimulatedNode, by: string): Promise<void> {
    const { random } = this.#context;
    const ids = this.#ids().filter(() => random.chance(0.4));
    if (ids.length === 0) return;
    const lines: string[] = [];
    const events = ids.map((id) => {
      const [, _index, _type, _id] = id.split('/');
      if (random.chance(0.2)) {
        lines.push(JSON.stringify({ delete: { _index, _type, _id } }));
        return this.#begin(id, 'delete', by);
      }
      const { token, body } = this.#document();
      lines.push(JSON.stringify({ index: { _index, _type, _id } }), JSON.stringify(body));
      return this.#begin(id, 'write', by, token);
    });
    const answer = await this.#ask(node, 'POST', '/_bulk', `${lines.join('\n')}\n`);
    const items = answer?.status === 200 ? answer.body.items : undefined;
    events.forEach((event, i) => {
      const item = items === undefined ? undefined : (Object.values(items[i])[0] as Record<string, unknown>);
      this.#end(event, item && { status: Number(item.status), version: item._version }, node);
    });
  }

  async #read(node: SimulatedNode, id: string, by: string): Promise<void> {
    const event = this.#begin(id, 'read', by);
    const answer = await this.#ask(node, 'GET', id);
    this.#context.tell(`${by} read ${id} at ${node.id}: ${answer?.status} ${JSON.stringify(answer?.body)}`);
    if (answer === undefined || answer.status >= 500) return;
    this.#seen(event, answer.status === 200 ? answer.body : undefined);
  }

  #seen(event: Event, hit: { _version: number; _source: { token: string } } | undefined): void {
    event.ended = this.#context.history.moment();
    event.outcome = hit === undefined ? 'missing' : 'ok';
    event.version = hit?._version;
    event.token = hit?._source.token;
  }

  /** What was acknowledged before a refresh is found by a search after it. */
  async #refreshed(node: SimulatedNode, by: string): Promise<void> {
    const began = this.#context.history.moment();
    const answer = await this.#ask(node, 'POST', '/_refresh');
    this.#context.tell(`${by} refresh at ${node.id}: ${answer?.status}`);
    if (answer?.status === 200) await this.#search(node, began, by);
  }

  /** A search shows all documents: each must be as new as what was acknowledged before `began`. */
  async #search(node: SimulatedNode, began: number, by: string): Promise<void> {
    const answer = await this.#ask(node, 'GET', '/books,more/_search?size=100&version=true');
    if (answer === undefined || answer.status !== 200) return;
    const { hits } = answer.body.hits;
    for (const id of this.#ids()) {
      const event = this.#begin(id, 'read', `${by}'s search at ${node.id}`);
      event.began = began;
      const hit = hits.find(
        (each: { _index: string; _id: string }) => `/${each._index}/doc/${each._id}` === id,
      );
      this.#seen(event, hit);
    }
  }

  /** Changes of metadata, among others' writes. */
  async #metadata(node: SimulatedNode, by: string): Promise<void> {
    const { random, tell } = this.#context;
    const number = random.below(4);
    const changes: (readonly [string, string, unknown])[] = [
      ['PUT', `/_template/t${number}`, { template: `x${number}*`, order: random.below(9) }],
      ['PUT', '/_cluster/settings', { transient: { 'indices.ttl.interval': `${30 + number}s` } }],
      [
        'POST',
        '/_aliases',
        {
          actions: [
            { remove: { index: '*', alias: 'current' } },
            { add: { index: random.chance(0.5) ? 'books' : 'more', alias: 'current' } },
          ],
        },
      ],
      ['PUT', '/books/_mapping/doc', { doc: { properties: { [`mapped${number}`]: { type: 'string' } } } }],
      ['PUT', `/scrap${number}`, { settings: { number_of_shards: 1 } }],
      ['PUT', `/scrap${number}/doc/1`, { n: number }],
      ['DELETE', `/scrap${number}`, undefined],
      ['POST', `/scrap${number}/_close`, undefined],
      ['POST', `/scrap${number}/_open`, undefined],
      ['PUT', '/more/_settings', { index: { number_of_replicas: number } }],
    ];
    const [method, uri, body] = changes[random.below(changes.length)]!;
    const answer = await this.#ask(node, method, uri, body);
    tell(`${by} ${method} ${uri} at ${node.id}: ${answer?.status} ${JSON.stringify(answer?.body)}`);
  }
}
