/** A node in memory with a single shard, and what its core was asked: to be asked again, in any way. */
import { Principal } from '../../host/security/principal.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { ShardHost } from '../../host/shard/shardHost.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { compileCore } from '../../host/server/wasm.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { defaultTurn } from '../../host/turn.js';
import { WorkLimit } from '../../host/workLimit.js';
import { type Asked as Recorded, RecordingTransport } from '../support/recordingTransport.js';

/** A call that changes nothing. */
export type Asked = Pick<Recorded, 'shard' | 'bytes'> & { call: 'search' | 'terms' };

export interface RecordedShard {
  host: ShardHost;
  engine: Engine;
  request(method: string, uri: string, body?: unknown): Promise<unknown>;
  /** What the core is asked for a request that reads. */
  record(uri: string, body: unknown): Promise<Asked[]>;
}

export async function startRecordedShard(): Promise<RecordedShard> {
  const module = await compileCore();
  const host = new ShardHost(module, defaultTurn());
  const asked: Asked[] = [];
  const transport = new RecordingTransport(
    new LocalTransport(module, defaultTurn(), host),
    ({ shard, call, bytes }) => {
      if (call !== 'matches') asked.push({ shard, call, bytes });
    },
  );
  const parts = { storage: new MemoryStorage(), blobs: new MemoryBlobs(), clock: wallClock };
  const engine = await Engine.open({ ...parts, transport, module });
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  const request = async (method: string, uri: string, body?: unknown): Promise<unknown> => {
    const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
    const limit = WorkLimit.of(Number.POSITIVE_INFINITY);
    const answer = await router.handle(method, uri, bytes, Principal.unrestricted, limit);
    const text = new TextDecoder().decode(answer.body);
    if (answer.status > 299) throw new Error(text);
    return JSON.parse(text);
  };
  return {
    host,
    engine,
    request,
    async record(uri, body) {
      asked.length = 0;
      await request('POST', uri, body);
      return asked.map((each) => ({ ...each, bytes: each.bytes.slice() }));
    },
  };
}

/** Asks the core once more. */
export function ask(host: ShardHost, { call, shard, bytes }: Asked, interrupted?: () => boolean): Uint8Array {
  return host[call](shard, bytes, interrupted);
}
