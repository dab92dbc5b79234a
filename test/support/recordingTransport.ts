/** Shards in this thread that tell what they are asked: to be asked again, in any way. */
import type { LocalTransport } from '../../host/shard/localShards.js';
import type { ShardClient, ShardTransport } from '../../host/shard/shardClient.js';

/** A call that changes nothing. */
export interface Asked {
  client: ShardClient;
  /** The number of the shard in its host: 1 for the first that was opened. */
  shard: number;
  call: 'search' | 'terms' | 'matches';
  /** Only good until the call is answered, unless copied. */
  bytes: Uint8Array;
}

export class RecordingTransport implements ShardTransport {
  readonly #inner: LocalTransport;
  readonly #record: (asked: Asked) => void;
  #opened = 0;

  constructor(inner: LocalTransport, record: (asked: Asked) => void) {
    this.#inner = inner;
    this.#record = record;
  }

  async open(): Promise<ShardClient> {
    const client = await this.#inner.open();
    const shard = ++this.#opened;
    const record = (call: Asked['call'], bytes: Uint8Array) => this.#record({ client, shard, call, bytes });
    return {
      ...client,
      search(plan, limit) {
        record('search', plan);
        return client.search(plan, limit);
      },
      terms(request, limit) {
        record('terms', request);
        return client.terms(request, limit);
      },
      matches(plans, limit) {
        record('matches', plans);
        return client.matches(plans, limit);
      },
    };
  }

  get fielddata(): number {
    return this.#inner.fielddata;
  }

  limitFielddata(bytes: number): void {
    this.#inner.limitFielddata(bytes);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
