/** The engine in the thread that calls it, on whatever platform. */
import { Engine } from '../engine/engine.js';
import { loadGroovy } from '../groovy/loading.js';
import { collected } from '../rest/bodyStream.js';
import { createRouter } from '../rest/createRouter.js';
import type { Router } from '../rest/router.js';
import { Principal } from '../security/principal.js';
import { LocalTransport } from '../shard/localShards.js';
import { exportIndex } from '../snapshot/exporting.js';
import { MemoryBlobs, MemoryStorage } from '../storage/memory.js';
import { wallClock } from '../time/clock.js';
import { VERSION } from '../version.js';
import { WorkLimit } from '../workLimit.js';
import { callerOver } from './caller.js';
import { handleFetch } from './fetch.js';
import type { Caller, EngineOptions, Resilin } from './options.js';
import type { KeptData, Platform } from './platform.js';

/** Makes an engine in the caller's thread and opens what its storage holds. */
export async function openEngine(options: EngineOptions, platform: Platform): Promise<Resilin> {
  const module = await compile(options.wasm, platform);
  const kept = await openStores(options, platform);
  let engine: Engine;
  try {
    engine = await open(options, kept, module, platform.loadsLate);
  } catch (e) {
    await kept.storage.close().finally(kept.release);
    throw e;
  }
  const router = createRouter(engine, { node: 'Resilin', cluster: 'elasticsearch', version: VERSION });
  return {
    engine,
    ...callerOf(router, Principal.unrestricted),
    as: (principal) => callerOf(router, principal),
    exportIndex: async (index) => exportIndex(engine.index(index)),
    importIndex: async (file, { name } = {}) => engine.importIndex(await bytesOf(file), name),
    close: () => engine.close().finally(kept.release),
  };
}

/** What is given, or what a URL gives. */
async function bytesOf(file: string | URL | Uint8Array): Promise<Uint8Array> {
  if (file instanceof Uint8Array) return file;
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file} answers with ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The stores that are given, or those that {@link EngineOptions.data} names, or memory. */
async function openStores(
  { data, storage, blobs, places }: EngineOptions,
  platform: Platform,
): Promise<KeptData> {
  if (data !== undefined) {
    if (storage !== undefined || blobs !== undefined)
      throw new Error('data names a store, storage and blobs are one: give either');
    const kept =
      typeof data === 'string'
        ? await platform.openData(data)
        : { release: () => {}, ...(await data.open()) };
    return places === undefined ? kept : { ...kept, places };
  }
  return {
    storage: storage ?? new MemoryStorage(),
    blobs: blobs ?? new MemoryBlobs(),
    ...(places === undefined ? {} : { places }),
    release: () => {},
  };
}

async function open(
  { clock = wallClock, warn, guarded, groovy = false }: EngineOptions,
  { storage, blobs, places }: KeptData,
  module: WebAssembly.Module,
  loadsLate = false,
): Promise<Engine> {
  const scripts = await loadGroovy(groovy ? { inline: true, indexed: true, files: new Map() } : undefined);
  return Engine.open({
    storage,
    blobs,
    clock,
    transport: new LocalTransport(module),
    module,
    loadsLate,
    ...(places === undefined ? {} : { places }),
    ...(warn === undefined ? {} : { warn }),
    ...(guarded === undefined ? {} : { guarded }),
    ...(scripts === undefined ? {} : { groovy: scripts }),
  });
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
      const { status, contentType, body: bytes, stream } = answer;
      if (stream !== undefined) return { status, contentType, body: await collected(stream) };
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
