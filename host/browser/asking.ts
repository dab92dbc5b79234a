/** An engine that is elsewhere, as one that is here. */
import { callerOver } from '../library/caller.js';
import type { Caller, EngineResponse, WorkerEngine } from '../library/options.js';
import type { Imported } from '../snapshot/imported.js';
import type { Asked, RequestAsked } from './protocol.js';

/** Sends what is asked to where the engine is; bytes that are moved are nobody else's. */
export type Ask = (asked: Asked, moved: Transferable[]) => Promise<EngineResponse>;

/** The engine behind a way to ask it. */
export function engineBehind(ask: Ask, close: () => Promise<void>): WorkerEngine {
  const askFor = (principal: string | undefined, request: RequestAsked['request']) => {
    // What the caller gave stays the caller's: a copy moves.
    const body = request.body.slice();
    const asked = { request: { ...request, body }, ...(principal === undefined ? {} : { principal }) };
    return ask(asked, [body.buffer]);
  };
  const callerFor = (principal?: string): Caller =>
    callerOver({
      handle: (method, uri, body = new Uint8Array(0)) => askFor(principal, { method, uri, body }),
      async fetch(request) {
        const fetched = { contentType: request.headers.get('content-type') };
        const body = new Uint8Array(await request.arrayBuffer());
        const asked = { method: request.method, uri: request.url, body, fetched };
        const answer = await askFor(principal, asked);
        return new Response(request.method === 'HEAD' ? null : (answer.body as Uint8Array<ArrayBuffer>), {
          status: answer.status,
          headers: { 'content-type': answer.contentType },
        });
      },
    });
  return {
    ...callerFor(),
    as: ({ identity }) => callerFor(identity),
    async exportIndex(index) {
      return (await ask({ file: { from: index } }, [])).body as Uint8Array<ArrayBuffer>;
    },
    async importIndex(file, options = {}) {
      // A URL is relative to whoever gives it; bytes stay theirs.
      const of = file instanceof Uint8Array ? file.slice() : new URL(file, location.href).href;
      const answer = await ask({ file: { of, ...options } }, typeof of === 'string' ? [] : [of.buffer]);
      return JSON.parse(new TextDecoder().decode(answer.body)) as Imported;
    },
    close,
  };
}
