/** Requests from JavaScript to a router. */
import { bodyText } from '../json/bigints.js';
import type { Router } from '../rest/router.js';
import type { Principal } from '../security/principal.js';
import { handleFetch } from './fetch.js';
import type { Caller } from './options.js';

const utf8 = new TextEncoder();

/** The ways to talk to a router for a principal. */
export function callerOf(router: Router, principal: Principal): Caller {
  const handle: Caller['handle'] = async (method, uri, body = new Uint8Array(0)) => {
    const answer = await router.handle(method, uri, body, principal);
    // Answers share their buffers; a caller's is its own, which it may hand on to another thread.
    return { status: answer.status, contentType: answer.contentType, body: answer.body.slice() };
  };
  return {
    handle,
    async request(method, uri, body) {
      const { status, contentType, body: bytes } = await handle(method, uri, toBytes(body));
      const text = new TextDecoder().decode(bytes);
      return {
        status,
        body: contentType.startsWith('application/json') && text !== '' ? JSON.parse(text) : text,
      };
    },
    fetch: (request) => handleFetch(router, request, principal),
  };
}

function toBytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  if (body instanceof Uint8Array) return body;
  return utf8.encode(typeof body === 'string' ? body : bodyText(body));
}
