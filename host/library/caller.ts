/** Requests from JavaScript, over a way to send bytes. */
import { bodyText } from '../json/bigints.js';
import type { Caller } from './options.js';

const utf8 = new TextEncoder();

/** All the ways to talk to an engine, over those that aren't made of others. */
export function callerOver({ handle, fetch }: Pick<Caller, 'handle' | 'fetch'>): Caller {
  return {
    handle,
    fetch,
    async request(method, uri, body) {
      const { status, contentType, body: bytes } = await handle(method, uri, toBytes(body));
      const text = new TextDecoder().decode(bytes);
      return {
        status,
        body: contentType.startsWith('application/json') && text !== '' ? JSON.parse(text) : text,
      };
    },
  };
}

function toBytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  if (body instanceof Uint8Array) return body;
  return utf8.encode(typeof body === 'string' ? body : bodyText(body));
}
