/** A server that is reached over HTTP, over connections that stay open. */
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Address } from './address.js';
import { connectionProblem } from './connecting.js';
import { type Answer, NoAnswer, type Requests } from './requests.js';

/** A connection on which nothing comes or goes for that long is broken, in milliseconds. */
const IDLE_MS = 300_000;

export class Server implements Requests {
  readonly name: string;
  readonly #agent: Agent;
  readonly #options: RequestOptions;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #request: typeof request;

  /** @param connections that may be open at once */
  constructor({ url, authorization }: Address, connections: number) {
    const { protocol, hostname, port, pathname } = new URL(url);
    const isTls = protocol === 'https:';
    const agent = { keepAlive: true, maxSockets: connections, timeout: IDLE_MS };
    this.name = url;
    this.#agent = isTls ? new TlsAgent(agent) : new Agent(agent);
    this.#request = isTls ? tlsRequest : request;
    this.#options = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (isTls ? 443 : 80) : Number(port),
      agent: this.#agent,
    };
    this.#path = pathname.replace(/\/+$/, '');
    this.#headers = authorization === undefined ? {} : { authorization };
  }

  send(method: string, path: string, body?: Uint8Array | string): Promise<Answer> {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) =>
        reject(new NoAnswer(`${this.name} gives no answer: ${connectionProblem(cause)}`, { cause }));
      const sent = this.#request(
        { ...this.#options, method, path: this.#path + path, headers: { ...this.#headers, ...length } },
        (response: IncomingMessage) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }),
          );
          response.on('error', fail);
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`nothing for ${IDLE_MS / 1000} s`)));
      sent.on('error', fail);
      sent.end(body);
    });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }
}
