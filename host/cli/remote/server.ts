/** A server that is reached over HTTP, over connections that stay open; of a cluster, the next node where one is away. */
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Address } from './address.js';
import { connectionProblem } from './connecting.js';
import { type Answer, NoAnswer, type Requests } from './requests.js';

/** A connection on which nothing comes or goes for that long is broken, in milliseconds. */
const IDLE_MS = 300_000;
/** What says that nothing was sent: there is no connection. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
/** A node that is starting, ending, or without a majority. */
const UNAVAILABLE = 503;

export class Server implements Requests {
  readonly #nodes: readonly Node[];
  #current = 0;

  /** @param connections to a node that may be open at once */
  constructor({ url, others = [], authorization }: Address, connections: number) {
    const headers = authorization === undefined ? {} : { authorization };
    this.#nodes = [url, ...others].map((each) => new Node(each, headers, connections));
  }

  /** The node that is asked now. */
  get name(): string {
    return this.#nodes[this.#current]!.name;
  }

  async send(method: string, path: string, body?: Uint8Array | string): Promise<Answer> {
    for (let left = this.#nodes.length; ; ) {
      const node = this.#nodes[this.#current]!;
      try {
        const answer = await node.send(method, path, body);
        // The next request, or whoever tries this one again, has more luck elsewhere.
        if (answer.status === UNAVAILABLE) this.#leave(node);
        return answer;
      } catch (e) {
        this.#leave(node);
        // What may have been carried out isn't sent again here.
        if (--left <= 0 || !(e instanceof NoAnswer) || !isUnsent(e)) throw e;
      }
    }
  }

  async close(): Promise<void> {
    for (const node of this.#nodes) node.close();
  }

  /** Turns to the next node, unless another request has done so. */
  #leave(node: Node): void {
    if (this.#nodes[this.#current] === node) this.#current = (this.#current + 1) % this.#nodes.length;
  }
}

function isUnsent({ cause }: NoAnswer): boolean {
  const [first] = (cause as AggregateError).errors ?? [];
  const { code = '' } = (first ?? cause) as NodeJS.ErrnoException;
  return NOT_CONNECTED.has(code);
}

/** One of the servers of an address. */
class Node {
  readonly name: string;
  readonly #agent: Agent;
  readonly #options: RequestOptions;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #request: typeof request;

  constructor(url: string, headers: Record<string, string>, connections: number) {
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
    this.#headers = headers;
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

  close(): void {
    this.#agent.destroy();
  }
}
