/** Clients of a simulated cluster: what they ask, and what they were told. */
import type { Random } from '../../torture/random.js';
import {
  type ActionName,
  actionOf,
  excluding,
  metadataChange,
  placementChange,
  replicasOf,
} from './actions.js';
import type { Coverage } from './coverage.js';
import type { Acknowledgements } from './durability.js';
import type { Event, History } from './history.js';
import type { Answer, SimulatedNode } from './simulatedNode.js';
import type { VirtualClock } from './virtualClock.js';
import type { World } from './world.js';

export interface ClientsContext {
  world: World;
  random: Random;
  clock: VirtualClock;
  history: History;
  acknowledgements: Acknowledgements;
  /** Nodes that answer. */
  nodes(): readonly SimulatedNode[];
  tell(line: string): void;
  coverage: Coverage;
}

interface Hit {
  _index: string;
  _id: string;
  _version: number;
  _source: { token: string };
}

/** A document that only updates write. */
const PARTS = '/books/doc/parts';
/** What documents hold. */
export const WORDS = ['one', 'two', 'three', 'four'];
/** A client gives up then. Longer than nodes take to say that they don't know. */
const PATIENCE_MS = 100_000;
/** How long indices are closed, at most. */
const CLOSED_MS = 3000;
const SETTLE_MS = 1000;
/** The client that has the last word. */
const LAST = 'conclusion';

export class Clients {
  readonly #context: ClientsContext;
  readonly #ids: readonly string[];
  #going = true;
  #tokens = 0;
  /** Parts that updates have added to one document, and were told so. */
  readonly #added: string[] = [];
  /** The last version of each document that a client was told. */
  readonly #versions = new Map<string, number>();
  readonly problems: string[] = [];

  constructor(context: ClientsContext) {
    this.#context = context;
    const numbers = Array.from({ length: context.world.documents }, (_, i) => i);
    this.#ids = context.world.indices.flatMap((index) => numbers.map((i) => `/${index}/doc/${i}`));
  }

