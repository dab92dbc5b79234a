/** A node of a cluster in this process: an engine and its interface, over a disk that outlives it. */

import type { ClusterServices } from '../../../host/cluster/services.js';
import type { DiskSpace } from '../../../host/replication/diskWatermarks.js';
import type { Formats } from '../../../host/replication/formats.js';
import { Engine } from '../../../host/engine/engine.js';
import { Replication } from '../../../host/replication/replication.js';
import { createRouter } from '../../../host/rest/createRouter.js';
import type { RequestHandler } from '../../../host/rest/router.js';
import { Principal } from '../../../host/security/principal.js';
import { LocalTransport } from '../../../host/shard/localShards.js';
import type { RepositoryLocations } from '../../../host/snapshot/locations.js';
import type { Operation } from '../../../host/shard/operation.js';
import type { ShardHost } from '../../../host/shard/shardHost.js';
import type { Outcome } from '../../../host/shard/writeQueue.js';
import { MemoryBlobs, MemoryStorage } from '../../../host/storage/memory.js';
import type { Clock } from '../../../host/time/clock.js';
import type { Blobs, Storage } from '../../../host/storage/storage.js';
import type { Turn } from '../../../host/turn.js';
import { WorkLimit } from '../../../host/workLimit.js';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as they are
  body: any;
}

/** What one shard has acknowledged at once. */
export interface Acknowledged {
  /** The id of the node that was asked. */
  at: string;
  index: string;
  shard: number;
  ops: readonly Operation[];
  /** In the same order. */
  outcomes: readonly Outcome[];
}

export interface NodeOptions {
  id: string;
  /** Another one for each process. */
  incarnation: string;
  services: ClusterServices;
  storage: Storage;
  blobs: Blobs;
  module: WebAssembly.Module;
  /** Whether it may have copies of shards; it may without. */
  data?: boolean;
  /** What settings of allocation name besides, such as a zone. */
  attributes?: Readonly<Record<string, string>>;
  /** Whether indices say how many copies there are; that is so unless false. */
  placed?: boolean;
  graceMs?: number;
  /** The disk of its data; it says nothing of that without. */
  disk?: () => DiskSpace;
  /** What it knows of what nodes tell each other; what this version knows without. */
  formats?: Formats;
  /** Copies are compared after each so many messages of a shard. */
  comparedEvery?: number;
  /** Told of what shards acknowledge that this node has written to, before whoever asked for that is. */
  acknowledged?: (written: Acknowledged) => void;
  warn?: (message: string) => void;
  /** What hosts its shards; something of its own without. @param turn as it has turns */
  hostOf?: (turn: Turn) => ShardHost;
  /** Where its repositories of snapshots are; in memory of its own without. */
  places?: RepositoryLocations;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class SimulatedNode {
  readonly id: string;
  readonly engine: Engine;
  readonly #router: RequestHandler;
  /** Resolves when the process is killed: its clients are told by their connections. */
  readonly ended: Promise<void>;
  #end = () => {};

  private constructor(id: string, engine: Engine) {
    this.id = id;
    this.engine = engine;
    this.#router = createRouter(engine, { node: id, cluster: 'simulated', version: '0.0.0' });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Resolves when the node has joined. */
  static async start(options: NodeOptions) {
    const {
      id,
      incarnation,
      services,
      storage,
      blobs,
      module,
      data = true,
      attributes,
      placed = true,
      graceMs = 60_000,
      comparedEvery = 10_000,
      formats,
      acknowledged,
      warn,
      places,
      hostOf,
      disk,
    } = options;
    const named = {
      cluster: 'simulated',
      node: id,
      incarnation,
      data,
      graceMs,
      isEverywhere: !placed,
      comparedEvery,
      ...(formats === undefined ? {} : { formats }),
      ...(disk === undefined ? {} : { disk }),
      ...(attributes === undefined ? {} : { attributes }),
    };
    const replication = await Replication.open({ ...named, services });
    if (acknowledged !== undefined) tellOf(replication, id, acknowledged);
    const { clock } = services;
    const turn = turnOf(clock);
    const engine = await Engine.open({
      storage,
      blobs,
      clock,
      module,
      replication,
      nodeId: id,
      transport: new LocalTransport(module, turn, hostOf?.(turn)),
      turn,
      warn: warn ?? (() => {}),
      ...(places === undefined ? {} : { places }),
    });
    await engine.join({ name: id, http: '', version: '0.0.0', started: clock.now() });
    return new SimulatedNode(id, engine);
  }

  end(): void {
    this.#end();
  }

  /** A node that is in no cluster, over a disk of its own. */
  static async alone(options: Pick<NodeOptions, 'module' | 'places'> & { clock: Clock }) {
    const { module, clock, places } = options;
    const turn = turnOf(clock);
    const engine = await Engine.open({
      storage: new MemoryStorage(),
      blobs: new MemoryBlobs(),
      clock,
      module,
      transport: new LocalTransport(module, turn),
      turn,
      ...(places === undefined ? {} : { places }),
    });
    return new SimulatedNode(engine.nodeId, engine);
  }

  /** A body that is not a text is sent as JSON. */
  async call(
    method: string,
    uri: string,
    body?: unknown,
    principal = Principal.unrestricted,
  ): Promise<Answer> {
    const sent = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const { status, text, isJson } = await this.written(method, uri, sent, principal);
    return { status, body: isJson ? JSON.parse(text) : text };
  }

  /** What is answered, as it is written. */
  async written(method: string, uri: string, body = '', principal = Principal.unrestricted) {
    const work = WorkLimit.of(Number.POSITIVE_INFINITY);
    const answer = await this.#router.handle(method, uri, encoder.encode(body), principal, work);
    const text = decoder.decode(answer.body);
    return { status: answer.status, text, isJson: /json/.test(answer.contentType) && text !== '' };
  }
}

/** Has everything told of that shards acknowledge to this node. */
function tellOf(replication: Replication, at: string, acknowledged: (written: Acknowledged) => void): void {
  const write = replication.write.bind(replication);
  replication.write = async (index, shard, ops) => {
    const outcomes = await write(index, shard, ops);
    acknowledged({ at, index, shard, ops, outcomes });
    return outcomes;
  };
}

/** Turns of a node, which cost no time. Those of the event loop would: meanwhile the clock jumps from timer to timer. */
function turnOf(clock: Clock): Turn {
  return (callback) => void clock.after(0, callback);
}
