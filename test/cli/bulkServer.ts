/** A server that takes bulk requests into a map, and fails as a test has it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An action of a request. */
export interface Sent {
  kind: string;
  meta: Record<string, unknown>;
  source: string | undefined;
}

/** What becomes of a request: taken; answered with a status; broken off, before or after it is taken. */
export type Fate = 'take' | number | 'break' | 'breakTaken';

export class BulkServer {
  /** Sources by id. */
  readonly documents = new Map<string, string>();
  /** All actions of all requests, in their order. */
  readonly sent: Sent[] = [];
  /** Paths and headers of requests. */
  readonly requests: { method: string; path: string; authorization: string | undefined; bytes: number }[] =
    [];
  /** What becomes of bulk number n, from 1; it may wait. */
  fate: (n: number, actions: readonly Sent[]) => Fate | Promise<Fate> = () => 'take';
  /** The status of an action, instead of that of taking it. */
  statusOf: (action: Sent) => number | undefined = () => undefined;
  bulks = 0;
  /** Bulks under way at once, at most. */
  mostAtOnce = 0;
  #atOnce = 0;
  readonly #server: Server;
  readonly #scheme: string;

  /** @param tls with which it speaks https */
  constructor(tls?: { cert: Buffer; key: Buffer }) {
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response);
    this.#server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(() => done()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => Buffer.alloc(0));
    const { method = '', url = '', headers } = request;
    const { authorization } = headers;
    this.requests.push({ method, path: url, authorization, bytes: body.length });
    if (!url.endsWith('/_bulk')) {
      response.end('{}');
      return;
    }
    const actions = actionsOf(body.toString());
    this.sent.push(...actions);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    const fate = await this.fate(++this.bulks, actions);
    this.#atOnce--;
    if (fate === 'break') request.socket.destroy();
    else if (typeof fate === 'number') response.writeHead(fate).end(`{"error":"fate ${fate}"}`);
    else {
      const items = actions.map((action) => this.#take(action));
      if (fate === 'breakTaken') request.socket.destroy();
      else {
        const errors = items.some((item) => Object.values(item)[0]!.error !== undefined);
        response.end(JSON.stringify({ took: 1, errors, items }));
      }
    }
  }

  #take(action: Sent): Record<string, { _id: unknown; status: number; error?: string }> {
    const { kind, meta, source } = action;
    const id = String(meta._id);
    const refused = this.statusOf(action);
    if (refused !== undefined) return { [kind]: { _id: id, status: refused, error: `Refused[${refused}]` } };
    if (kind === 'create' && this.documents.has(id))
      return { create: { _id: id, status: 409, error: 'DocumentAlreadyExistsException' } };
    if (kind === 'delete') {
      this.documents.delete(id);
      return { delete: { _id: id, status: 200 } };
    }
    this.documents.set(id, source!);
    return { [kind]: { _id: id, status: 201 } };
  }
}

function actionsOf(body: string): Sent[] {
  const lines = body.split('\n');
  const actions: Sent[] = [];
  for (let i = 0; i < lines.length - 1; i++) {
    const [kind, meta] = Object.entries(JSON.parse(lines[i]!))[0] as [string, Record<string, unknown>];
    actions.push({ kind, meta, source: kind === 'delete' ? undefined : lines[++i] });
  }
  return actions;
}