  /** Makes the indices. Deletions are remembered for as long as a run lasts. */
  async prepare(): Promise<void> {
    const { indices, shards, replicas } = this.#context.world;
    const settings = { number_of_shards: shards, number_of_replicas: replicas, 'index.gc_deletes': '1d' };
    const mappings = { doc: { properties: { parts: { type: 'object', enabled: false } } } };
    for (const index of indices) {
      const answer = await this.#context.nodes()[0]!.call('PUT', `/${index}`, { settings, mappings });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    }
  }

  stop(): void {
    this.#going = false;
  }

  /** Resolves when all clients have stopped. */
  async work(): Promise<void> {
    const { clients } = this.#context.world;
    await Promise.all(Array.from({ length: clients }, (_, i) => this.#client(`client${i}`)));
  }

  /** Waits until all copies are where they should be, after the last fault; false where they don't come there. */
  async settle(withinMs: number): Promise<boolean> {
    const { clock } = this.#context;
    const end = clock.now() + withinMs;
    const node = this.#context.nodes()[0]!;
    const { world, random } = this.#context;
    const dataNodes = world.nodes.length - world.withoutData.length;
    const changes: (readonly [string, string, unknown])[] = [
      ...world.indices.map((index) => ['POST', `/${index}/_open`, undefined] as const),
      excluding(''),
      ...world.indices.map((index) => replicasOf(index, random.below(dataNodes))),
    ];
    for (const [method, uri, body] of changes)
      while ((await this.#told(node, method, uri, LAST, body))?.status !== 200 && clock.now() < end)
        await clock.sleep(SETTLE_MS);
    for (;;) {
      const notYet: string[] = [];
      for (const each of this.#context.nodes()) {
        if (this.#isPlaced(each)) continue;
        const shards = await this.#ask(each, 'GET', '/_cat/shards?h=index,shard,prirep,state,node');
        notYet.push(`${each.id}: ${shards?.body}`);
      }
      if (notYet.length === 0) return true;
      if (clock.now() > end) {
        this.problems.push(`copies are missing in the end: ${notYet.join('\n  ')}`);
        return false;
      }
      await clock.sleep(SETTLE_MS);
    }
  }

  /** Whether a node knows of as many copies as there should be, which may all be searched. */
  #isPlaced({ engine }: SimulatedNode): boolean {
    const { nodes, withoutData, placed } = this.#context.world;
    const most = nodes.length - withoutData.length;
    return engine.cluster
      .all()
      .filter(({ closed }) => !closed)
      .every((index) => {
        const wanted = placed ? Math.min(most, index.metadata.settings.replicas + 1) : most;
        return index.shards.every(
          ({ number }) => engine.replication!.searchableCopiesOf(index, number).length === wanted,
        );
      });
  }

  /** Reads all documents on all nodes, writes each once more, and finds them all after a refresh: nothing of that may fail. */
  async conclude(): Promise<void> {
    const nodes = this.#context.nodes();
    for (const node of nodes) {
      const answer = await this.#ask(node, 'GET', PARTS);
      const lost = this.#added.filter((part) => answer?.body._source?.parts[part] === undefined);
      if (lost.length > 0) this.problems.push(`updates were lost at ${node.id}: ${lost}`);
    }
    for (const node of nodes) for (const id of this.#ids) await this.#read(node, id, LAST);
    for (const [i, id] of this.#ids.entries()) await this.#write(nodes[i % nodes.length]!, id, LAST);
    const began = await this.#refresh(nodes[0]!, LAST);
    for (const node of nodes) await this.#search(node, began ?? this.#context.history.moment(), LAST);
  }

  async #client(name: string): Promise<void> {
    const { random, clock, world } = this.#context;
    while (this.#going) {
      await clock.sleep(random.below(world.pauseMs));
      const nodes = this.#context.nodes();
      if (nodes.length === 0) continue;
      const node = nodes[random.below(nodes.length)]!;
      const id = this.#ids[random.below(this.#ids.length)]!;
      await this.#act(actionOf(world.actions, random.next()), node, id, name);
    }
  }

  async #act(action: ActionName, node: SimulatedNode, id: string, by: string): Promise<void> {
    if (action === 'write') await this.#write(node, id, by);
    else if (action === 'create') await this.#write(node, id, by, null);
    else if (action === 'versioned') await this.#write(node, id, by, this.#versions.get(id) ?? 1);
    else if (action === 'delete') await this.#delete(node, id, by);
    else if (action === 'update') await this.#update(node, id, by);
    else if (action === 'add') await Promise.all(this.#context.nodes().map((each) => this.#add(each, by)));
    else if (action === 'bulk') await this.#bulk(node, by);
    else if (action === 'read') await this.#read(node, id, by);
    else if (action === 'elsewhere') await this.#elsewhere(node, id, by);
    else if (action === 'optimize') await this.#told(node, 'POST', '/_optimize?max_num_segments=1', by);
    else if (action === 'trim') await this.#trim(node, by);
    else if (action === 'close') await this.#close(node, by);
    else if (action === 'metadata' || action === 'placement') {
      const { random, world } = this.#context;
      const below = (n: number) => random.below(n);
      const isMetadata = action === 'metadata';
      const [method, uri, body] = isMetadata
        ? metadataChange(below, world.indices)
        : placementChange(below, world);
      await this.#told(node, method, uri, by, body);
    } else {
      const began = await this.#refresh(node, by);
      if (began !== undefined) await this.#search(node, began, by);
    }
  }

  /** Closes an index for a while, and has any node open it again. */
  async #close(node: SimulatedNode, by: string): Promise<void> {
    const { random, clock, history, world } = this.#context;
    const index = world.indices[random.below(world.indices.length)]!;
    const closing = history.closing(index);
    const closed = await this.#told(node, 'POST', `/${index}/_close`, by);
    if (closed?.status === 200) closing.done();
    await clock.sleep(random.below(CLOSED_MS));
    const all = this.#context.nodes();
    const other = all[random.below(all.length)] ?? node;
    const opening = history.opening(index);
    const opened = await this.#told(other, 'POST', `/${index}/_open`, by);
    if (opened?.status === 200) opening.done();
  }

  /** Has a node trim all logs as far as living nodes let it. */
  async #trim(node: SimulatedNode, by: string): Promise<void> {
    this.#context.tell(`${by} has ${node.id} trim the logs`);
    const trimmed = node.engine.replication!.trim({ bytes: 0, ms: 0 });
    await Promise.race([trimmed, node.ended]).catch((e) =>
      this.#context.tell(`${node.id}: no trimming: ${e}`),
    );
  }

  #document(): { token: string; body: Record<string, unknown> } {
    const { random } = this.#context;
    const token = `t${++this.#tokens}`;
    const words = Array.from({ length: 1 + random.below(4) }, () => WORDS[random.below(WORDS.length)]);
    const body: Record<string, unknown> = { token, text: words.join(' ') };
    // Some bring a field, and of another kind than others.
    if (random.chance(0.4))
      body[`field${random.below(10)}`] = random.chance(0.8) ? random.below(100) : 'a word';
    return { token, body };
  }

  /** Undefined where a node doesn't answer: it is killed meanwhile, or takes too long. */
  async #ask(node: SimulatedNode, method: string, uri: string, body?: unknown): Promise<Answer | undefined> {
    const { clock } = this.#context;
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = clock.after(PATIENCE_MS, resolve);
    });
    const answer = await Promise.race([node.call(method, uri, body), node.ended, patience]);
    cancel();
    return answer ?? undefined;
  }

