/** A coordinator's ways to the data workers: the shards are opened by the main thread, and called from here. */
import { SearchMemory } from '../../core/searchMemory.js';
import type { ShardClient, ShardTransport } from '../../shard/shardClient.js';
import type { SequentialRequests } from '../busyPolling.js';
import { CallChannel } from '../callChannel.js';
import type { ShardPlace } from '../pool.js';
import type { WorkerPort } from '../protocol.js';
import { CopiedSearches } from '../searchCopies/copiedSearches.js';
import { type CopyNumbers, CopyTable } from '../searchCopies/copyTable.js';

export class WorkerPorts implements ShardTransport {
  readonly #channels: CallChannel[];
  readonly #requests: SequentialRequests;
  readonly #places = new WeakMap<ShardClient, ShardPlace>();
  readonly searchMemory: SearchMemory;
  #fielddataLimit = Number.POSITIVE_INFINITY;

  readonly #copied: CopiedSearches;

  /**
   * @param searchMemory what the searches of all workers take
   * @param copies what is known of copies of shards
   */
  constructor(
    ports: readonly WorkerPort[],
    searchMemory: Int32Array,
    copies: CopyNumbers,
    requests: SequentialRequests,
  ) {
    this.searchMemory = new SearchMemory(searchMemory);
    this.#copied = new CopiedSearches(new CopyTable(copies), (worker) => this.#channels[worker]);
    this.#requests = requests;
    this.#channels = ports.map((port) => this.#channel(port));
  }

  #channel({ port, cancelled }: WorkerPort): CallChannel {
    const left = (own: number) => this.#fielddataLimit - this.fielddata + own;
    const channel = new CallChannel(port, cancelled, this.#requests, left);
    port.on('close', () => channel.lose('a data worker ended'));
    return channel;
  }

  /** Another worker has taken the place of one that is gone. */
  replace(worker: number, port: WorkerPort): void {
    this.#channels[worker]?.lose('a data worker ended');
    this.#channels[worker] = this.#channel(port);
  }

  /** A shard where it is; undefined without the worker. */
  client(place: ShardPlace): ShardClient | undefined {
    const channel = this.#channels[place.worker];
    if (channel === undefined) return undefined;
    const { worker: owner, shard, copies } = place;
    const search: ShardClient['search'] | undefined =
      copies && ((plan, limit) => this.#copied.search(channel, { owner, shard, place: copies }, plan, limit));
    // The shard is the main thread's: it is not dropped here.
    const client = channel.client(shard, async () => {}, search);
    this.#places.set(client, place);
    return client;
  }

  placeOf(client: ShardClient): ShardPlace | undefined {
    return this.#places.get(client);
  }

  open(): Promise<ShardClient> {
    return Promise.reject(new Error('shards are opened by the main thread'));
  }

  get fielddata(): number {
    return this.#channels.reduce((sum, { fielddata }) => sum + fielddata, 0);
  }

  limitFielddata(bytes: number): void {
    this.#fielddataLimit = bytes;
  }

  async close(): Promise<void> {
    for (const channel of this.#channels) channel.close();
  }
}
