import { Principal } from '../../host/security/principal.js';
import { wallClock } from '../../host/time/clock.js';
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { WorkLimit } from '../../host/workLimit.js';

export interface ApiResponse {
  status: number;
  body: unknown;
}

/** The whole interface without HTTP, over local shards and storage in memory. Runs wherever the engine does. */
export interface Api {
  readonly engine: Engine;
  /** A body that is not a string is sent as JSON. */
  call(this: void, method: string, uri: string, body?: unknown): Promise<ApiResponse>;
  close(): Promise<void>;
}

/** Opens an engine on a core, over a store that has nothing unless it is given. */
export async function openApi(
  wasm: BufferSource,
  storage: MemoryStorage = new MemoryStorage(),
): Promise<Api> {
  const module = await WebAssembly.compile(wasm);
  const engine = await Engine.open({
    storage,
    blobs: new MemoryBlobs(),
    clock: wallClock,
    transport: new LocalTransport(module),
    module,
    warn: (message) => console.warn(message),
  });
  const router = createRouter(engine, { node: 'test', cluster: 'test', version: '0.0.0' });
  return {
    engine,
    async call(method, uri, body) {
      const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
      const response = await router.handle(
        method,
        uri,
        new TextEncoder().encode(text),
        Principal.unrestricted,
        WorkLimit.none,
      );
      const answer = new TextDecoder().decode(response.body);
      return {
        status: response.status,
        body: /json/.test(response.contentType) && answer !== '' ? JSON.parse(answer) : answer,
      };
    },
    close: () => engine.close(),
  };
}
