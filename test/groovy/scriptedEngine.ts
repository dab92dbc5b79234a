/** An engine that lets scripts in Groovy run, asked as over HTTP. */
import { Engine } from '../../host/engine/engine.js';
import { GroovyScripts } from '../../host/groovy/groovy.js';
import { createRouter } from '../../host/rest/createRouter.js';
import { Principal } from '../../host/security/principal.js';
import { groovySettings } from '../../host/server/groovyScripts.js';
import { LocalTransport } from '../../host/shard/localShards.js';
import { MemoryBlobs, MemoryStorage } from '../../host/storage/memory.js';
import { wallClock } from '../../host/time/clock.js';
import { WorkLimit } from '../../host/workLimit.js';
import { coreBytes } from '../support/core.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever is answered.
export type Answer = { status: number; text: string; json: any };
export type Call = (method: string, uri: string, body?: unknown) => Promise<Answer>;

const engines: Engine[] = [];

export async function openScripted(options: Parameters<typeof groovySettings>[0]): Promise<Call> {
  const module = await WebAssembly.compile(coreBytes());
  const settings = await groovySettings(options);
  const engine = await Engine.open({
    storage: new MemoryStorage(),
    blobs: new MemoryBlobs(),
    clock: wallClock,
    transport: new LocalTransport(module),
    module,
    ...(settings === undefined ? {} : { groovy: new GroovyScripts(settings) }),
  });
  engines.push(engine);
  const router = createRouter(engine, { node: 'n', cluster: 'c', version: '0' });
  return async (method, uri, body) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const bytes = new TextEncoder().encode(text);
    const answer = await router.handle(method, uri, bytes, Principal.unrestricted, WorkLimit.none);
    const written = new TextDecoder().decode(answer.body);
    return { status: answer.status, text: written, json: JSON.parse(written) };
  };
}

/** Closes all that were opened. */
export async function closeScripted(): Promise<void> {
  for (const engine of engines.splice(0)) await engine.close();
}
