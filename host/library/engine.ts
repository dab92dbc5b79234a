/** The engine in the thread that calls it, on whatever platform. */
import { Engine } from '../engine/engine.js';
import type { Router } from '../rest/router.js';
import { createRouter } from '../rest/routes.js';
import { Principal } from '../security/principal.js';
import { LocalTransport } from '../shard/localShards.js';
import { MemoryBlobs, MemoryStorage } from '../storage/memory.js';
import { wallClock } from '../time/clock.js';
import { VERSION } from '../version.js';
import { callerOver } from './caller.js';
import { handleFetch } from './fetch.js';
import type { Caller, EngineOptions, Resilin } from './options.js';
import { WorkLimit } from '../workLimit.js';

/** What a platform has of its own. */
export interface Platform {
  /** Finds the core and compiles it. */
  compileCore(): Promise<WebAssembly.Module>;
}

/** Makes an engine in the caller's thread and opens what its storage holds. */
export async function openEngine(options: EngineOptions, platform: Platform): Promise<Resilin> {
  const module = await compile(options.wasm, platform);
  const engine = await Engine.open({
    storage: options.storage ?? new MemoryStorage(),
    blobs: options.blobs ?? new MemoryBlobs(),
    clock: options.clock ?? wallClock,
    transport: new LocalTransport(module),
    module,
    ...(options.places === undefined ? {} : { places: options.places }),
    ...(options.warn === undefined ? {} : { warn: options.warn }),
    ...(options.guarded === undefined ? {} : { guarded: options.guarded }),
  });
  const router = createRouter(engine, { node: 'Resilin', cluster: 'elasticsearch', version: VERSION });
  return {
    engine,
    ...callerOf(router, Principal.unrestricted),
    as: (principal) => callerOf(router, principal),
    close: () => engine.close(),
  };
}

/** The ways to talk to a router for a principal. */
function callerOf(router: Router, principal: Principal): Caller {
  return callerOver({
    async handle(method, uri, body = new Uint8Array(0)) {
      const answer = await router.handle(
        method,
        uri,
        body,
        principal,
        WorkLimit.of(Number.POSITIVE_INFINITY),
      );
      const { status, contentType, body: bytes } = answer;
      // Answers share their buffers; a caller's is its own, which it may hand on to another thread.
      return { status, contentType, body: bytes.slice() };
    },
    fetch: (request) => handleFetch(router, request, principal),
  });
}

async function compile(wasm: EngineOptions['wasm'], platform: Platform): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  return wasm === undefined ? platform.compileCore() : WebAssembly.compile(wasm);
}