  /** Asks for something of which only the trace tells. */
  async #told(
    node: SimulatedNode,
    method: string,
    uri: string,
    by: string,
    body?: unknown,
  ): Promise<Answer | undefined> {
    const answer = await this.#ask(node, method, uri, body);
    this.#context.tell(
      `${by} ${method} ${uri} at ${node.id}: ${answer?.status} ${JSON.stringify(answer?.body)}`,
    );
    this.#count(`${method} ${uri.replace(/\d+.*|\?.*/, '')}`, answer?.status);
    return answer;
  }

  /** Counts what a request came to. */
  #count(what: string, status: number | undefined): void {
    const isUnknown = status === undefined || status >= 500 || status === 429;
    const outcome = isUnknown ? 'unknown' : status < 300 ? 'done' : 'refused';
    this.#context.coverage.count('requests', `${what} ${outcome}`);
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
    this.#count(event.kind, event.kind === 'delete' && answer?.status === 404 ? 200 : answer?.status);
    if (answer === undefined || answer.status >= 500 || answer.status === 429) {
      if (event.by === LAST)
        this.problems.push(`${event.id} can't be written at ${node.id} in the end: ${answer?.status}`);
      return;
    }
    event.ended = history.moment();
    // A document that isn't there is deleted all the same: that has a version.
    const isDone = answer.status < 300 || (event.kind === 'delete' && answer.status === 404);
    event.outcome = isDone ? 'ok' : 'refused';
    if (!isDone) return;
    event.version = Number(answer.version);
    this.#versions.set(event.id, event.version);
    const problem = this.#context.acknowledgements.toldTooEarly(event);
    if (problem !== undefined) this.problems.push(problem);
  }

  /**
   * Writes a document, reads it at every other node as soon as that is acknowledged, and has one of them refresh and search: copies that are
   * behind for milliseconds are met only then.
   */
  async #elsewhere(node: SimulatedNode, id: string, by: string): Promise<void> {
    const { outcome } = await this.#write(node, id, by);
    const others = this.#context.nodes().filter((other) => other.id !== node.id);
    if (outcome !== 'ok' || others.length === 0) return;
    await Promise.all(others.map((other) => this.#read(other, id, `${by} elsewhere`)));
    const began = await this.#refresh(others[0]!, by);
    if (began !== undefined) await this.#search(others[0]!, began, by);
  }

  /** @param on the version that the document must have; null for none at all */
  async #write(node: SimulatedNode, id: string, by: string, on?: number | null): Promise<Event> {
    const { token, body } = this.#document();
    const event = this.#begin(id, 'write', by, token);
    if (on !== undefined) event.on = on;
    const how = on === undefined ? '' : on === null ? '?op_type=create' : `?version=${on}`;
    const answer = await this.#ask(node, 'PUT', `${id}${how}`, body);
    this.#end(event, answer && { status: answer.status, version: answer.body._version }, node);
    return event;
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
    this.#count('add', answer?.status);
    if (answer !== undefined && answer.status < 300) this.#added.push(part);
  }

  async #bulk(node: SimulatedNode, by: string): Promise<void> {
    const { random } = this.#context;
    const ids = this.#ids.filter(() => random.chance(0.4));
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
    this.#count('read', answer?.status === 404 ? 200 : answer?.status);
    if (answer?.status === 200 || answer?.status === 404)
      this.#seen(event, answer.status === 200 ? answer.body : undefined);
    else if (by === LAST)
      this.problems.push(`${id} can't be read at ${node.id} in the end: ${answer?.status}`);
  }

  #seen(event: Event, hit: Hit | undefined): void {
    event.ended = this.#context.history.moment();
    event.outcome = hit === undefined ? 'missing' : 'ok';
    event.version = hit?._version;
    event.token = hit?._source.token;
  }

  /** The moment before a refresh that was carried out. */
  async #refresh(node: SimulatedNode, by: string): Promise<number | undefined> {
    const began = this.#context.history.moment();
    const answer = await this.#ask(node, 'POST', '/_refresh');
    this.#context.tell(`${by} refresh at ${node.id}: ${answer?.status}`);
    this.#count('refresh', answer?.status);
    if (answer?.status === 200 && answer.body._shards.failed === 0) return began;
    if (by === LAST) this.problems.push(`no refresh in the end: ${JSON.stringify(answer)}`);
    return undefined;
  }

  /** A search shows all documents: each must be as new as what was acknowledged before `began`. */
  async #search(node: SimulatedNode, began: number, by: string): Promise<void> {
    const indices = this.#context.world.indices.join();
    const answer = await this.#ask(node, 'GET', `/${indices}/_search?size=100&version=true`);
    const isWhole = answer?.status === 200 && answer.body._shards.failed === 0 && !answer.body.timed_out;
    this.#count('search', isWhole ? 200 : undefined);
    if (!isWhole) {
      if (by === LAST)
        this.problems.push(`no search at ${node.id} in the end: ${answer?.status} ${answer?.body._shards}`);
      return;
    }
    const hits = answer.body.hits.hits as Hit[];
    for (const id of this.#ids) {
      const event = this.#begin(id, 'read', `${by}'s search at ${node.id}`);
      event.began = began;
      this.#seen(
        event,
        hits.find(({ _index, _id }) => `/${_index}/doc/${_id}` === id),
      );
    }
  }
}
