/** Requests from JavaScript, over a way to send bytes. */
import { bodyText } from '../json/bigints.js';
import { type JsonValue, RequestError, type StoredDocument } from './answers.js';
import type { Caller } from './options.js';

const utf8 = new TextEncoder();

/** All the ways to talk to an engine, over those that aren't made of others. */
export function callerOver({ handle, fetch }: Pick<Caller, 'handle' | 'fetch'>): Caller {
  const request = async <T>(
    method: string,
    uri: string,
    body?: unknown,
  ): Promise<{ status: number; body: T }> => {
    const { status, contentType, body: bytes } = await handle(method, uri, toBytes(body));
    const text = new TextDecoder().decode(bytes);
    return {
      status,
      body: contentType.startsWith('application/json') && text !== '' ? JSON.parse(text) : text,
    };
  };
  const demand = async <T>(method: string, uri: string, body?: unknown): Promise<T> => {
    const answer = await request<T>(method, uri, body);
    if (answer.status >= 400) throw new RequestError(answer.status, answer.body as JsonValue);
    return answer.body;
  };
  return {
    handle,
    fetch,
    request,
    search: (index, body = {}) => demand('POST', pathOf(index, '_search'), body),
    async get<T>(index: string, type: string, id: string) {
      const uri = pathOf(index, type, id);
      const { status, body } = await request<StoredDocument<T> | { found: false }>('GET', uri);
      if ('found' in body) return body.found ? body : undefined;
      throw new RequestError(status, body as JsonValue);
    },
    index(index, type, document, { id, refresh = false } = {}) {
      const uri = id === undefined ? pathOf(index, type) : pathOf(index, type, id);
      return demand(id === undefined ? 'POST' : 'PUT', `${uri}?refresh=${refresh}`, document);
    },
    bulk: (lines, { refresh = false } = {}) =>
      demand(
        'POST',
        `/_bulk?refresh=${refresh}`,
        Array.from(lines, (line) => `${bodyText(line)}\n`).join(''),
      ),
  };
}

/** A path of parts; commas between names stay. */
function pathOf(...parts: string[]): string {
  const written = parts
    .filter((part) => part !== '')
    .map((part) => encodeURIComponent(part).replaceAll('%2C', ','));
  return `/${written.join('/')}`;
}

function toBytes(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  if (body instanceof Uint8Array) return body;
  return utf8.encode(typeof body === 'string' ? body : bodyText(body));
}
