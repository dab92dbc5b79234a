/** A node in memory with a single shard, and what its core was asked: to be asked again, in any way. */
import { Principal } from '../../host/security/principal.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import type { ShardClient, ShardTransport } from '../../host/shard/shardClient.js';
import { ShardHost } from '../../host/shard/shardHost.js';
import { createRouter } from '../../host/rest/routes.js';
import { compileCore } from '../../host/server/wasm.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { defaultTurn } from '../../host/turn.js';
import { WorkLimit } from '../../host/workLimit.js';

/** A call that changes nothing. */
export interface Asked {
  call: 'search' | 'terms';
  shard: number;
  bytes: Uint8Array;
}

/** Notes what shards in its host are asked. */
class RecordingTransport implements ShardTransport {
  readonly host: ShardHost;
  readonly asked: Asked[] = [];
  readonly #inner: LocalTransport;
  #opened = 0;

  constructor(module: WebAssembly.Module) {
    this.host = new ShardHost(module, defaultTurn());
    this.#inner = new LocalTransport(module, defaultTurn(), this.host);
  }

  async open(): Promise<ShardClient> {
    const client = await this.#inner.open();
    const shard = ++this.#opened;
    return {
      ...client,
      search: (bytes, limit) => {
        this.asked.push({ call: 'search', shard, bytes });
        return client.search(bytes, limit);
      },
      terms: (bytes, limit) => {
        this.asked.push({ call: 'terms', shard, bytes });
        return client.terms(bytes, limit);
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

export interface RecordedShard {
  host: ShardHost;
  engine: Engine;
  request(method: string, uri: string, body?: unknown): Promise<unknown>;
  /** What the core is asked for a request that reads. */
  record(uri: string, body: unknown): Promise<Asked[]>;
}

export async function startRecordedShard(): Promise<RecordedShard> {
  const module = await compileCore();
  const transport = new RecordingTransport(module);
  const parts = { storage: new MemoryStorage(), blobs: new MemoryBlobs(), clock: wallClock };
  const engine = await Engine.open({ ...parts, transport, module });
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  const request = async (method: string, uri: string, body?: unknown): Promise<unknown> => {
    const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
    const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
    const answer = await router.handle(method, uri, bytes, Principal.unrestricted, undefined, limit);
    const text = new TextDecoder().decode(answer.body);
    if (answer.status > 299) throw new Error(text);
    return JSON.parse(text);
  };
  return {
    host: transport.host,
    engine,
    request,
    async record(uri, body) {
      transport.asked.length = 0;
      await request('POST', uri, body);
      return transport.asked.map((asked) => ({ ...asked, bytes: asked.bytes.slice() }));
    },
  };
}

/** Asks the core once more. */
export function ask(host: ShardHost, { call, shard, bytes }: Asked, interrupted?: () => boolean): Uint8Array {
  return host[call](shard, bytes, interrupted);
}
