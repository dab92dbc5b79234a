/** An engine in this process with small indices, whose shards remember what they were asked. */
import { Engine } from '../../host/engine/engine.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { wallClock } from '../../host/time/clock.js';
import { Principal } from '../../host/security/principal.js';
import type { Router } from '../../host/rest/router.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { WorkLimit } from '../../host/workLimit.js';
import { LAYOUTS, requestsOf } from '../../test/metamorphic/layouts.js';
import { makeWorld } from '../../test/metamorphic/world.js';
import { type Asked, RecordingTransport } from '../../test/support/recordingTransport.js';

/** Milliseconds that a request may take. */
const REQUEST_MS = 2000;
/** Plans that are remembered. */
const MAX_ASKED = 2000;

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() };

/** The indices `a` and `b` of {@link NAMED}, and `i`, a world of `test/metamorphic`. */
export class FuzzedWorld {
  readonly #engine: Engine;
  readonly #router: Router;
  /** What the shards were asked since the world was made, as far as it is remembered. */
  readonly asked: Asked[];

  private constructor(engine: Engine, asked: Asked[]) {
    this.#engine = engine;
    this.#router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
    this.asked = asked;
  }

  /** @param warn takes what the engine would write into the log */
  static async open(
    module: WebAssembly.Module,
    number: number,
    warn: (message: string) => void,
  ): Promise<FuzzedWorld> {
    const asked: Asked[] = [];
    const transport = new RecordingTransport(new LocalTransport(module), (each) => {
      if (asked.length < MAX_ASKED) asked.push({ ...each, bytes: each.bytes.slice() });
    });
    const engine = await Engine.open({
      storage: new MemoryStorage(),
      blobs: new MemoryBlobs(),
      clock: wallClock,
      transport,
      module,
      warn,
    });
    const world = new FuzzedWorld(engine, asked);
    const layout = LAYOUTS[number % LAYOUTS.length]!;
    for (const sent of requestsOf(makeWorld(number), layout))
      if (typeof sent === 'object') await world.#make(sent.method, sent.uri, sent.body ?? '');
    for (const [method, uri, body] of NAMED) await world.#make(method, uri, body);
    asked.length = 0;
    return world;
  }

  /** Answers a request, and tells how long it took. */
  async ask(
    method: string,
    uri: string,
    body: Uint8Array,
  ): Promise<{ status: number; text: string; ms: number }> {
    const started = performance.now();
    const limit = WorkLimit.of(REQUEST_MS);
    const answer = await this.#router.handle(method, uri, body, Principal.unrestricted, limit);
    return {
      status: answer.status,
      text: utf8.decoder.decode(answer.body),
      ms: performance.now() - started,
    };
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async #make(method: string, uri: string, body: string): Promise<void> {
    const { status, text } = await this.ask(method, uri, utf8.encoder.encode(body));
    if (status >= 300) throw new Error(`${method} ${uri} is refused: ${text}`);
  }
}

const PROPERTIES = {
  s: { type: 'string' },
  n: { type: 'integer' },
  d: { type: 'date' },
  p: { type: 'geo_point' },
  k: { type: 'nested' },
};
const DOCUMENT = {
  s: 'red fox',
  n: 1,
  d: '2014-01-01',
  p: { lat: 1, lon: 2 },
  o: { d: '2014-01-01' },
  k: [{ a: 1 }],
};

/** The requests that make the indices that `test/support/requestWords.ts` speaks of. */
export const NAMED: readonly (readonly [method: string, uri: string, body: string])[] = ['a', 'b'].flatMap(
  (name) => [
    [
      'PUT',
      `/${name}`,
      JSON.stringify({
        settings: { number_of_shards: 2 },
        aliases: { al: {} },
        mappings: { t: { properties: PROPERTIES } },
      }),
    ] as const,
    ['PUT', `/${name}/t/1?refresh=true`, JSON.stringify(DOCUMENT)] as const,
  ],
);
