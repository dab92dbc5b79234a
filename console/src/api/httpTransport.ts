/** Requests over HTTP. */
import { signal } from '@preact/signals';
import { type ApiRequest, type RawAnswer, type Transport, Unreachable } from './transport';

/** The value of the `Authorization` header. It is kept in this variable alone: a reload forgets it. */
export const authorization = signal<string | undefined>(undefined);

/** The header for a user's name and password. */
export function basic(name: string, password: string): string {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** Sends requests to the server that the page comes from, or to the one that the page's address names: `?server=http://10.0.0.5:9200`. */
export class HttpTransport implements Transport {
  readonly address: string;

  constructor(server: string = serverOf(location)) {
    this.address = server;
  }

  async send({ method, path, body }: ApiRequest, signal?: AbortSignal): Promise<RawAnswer> {
    const headers = new Headers();
    if (authorization.value !== undefined) headers.set('authorization', authorization.value);
    // fetch allows no body with GET; 1.7 takes the same requests as POST.
    const hasBody = body !== undefined && body.length > 0;
    const sent = hasBody && (method === 'GET' || method === 'HEAD') ? 'POST' : method;
    let response: Response;
    try {
      response = await fetch(`${this.address}${path}`, {
        method: sent,
        headers,
        // The browser must not ask for a password by itself, nor send one that it has kept.
        credentials: 'omit',
        cache: 'no-store',
        ...(hasBody ? { body: body as BodyInit } : {}),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Unreachable(`No answer from ${this.address}: ${(error as Error).message}`);
    }
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  }
}

/** The server behind the page, or the one that its query names. */
function serverOf({ origin, search }: Location): string {
  const named = new URLSearchParams(search).get('server');
  if (named === null || !/^https?:\/\/[^/?#@]+\/?$/.test(named)) return origin;
  return named.replace(/\/$/, '');
}
