import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** What a link does to the bytes of its connections. */
export type LinkState =
  /** They pass. */
  | 'open'
  /** Connections are ended, and new ones refused. */
  | 'cut'
  /** Nothing passes and nothing is ended: whoever waits, waits. */
  | 'black hole'
  /** Bytes pass from the client to the server only. */
  | 'half open';

/** A link between two processes, over which bytes can be delayed, kept back or cut off. */
export class TcpProxy {
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #state: LinkState = 'open';
  #delayMs = 0;
  /** The port that it leads to; nothing is there without one. */
  target: number | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a port that is free. */
  static async listen(): Promise<TcpProxy> {
    const server = createServer({ pauseOnConnect: true });
    const proxy = new TcpProxy(server);
    server.on('connection', (socket) => proxy.#connect(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get state(): LinkState {
    return this.#state;
  }

  /** From now on, for connections that there are too. */
  set(state: LinkState, delayMs = 0): void {
    this.#state = state;
    this.#delayMs = delayMs;
    for (const connection of [...this.#connections])
      if (state === 'cut') connection.end();
      else connection.flow(state, delayMs);
  }

  async close(): Promise<void> {
    for (const connection of [...this.#connections]) connection.end();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connect(client: Socket): void {
    if (this.#state === 'cut' || this.target === undefined) {
      client.destroy();
      return;
    }
    const connection = new Connection(client, connect(this.target, '127.0.0.1'));
    this.#connections.add(connection);
    connection.onEnd = () => this.#connections.delete(connection);
    connection.flow(this.#state, this.#delayMs);
  }
}

/** A connection through a proxy: two sockets, each of whose bytes go into the other. */
class Connection {
  readonly #directions: readonly Direction[];
  readonly #sockets: readonly Socket[];
  onEnd = () => {};

  constructor(client: Socket, server: Socket) {
    this.#sockets = [client, server];
    this.#directions = [new Direction(client, server), new Direction(server, client)];
    for (const socket of this.#sockets) {
      socket.setNoDelay(true);
      socket.on('error', () => this.end());
      socket.on('close', () => this.end());
    }
  }

  flow(state: LinkState, delayMs: number): void {
    const [out, back] = this.#directions;
    out!.flow(state === 'open' || state === 'half open', delayMs);
    back!.flow(state === 'open', delayMs);
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.onEnd();
  }
}

/** The bytes of one direction. */
class Direction {
  readonly #from: Socket;
  #delayMs = 0;
  #flows = true;
  /** Bytes were read that haven't gone on yet: nothing else is read, so that order is kept and memory is bounded. */
  #sending = false;

  constructor(from: Socket, to: Socket) {
    this.#from = from;
    const sent = () => {
      this.#sending = false;
      this.#readOn();
    };
    from.on('data', (bytes) => {
      this.#sending = true;
      from.pause();
      const send = () => {
        if (to.destroyed || to.write(bytes)) sent();
        else to.once('drain', sent);
      };
      if (this.#delayMs > 0) setTimeout(send, this.#delayMs);
      else send();
    });
    from.on('end', () => to.end());
  }

  flow(flows: boolean, delayMs: number): void {
    this.#flows = flows;
    this.#delayMs = delayMs;
    if (flows) this.#readOn();
    else this.#from.pause();
  }

  #readOn(): void {
    if (this.#flows && !this.#sending) this.#from.resume();
  }
}
